import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { ESLint } from 'eslint';
import ts from 'typescript';
import { expect, test } from 'vitest';

const root = fileURLToPath(new URL('../../', import.meta.url));
const load = async (path: string): Promise<unknown> => import(join(root, path));
const { readingRules } = (await load('eslint.config.js')) as {
  readingRules: (level: string) => ESLint.Options['overrideConfig'];
};
const { sqlComments, unclearPhrases, MAX_LINE_LENGTH } = (await load('lint/english.js')) as {
  sqlComments: (text: string) => { line: number; text: string }[];
  unclearPhrases: (text: string) => string[];
  MAX_LINE_LENGTH: number;
};

const eslint = new ESLint({ cwd: root, overrideConfig: readingRules('error') as never });

/** The messages of the rules of size and words for a text that is planted at a path. */
async function complaints(filePath: string, text: string): Promise<string[]> {
  const [result] = await eslint.lintText(`${text}\n`, { filePath });
  const reading = (result?.messages ?? []).filter(({ ruleId }) =>
    /^(english\/|max-len|architecture\/(folder|no-cycle))/.test(ruleId ?? ''),
  );
  return reading.map(({ ruleId, message }) => `${ruleId}: ${message}`);
}

const lines = (count: number) => Array.from({ length: count }, (_, i) => ` * Line ${i}.`).join('\n');

test.each([
  ['a setter that is no setX', 'const [open, show] = useState(false);', 'english/state-names: Call the setter setOpen'],
  ['a setter of React.useState', 'const [open, show] = React.useState(false);', 'english/state-names: Call the setter setOpen'],
  ['a participle as a name', 'export const told = 1;', 'english/clear-names'],
  ['a participle as a parameter', 'export const f = (wanted: string) => wanted;', 'english/clear-names'],
  ['whoever in a comment', '// Whoever asks gets an answer.\nexport const a = 1;', 'english/clear-comments'],
  ['whom over two lines', '/**\n * The person to\n * whom it belongs.\n */\nexport const a = 1;', 'english/clear-comments'],
  ['a riddle in a comment', '// What of it is kept belongs to the school.\nexport const a = 1;', 'english/clear-comments'],
  ['a comment of seven lines', `export const a = 1;\n/**\n${lines(7)}\n */\nexport const b = 1;`, 'english/short-comments'],
  ['seven line comments', `export const a = 1;\n${'// A line.\n'.repeat(7)}export const b = 1;`, 'english/short-comments'],
  ['a line of 141 characters', `export const a = '${'x'.repeat(141 - 20)}';`, 'max-len'],
])('%s is refused', async (_, text, rule) => {
  expect(await complaints('src/features/cuser/useA.ts', text)).toContainEqual(expect.stringContaining(rule));
});

test.each([
  ['a setter that is setX', 'const [open, setOpen] = useState(false);\nexport const a = [open, setOpen];'],
  ['a state without a setter', 'const [open] = useState(false);\nexport const a = open;'],
  ['a wire name that is a participle', 'export const a = { held: true };'],
  ['a comment of six lines', `export const a = 1;\n/**\n${lines(6)}\n */\nexport const b = 1;`],
  ['a long head of a file', `/**\n${lines(12)}\n */\nexport const a = 1;`],
  ['a line of 140 characters', `export const a = '${'x'.repeat(140 - 20)}';`],
])('%s is accepted', async (_, text) => {
  expect((await complaints('src/features/cuser/useA.ts', text)).filter((message) => !/no-undef|direction/.test(message))).toEqual(
    [],
  );
});

/** A folder of the tree and its code files, for a planted file more. */
const codeFiles = (folder: string) =>
  readdirSync(join(root, folder)).filter((name) => /\.tsx?$/.test(name) && !/\.test\.tsx?$|\.d\.ts$/.test(name));

test('a folder with more code files than allowed is refused; a test file is not counted', async () => {
  const crowded = new ESLint({
    cwd: root,
    overrideConfig: {
      files: ['**/*.ts'],
      rules: { 'architecture/folder-size': ['error', { max: codeFiles('src/contract').length }] },
    },
  });
  const sizes = async (filePath: string) => {
    const [result] = await crowded.lintText('export const a = 1;\n', { filePath });
    return result?.messages.filter(({ ruleId }) => ruleId === 'architecture/folder-size').map(({ message }) => message);
  };
  expect(await sizes('src/contract/zzz.ts')).toEqual([expect.stringContaining('The folder src/contract holds')]);
  expect(await sizes('src/contract/zzz.test.ts')).toEqual([]);
});

/** Two files of the tree, the first of which imports the second. */
function importPair(): [from: string, to: string] {
  for (const name of codeFiles('src/contract')) {
    const target = /from '#contract\/([\w/.]+)'/.exec(readFileSync(join(root, 'src/contract', name), 'utf8'))?.[1];
    if (target) return [`src/contract/${name}`, `src/contract/${target}`];
  }
  throw new Error('no file of src/contract imports another');
}

test.each([
  ['a value', 'import { x }'],
  ['a type', 'import type { x }'],
])('an import of %s that closes a circle is refused with the way round', async (_, form) => {
  const [from, to] = importPair();
  const text = `${form} from '#${from.slice('src/'.length)}';\nexport const a = (b: typeof x) => b;`;
  expect(await complaints(to, text)).toContainEqual(
    expect.stringContaining(`architecture/no-cycle: Import circle: ${to} → ${from} → ${to}`),
  );
});

test('comments and lines of SQL follow the same rules', () => {
  const folder = join(root, 'db/schema');
  const files = existsSync(folder) ? readdirSync(folder).filter((name) => name.endsWith('.sql')) : [];
  const faults = files.flatMap((name) => {
    const text = readFileSync(join(folder, name), 'utf8');
    const unclear = sqlComments(text).flatMap((comment) =>
      unclearPhrases(comment.text).map((advice) => `${name}:${comment.line} ${advice}`),
    );
    const long = text
      .split('\n')
      .flatMap((line, i) => (line.length > MAX_LINE_LENGTH ? [`${name}:${i + 1} ${line.length} characters`] : []));
    return [...unclear, ...long];
  });
  expect(faults).toEqual([]);
});

test('a riddle in a comment of SQL is found, alone or behind a statement', () => {
  const text = "create table a (b text); -- whoever wrote it\n-- a person to\n-- whom it belongs\nselect '--whoever';";
  expect(sqlComments(text).map((comment) => [comment.line, unclearPhrases(comment.text).length])).toEqual([
    [1, 1],
    [2, 1],
  ]);
});

/** What the compiler says of a handler planted beside the contracts, with the project's own options. */
function compile(body: string): string[] {
  const config = ts.readConfigFile(join(root, 'tsconfig.json'), (path) => ts.sys.readFile(path));
  const { options } = ts.parseJsonConfigFileContent(config.config, ts.sys, root);
  const path = join(root, 'src/planted.ts');
  const handle = ['src/server/dispatch/handle.ts', 'src/server/dispatch/handle.ts'].find((file) =>
    existsSync(join(root, file)),
  ) as string;
  const text = `import { z } from 'zod';
import { anyStaff, defineAction } from '#contract/action.ts';
import { handle } from '#${handle.slice('src/'.length)}';
const request = z.strictObject({});
const action = defineAction({ name: 'as.m.planted', title: '', allow: anyStaff, kind: 'read', request, response: z.null() });
export const planted = handle(action, async (_, ctx) => {
  ${body}
  return null;
});
`;
  const host = ts.createCompilerHost({ ...options, incremental: false });
  const { getSourceFile, fileExists, readFile } = host;
  host.fileExists = (name) => name === path || fileExists(name);
  host.readFile = (name) => (name === path ? text : readFile(name));
  host.getSourceFile = (name, target) => (name === path ? ts.createSourceFile(name, text, target) : getSourceFile(name, target));
  const { tsBuildInfoFile: _, incremental: __, ...rest } = options;
  const program = ts.createProgram([path], rest, host);
  return ts
    .getPreEmitDiagnostics(program, program.getSourceFile(path))
    .map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, ' '));
}

test.each([
  ['use the pools', 'void ctx.pools;', "Property 'pools' does not exist"],
  ['plan work after the commit', 'ctx.afterCommit(() => undefined);', "Property 'afterCommit' does not exist"],
  ['write a file', "await ctx.storage.put('a', new Uint8Array());", "Property 'put' does not exist"],
])('a read handler that would %s does not compile', (_, body, why) => {
  expect(compile(body)).toEqual([expect.stringContaining(why)]);
});

test('a read handler that reads compiles', () => {
  expect(compile('void ctx.scope;\n  void ctx.storage.get;')).toEqual([]);
});
