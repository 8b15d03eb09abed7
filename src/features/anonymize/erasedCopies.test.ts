import { gunzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { addDays } from '#domain/base/calendar.ts';
import * as exportJob from '#contract/exportJob.ts';
import { exportWorker } from '#server/export/worker.ts';
import { anonymizeCUser, answerAnonymization } from '#features/anonymize/anonymize.contract.ts';
import { runAnonymizeJobs } from '#features/anonymize/anonymizeJobs.ts';
import { decideAccessApproval, insertAccessApproval } from '#features/approval/approval.contract.ts';
import { getCUserPageList } from '#features/cuser/cuser.contract.ts';
import { getCUserReport, getCUserReportPageList } from '#features/report/report.contract.ts';
import * as roster from '#features/team/roster/roster.contract.ts';
import * as handling from '#features/warning/handling/handling.contract.ts';
import { transferWarning } from '#features/warning/special/special.contract.ts';
import { carryOutTransfers } from '#features/warning/transfer/transferJob.ts';
import { getWarningPageList } from '#features/warning/warning.contract.ts';
import { crisisSchool } from '#testing/crisisCase.ts';
import { takeExam } from '#testing/exam.ts';
import { anonymizeLin, aStudent } from '#testing/factories.ts';
import { csv } from '#testing/files/classList.ts';
import { startServer, type TestServer } from '#testing/server.ts';

/** Everything that the exports and imports store, opened. */
async function readJobs({ sqlAsOwner, services }: TestServer): Promise<string[]> {
  const rows = await sqlAsOwner<{ kind: string; musercode: string; row: string; body: string | null; undo: string | null }>(
    `select kind, musercode,
       concat(to_jsonb(j) - '{request,result}'::text[], request - 'body', result - 'undo') as row, request->>'body' as body,
       result->>'undo' as undo
     from job j order by createtime, jobid`,
  );
  const open = (kind: string, musercode: string, text: string | null) => {
    if (text === null) return '';
    const opened = services.cipher.decrypt(musercode, 'job.body', text);
    return kind === 'export' ? opened : gunzipSync(Buffer.from(opened, 'base64')).toString();
  };
  return rows.map(({ kind, musercode, row, body, undo }) =>
    [row, open(kind, musercode, body), open(kind, musercode, undo)].join(' '),
  );
}

const classOf = (classname: string, username: string, studentno: string) =>
  csv(
    [
      ['班级', '姓名', '性别', '学号'],
      [classname, username, '女', studentno],
    ],
    `${classname}${username}.csv`,
  );

test('匿名化 erases exports and imports that name the person, and leaves those of other persons', async () => {
  const server = await startServer();
  const { as } = server;
  const lin = await as('chen')(roster.importAssessTeamRoster, { createteam: '1' }, classOf('初三3班', '林小雨', '20230301'));
  const zhou = await as('chen')(roster.importAssessTeamRoster, { createteam: '1' }, classOf('初三4班', '周明', '20230302'));
  const staged = await as('chen')(roster.checkAssessTeamRoster, {}, classOf('初三3班', '林小雨', '20230301'));
  const exportOf = async (keyword: string) =>
    (await as('chen')(exportJob.insertExport, { action: 'as.m.cuser.exportCuserList', request: { keyword } })).jobid;
  const done = await exportOf('20230301');
  const other = await exportOf('周明');
  await exportWorker(server.services, { dispatch: server.dispatch, clock: () => server.clock.now, log: () => undefined }).drain();
  const waiting = await exportOf('林小雨');
  const ofLin = (text: string) => /林小雨|20230301/.test(text);
  expect((await readJobs(server)).filter(ofLin)).toHaveLength(4);

  const [person] = (await as('chen')(getCUserPageList, { keyword: '林小雨' })).rows;
  await anonymizeLin(server, person?.cuserid ?? '');

  expect((await readJobs(server)).filter(ofLin)).toEqual([]);
  expect((await readJobs(server)).filter((text) => text.includes('周明'))).toHaveLength(2);
  const download = (jobid: string) => as('chen')(exportJob.downloadExport, { jobid });
  await expect(download(done)).rejects.toMatchObject({ code: 140001 });
  await expect(download(waiting)).rejects.toMatchObject({ code: 140001 });
  await download(other);
  await expect(as('chen')(roster.undoImport, { importid: lin.importid })).rejects.toMatchObject({
    message: '该名单还没有导入，或已超过可撤销的期限',
  });
  await expect(as('chen')(roster.commitAssessTeamRoster, { importid: staged.importid })).rejects.toMatchObject({
    message: '导入内容已超过保存期限，请重新上传文件',
  });
  await as('chen')(roster.undoImport, { importid: zhou.importid });
});

test('匿名化 erases the filters and purposes of approvals that name the person, and such an approval exports nothing any more', async () => {
  const server = await startServer();
  const { as, sqlAsOwner } = server;
  const { cuserid } = await aStudent(server);
  await aStudent(server, { username: '林小雨晴', studentno: '20230302' });
  const request = { call: 'as.m.cuser.exportCuserList' as const, purpose: '给林小雨办理转学' };
  const { approvalid } = await as('chen')(insertAccessApproval, { ...request, filter: { keyword: '林小雨' } });
  await as('lu')(decideAccessApproval, { approvalid, agreed: 1 });
  await as('chen')(insertAccessApproval, { ...request, filter: { keyword: '林小雨', enabled: 1 } });
  await anonymizeLin(server, cuserid);
  const rows = await sqlAsOwner('select status, purpose, filter, validuntil from accessapproval order by approvalid');
  const erased = { purpose: '已删除', filter: { erased: 1 }, validuntil: null };
  expect(rows).toEqual([
    { ...erased, status: 1 },
    { ...erased, status: 3 },
  ]);
});

test('匿名化 erases the package of a transfer, which the receiver has taken', async () => {
  const school = await crisisSchool('2026-11-18 09:00');
  const { as, at, sqlAsOwner, pupil } = school;
  const warningcode = await school.report(3);
  await school.accept(warningcode);
  await school.talk(warningcode);
  await school.interview(warningcode, 3);
  await school.tellGuardian(warningcode);
  await school.confirm(warningcode, 'transfer', 'lu');
  const entry = {
    receiver: '云栖市仁爱妇幼保健院',
    person: '林医生',
    phone: '0571-88880000',
    content: '近两周情绪低落，家长同意转诊',
  };
  await as('chen')(transferWarning, { warningcode, ...entry });
  at('2026-11-18 10:01');
  await carryOutTransfers(school.services, school.clock.now);
  const [linked] = (await as('lin')(getWarningPageList, {})).rows;
  await as('lin')(handling.acceptWarning, { warningcode: linked?.warningcode ?? '' });
  at('2026-11-18 11:30');
  await carryOutTransfers(school.services, school.clock.now);
  await as('chen')(handling.closeWarning, { warningcode, closereason: '03', closenote: '已转至仁爱医院，由林医生接手' });
  const packages = () => sqlAsOwner<{ personsealed: string }>('select personsealed from casetransfer');
  expect((await packages())[0]?.personsealed).not.toBe('');
  await anonymizeLin(school, pupil.cuserid);
  expect(await packages()).toEqual([{ personsealed: '' }]);
  // The hospital's own record of its patient stays.
  expect((await as('lin')(getCUserPageList, {})).rows).toMatchObject([{ username: '林小雨' }]);
});

test('a job erases what an earlier version of the product had left of anonymised persons, once', async () => {
  const server = await startServer();
  const { as, sqlAsOwner, services, clock } = server;
  const lin = await aStudent(server);
  await takeExam(server, lin, { PHQ9: '0 0 0 0 0 0 0 0 0 0', GAD7: '0 0 0 0 0 0 0' });
  const [report] = (await as('chen')(getCUserReportPageList, {})).rows;
  await as('chen')(getCUserReport, { reportcode: report?.reportcode ?? '' });
  await anonymizeLin(server, lin.cuserid);
  const erased = async () => ({
    cuser: await sqlAsOwner('select archiveno from cuserarchive'),
    report: await sqlAsOwner('select conclusion, content, selfcontent from report'),
    forms: await sqlAsOwner('select answers from examform order by examformid'),
  });
  const before = await erased();
  expect(await runAnonymizeJobs(services, clock.now)).toMatchObject({ erased: 0 });
  // As migration 0111 left a person: the record has no name, and the texts stand.
  await sqlAsOwner('update cuser set erasedsince = null');
  await sqlAsOwner(`update report set conclusion = '林小雨近来睡得不好', content = '{"title": "林小雨"}' where reportcode = $1`, [
    report?.reportcode,
  ]);
  await sqlAsOwner(`update examform set answers = '{"q1": "3"}'`);
  expect(await runAnonymizeJobs(services, clock.now)).toMatchObject({ erased: 1 });
  expect(await erased()).toEqual(before);
  expect(await runAnonymizeJobs(services, clock.now)).toMatchObject({ erased: 0 });
});

test('the texts of a closed case are erased when its term ends, years after the 匿名化', async () => {
  const school = await crisisSchool('2026-11-18 09:00');
  const { as, sqlAsOwner, pupil, services, clock } = school;
  const { warningcode } = await as('chen')(handling.insertWarning, {
    cuserid: pupil.cuserid,
    level: 2,
    content: '同学反映近来常常独自哭泣',
  });
  await as('chen')(handling.acceptWarning, { warningcode });
  const talked = { warningcode, contactresult: '01' as const, content: '与学生面谈，了解近况' };
  await as('chen')(handling.verifyWarning, talked);
  await as('chen')(handling.verifyWarning, { ...talked, content: '当面核实，系同学误会，无自伤想法', falsealarm: 1 });
  const { anonymizationid } = await as('chen')(anonymizeCUser, {
    cuserid: pupil.cuserid,
    confirmtext: '匿名化林小雨',
    reason: '家长书面申请删除',
  });
  await as('lu')(answerAnonymization, { anonymizationid, agreed: 1 });
  const messages = async () => (await sqlAsOwner<{ alertmsgs: string[] }>('select alertmsgs from warning'))[0]?.alertmsgs;
  expect(await messages()).not.toEqual([]);
  expect(await runAnonymizeJobs(services, addDays(clock.now, 9 * 365))).toMatchObject({ erased: 0 });
  expect(await runAnonymizeJobs(services, addDays(clock.now, 11 * 365))).toMatchObject({ erased: 1 });
  expect(await messages()).toEqual([]);
});
