import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const root = fileURLToPath(new URL('../../', import.meta.url));
const documents = [
  'README.md',
  'CONTRIBUTING.md',
  ...readdirSync(join(root, 'docs'), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.md'))
    .map((name) => join('docs', name)),
];

test.each(documents)('every path named in %s exists', (name) => {
  const text = readFileSync(join(root, name), 'utf8');
  const links = [...text.matchAll(/\]\(([^)#]+)\)/g)]
    .map(([, path]) => resolve(root, dirname(name), path as string))
    .filter((path) => !/:\/\//.test(path));
  const paths = [...text.matchAll(/`((?:src|db|docs|seed|e2e|bench|scripts)\/[\w./-]+)`/g)].map(([, path]) =>
    resolve(root, path as string),
  );
  expect([...links, ...paths].filter((path) => !existsSync(path))).toEqual([]);
});

/** Returns the folders of the tree at the head of docs/architecture.md with their descriptions. Two blanks indent an inner folder. */
function describedFolders(): Map<string, string> {
  const block = /```\n([\s\S]*?)```/.exec(readFileSync(join(root, 'docs/architecture.md'), 'utf8'))?.[1] ?? '';
  const folders = new Map<string, string>();
  let outer = '';
  for (const line of block.trimEnd().split('\n')) {
    const [, indent = '', path = '', purpose = ''] = /^( *)([\w./]+)\/\s*(.*)$/.exec(line) ?? [];
    if (indent === '') outer = path;
    folders.set(indent === '' ? path : `${outer}/${path}`, purpose);
  }
  return folders;
}

test('docs/architecture.md has one line for each folder, two levels deep', () => {
  const foldersOf = (path: string) =>
    readdirSync(join(root, path), { withFileTypes: true })
      .filter((entry) => entry.isDirectory() && !entry.name.startsWith('.'))
      .map((entry) => (path === '' ? entry.name : `${path}/${entry.name}`));
  const top = ['bench', 'db', 'docs', 'e2e', 'lint', 'scripts', 'seed'];
  const areas = foldersOf('src');
  const expected = [...top, ...areas, ...[...top, ...areas].flatMap(foldersOf)];
  const described = describedFolders();
  expect([...described.keys()].sort()).toEqual(expected.sort());
  expect([...described].filter(([, purpose]) => purpose === '').map(([path]) => path)).toEqual([]);
});
