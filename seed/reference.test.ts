import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import pg from 'pg';
import { asOwner } from '#server/db/roles.ts';
import { entryOfKey } from '#contract/menuTree.ts';
import { selectRoleList, updateRole } from '#features/access/role/role.contract.ts';
import { getExamStageList, updateExamStage } from '#features/app/app.contract.ts';
import { getAppList } from '#features/app/choice.contract.ts';
import { getMUserExamPlanPage, updateMUserExamPlan } from '#features/plan/plan.contract.ts';
import { startServer } from '#testing/server.ts';
import { seedReference } from '#seed/reference.ts';

test('a restart keeps the platform’s changes of built-in roles, common plans and stages', async () => {
  const server = await startServer();
  const root = server.as('super');
  const roleNamed = async (rolekey: string) =>
    (await root(selectRoleList, { pageSize: 200 })).rows.find((role) => role.rolekey === rolekey);
  const plan = async () => (await root(getMUserExamPlanPage, { pageSize: 200 })).rows.find((row) => row.plancode === 'P900002');
  const stages = async () =>
    [await root(getExamStageList, { appid: '000000002' })].flatMap((list) => ('rows' in list ? list.rows : list));
  const operator = await roleNamed('operator');
  const menuids = [entryOfKey('operations.goods')?.menuid as number];
  await root(updateRole, { roleid: operator?.roleid as number, rolename: '商品运营', menuids });
  await root(updateMUserExamPlan, { plancode: 'P900002', version: (await plan())?.version as number, planname: '学生秋季方案' });
  const [stage] = await stages();
  await root(updateExamStage, { stageid: stage?.stageid as number, stagename: '新生入学' });
  // An unchanged role gets the codes of the new version.
  await server.sqlAsOwner("update role set codes = '{}' where rolekey = 'classteacher'");
  const owner = new pg.Client(asOwner(server.target));
  await owner.connect();
  try {
    await seedReference(owner);
  } finally {
    await owner.end();
  }
  expect(await roleNamed('operator')).toMatchObject({ rolename: '商品运营' });
  expect(await server.sqlAsOwner("select codes from role where rolekey = 'operator'")).toEqual([{ codes: ['00025', '00026'] }]);
  expect(await plan()).toMatchObject({ planname: '学生秋季方案' });
  expect((await stages()).find((candidate) => candidate.stageid === stage?.stageid)).toMatchObject({ stagename: '新生入学' });
  const [teacher] = await server.sqlAsOwner<{ n: number }>(
    "select cardinality(codes) as n from role where rolekey = 'classteacher'",
  );
  expect(teacher?.n).toBeGreaterThan(3);
});

test('the seeds carry both special accounts of the specification, and every app has an icon of the build', async () => {
  const server = await startServer();
  expect(
    await server.sqlAsOwner(
      "select musercode, issuper, appexempt from auth.specialaccount where musercode like 'AS%' order by 1",
    ),
  ).toEqual([
    { musercode: 'AS000001', issuper: 1, appexempt: 1 },
    { musercode: 'AS000002', issuper: 0, appexempt: 0 },
  ]);
  for (const app of await server.as('chen')(getAppList, { appid: '' }))
    expect(await readFile(`public${app.iconurl}`, 'utf8')).toMatch(/^<svg /);
});
