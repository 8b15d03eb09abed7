import { ESLint } from 'eslint';
import { expect, test } from 'vitest';

/** The linter with the project's rules. It checks a text as a file at a given path. */
const eslint = new ESLint({ cwd: process.cwd() });

async function lint(filePath: string, text: string): Promise<string[]> {
  const [result] = await eslint.lintText(`${text}\n`, { filePath });
  return result?.messages.map(({ ruleId, message }) => `${ruleId}: ${message}`) ?? [];
}

const from = (source: string) => `import { x } from '${source}';\nconsole.log(x);`;

test.each([
  ['src/domain/a.ts', '#contract/page.ts', 'The domain imports nothing but itself'],
  ['src/domain/a.ts', 'zod', 'The domain imports nothing but itself'],
  ['src/domain/scales/a.ts', '../../server/privacy.ts', 'The domain imports nothing but itself'],
  ['src/contract/a.ts', '#server/security/privacy.ts', 'Server and browser read a contract'],
  ['src/contract/a.ts', '#features/cuser/cuser.contract.ts', ''],
  ['src/features/cuser/cuser.contract.ts', '#features/cuser/cuser.queries.ts', 'Server and browser read a contract'],
  ['src/features/cuser/cuser.contract.ts', 'react', 'Server and browser read a contract'],
  ['src/features/cuser/cuser.contract.ts', 'node:fs', 'Server and browser read a contract'],
  ['src/features/cuser/cuser.contract.ts', '#features/team/team.contract.ts', ''],
  ['src/features/cuser/cuser.queries.ts', '#features/cuser/cuser.server.ts', 'Queries know neither handlers nor the browser'],
  ['src/features/cuser/cuser.queries.ts', '#features/team/team.queries.ts', ''],
  ['src/features/cuser/cuser.queries.ts', 'kysely', ''],
  ['src/features/cuser/cuser.server.ts', 'kysely', 'A handler uses the database through queries'],
  ['src/features/cuser/cuser.server.ts', 'pg', 'A handler uses the database through queries'],
  ['src/features/cuser/cuser.server.ts', '#features/team/team.server.ts', 'A handler uses the database through queries'],
  ['src/features/cuser/cuser.server.ts', '#features/cuser/merge.server.ts', ''],
  ['src/features/cuser/cuser.server.ts', '#features/team/team.queries.ts', ''],
  ['src/features/cuser/cuser.server.ts', '#features/plan/formLicence.ts', ''],
  ['src/features/cuser/cuser.server.ts', '#features/cuser/CUserListPage.tsx', 'A handler uses the database through queries'],
  ['src/features/cuser/cuser.server.ts', 'react', 'A handler uses the database through queries'],
  ['src/features/cuser/createPersons.ts', 'kysely', 'A plain file of a feature contains steps'],
  ['src/features/cuser/createPersons.ts', './cuser.server.ts', 'A plain file of a feature contains steps'],
  ['src/features/cuser/CUserListPage.tsx', '#features/cuser/cuser.queries.ts', 'A page uses the server'],
  ['src/features/cuser/CUserListPage.tsx', '#features/cuser/createPersons.ts', 'A page uses the server'],
  ['src/features/cuser/CUserListPage.tsx', '#features/team/TeamDrawer.tsx', 'A page uses the server'],
  ['src/features/cuser/CUserListPage.tsx', '../team/TeamDrawer.tsx', 'A page uses the server'],
  ['src/features/cuser/CUserListPage.tsx', '#console/session.ts', 'A page uses the server'],
  ['src/features/cuser/CUserListPage.tsx', '#features/team/team.contract.ts', ''],
  ['src/features/cuser/CUserListPage.tsx', './CUserDrawer.tsx', ''],
  ['src/features/cuser/CUserListPage.tsx', '#features/form/form.labels.ts', 'A page uses the server'],
  ['src/features/form/FormPage.tsx', './form.labels.ts', ''],
  ['src/features/form/form.server.ts', './form.labels.ts', 'A handler uses the database through queries'],
  ['src/features/team/TeamPage.tsx', './roster/row.ts', ''],
  ['src/features/form/form.server.ts', '#features/team/roster/row.ts', ''],
  ['src/features/cuser/useCUser.ts', '#features/team/TeamDrawer.tsx', 'A part of a page uses the server'],
  ['src/ui/list/ListPage.tsx', '#features/cuser/CUserListPage.tsx', 'The components of `ui` import no feature'],
  ['src/ui/list/ListPage.tsx', '#features/cuser/cuser.contract.ts', 'The components of `ui` import no feature'],
  ['src/ui/list/ListPage.tsx', '#blocks/person/PersonField.tsx', 'The components of `ui` import no feature'],
  ['src/ui/list/ListPage.tsx', '#server/security/privacy.ts', 'The components of `ui` import no feature'],
  ['src/blocks/person/PersonField.tsx', '#features/cuser/cuser.contract.ts', ''],
  ['src/blocks/person/PersonField.tsx', '#features/cuser/CUserListPage.tsx', 'A shared block imports contracts'],
  ['src/console/main.tsx', '#server/security/privacy.ts', 'The browser does not import server code'],
  ['src/console/main.tsx', '#respondent/api/api.ts', 'The browser does not import server code'],
  ['src/respondent/main.tsx', '@mantine/core', 'The respondent’s app is small'],
  ['src/respondent/main.tsx', '#ui/theme/theme.ts', 'The respondent’s app is small'],
  ['src/server/security/privacy.ts', '#features/cuser/cuser.server.ts', 'The server imports neither'],
  ['src/server/actions.ts', '#features/cuser/cuser.server.ts', ''],
  ['src/server/security/privacy.ts', '#testing/server.ts', 'The server imports neither'],
  ['src/server/security/privacy.ts', '#ui/theme/theme.ts', 'The server imports neither'],
  ['src/server/privacy.test.ts', '#testing/server.ts', ''],
])('in %s an import of %s gives the message “%s”', async (path, source, message) => {
  const directionFaults = (await lint(path, from(source))).filter((fault) => fault.startsWith('architecture/direction'));
  if (message === '') expect(directionFaults).toEqual([]);
  else expect(directionFaults).toEqual([expect.stringContaining(message)]);
});

test('a plain file belongs to the server or to the browser by its imports and cannot belong to both', async () => {
  const text = "import { x } from '#server/security/privacy.ts';\nimport { y } from '#ui/theme/theme.ts';\nconsole.log(x, y);";
  expect(await lint('src/features/cuser/words.ts', text)).toEqual([
    expect.stringContaining('A plain file of a feature contains steps'),
  ]);
});

test('a dynamic import and a re-export count as imports', async () => {
  const path = 'src/features/cuser/CUserListPage.tsx';
  expect(await lint(path, "export const load = () => import('#server/security/privacy.ts');")).toEqual([
    expect.stringContaining('A page uses the server'),
  ]);
  expect(await lint(path, "export { x } from '#server/security/privacy.ts';")).toContainEqual(
    expect.stringContaining('A page uses the server'),
  );
});

const withDocComment = (text: string) => `/** What it means. */\n${text}`;

test.each([
  ['src/ui/a.ts', "export * from '#ui/b.ts';", 'No barrels'],
  ['src/ui/a.ts', "export { b } from '#ui/b.ts';", 'No barrels'],
  ['src/ui/A.tsx', "import { CopyButton } from '@mantine/core';\nconsole.log(CopyButton);", 'Without https this copies nothing'],
  ['src/ui/a.ts', 'export const a = crypto.randomUUID();', 'use newUuid'],
  ['src/ui/a.ts', Array.from({ length: 401 }, (_, i) => `export const a${i} = ${i};`).join('\n'), 'max-lines'],
  ['src/ui/a.ts', 'export const a = (b: any) => b;', 'ts/no-explicit-any'],
  ['src/ui/a.ts', 'export const a = () => open.length;', 'Unexpected use of'],
  ['src/ui/a.ts', '// @ts-ignore\nexport const a = 1;', 'ts/ban-ts-comment'],
  ['src/ui/a.ts', "import { Person } from '#ui/person.ts';\nexport const a = (b: Person) => b;", 'ts/consistent-type-imports'],
  ['src/ui/a.ts', 'const a = 1;', 'ts/no-unused-vars'],
  ['scripts/a.mjs', 'const a = 1;', 'no-unused-vars'],
  ['src/ui/a.ts', 'export const a = (b: number) => b == 1;', 'eqeqeq'],
  ['src/ui/a.ts', '// eslint-disable-next-line no-var\nexport var a = 1;', 'architecture/reason'],
  ['src/ui/a.ts', '// eslint-disable-next-line no-var -- nothing to silence\nexport const a = 1;', 'Unused eslint-disable'],
  ['src/ui/utils.ts', 'export const a = 1;', 'architecture/file-name'],
  ['src/ui/helpers/a.ts', 'export const a = 1;', 'architecture/file-name'],
  [
    'src/server/a.ts',
    withDocComment('export const a = process.env.PORT;'),
    'Only server/config.ts and server/log.ts read the environment',
  ],
  [
    'src/server/a.ts',
    withDocComment("export const a = process['env'];"),
    'Only server/config.ts and server/log.ts read the environment',
  ],
  ['src/domain/a.ts', 'export function a() {}', 'architecture/doc-comment'],
  ['src/features/a/a.server.ts', '// a remark\nexport function a() {}', 'architecture/doc-comment'],
  [
    'src/ui/A.tsx',
    "import { useState } from 'react';\nexport const A = ({ b }: { b: boolean }) => (b ? useState(1)[0] : 0);",
    'hooks/rules-of-hooks',
  ],
  [
    'src/ui/A.tsx',
    "import { useEffect } from 'react';\nexport function A({ b }: { b: () => void }) {\n  useEffect(() => b(), []);\n  return null;\n}",
    'hooks/exhaustive-deps',
  ],
  ['src/ui/a.test.ts', "import { test } from 'vitest';\ntest.skip('a', () => undefined);", 'Every test runs'],
  ['src/ui/a.test.ts', "import { test } from 'vitest';\ntest.only('a', () => undefined);", 'Every test runs'],
])('in %s the text %s is refused by %s', async (path, text, rule) => {
  expect(await lint(path, text)).toContainEqual(expect.stringContaining(rule));
});

test.each([
  ['src/server/config.ts', withDocComment("export const a = process.env['PORT'];")],
  ['src/features/a/a.queries.ts', 'export function findYears() {}'],
  [
    'src/respondent/A.tsx',
    "import { useEffect } from 'react';\nexport function A({ b }: { b: () => void }) {\n  useEffect(() => b(), []);\n  return null;\n}",
  ],
  ['src/ui/a.ts', 'export const a = (b: unknown) => b == null;'],
])('in %s the text %s is accepted', async (path, text) => {
  expect(await lint(path, text)).toEqual([]);
});
