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
