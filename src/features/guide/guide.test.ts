import { expect, test } from 'vitest';
import { getUserInfo } from '#features/session/session.contract.ts';
import { insertRole } from '#features/access/role/role.contract.ts';
import { getChecklist, hideChecklist, readReleases, visitStep } from '#features/guide/guide.contract.ts';
import { insertDept } from '#features/org/dept/dept.contract.ts';
import { insertUser } from '#features/org/user/user.contract.ts';
import { createCalendarFeed } from '#features/planner/planner.contract.ts';
import { openInstitution, signIn } from '#testing/institution.ts';
import type { Person } from '#testing/people.ts';
import { startServer } from '#testing/server.ts';

type Server = Awaited<ReturnType<typeof startServer>>;
const keysOf = async ({ as }: Server, who: Person) => (await as(who)(getChecklist, {})).steps.map(({ key }) => key);
const doneOf = async ({ as }: Server, who: Person) =>
  (await as(who)(getChecklist, {})).steps.filter(({ isdone }) => isdone).map(({ key }) => key);

test('each role has its own first steps, and only those that its rights allow', async () => {
  const server = await startServer();
  expect(await keysOf(server, 'ma')).toEqual(['factor', 'depts', 'users', 'roles', 'duty', 'roster', 'tasks']);
  expect(await keysOf(server, 'chen')).toEqual(['factor', 'phone', 'crisis', 'hours', 'feed', 'view']);
  expect(await keysOf(server, 'lin')).toContain('maternity');
  expect(await keysOf(server, 'duty')).not.toContain('hours');
  expect(await keysOf(server, 'wang')).toEqual(['teams', 'progress', 'crisis', 'factor', 'phone']);
  expect(await keysOf(server, 'zhou')).toEqual(['statistics', 'crisis', 'supervision', 'factor']);
  expect(await keysOf(server, 'fang')).toContain('institutions');
  expect(await keysOf(server, 'nobody')).toEqual([]);
});

test('the first steps of an institution tick themselves', async () => {
  const server = await startServer();
  await openInstitution(server, 'fang', 'qingxi');
  const school = await signIn(server, 'qingxi');
  const done = async () => (await school(getChecklist, {})).steps.filter(({ isdone }) => isdone).map(({ key }) => key);
  expect(await done()).toEqual([]);
  const { deptid } = await school(insertDept, { deptname: '心理中心', parentid: 0 });
  expect(await done()).toEqual(['depts']);
  await school(insertUser, { sysusername: 'shenning', realname: '沈宁', deptid, roleids: [] });
  expect(await done()).toEqual(['depts', 'users']);
  await school(insertRole, { rolename: '年级组长', rolekey: 'gradehead', datascope: 1, menuids: [] });
  expect(await done()).toEqual(['depts', 'users', 'roles']);
  expect(await doneOf(server, 'fang')).toContain('institutions');
});

test('a step ticks when its page is opened, or when its thing exists; the ticks are of one account', async () => {
  const server = await startServer();
  await server.as('chen')(visitStep, { key: 'crisis' });
  await server.as('chen')(visitStep, { key: 'crisis' });
  await server.as('chen')(createCalendarFeed, {});
  expect(await doneOf(server, 'chen')).toEqual(expect.arrayContaining(['crisis', 'feed']));
  expect(await doneOf(server, 'lu')).not.toContain('crisis');
  const rows = await server.sqlAsOwner<{ visited: string[] }>("select visited from guide where accountid = 'U_CHEN'");
  expect(rows).toEqual([{ visited: ['crisis'] }]);
});

test('a step of another role, and a step that is done by work, cannot be ticked by hand', async () => {
  const server = await startServer();
  await expect(server.as('chen')(visitStep, { key: 'supervision' })).rejects.toMatchObject({ code: 130001 });
  await expect(server.as('chen')(visitStep, { key: 'hours' })).rejects.toMatchObject({ code: 130001 });
  expect(await doneOf(server, 'chen')).not.toContain('hours');
});

test('a list that was put away stays away until its account opens it again', async () => {
  const server = await startServer();
  const hidden = async (who: Person) => (await server.as(who)(getChecklist, {})).ishidden;
  await server.as('wang')(hideChecklist, { ishidden: true });
  expect([await hidden('wang'), await hidden('chen')]).toEqual([true, false]);
  await server.as('wang')(hideChecklist, { ishidden: false });
  expect(await hidden('wang')).toBe(false);
});

test('release notes are new to an older account until it has read them; an earlier day changes nothing', async () => {
  const server = await startServer();
  await server.sqlAsOwner("update sysuser set createtime = '2025-09-01 20:00+00' where userid = 'U_CHEN'");
  const read = async () => (await server.as('chen')(getUserInfo, {})).releaseread;
  expect(await read()).toBe('2025-09-02');
  await server.as('chen')(readReleases, { release: '2026-11-26' });
  await server.as('chen')(readReleases, { release: '2026-11-25' });
  expect(await read()).toBe('2026-11-26');
  await expect(server.as('chen')(readReleases, { release: '2026-02-30' })).rejects.toMatchObject({ code: 120002 });
});
