import { buffer } from 'node:stream/consumers';
import type { Readable } from 'node:stream';
import { expect, test } from 'vitest';
import { z } from 'zod';
import type { Action } from '#contract/action.ts';
import { personName, readableBy } from '#contract/fieldAccess.ts';
import { codesOf } from '#contract/menu.ts';
import { pageOf, pageRequest } from '#contract/page.ts';
import { actions } from '#server/actions.ts';
import { readWorkbook } from '#server/workbook/read.ts';
import { updateUserPermissions } from '#features/access/permission/permission.contract.ts';
import { getCUserPageList, revealCUser } from '#features/cuser/cuser.contract.ts';
import { exportCuserList } from '#features/personsheet/personsheet.contract.ts';
import { getAssessTeamRoster } from '#features/team/team.contract.ts';
import { insertAssessTask } from '#features/task/task.contract.ts';
import { getAssessTaskRoster } from '#features/task/board/board.contract.ts';
import { getWarningCount, getWarningPageList } from '#features/warning/warning.contract.ts';
import { insertWarning } from '#features/warning/handling/handling.contract.ts';
import { getMyDay } from '#features/workbench/workbench.contract.ts';
import { findFieldDifferences, measureFields, readAgreedFields } from '#testing/authorisation/fields.ts';
import { addClass, answerTask, screening } from '#testing/school.ts';
import { startServer } from '#testing/server.ts';

/** The cells of an exported workbook: the note, the heads, the rows. */
async function cellsOf(file: unknown): Promise<string[][]> {
  const { body, filename } = file as { body: Readable; filename: string };
  return (await readWorkbook(await buffer(body), filename)).rows as string[][];
}

/** A class of 王班主任 with a pupil who has a result and an open warning of level 2. */
async function startClass() {
  const server = await startServer();
  const { teamcode, pupils } = await addClass(server, {
    teamname: '初二(3)班',
    names: ['林小雨', '周明'],
    owneruserid: 'U_WANG',
  });
  const { taskcode } = await server.as('chen')(insertAssessTask, screening([teamcode]));
  const [lin] = pupils as [(typeof pupils)[0]];
  await answerTask(server, lin);
  await server.as('chen')(insertWarning, { cuserid: lin.cuserid, level: 2, content: '同学反映近来常常独自哭泣' });
  await server.sqlAsOwner('update cuser set lastlevel = 3, mentalstate = 3 where cuserid = $1', [lin.cuserid]);
  return { ...server, teamcode, taskcode, lin };
}

test('a class teacher reads no level and no warning of her class; the psychologist reads both', async () => {
  const { as, teamcode, taskcode, lin } = await startClass();
  const hidden = { mentalstate: null, riskflag: null, lastlevel: null };
  const { rows } = await as('wang')(getCUserPageList, {});
  expect(rows).toHaveLength(2);
  for (const row of rows) expect(row).toMatchObject(hidden);
  expect(await as('wang')(revealCUser, { cuserid: lin.cuserid })).toMatchObject({ mentalstate: null, riskflag: null });
  expect((await as('wang')(getAssessTeamRoster, { teamcode })).rows.map((row) => row.lastlevel)).toEqual([null, null]);
  expect((await as('wang')(getAssessTaskRoster, { taskcode })).rows.map((row) => row.overalllevel)).toEqual([null, null]);
  expect((await as('wang')(getWarningPageList, {})).rows[0]).toMatchObject({
    username: '林小雨',
    level: null,
    levelname: '关注',
    due: null,
  });
  expect(await as('wang')(getWarningCount, {})).toMatchObject({ open: 1, overdue: 0, levels: [0, 0, 0, 0, 0] });
  expect((await as('chen')(getCUserPageList, { keyword: '林小雨' })).rows[0]).toMatchObject({
    mentalstate: 3,
    riskflag: 2,
    lastlevel: 3,
  });
});

test('the workbench of a class teacher names who needs care, without level and deadline', async () => {
  const { as } = await startClass();
  const { blocks } = await as('wang')(getMyDay, {});
  expect(blocks.map((block) => block.key)).not.toContain('overdue');
  expect(blocks.find((block) => block.key === 'waiting')?.rows).toMatchObject([
    { title: '林小雨', level: null, time: null, late: false },
  ]);
});

test('a filter or a sort key by a field that the caller may not read is refused and named', async () => {
  const { as } = await startClass();
  const wang = as('wang');
  for (const request of [
    { riskflag: 2 },
    { mentalstate: 3 },
    { orderby: 'riskflag' as const },
    { orderby: 'mentalstate' as const },
  ])
    await expect(wang(getCUserPageList, request)).rejects.toMatchObject({
      code: 110004,
      data: { field: request.orderby ?? Object.keys(request)[0] },
    });
  for (const request of [
    { levels: [2] },
    { overdue: 1 },
    { changed: 1 },
    { orderby: 'level' as const },
    { orderby: 'due' as const },
  ])
    await expect(wang(getWarningPageList, request)).rejects.toMatchObject({ code: 110004 });
  expect((await as('chen')(getCUserPageList, { riskflag: 2, orderby: 'mentalstate' })).total).toBe(1);
  expect((await wang(getCUserPageList, { keyword: '林小雨', orderby: 'username' })).total).toBe(1);
});

test('an export leaves out the columns that the account may not read', async () => {
  const { as } = await startClass();
  expect((await cellsOf(await as('chen')(exportCuserList, { keyword: '林小雨' })))[1]).toContain('心理状态');
  // A clerk may export archives and sees neither persons' screens nor warnings.
  await as('ma')(updateUserPermissions, { userid: 'U_NOBODY', codes: codesOf(['archive.export']) });
  const cells = await cellsOf(await as('nobody')(exportCuserList, {}));
  expect(cells[1]).toContain('姓名');
  for (const head of ['心理状态', '当前预警']) expect(cells[1]).not.toContain(head);
  expect(cells.flat()).not.toContain('林小雨');
  await expect(as('nobody')(exportCuserList, { riskflag: 2 })).rejects.toMatchObject({
    code: 110004,
    data: { field: 'riskflag' },
  });
});

test('every seat reads exactly the fields of lists and exports that docs/authorisation-fields.csv says', async () => {
  const server = await startServer();
  const measured = await measureFields(server, actions);
  expect(findFieldDifferences(await readAgreedFields(), measured)).toEqual([]);
});

test('a new field in a list of persons is refused until somebody says who reads it', async () => {
  const server = await startServer();
  const name = 'as.m.cuser.getCUserPageList';
  const known = actions.find((action) => action.name === name) as Action;
  const row = z.object({ cuserid: z.string(), username: personName(), bloodtype: z.string() });
  const measured = await measureFields(server, [{ ...known, response: pageOf(row) }]);
  expect(findFieldDifferences(await readAgreedFields(), measured)).toContain(`${name},all: nobody reviewed bloodtype`);
});

test('a field that loses its rule is noticed', async () => {
  const server = await startServer();
  const name = 'as.m.cuser.getCUserPageList';
  const known = actions.find((action) => action.name === name) as Action;
  const response = pageOf(z.object({ cuserid: z.string(), lastlevel: z.number(), riskflag: readableBy('cases', z.number()) }));
  const measured = await measureFields(server, [{ ...known, request: pageRequest, response }]);
  const differences = findFieldDifferences(await readAgreedFields(), measured);
  expect(differences).toContain(`${name},all: nobody reviewed lastlevel`);
  expect(differences.join('\n')).not.toContain('riskflag');
});
