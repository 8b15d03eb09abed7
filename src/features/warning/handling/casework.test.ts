import { expect, test } from 'vitest';
import { addDays, addHours } from '#domain/base/calendar.ts';
import type { Upload } from '#contract/file.ts';
import * as care from '#features/care/care.contract.ts';
import * as file from '#features/file/file.contract.ts';
import * as notice from '#features/notice/notice.contract.ts';
import * as task from '#features/task/task.contract.ts';
import * as casefile from '#features/warning/files/casefile.contract.ts';
import * as handling from '#features/warning/handling/handling.contract.ts';
import * as warning from '#features/warning/warning.contract.ts';
import { answerTask, addClass } from '#testing/school.ts';
import { aSafetyPlan } from '#testing/safetyPlan.ts';
import { startServer } from '#testing/server.ts';
import { takeExam } from '#testing/exam.ts';

const pdf: Upload = {
  filename: '出院小结.pdf',
  mime: 'application/pdf',
  content: Buffer.from('%PDF-1.4\n1 0 obj<</Type/Catalog>>endobj\ntrailer<</Root 1 0 R>>\n%%EOF\n'),
};
const SEVERE_ANSWERS = { PHQ9: '2 2 2 2 2 2 2 1 1 1', GAD7: '2 1 1 1 1 1 1' };

/** The student 林小雨 of 初二3班, 14 years old, in counselling. chen has accepted, verified and assessed her case of level 3. */
async function inTreatment() {
  const server = await startServer({ now: '2025-10-10T06:00:00Z' });
  const { pupils } = await addClass(server, {
    teamname: '初二3班',
    names: ['林小雨', '周明'],
    owneruserid: 'U_WANG',
    birthday: '2011-07-08',
  });
  const pupil = pupils[0]!;
  await takeExam(server, pupil, SEVERE_ANSWERS);
  const chen = server.as('chen');
  const { warningcode } = (await chen(warning.getWarningPageList, {})).rows[0]!;
  const opened = server.clock.now;
  server.clock.now = addHours(opened, 2);
  await chen(handling.acceptWarning, { warningcode });
  await chen(handling.verifyWarning, { warningcode, contactresult: '01', content: '与学生面谈，情况属实' });
  const assess = (conclusionlevel: number) =>
    chen(handling.insertRiskAssess, {
      warningcode,
      ideation: 1,
      attempthistory: 0,
      support: 2,
      conclusionlevel,
      safetyplan: aSafetyPlan(),
    });
  await assess(3);
  const upload = async (who: 'chen' | 'lu' = 'chen') => (await server.as(who)(file.updateToOSS, { biztype: 'case' }, pdf)).fileid;
  await chen(handling.notifyGuardian, {
    warningcode,
    guardianname: '林建国',
    method: '03',
    content: '已书面告知并签收',
    fileids: [await upload()],
  });
  await chen(handling.startIntervene, { warningcode });
  const detail = async () => (await chen(warning.getWarningDetail, { warningcode })).full!;
  return { ...server, chen, pupil, other: pupils[1]!, warningcode, opened, assess, upload, detail };
}

test('guardian receipts and referral letters are attached to their step, and every opening is audited with the student', async () => {
  const { chen, as, sqlAsOwner, upload, detail, warningcode, pupil, clock } = await inTreatment();
  clock.now = addHours(clock.now, 1);
  await chen(handling.insertReferral, {
    warningcode,
    tohospital: '云栖市第七人民医院',
    reason: '建议进一步评估',
    fileids: [await upload()],
  });
  const { files, logs } = await detail();
  expect(files.map(({ kind, filename, mine }) => [kind, filename, mine])).toEqual([
    ['02', '出院小结.pdf', 1],
    ['01', '出院小结.pdf', 1],
  ]);
  expect(logs.find(({ action }) => action === '告知监护人')?.attach).toEqual([files[1]!.fileid]);
  expect(JSON.stringify(files)).not.toContain('/files?');

  const { url } = await chen(casefile.openCaseFile, { warningcode, fileid: files[0]!.fileid });
  expect(url).toContain('/files?');
  expect(await sqlAsOwner("select cuserids, kind from audit.log where action = 'as.m.warning.openCaseFile'")).toEqual([
    { cuserids: [pupil.cuserid], kind: 'reveal' },
  ]);
  for (const who of ['wang', 'qiao'] as const)
    await expect(as(who)(casefile.openCaseFile, { warningcode, fileid: files[0]!.fileid })).rejects.toMatchObject({
      code: who === 'wang' ? 110004 : 130001,
    });
});

test('a case file is attached once by its uploader, and deleting it needs a reason and stays in the log', async () => {
  const { chen, upload, detail, warningcode } = await inTreatment();
  const colleagueFile = await upload('lu');
  await expect(chen(casefile.attachCaseFile, { warningcode, kind: '09', fileids: [colleagueFile] })).rejects.toMatchObject({
    code: 130001,
  });
  const fileid = await upload();
  await chen(casefile.attachCaseFile, { warningcode, kind: '09', fileids: [fileid] });
  await expect(chen(casefile.attachCaseFile, { warningcode, kind: '09', fileids: [fileid] })).rejects.toMatchObject({
    code: 130001,
  });
  await chen(casefile.deleteCaseFile, { warningcode, fileid, reason: '传错了学生' });
  await expect(chen(casefile.openCaseFile, { warningcode, fileid })).rejects.toMatchObject({ code: 130001 });
  const { files, logs } = await detail();
  expect(files.map((item) => item.fileid)).not.toContain(fileid);
  expect(logs[0]).toMatchObject({ action: '删除附件', content: '其他：传错了学生' });
});

test('a return to school needs hospital papers, a recent interview and, under 18, the guardian’s consent', async () => {
  const { chen, assess, upload, detail, warningcode, clock } = await inTreatment();
  const entry = { warningcode, assessdate: '2025-10-10', hospital: '云栖市第七人民医院', returndate: '2025-10-13' };
  await expect(chen(casefile.insertReturnAssess, { ...entry, conclusion: '01', fileids: [] })).rejects.toMatchObject({
    code: 120002,
    message: '请上传医院出具的复学资料',
  });
  await expect(
    chen(casefile.insertReturnAssess, { ...entry, conclusion: '02', fileids: [await upload()] }),
  ).rejects.toMatchObject({
    code: 140001,
    data: { reasons: ['最近一次访谈评估结论为“一级预警”，不支持复学', '未成年人复学须经监护人同意', '附条件复学须写明条件'] },
  });
  // The conclusion 暂缓复学 (03) is always possible.
  await chen(casefile.insertReturnAssess, { ...entry, returndate: '', conclusion: '03', fileids: [await upload()] });
  clock.now = addDays(clock.now, 2);
  await assess(2);
  const { returnid } = await chen(casefile.insertReturnAssess, {
    ...entry,
    assessdate: '2025-10-12',
    conclusion: '02',
    conditions: '首周半天到校，家长接送',
    guardianagreed: 1,
    fileids: [await upload()],
  });
  const { returns, files, followups, logs } = await detail();
  expect(returns[0]).toMatchObject({ returnid, conclusion: '02', guardianagreed: 1, returndate: '2025-10-13' });
  expect(followups.map(({ duetime }) => duetime)).toEqual(['2025-10-20 17:00:00']);
  expect(logs[0]?.content).toContain('已安排 2025-10-20 随访');
  await expect(
    chen(casefile.deleteCaseFile, { warningcode, fileid: files[0]!.fileid, reason: '不再需要' }),
  ).rejects.toMatchObject({ code: 130003 });
});

test('a re-test created from a case appears in its history, and its result counts for the closing criterion', async () => {
  const server = await inTreatment();
  const { chen, detail, warningcode, pupil, other, clock } = server;
  expect((await detail()).criteria['01']?.find(({ key }) => key === 'retest')).toMatchObject({
    met: false,
    detail: '尚无有效复测',
  });
  await expect(chen(task.createRetestTask, { warningcode, cuserids: [other.cuserid] })).rejects.toMatchObject({ code: 120002 });
  clock.now = addDays(clock.now, 14);
  const { plancode } = await detail();
  const { taskcode } = await chen(task.createRetestTask, {
    warningcode,
    cuserids: [pupil.cuserid],
    plancode: plancode ?? undefined,
    begintime: '2025-10-24 17:00',
    endtime: '2025-10-27 18:00',
  });
  const planned = await detail();
  expect(planned.retests).toMatchObject([{ taskcode, begintime: '2025-10-24 17:00:00', status: 0, examcode: null }]);
  expect(planned.logs[0]).toMatchObject({
    action: '安排复测',
    content: expect.stringContaining('2025-10-24 17:00 至 2025-10-27 18:00'),
  });

  clock.now = new Date('2025-10-25T02:00:00Z');
  const { examcode } = await answerTask(server, pupil);
  const done = await detail();
  expect(done.retests).toMatchObject([{ status: 2, examcode }]);
  expect(done.logs[0]).toMatchObject({ action: '复测', operatorname: '系统' });
  expect(done.logs[0]?.content).toMatch(/^PHQ-9 \d+ 分/);
  expect(done.criteria['01']?.find(({ key }) => key === 'retest')).toMatchObject({ met: true });

  // The follow-up names its re-test.
  await chen(handling.observe, { warningcode });
  const { followupid } = (await detail()).followups[0]!;
  await chen(care.finishFollowUp, { followupid, content: '状态平稳', currentlevel: 1, examcode });
  expect((await chen(care.getFollowUpPageList, { warningcode, status: '02' })).rows[0]?.retest).toMatch(/PHQ-9 \d+ 分/);
  await expect(
    chen(care.finishFollowUp, {
      followupid: (await detail()).followups[1]!.followupid,
      content: '状态平稳',
      examcode: 'E0000000000',
    }),
  ).rejects.toMatchObject({ code: 120002 });
});

test('an acceptance by mistake is taken back: the case waits for its owner again, and its clock has never stopped', async () => {
  const { as, clock, ...server } = await startServer({ now: '2025-10-10T06:00:00Z' });
  const { pupils } = await addClass({ as, clock, ...server }, { teamname: '初二3班', names: ['林小雨'], owneruserid: 'U_WANG' });
  await takeExam({ as, clock, ...server }, pupils[0]!, SEVERE_ANSWERS);
  const { warningcode } = (await as('chen')(warning.getWarningPageList, {})).rows[0]!;
  const detail = () => as('chen')(warning.getWarningDetail, { warningcode });
  const opened = await detail();
  clock.now = addHours(clock.now, 1);
  const { version } = await as('chen')(handling.acceptWarning, { warningcode });
  await expect(as('lu')(handling.withdrawAcceptance, { warningcode, version })).rejects.toMatchObject({
    code: 140001,
    message: '受理之后已有新的处理，或受理人不是您，不能撤回',
  });
  await as('chen')(handling.withdrawAcceptance, { warningcode, version, owneruserid: opened.owneruserid });
  const back = await detail();
  expect(back).toMatchObject({ state: '01', pending: 1, due: opened.due });
  expect([opened.owneruserid, back.owneruserid]).toEqual(['U_CHEN', 'U_CHEN']);
  expect(back.full!.logs.map(({ action }) => action)).toEqual(expect.arrayContaining(['受理', '撤回受理']));

  // A colleague accepts it. After ten minutes, or after the talk, the acceptance stands.
  await as('lu')(handling.acceptWarning, { warningcode });
  clock.now = new Date(clock.now.getTime() + 11 * 60_000);
  await expect(as('lu')(handling.withdrawAcceptance, { warningcode })).rejects.toMatchObject({
    code: 140001,
    message: '受理超过 10 分钟后不能撤回，请分派给同事',
  });
  await as('lu')(handling.verifyWarning, { warningcode, contactresult: '01', content: '已面谈' });
  await expect(as('lu')(handling.withdrawAcceptance, { warningcode })).rejects.toMatchObject({ code: 140001 });
});

test('a colleague who is mentioned in a note gets one message, which says nothing of the note or the student', async () => {
  const { chen, as, warningcode, sqlAsOwner } = await inTreatment();
  const note = { warningcode, content: '今晚家长来接，@陆远 请在校门口等一下', mentions: ['U_LU', 'U_LU', 'U_CHEN'] };
  await expect(chen(handling.insertWarningLog, note)).rejects.toMatchObject({
    code: 120002,
    message: '内容里没有 @陈静怡',
    data: { field: 'content' },
  });
  await chen(handling.insertWarningLog, { ...note, mentions: ['U_LU', 'U_LU'] });
  const sent = () =>
    sqlAsOwner<{ userid: string; title: string; link: string }>(
      "select userid, title, content, link from notification where kind = 'mention'",
    );
  expect(await sent()).toMatchObject([
    { userid: 'U_LU', title: '陈静怡 在个案记录中提到了您', link: `/earlyWarning/case/${warningcode}` },
  ]);
  expect(JSON.stringify(await sent())).not.toMatch(/林小雨|校门口/);
  expect((await as('lu')(notice.getNoticePageList, { group: 'warning' })).rows.map(({ title }) => title)).toContain(
    '陈静怡 在个案记录中提到了您',
  );
  // A later message about the case does not hide it.
  await sqlAsOwner(
    `insert into notification (musercode, userid, kind, title, warningcode, createtime)
     select musercode, userid, 'warning', '联系不上本人', warningcode, createtime + interval '1 minute'
     from notification where kind = 'mention'`,
  );
  expect((await as('lu')(notice.getNoticePageList, { group: 'warning' })).rows.map(({ title }) => title)).toEqual(
    expect.arrayContaining(['联系不上本人', '陈静怡 在个案记录中提到了您']),
  );
  // Neither staff of another institution nor a teacher who may not handle the case can be mentioned.
  for (const [userid, realname] of [
    ['U_QIAO', '乔然'],
    ['U_WANG', '王班主任'],
  ] as const)
    await expect(
      chen(handling.insertWarningLog, { warningcode, content: `@${realname} 请看`, mentions: [userid] }),
    ).rejects.toMatchObject({ code: 120002, message: '提到的同事不能处理这个个案' });
  expect(await sent()).toHaveLength(1);
});

test('an unanswered call that was recorded by mistake is taken back; the clock is as before, and the history has both lines', async () => {
  const { chen, as, clock, warningcode, detail } = await inTreatment();
  const unanswered = { warningcode, action: '联系尝试' as const, content: '电话没打通' };
  const contactClock = async () => (await detail()).clocks.find(({ kind }) => kind === 'contact')?.at;
  expect(await contactClock()).toBeUndefined();

  const { version } = await chen(handling.insertWarningLog, unanswered);
  expect(await contactClock()).toBeDefined();
  await expect(as('lu')(handling.withdrawContactTry, { warningcode, version })).rejects.toMatchObject({
    code: 140001,
    message: '这次联系之后已有新的处理，或记录人不是您，不能撤回',
  });
  await chen(handling.withdrawContactTry, { warningcode, version });
  expect(await contactClock()).toBeUndefined();
  expect((await detail()).logs.map(({ action, content }) => [action, content])).toEqual(
    expect.arrayContaining([
      ['联系尝试', '电话没打通'],
      ['撤回联系尝试', '误记：电话没打通'],
    ]),
  );
  await expect(chen(handling.withdrawContactTry, { warningcode })).rejects.toMatchObject({ code: 140001 });

  // The second of two attempts is taken back, and the first counts on. After ten minutes an attempt stands.
  await chen(handling.insertWarningLog, unanswered);
  const due = await contactClock();
  clock.now = new Date(clock.now.getTime() + 60_000);
  await chen(handling.insertWarningLog, unanswered);
  await chen(handling.withdrawContactTry, { warningcode });
  expect(await contactClock()).toBe(due);
  await chen(handling.insertWarningLog, unanswered);
  clock.now = new Date(clock.now.getTime() + 11 * 60_000);
  await expect(chen(handling.withdrawContactTry, { warningcode })).rejects.toMatchObject({
    code: 140001,
    message: '记录超过 10 分钟后不能撤回，请补记一条备注说明',
  });
});
