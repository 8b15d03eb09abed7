import { expect, test } from 'vitest';
import { addClass, screening } from '#testing/school.ts';
import { openInstitution } from '#testing/institution.ts';
import { sharedServer } from '#testing/server.ts';
import { insertDept, selectDeptTreeList } from '#features/org/dept/dept.contract.ts';
import { getMUserPageList, getMUserTree } from '#features/muser/muser.contract.ts';
import { getTaskBoard } from '#features/task/board/board.contract.ts';
import { getAssessTaskTeams, insertAssessTask } from '#features/task/task.contract.ts';
import { getAssessTeamPageList, getGradeList } from '#features/team/team.contract.ts';

const server = sharedServer();
const inOrder = ['三年级2班', '三年级10班', '初一二班', '初一十班', '初二（9）班', '初二（11）班', '高三1班'];

test('every list of teams stands in school order and by the number of the class: 二班 before 十班, 2班 before 10班', async () => {
  const { as } = server();
  const teamcodes: string[] = [];
  for (const teamname of [...inOrder].reverse())
    teamcodes.push((await addClass(server(), { teamname, names: [`学生${teamname.length}${teamcodes.length}`] })).teamcode);
  const chen = as('chen');
  const namesOf = (rows: readonly { teamname: string }[]) =>
    rows.map(({ teamname }) => teamname).filter((name) => inOrder.includes(name));
  expect(namesOf((await chen(getAssessTeamPageList, { pageSize: 100 })).rows)).toEqual(inOrder);
  expect(namesOf((await chen(getAssessTeamPageList, { pageSize: 100, orderby: 'teamname', isasc: '1' })).rows)).toEqual(inOrder);
  expect(namesOf((await chen(getAssessTaskTeams, {})).filter(({ teamcode }) => teamcodes.includes(teamcode)))).toEqual(inOrder);
  const { taskcode } = await chen(insertAssessTask, screening(teamcodes));
  expect((await chen(getTaskBoard, { taskcode })).classes.map(({ name }) => name)).toEqual(inOrder);
  const grades = (await chen(getGradeList, {})).map(({ gradename }) => gradename);
  expect(['初一', '初二', '高三'].map((name) => grades.indexOf(name))).toEqual(
    ['初一', '初二', '高三'].map((name) => grades.indexOf(name)).sort((a, b) => a - b),
  );
});

test('departments without an order of their own, and institutions, stand by the value of their numbers', async () => {
  const { as } = server();
  const departments = ['第二党支部', '第九党支部', '第十党支部', '第十一党支部'];
  for (const deptname of [...departments].reverse())
    await as('ma')(insertDept, { deptname, parentid: 0, ordernum: 99, enabled: 1 });
  const labels = (await as('ma')(selectDeptTreeList, {})).map(({ label }) => label);
  expect(labels.filter((label) => departments.includes(label))).toEqual(departments);
  const schools = ['安澜第二中学', '安澜第9中学', '安澜第十中学', '安澜第二十一中学'];
  for (const [index, insname] of [...schools].reverse().entries())
    await openInstitution(server(), 'fang', `anlan${index}`, { insname });
  const { children } = await as('fang')(getMUserTree, {});
  expect(children.map(({ insname }) => insname).filter((name) => schools.includes(name))).toEqual(schools);
  const { rows } = await as('fang')(getMUserPageList, { keyword: '安澜第', orderby: 'insname', isasc: '1' });
  expect(rows.map(({ insname }) => insname)).toEqual(schools);
});
