// What a machine can check of docs/architecture.md. Every rule is proven by a planted violation in src/testing/lint.test.ts.
import js from '@eslint/js';
import hooks from 'eslint-plugin-react-hooks';
import ts from 'typescript-eslint';
import { architecture } from './lint/architecture.js';
import { english, MAX_LINE_LENGTH } from './lint/english.js';

const code = ['**/*.{ts,tsx}'];
const scripts = ['**/*.{js,mjs}'];
const tests = ['**/*.test.{ts,tsx}', 'e2e/**', 'src/testing/**'];

/** Syntax that is refused everywhere. A list is repeated whole where a place adds to it: the last one wins. */
const everywhere = [
  { selector: 'ExportAllDeclaration', message: 'No barrels: import a thing from the file that declares it.' },
  { selector: 'ExportNamedDeclaration[source]', message: 'No barrels: import a thing from the file that declares it.' },
];
const unused = { argsIgnorePattern: '^_', varsIgnorePattern: '^_', caughtErrorsIgnorePattern: '^_', ignoreRestSiblings: true };
const noEnvironment = {
  selector: "MemberExpression[object.name='process']:matches([property.name='env'], [property.value='env'])",
  message: 'The environment is read in server/config.ts and server/log.ts alone.',
};
const everyTestRuns = {
  selector:
    'CallExpression[callee.object.name=/^(test|it|describe|suite)$/][callee.property.name=/^(skip|only|todo|fails|skipIf|runIf|fixme)$/]',
  message: 'Every test runs: a skipped one proves nothing, a lone one hides the rest.',
};

/** One row a line is what makes a table of data readable. */
const tablesOfData = ['src/domain/**/scales/**', 'src/domain/**/commentary*', 'src/contract/menu.ts', '**/*.module.css'];

/** The rules of size and words. */
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
      // The compiler knows every name and every assignment better.
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
    plugins: { architecture, english },
    rules: {
      'architecture/direction': 'error',
      'architecture/file-name': 'error',
      'architecture/reason': 'error',
      'max-lines': ['error', 400],
      'no-var': 'error',
      'prefer-const': 'error',
      eqeqeq: ['error', 'always', { null: 'ignore' }],
      'no-eval': 'error',
      // Control characters are what sheets and names are cleaned of.
      'no-control-regex': 'off',
      'no-restricted-syntax': ['error', ...everywhere],
    },
  },
  { files: ['src/**/*.{ts,tsx}', 'seed/**/*.ts'], rules: { 'no-restricted-syntax': ['error', ...everywhere, noEnvironment] } },
  { files: ['src/server/{config,log}.ts'], rules: { 'no-restricted-syntax': ['error', ...everywhere] } },
  { files: tests, rules: { 'no-restricted-syntax': ['error', ...everywhere, everyTestRuns] } },
  {
    // Queries are left out: `findYears` says it.
    files: ['src/{domain,contract,server}/**/*.ts', 'src/features/**/*.ts'],
    ignores: [...tests, '**/*.queries.ts'],
    rules: { 'architecture/doc-comment': 'error' },
  },
  { files: ['src/**/*.tsx', 'src/**/use*.ts'], plugins: { hooks }, rules: { 'hooks/rules-of-hooks': 'error' } },
  // The respondent's pages do things once, when they appear; each of its effects says so by an empty list.
  {
    files: ['src/{ui,blocks,console,features}/**/*.tsx', 'src/{ui,blocks,console,features}/**/use*.ts'],
    rules: { 'hooks/exhaustive-deps': 'error' },
  },
  ...readingRules('error'),
  // Switched on when the last comment follows it.
  { rules: { 'english/clear-comments': 'off' } },
];
