import { beforeAll, expect, test } from 'vitest';
import { getStatisticOptions } from '#features/statistics/options/options.contract.ts';
import { insertPerson, insertSheet, insertTask } from '#testing/statistics/sheets.ts';
import { sharedServer } from '#testing/server.ts';

const server = sharedServer();
const teams = [
  { teamcode: 'J2-1', gradecode: 'J2', classname: '1班' },
  { teamcode: 'J1-10', gradecode: 'J1', classname: '10班' },
  { teamcode: 'J1-2', gradecode: 'J1', classname: '2班' },
];

beforeAll(async () => {
  const { sqlAsOwner } = server();
  await insertTask(server(), { taskcode: '秋季普测', begin: '2025-09-10', end: '2025-09-30' }, teams);
  await insertTask(server(), { taskcode: '春季普测', begin: '2025-03-10', end: '2025-03-30', year: '2024-2025', term: '2' }, [
    { teamcode: 'S1-1', gradecode: 'S1', classname: '1班' },
  ]);
  await insertTask(server(), { taskcode: '草稿', begin: '2026-03-10', end: '2026-03-30', term: '2' }, []);
  await sqlAsOwner("update assesstask set status = 0 where taskcode = '草稿'");
  for (const { teamcode } of teams)
    await sqlAsOwner("insert into taskteam (taskcode, teamcode, musercode) values ('秋季普测', $1, 'M_CHENGUANG')", [teamcode]);
  await sqlAsOwner("insert into taskteam (taskcode, teamcode, musercode) values ('春季普测', 'S1-1', 'M_CHENGUANG')");
  await insertPerson(server(), 'c01', '01');
  const sheet = { examcode: 'E1', cuserid: 'c01', taskcode: null, submit: '2025-09-15', phq9: 1, gad7: 1 };
  await insertSheet(server(), sheet);
});

test('the filters of 晨光中学 offer the terms, tasks, grades and classes that have something to count', async () => {
  const options = await server().as('ma')(getStatisticOptions, {});
  expect(options.terms).toEqual([
    { year: '2025-2026', term: '1', termname: '秋季学期' },
    { year: '2024-2025', term: '2', termname: '春季学期' },
  ]);
  expect(options.tasks.map(({ taskcode }) => taskcode)).toEqual(['秋季普测', '春季普测']);
  expect(options.grades).toEqual([
    { gradecode: 'J1', gradename: '初一', classes: ['2班', '10班'] },
    { gradecode: 'J2', gradename: '初二', classes: ['1班'] },
    { gradecode: 'S1', gradename: '高一', classes: ['1班'] },
  ]);
  expect(options.plans.map(({ plancode }) => plancode)).toEqual(['P900002']);
  expect(options.appids).toEqual(['000000002']);
  expect([options.institutions, options.today]).toEqual([1, '2025-10-08']);
});

test('tasks, grades and classes follow the chosen term and task', async () => {
  const term = await server().as('ma')(getStatisticOptions, { year: '2024-2025', term: '2' });
  expect(term.tasks.map(({ taskcode }) => taskcode)).toEqual(['春季普测']);
  expect(term.grades.map(({ gradecode }) => gradecode)).toEqual(['S1']);
  expect(term.terms).toHaveLength(2);
  const task = await server().as('ma')(getStatisticOptions, { taskcode: '秋季普测' });
  expect(task.grades.map(({ gradecode }) => gradecode)).toEqual(['J1', 'J2']);
});

test('a provider sees the institutions below it, another school sees nothing of 晨光中学', async () => {
  expect((await server().as('fang')(getStatisticOptions, {})).institutions).toBe(3);
  const other = await server().as('qiao')(getStatisticOptions, {});
  expect([other.institutions, other.terms, other.tasks, other.grades]).toEqual([1, [], [], []]);
});

test('the platform chooses a provider with all below it, and its figures are those of the institutions below', async () => {
  const { as, sqlAsOwner } = server();
  await sqlAsOwner(
    `insert into muser (musercode, orgpath, username, musertype, insname, shortname, sector, parentmusercode, categorycode, categorylevel)
     select 'M_ZHISHU', above.orgpath || 'M_ZHISHU.', 'zhishu', '005', '直属实验学校', '直属实验学校', 'edu', above.musercode, 'M_ZHISHU', 1
     from muser above where above.musertype = '001'`,
  );
  const all = await as('super')(getStatisticOptions, {});
  expect([all.institutions, all.parents]).toEqual([4, [{ musercode: 'M_ANLAN', insname: '安澜心理', institutions: 3 }]]);
  const below = await as('super')(getStatisticOptions, { categorycode: 'M_ANLAN' });
  expect(below.institutions).toBe(3);
  expect((await as('fang')(getStatisticOptions, {})).parents).toEqual([]);
});
