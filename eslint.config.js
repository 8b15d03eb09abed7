// The lint rules, among them the rules of docs/architecture.md. src/testing/lint.test.ts proves each with a planted violation.
import js from '@eslint/js';
import hooks from 'eslint-plugin-react-hooks';
import ts from 'typescript-eslint';
import { architecture } from './lint/architecture.js';
import { chinese } from './lint/chinese.js';
import { english, MAX_LINE_LENGTH } from './lint/english.js';

const code = ['**/*.{ts,tsx}'];
const scripts = ['**/*.{js,mjs}'];
const tests = ['**/*.test.{ts,tsx}', 'e2e/**', 'src/testing/**'];

/** Syntax that is refused in all files. A later entry replaces the list, so it repeats this one. */
const everywhere = [
  { selector: 'ExportAllDeclaration', message: 'No barrels: import a thing from the file that declares it.' },
  { selector: 'ExportNamedDeclaration[source]', message: 'No barrels: import a thing from the file that declares it.' },
  {
    selector: "ImportDeclaration[source.value='@mantine/core'] > ImportSpecifier[imported.name=/^(CopyButton|useClipboard)$/]",
    message: 'Without https this copies nothing: use CopyTextButton or copyText.',
  },
  {
    selector: "MemberExpression[object.name='crypto'][property.name='randomUUID']",
    message: 'A page without https has no crypto.randomUUID: use newUuid.',
  },
];
const unused = { argsIgnorePattern: '^_', varsIgnorePattern: '^_', caughtErrorsIgnorePattern: '^_', ignoreRestSiblings: true };
const noEnvironment = {
  selector: "MemberExpression[object.name='process']:matches([property.name='env'], [property.value='env'])",
  message: 'Only server/config.ts and server/log.ts read the environment.',
};
const everyTestRuns = {
  selector:
    'CallExpression[callee.object.name=/^(test|it|describe|suite)$/][callee.property.name=/^(skip|only|todo|fails|skipIf|runIf|fixme)$/]',
  message: 'Every test runs: a skipped test proves nothing, and `only` hides the other tests.',
};

/** Names of the browser's window that look like variables: after a rename `open.length` still compiles and means the window. */
const easilyMistaken = [
  'close',
  'closed',
  'event',
  'find',
  'focus',
  'length',
  'name',
  'open',
  'parent',
  'scroll',
  'status',
  'stop',
  'top',
];

/** Tables of data, which may have long lines: one row per line is easier to read. */
const tablesOfData = ['src/domain/**/scales/**', 'src/domain/**/commentary*', 'src/contract/menu.ts', '**/*.module.css'];

/** The rules of size and English at the given level. */
export const readingRules = (level) => [
  {
    files: [...code, ...scripts],
    rules: {
      'architecture/folder-size': [level, { max: 15 }],
      'architecture/no-cycle': level,
      'english/clear-comments': level,
      'english/short-comments': level,
      'english/clear-names': level,
    },
  },
  { files: ['src/**/*.{ts,tsx}'], rules: { 'english/state-names': level } },
  {
    files: ['src/{ui,blocks,console,features,respondent,contract,domain}/**/*.{ts,tsx}'],
    ignores: ['src/console/openapi/**', ...tests],
    rules: { 'chinese/plain-words': level },
  },
  { files: [...code, ...scripts], ignores: tablesOfData, rules: { 'max-len': [level, { code: MAX_LINE_LENGTH }] } },
];

export default [
  {
    ignores: [
      'dist/**',
      'node_modules/**',
      '.cache/**',
      'data/**',
      'db/generated/**',
      'test-results/**',
      'playwright-report/**',
      'public/**',
    ],
  },
  { linterOptions: { reportUnusedDisableDirectives: 'error' } },
  { ...js.configs.recommended, files: [...code, ...scripts] },
  {
    files: scripts,
    rules: { 'no-unused-vars': ['error', unused] },
    languageOptions: {
      globals: Object.fromEntries(
        [
          'process',
          'console',
          'performance',
          'setTimeout',
          'setInterval',
          'clearTimeout',
          'clearInterval',
          'URL',
          'Buffer',
          'fetch',
          'document',
          'AbortSignal',
          'setImmediate',
        ].map((name) => [name, 'readonly']),
      ),
    },
  },
  {
    files: code,
    languageOptions: { parser: ts.parser },
    plugins: { ts: ts.plugin },
    rules: {
      // TypeScript checks names and assignments better.
      'no-undef': 'off',
      'no-redeclare': 'off',
      'no-unused-vars': 'off',
      'ts/no-explicit-any': 'error',
      'ts/ban-ts-comment': ['error', { 'ts-expect-error': 'allow-with-description' }],
      'ts/consistent-type-imports': ['error', { fixStyle: 'separate-type-imports', disallowTypeAnnotations: false }],
      'ts/no-unused-vars': ['error', unused],
    },
  },
  {
    files: [...code, ...scripts],
    plugins: { architecture, chinese, english },
    rules: {
      'architecture/direction': 'error',
      'architecture/file-name': 'error',
      'architecture/reason': 'error',
      'max-lines': ['error', 400],
      'no-var': 'error',
      'prefer-const': 'error',
      eqeqeq: ['error', 'always', { null: 'ignore' }],
      'no-eval': 'error',
      // The code removes control characters from workbooks and names.
      'no-control-regex': 'off',
      'no-restricted-syntax': ['error', ...everywhere],
      'no-restricted-globals': ['error', ...easilyMistaken],
    },
  },
  { files: ['src/**/*.{ts,tsx}', 'seed/**/*.ts'], rules: { 'no-restricted-syntax': ['error', ...everywhere, noEnvironment] } },
  { files: ['src/server/{config,log}.ts'], rules: { 'no-restricted-syntax': ['error', ...everywhere] } },
  { files: tests, rules: { 'no-restricted-syntax': ['error', ...everywhere, everyTestRuns] } },
  {
    // Queries need no doc comment: a name such as `findYears` is enough.
    files: ['src/{domain,contract,server}/**/*.ts', 'src/features/**/*.ts'],
    ignores: [...tests, '**/*.queries.ts'],
    rules: { 'architecture/doc-comment': 'error' },
  },
  { files: ['src/**/*.tsx', 'src/**/use*.ts'], plugins: { hooks }, rules: { 'hooks/rules-of-hooks': 'error' } },
  // Effects of the respondent's pages run once, with an empty list, so the rule does not apply there.
  {
    files: ['src/{ui,blocks,console,features}/**/*.tsx', 'src/{ui,blocks,console,features}/**/use*.ts'],
    rules: { 'hooks/exhaustive-deps': 'error' },
  },
  ...readingRules('error'),
];
