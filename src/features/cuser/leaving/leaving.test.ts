import { expect, test } from 'vitest';
import { getCUserPageList, deleteCUser, insertCUser, revealCUser, updateCUser } from '#features/cuser/cuser.contract.ts';
import { anonymizeCUser, getAnonymization } from '#features/anonymize/anonymize.contract.ts';
import { enableCUser } from '#features/cuser/leaving/leaving.contract.ts';
import { getNoticePageList } from '#features/notice/notice.contract.ts';
import { getCUserReportPageList } from '#features/report/report.contract.ts';
import { loginRespondent } from '#features/respond/respond.contract.ts';
import { getAssessTaskRoster, getTaskChaseList } from '#features/task/board/board.contract.ts';
import * as task from '#features/task/task.contract.ts';
import * as team from '#features/team/team.contract.ts';
import { insertSafetyPlan } from '#features/warning/plan/plan.contract.ts';
import { aSafetyPlan } from '#testing/safetyPlan.ts';
import * as handling from '#features/warning/handling/handling.contract.ts';
import { getWarningDetail } from '#features/warning/warning.contract.ts';
import { getLocalDuties, updateLocalDuties } from '#features/warning/special/localDuties.contract.ts';
import { aClass, anonymizeLin, expireStepUp } from '#testing/factories.ts';
import { addClass, answerTask, screening } from '#testing/school.ts';
import { startServer, type TestServer } from '#testing/server.ts';

const lin = {
  appid: '000000002',
  username: '林小雨',
  gender: '02' as const,
  birthday: '2011-07-08',
  phonenumber: '10000001234',
  archive: { studentno: '20230301', gradename: '初二', classname: '3班', dorm: '3-201' },
  guardian: [{ name: '林建国', relation: '01' as const, phonenumber: '10000005678' }],
};

const report = async ({ as }: TestServer, cuserid: string, level = 2) =>
  (await as('chen')(handling.insertWarning, { cuserid, level, content: '同学反映近来常常独自哭泣，不愿说话' })).warningcode;

test('a person with an open case is not deleted, and the message names the case', async () => {
  const server = await startServer();
  const { as } = server;
  const { cuserid } = await as('chen')(insertCUser, lin);
  const warningcode = await report(server, cuserid);
  await expect(as('chen')(deleteCUser, { cuserids: [cuserid] })).rejects.toMatchObject({
    code: 130003,
    message: `林小雨有未结案的预警，不能删除；可改为停用，预警继续处理`,
    data: { cases: [{ warningcode, cuserid }] },
  });
  expect((await as('chen')(getCUserPageList, {})).total).toBe(1);
});

test('a disabled person gets no task, no reminder and no exam, while the case stays; an enabled one can be added again', async () => {
  const server = await startServer();
  const { as, nobody } = server;
  const { teamcode, pupil, pupils } = await aClass(server, { names: ['林小雨', '周明'] });
  const { taskcode } = await as('chen')(task.insertAssessTask, screening([teamcode]));
  const { cuserid, studentno } = pupil('林小雨');
  const warningcode = await report(server, cuserid);
  await expect(as('chen')(enableCUser, { cuserid, enabled: 0 })).rejects.toMatchObject({
    code: 120002,
    message: '请填写停用原因',
  });
  expect(await as('chen')(enableCUser, { cuserid, enabled: 0, reason: '休学一年' })).toEqual({ exempted: 1, warningcode });

  const { rows } = await as('chen')(getAssessTaskRoster, { taskcode });
  expect(rows.find((row) => row.cuserid === cuserid)).toMatchObject({ status: 3, reason: '停用' });
  const { classes } = await as('chen')(getTaskChaseList, { taskcode });
  expect(classes.flatMap((item) => item.people.map((person) => person.username))).toEqual(['周明']);
  const entrance = { clientcode: 'entry_chenguang', username: '林小雨', key: studentno };
  await expect(nobody(loginRespondent, entrance)).rejects.toMatchObject({ code: 120005 });
  const next = await as('chen')(task.insertAssessTask, screening([teamcode], { taskname: '第二次普测' }));
  expect(next).toMatchObject({ rostercount: pupils.length - 1, exclusions: [{ username: '林小雨', reason: '受测者已停用' }] });
  expect(await as('chen')(getWarningDetail, { warningcode })).toMatchObject({ state: '01' });
  await as('chen')(handling.acceptWarning, { warningcode });
  expect((await as('chen')(getCUserPageList, { enabled: 0 })).rows).toMatchObject([{ cuserid, enabled: 0 }]);

  await as('chen')(enableCUser, { cuserid, enabled: 1 });
  await as('chen')(task.insertAssessTeamRosterTask, { taskcode, teamcodes: [], cuserids: [cuserid] });
  await answerTask(server, pupil('林小雨'));
});

test('匿名化 replaces names, contacts and free texts once a second person agrees; scores stay and nothing finds the person', async () => {
  const server = await startServer();
  const { as, sqlAsOwner } = server;
  const { teamcode } = await addClass(server, { teamname: '初二3班', names: [] });
  const { cuserid } = await as('chen')(insertCUser, lin);
  await as('chen')(team.insertAssessTeamCUser, { teamcode, cuserids: [cuserid] });
  await as('chen')(task.insertAssessTask, screening([teamcode]));
  const { examcode } = await answerTask(server, { cuserid, username: lin.username, studentno: '20230301' });
  const warningcode = await report(server, cuserid);
  await expect(
    as('chen')(anonymizeCUser, { cuserid, confirmtext: '匿名化林小雨', reason: '家长书面申请删除' }),
  ).rejects.toMatchObject({
    code: 130003,
    message: '预警尚未结案，不能匿名化；可先停用',
  });
  await as('chen')(handling.acceptWarning, { warningcode });
  await as('chen')(handling.verifyWarning, { warningcode, contactresult: '01', content: '与学生面谈，了解近况' });
  const helper = { name: '姑姑林芳', phonenumber: '13900001111', isadult: 1 as const };
  await as('chen')(insertSafetyPlan, { warningcode, ...aSafetyPlan({ helpers: [helper], copies: '姑姑林芳' }) });
  const falsealarm = { warningcode, contactresult: '01' as const, content: '当面核实，系同学误会，无自伤想法', falsealarm: 1 };
  await as('chen')(handling.verifyWarning, falsealarm);

  expect(await as('chen')(getAnonymization, { cuserid })).toEqual({
    confirmtext: '匿名化林小雨',
    receipt: {
      erased: expect.arrayContaining([
        { name: '监护人的姓名与电话', count: 1 },
        { name: '报告的文字、评语与建议', count: 1 },
      ]) as unknown,
      kept: expect.arrayContaining([
        { name: '已结案预警个案的处置记录（不再显示姓名）', count: 1, until: '2035-10-08', ground: '机构规定' },
      ]) as unknown,
    },
    warningcode: null,
    cases: [{ warningcode, keepuntil: '2035-10-08' }],
    refusal: '',
    waiting: null,
    hold: null,
  });
  await expect(as('chen')(anonymizeCUser, { cuserid, confirmtext: '林小雨', reason: '家长书面申请删除' })).rejects.toMatchObject({
    code: 120002,
    data: { field: 'confirmtext' },
  });
  await anonymizeLin(server, cuserid);

  for (const keyword of ['林小雨', 'lxy', '20230301', '10000001234'])
    expect([keyword, (await as('chen')(getCUserPageList, { keyword })).total]).toEqual([keyword, 0]);
  expect((await as('chen')(getCUserPageList, {})).rows).toMatchObject([
    { cuserid, username: '已删除', phonenumber: '', anonymized: 1, enabled: 0, examcount: 1, belongs: '初二 3班' },
  ]);
  expect(await as('chen')(revealCUser, { cuserid })).toMatchObject({ birthday: null, phonenumber: '', guardian: [] });
  const rows = await sqlAsOwner<{ text: string }>(
    `select coalesce(string_agg(t::text, ' '), '') as text from (
       select row_to_json(c)::text as t from cuser c union all select row_to_json(a)::text from cuserarchive a
       union all select row_to_json(g)::text from guardian g union all select row_to_json(n)::text from notification n
       union all select row_to_json(s)::text from safetyplan s) x`,
  );
  expect(rows[0]?.text).not.toMatch(/林小雨|林芳|林建国|20230301|3-201/);
  expect(await sqlAsOwner('select from examresult where examcode = $1', [examcode])).not.toHaveLength(0);
  expect((await as('chen')(getCUserReportPageList, {})).rows).toMatchObject([{ examcode, username: '已删除' }]);
  expect(await as('chen')(getWarningDetail, { warningcode })).toMatchObject({ username: '已删除', state: '08' });
  await expect(as('chen')(updateCUser, { cuserid, version: 3, username: '林小雨' })).rejects.toMatchObject({ code: 140001 });
  await expect(as('chen')(enableCUser, { cuserid, enabled: 1 })).rejects.toMatchObject({ message: '该受测者已匿名化' });
});

test('匿名化 keeps the record of a closed case for the years that the institution has set: ten by default, three at least', async () => {
  const server = await startServer();
  const { as, clock } = server;
  const { cuserid } = await as('chen')(insertCUser, lin);
  const warningcode = await report(server, cuserid);
  await as('chen')(handling.acceptWarning, { warningcode });
  await as('chen')(handling.verifyWarning, { warningcode, contactresult: '01', content: '与学生面谈，了解近况' });
  const falsealarm = { warningcode, contactresult: '01' as const, content: '当面核实，系同学误会，无自伤想法', falsealarm: 1 };
  await as('chen')(handling.verifyWarning, falsealarm);
  const findCases = async () => (await as('chen')(getAnonymization, { cuserid })).cases;
  expect(await as('ma')(getLocalDuties, {})).toMatchObject({ caseyears: 10 });
  expect(await findCases()).toEqual([{ warningcode, keepuntil: '2035-10-08' }]);
  await expect(as('ma')(updateLocalDuties, { caseyears: 2 })).rejects.toMatchObject({
    code: 120002,
    message: '个案记录至少保存 3 年',
  });
  await as('ma')(updateLocalDuties, { caseyears: 4 });
  expect(await findCases()).toEqual([{ warningcode, keepuntil: '2029-10-08' }]);
  clock.now = new Date('2029-10-20T04:00:00Z');
  expect(await findCases()).toEqual([]);
});

test('匿名化 asks for a step-up and reaches only persons of the own institution', async () => {
  const server = await startServer();
  const { as } = server;
  const { cuserid } = await as('chen')(insertCUser, lin);
  const request = { cuserid, confirmtext: '匿名化林小雨', reason: '家长书面申请删除' };
  await expect(as('qiao')(anonymizeCUser, request)).rejects.toMatchObject({ code: 130001 });
  await expect(as('wang')(anonymizeCUser, request)).rejects.toMatchObject({ code: 110004 });
  await expireStepUp(server, 'U_CHEN');
  await expect(as('chen')(anonymizeCUser, request)).rejects.toMatchObject({ code: 110007 });
});

test('who leaves a class with an open case: the owner is told, and the deadlines go on', async () => {
  const server = await startServer();
  const { as } = server;
  const { teamcode, pupil } = await aClass(server, { names: ['林小雨', '周明'] });
  const { teamcode: other } = await addClass(server, { teamname: '初二4班', names: [] });
  const { cuserid } = pupil('林小雨');
  const warningcode = await report(server, cuserid);
  await as('lu')(handling.acceptWarning, { warningcode, owneruserid: 'U_LU' });
  const before = await as('lu')(getWarningDetail, { warningcode });
  await as('chen')(team.moveAssessTeamCUser, { teamcode, toteamcode: other, cuserids: [cuserid, pupil('周明').cuserid] });
  await as('chen')(team.batchDeleteAssessTeamCUser, { teamcode: other, cuserids: [cuserid] });
  expect((await as('lu')(getNoticePageList, {})).rows).toMatchObject([
    { username: '林小雨', title: '本人已离开“初二4班”', warningcode },
  ]);
  const notes = await server.sqlAsOwner<{ title: string }>('select title from notification where warningcode = $1', [
    warningcode,
  ]);
  expect(notes.map((note) => note.title)).toContain('本人已离开“初二3班”');
  const after = await as('lu')(getWarningDetail, { warningcode });
  expect(after).toMatchObject({ state: before.state, due: before.due, version: before.version });
  expect(after.full?.logs.filter((line) => line.action === '名册变动')).toHaveLength(2);
});
