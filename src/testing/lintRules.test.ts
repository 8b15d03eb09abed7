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

/** Returns the messages of the rules of size and words for a text at a path. */
async function lint(filePath: string, text: string): Promise<string[]> {
  const [result] = await eslint.lintText(`${text}\n`, { filePath });
  const messages = (result?.messages ?? []).filter(({ ruleId }) =>
    /^((chinese|english)\/|max-len|id-denylist|architecture\/(folder|no-cycle))/.test(ruleId ?? ''),
  );
  return messages.map(({ ruleId, message }) => `${ruleId}: ${message}`);
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
  ['a developer’s word that users would read', "export const a = '后端接口连接异常';", 'chinese/plain-words'],
  ['a questionnaire without its hyphen', 'export const a = `${1} 分，PHQ9 总分`;', 'chinese/plain-words'],
  ['a line of 141 characters', `export const a = '${'x'.repeat(141 - 20)}';`, 'max-len'],
])('%s is refused', async (_, text, rule) => {
  expect(await lint('src/features/cuser/useA.ts', text)).toContainEqual(expect.stringContaining(rule));
});

test.each([
  ['a setter that is setX', 'const [open, setOpen] = useState(false);\nexport const a = [open, setOpen];'],
  ['a state without a setter', 'const [open] = useState(false);\nexport const a = open;'],
  ['a questionnaire in Chinese with its hyphen', "export const a = 'PHQ-9 总分';"],
  ['a wire name that is a participle', 'export const a = { held: true };'],
  ['a comment of six lines', `export const a = 1;\n/**\n${lines(6)}\n */\nexport const b = 1;`],
  ['a long head of a file', `/**\n${lines(12)}\n */\nexport const a = 1;`],
  ['a line of 140 characters', `export const a = '${'x'.repeat(140 - 20)}';`],
])('%s is accepted', async (_, text) => {
  expect((await lint('src/features/cuser/useA.ts', text)).filter((message) => !/no-undef|direction/.test(message))).toEqual([]);
});

/** Returns the code files of a folder. */
const codeFiles = (folder: string) =>
  readdirSync(join(root, folder)).filter((name) => /\.tsx?$/.test(name) && !/\.test\.tsx?$|\.d\.ts$/.test(name));

test('a folder with more code files than allowed is refused; a test file is not counted', async () => {
  const strictLinter = new ESLint({
    cwd: root,
    overrideConfig: {
      files: ['**/*.ts'],
      rules: { 'architecture/folder-size': ['error', { max: codeFiles('src/contract').length }] },
    },
  });
  const sizeFaults = async (filePath: string) => {
    const [result] = await strictLinter.lintText('export const a = 1;\n', { filePath });
    return result?.messages.filter(({ ruleId }) => ruleId === 'architecture/folder-size').map(({ message }) => message);
  };
  expect(await sizeFaults('src/contract/zzz.ts')).toEqual([expect.stringContaining('The folder src/contract holds')]);
  expect(await sizeFaults('src/contract/zzz.test.ts')).toEqual([]);
});

/** Returns two files of the tree; the first one imports the second one. */
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
])('an import of %s that closes a circle is refused, and the message names the circle', async (_, form) => {
  const [from, to] = importPair();
  const text = `${form} from '#${from.slice('src/'.length)}';\nexport const a = (b: typeof x) => b;`;
  expect(await lint(to, text)).toContainEqual(
    expect.stringContaining(`architecture/no-cycle: Import circle: ${to} → ${from} → ${to}`),
  );
});

test('comments and lines of SQL follow the same rules', () => {
  const folder = join(root, 'db/schema');
  const files = existsSync(folder) ? readdirSync(folder).filter((name) => name.endsWith('.sql')) : [];
  const faults = files.flatMap((name) => {
    const text = readFileSync(join(folder, name), 'utf8');
    const unclearComments = sqlComments(text).flatMap((comment) =>
      unclearPhrases(comment.text).map((advice) => `${name}:${comment.line} ${advice}`),
    );
    const longLines = text
      .split('\n')
      .flatMap((line, i) => (line.length > MAX_LINE_LENGTH ? [`${name}:${i + 1} ${line.length} characters`] : []));
    return [...unclearComments, ...longLines];
  });
  expect(faults).toEqual([]);
});

test('an unclear phrase in a comment of SQL is found, on its own line or after a statement', () => {
  const text = "create table a (b text); -- whoever wrote it\n-- a person to\n-- whom it belongs\nselect '--whoever';";
  expect(sqlComments(text).map((comment) => [comment.line, unclearPhrases(comment.text).length])).toEqual([
    [1, 1],
    [2, 1],
  ]);
});

/** Compiles a read handler with the project's options and returns the messages of the compiler. */
function compile(body: string): string[] {
  const config = ts.readConfigFile(join(root, 'tsconfig.json'), (path) => ts.sys.readFile(path));
  const { options } = ts.parseJsonConfigFileContent(config.config, ts.sys, root);
  const path = join(root, 'src/planted.ts');
  const text = `import { z } from 'zod';
import { anyStaff, defineAction } from '#contract/action.ts';
import { handle } from '#server/dispatch/handle.ts';
const action = defineAction({
  name: 'as.m.planted',
  title: '',
  allow: anyStaff,
  kind: 'read',
  request: z.strictObject({}),
  response: z.null(),
});
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
])('a read handler cannot %s: it does not compile', (_, body, message) => {
  expect(compile(body)).toEqual([expect.stringContaining(message)]);
});

test('a read handler that reads compiles', () => {
  expect(compile('void ctx.scope;\n  void ctx.storage.get;')).toEqual([]);
});
