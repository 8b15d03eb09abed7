import { expect, test } from 'vitest';
import { codesOf } from '#contract/menu.ts';
import { updateUserPermissions } from '#features/access/permission/permission.contract.ts';
import { getCUserExamDataPageList } from '#features/examdata/examdata.contract.ts';
import { takeExam } from '#testing/exam.ts';
import { aStudent, setPermission } from '#testing/factories.ts';
import { startServer } from '#testing/server.ts';

/** A school with two handed-in questionnaires of one student: PHQ-9 with 11 points and GAD-7 with none. */
async function school() {
  const server = await startServer();
  const student = await aStudent(server);
  const { examcode } = await takeExam(server, student, { PHQ9: '2 2 2 2 2 1 0 0 0' });
  return { ...server, student, examcode };
}

test('测评数据 has one row a questionnaire with its scores, and answers only for one questionnaire', async () => {
  const { as, examcode, student } = await school();
  const all = await as('chen')(getCUserExamDataPageList, {});
  expect(all.total).toBe(2);
  expect(all.rows.map((row) => [row.formcode, row.examcode, row.answers])).toEqual([
    ['PHQ9', examcode, []],
    ['GAD7', examcode, []],
  ]);
  const { rows } = await as('chen')(getCUserExamDataPageList, { formcode: 'PHQ9' });
  expect(rows).toMatchObject([
    {
      cuserid: student.cuserid,
      username: '林小雨',
      belongs: '初三 3班',
      formname: expect.stringContaining('PHQ-9') as string,
      valid: 1,
      withheld: 0,
      scores: [
        { quotacode: 'PHQ9.total', score: 11, level: 2 },
        { quotacode: 'PHQ9.nsym', score: 5 },
      ],
    },
  ]);
  expect(rows[0]?.answers).toHaveLength(10);
  expect(rows[0]?.answers?.[0]).toMatchObject({ no: 1, value: '2', score: 2 });
  expect(rows[0]?.answers?.[0]?.optionlabel).not.toBe('');
});

test('answers need the right 00035, and reading them leaves a trail with the person', async () => {
  const { as, sqlAsOwner, student } = await school();
  const trail = () => sqlAsOwner("select cuserids from audit.log where action = 'as.m.exam.getCUserExamDataPageList'");
  await setPermission({ sqlAsOwner }, 'U_LU', '00035', 'deny');
  const { rows } = await as('lu')(getCUserExamDataPageList, { formcode: 'PHQ9' });
  expect(rows[0]).toMatchObject({ scores: [{ score: 11 }, { score: 5 }], answers: [] });
  expect(await trail()).toEqual([]);
  await as('chen')(getCUserExamDataPageList, { formcode: 'PHQ9' });
  expect(await trail()).toEqual([{ cuserids: [student.cuserid] }]);
});

test('a sheet that waits for the guardian shows neither score nor answer, and no filter by result finds it', async () => {
  const { as, sqlAsOwner, examcode } = await school();
  for (const table of ['examrecord', 'examresult', 'report'])
    await sqlAsOwner(`update ${table} set withheld = 1 where examcode = $1`, [examcode]);
  const { rows } = await as('chen')(getCUserExamDataPageList, { formcode: 'PHQ9' });
  expect(rows).toMatchObject([{ withheld: 1, scores: [], answers: [] }]);
  for (const filter of [{ levels: [2] }, { isabnormal: 1 }, { quotas: [{ quotacode: 'PHQ9.total', levels: [2] }] }])
    expect(await as('chen')(getCUserExamDataPageList, filter)).toMatchObject({ total: 0 });
});

test('a screen of one population shows its sheets only, and class teachers see no sheet', async () => {
  const { as } = await school();
  await as('ma')(updateUserPermissions, { userid: 'U_NOBODY', codes: codesOf(['individual.elders']) });
  expect(await as('nobody')(getCUserExamDataPageList, {})).toMatchObject({ total: 0 });
  await expect(as('nobody')(getCUserExamDataPageList, { appid: '000000002' })).rejects.toMatchObject({ code: 110004 });
  await expect(as('wang')(getCUserExamDataPageList, {})).rejects.toMatchObject({ code: 110004 });
  expect(await as('qiao')(getCUserExamDataPageList, {})).toMatchObject({ total: 0 });
});

test('the filters of person, task, time and result find the sheets', async () => {
  const { as, student } = await school();
  const count = async (filter: Parameters<typeof find>[0]) => (await find(filter)).total;
  const find = (filter: object) => as('chen')(getCUserExamDataPageList, filter);
  expect(await count({ keyword: student.studentno, classname: '3班', gender: '02', agemin: 15, agemax: 15 })).toBe(2);
  expect(await count({ username: '小雨', begindate: '2025-10-08', enddate: '2025-10-08' })).toBe(2);
  expect(await count({ levels: [2], formcode: 'PHQ9', schoolcode: 'M_CHENGUANG', categorycode: 'M_ANLAN' })).toBe(1);
  expect(
    await count({
      quotas: [
        { quotacode: 'PHQ9.total', levels: [2] },
        { quotacode: 'GAD7.total', levels: [0] },
      ],
    }),
  ).toBe(2);
  for (const miss of [
    { taskcode: 'T0' },
    { year: '2025-2026' },
    { keyword: '无此人' },
    { enddate: '2025-10-07' },
    { levels: [4] },
  ])
    expect(await count(miss)).toBe(0);
});
