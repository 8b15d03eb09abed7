import { expect, test } from 'vitest';
import { addDays } from '#domain/base/calendar.ts';
import {
  anonymizeCUser,
  answerAnonymization,
  getAnonymization,
  withdrawAnonymization,
} from '#features/anonymize/anonymize.contract.ts';
import { runAnonymizeJobs } from '#features/anonymize/anonymizeJobs.ts';
import { finishFollowUp, insertFollowUp } from '#features/care/care.contract.ts';
import { revealCUser } from '#features/cuser/cuser.contract.ts';
import { answerMergeCUser, mergeCUser } from '#features/merge/merge.contract.ts';
import { getNoticePageList } from '#features/notice/notice.contract.ts';
import { judgeAllOpenSheets } from '#features/respond/review/judgeOpenSheets.ts';
import { insertAssessTask } from '#features/task/task.contract.ts';
import { acceptWarning, insertWarning, verifyWarning } from '#features/warning/handling/handling.contract.ts';
import { createOwnAccounts } from '#testing/authorisation/ownAccounts.ts';
import { aClassOf, aStudent, expireStepUp } from '#testing/factories.ts';
import { answerTask, screening } from '#testing/school.ts';
import { startServer, type TestServer } from '#testing/server.ts';

const reason = '家长书面申请删除';
const confirmtext = '匿名化林小雨';

/** 陈静怡 has asked for the 匿名化 of 林小雨. */
async function requested() {
  const server = await startServer();
  const { as } = server;
  const { cuserid } = await aStudent(server);
  const request = { cuserid, confirmtext, reason };
  const ask = () => as('chen')(anonymizeCUser, request);
  const { anonymizationid } = await ask();
  const isErased = async () => (await as('chen')(revealCUser, { cuserid })).username !== '林小雨';
  return { ...server, server, cuserid, request, ask, anonymizationid, isErased };
}

const noticesOf = async ({ as }: Pick<TestServer, 'as'>, who: 'chen' | 'lu' | 'wang') =>
  (await as(who)(getNoticePageList, {})).rows.filter(({ title }) => title.includes('匿名化'));

test('匿名化 changes nothing until another human agrees, and both are told', async () => {
  const { as, server, cuserid, anonymizationid, isErased } = await requested();
  expect(await isErased()).toBe(false);
  expect(await noticesOf(server, 'lu')).toMatchObject([
    { title: '请您复核：匿名化', link: expect.stringContaining(cuserid) as string },
  ]);
  expect(await noticesOf(server, 'chen')).toEqual([]);
  expect(await noticesOf(server, 'wang')).toEqual([]);
  expect((await as('lu')(getAnonymization, { cuserid })).waiting).toMatchObject({
    anonymizationid,
    reason,
    askname: '陈静怡',
    cananswer: 1,
    canwithdraw: 0,
  });
  expect((await as('chen')(getAnonymization, { cuserid })).waiting).toMatchObject({ cananswer: 0, canwithdraw: 1 });
  expect(await as('lu')(answerAnonymization, { anonymizationid, agreed: 1 })).toEqual({ status: '02' });
  expect(await isErased()).toBe(true);
  expect(await noticesOf(server, 'chen')).toMatchObject([{ title: '匿名化已完成' }]);
});

test('who asked cannot agree, neither with another account of the same human nor with the account of the institution', async () => {
  const { as, server, withToken, sqlAsOwner, ask, isErased, ...first } = await requested();
  await as('chen')(withdrawAnonymization, { anonymizationid: first.anonymizationid });
  await sqlAsOwner("update sysuser set phonenumber = '138-0000-1111' where userid in ('U_CHEN', 'U_LU')");
  const { anonymizationid } = await ask();
  const answer = { anonymizationid, agreed: 1 as const };
  const refusal = { code: 140001, message: '复核人须是申请人以外的另一人' };
  await expect(as('chen')(answerAnonymization, answer)).rejects.toMatchObject(refusal);
  await expect(as('lu')(answerAnonymization, answer)).rejects.toMatchObject(refusal);
  const own = await createOwnAccounts(server);
  await expect(withToken(own['005'])(answerAnonymization, answer)).rejects.toMatchObject({
    message: '机构主账号和共用账号不能复核，请由具名人员复核',
  });
  expect(await isErased()).toBe(false);
});

test('the account of an institution and shared accounts do not ask, because nobody knows which human used them', async () => {
  const server = await startServer();
  const { cuserid } = await aStudent(server);
  const own = await createOwnAccounts(server);
  await expect(server.withToken(own['005'])(anonymizeCUser, { cuserid, confirmtext, reason })).rejects.toMatchObject({
    code: 140001,
    message: '匿名化须由具名人员申请、第二人复核；机构主账号和共用账号不能申请',
  });
});

test('one request at a time; the second person returns it with a reason, and the asker hears why', async () => {
  const { as, server, ask, anonymizationid, isErased } = await requested();
  await expect(ask()).rejects.toMatchObject({ message: '陈静怡 已申请匿名化，正在等待另一位同事复核' });
  const returned = { anonymizationid, agreed: 0 as const };
  await expect(as('lu')(answerAnonymization, { ...returned, content: '不行' })).rejects.toMatchObject({
    code: 120002,
    message: '请用至少 5 个字说明退回原因',
  });
  expect(await as('lu')(answerAnonymization, { ...returned, content: '没有监护人的书面申请' })).toEqual({ status: '03' });
  expect(await noticesOf(server, 'chen')).toMatchObject([
    { title: '匿名化被退回', content: '陆远 退回了您的申请：没有监护人的书面申请' },
  ]);
  await expect(as('lu')(answerAnonymization, { anonymizationid, agreed: 1 })).rejects.toMatchObject({
    message: '该申请已有结果，请刷新',
  });
  expect(await isErased()).toBe(false);
  await ask();
});

test('only the asker withdraws a request, and nobody can agree afterwards', async () => {
  const { as, cuserid, anonymizationid, isErased } = await requested();
  await expect(as('lu')(withdrawAnonymization, { anonymizationid })).rejects.toMatchObject({ message: '只有申请人可以撤回' });
  await as('chen')(withdrawAnonymization, { anonymizationid });
  await expect(as('lu')(answerAnonymization, { anonymizationid, agreed: 1 })).rejects.toMatchObject({ code: 140001 });
  expect((await as('chen')(getAnonymization, { cuserid })).waiting).toBeNull();
  expect(await isErased()).toBe(false);
});

test('a request that nobody answers for seven days expires; the asker gets a notice and can ask again', async () => {
  const { as, server, cuserid, clock, ask, anonymizationid, isErased } = await requested();
  clock.now = addDays(clock.now, 7);
  await expect(as('lu')(answerAnonymization, { anonymizationid, agreed: 1 })).rejects.toMatchObject({
    message: '该申请已过期，须重新申请',
  });
  expect((await as('lu')(getAnonymization, { cuserid })).waiting).toBeNull();
  expect(await runAnonymizeJobs(server.services, clock.now)).toMatchObject({ expired: 1 });
  expect(await runAnonymizeJobs(server.services, clock.now)).toMatchObject({ expired: 0 });
  expect(await noticesOf(server, 'chen')).toMatchObject([{ title: '匿名化申请已过期' }]);
  expect(await isErased()).toBe(false);
  await ask();
});

test('a case that opens meanwhile stops the 匿名化 at the answer, until it is closed', async () => {
  const { as, cuserid, anonymizationid, isErased } = await requested();
  const { warningcode } = await as('chen')(insertWarning, { cuserid, level: 2, content: '同学反映近来常常独自哭泣，不愿说话' });
  const agree = () => as('lu')(answerAnonymization, { anonymizationid, agreed: 1 });
  expect((await as('lu')(getAnonymization, { cuserid })).refusal).toBe('预警尚未结案，不能匿名化；可先停用');
  await expect(agree()).rejects.toMatchObject({ code: 130003, message: '预警尚未结案，不能匿名化；可先停用' });
  expect(await isErased()).toBe(false);
  await as('chen')(acceptWarning, { warningcode });
  await as('chen')(verifyWarning, { warningcode, contactresult: '01', content: '与学生面谈，了解近况' });
  await as('chen')(verifyWarning, {
    warningcode,
    contactresult: '01',
    content: '当面核实，系同学误会，无自伤想法',
    falsealarm: 1,
  });
  expect(await agree()).toEqual({ status: '02' });
  expect(await isErased()).toBe(true);
});

test('an open sheet stops the 匿名化 until the server has judged it, a day after the last answer', async () => {
  const { as, server, clock, cuserid, anonymizationid } = await requested();
  const agree = () => as('lu')(answerAnonymization, { anonymizationid, agreed: 1 });
  const { teamcode } = await aClassOf(server, [cuserid]);
  await as('chen')(insertAssessTask, screening([teamcode]));
  await answerTask(server, { cuserid, username: '林小雨', studentno: '20230301' }, { begin: true });
  await expect(agree()).rejects.toMatchObject({
    code: 140001,
    message: '有未提交的答卷，不能匿名化；请等本人提交，或停止作答 24 小时后再办理',
  });
  clock.now = addDays(clock.now, 2);
  await judgeAllOpenSheets(server.services, clock.now);
  expect(await agree()).toEqual({ status: '02' });
});

test('two records are not merged while one of them waits for its 匿名化, nor erased while a merge waits', async () => {
  const { as, server, cuserid, anonymizationid } = await requested();
  const twin = await aStudent(server, { studentno: '20250901' });
  const pair = { cuserid: twin.cuserid, tocuserid: cuserid, reason: '学籍号和监护人一致，是同一个学生' };
  await expect(as('chen')(mergeCUser, pair)).rejects.toMatchObject({
    code: 140001,
    message: '其中一份档案已申请匿名化，正在等待复核，请先处理',
  });
  await as('chen')(withdrawAnonymization, { anonymizationid });
  await as('chen')(insertWarning, { cuserid: twin.cuserid, level: 2, content: '同学反映近来常常独自哭泣，不愿说话' });
  const { mergeid } = await as('chen')(mergeCUser, pair);
  await expect(as('chen')(anonymizeCUser, { cuserid, confirmtext, reason })).rejects.toMatchObject({
    message: '有合并档案的申请正在等待复核，不能匿名化；请复核后再办理',
  });
  await as('lu')(answerMergeCUser, { mergeid, agreed: 0, content: '不是同一个学生' });
  await as('chen')(anonymizeCUser, { cuserid, confirmtext, reason });
});

test('匿名化 asks for a reason and for a step-up of both', async () => {
  const { as, server, request, anonymizationid } = await requested();
  await expect(as('chen')(anonymizeCUser, { ...request, reason: '删除' })).rejects.toMatchObject({
    code: 120002,
    message: '请用至少 5 个字说明原因',
  });
  await expireStepUp(server, 'U_LU');
  await expect(as('lu')(answerAnonymization, { anonymizationid, agreed: 1 })).rejects.toMatchObject({ code: 110007 });
});

test('the record that an agreed 匿名化 leaves has neither the reason nor the name', async () => {
  const { as, sqlAsOwner, cuserid, anonymizationid } = await requested();
  await as('lu')(answerAnonymization, { anonymizationid, agreed: 1, content: '已看过林小雨家长的申请' });
  expect(await sqlAsOwner('select status, reason, answer, answername from anonymization where cuserid = $1', [cuserid])).toEqual([
    { status: '02', reason: '已删除', answer: '', answername: '陆远' },
  ]);
});

test('匿名化 cancels the waiting follow-ups of the person; a finished one stays finished', async () => {
  const { as, sqlAsOwner, cuserid, anonymizationid } = await requested();
  const { followupids } = await as('chen')(insertFollowUp, {
    cuserid,
    duetime: '2025-10-20 10:00',
    repeat: { everydays: 7, times: 2 },
  });
  await as('chen')(finishFollowUp, { followupid: followupids[0] as number, content: '情绪平稳', currentlevel: 1 });
  await as('lu')(answerAnonymization, { anonymizationid, agreed: 1 });
  expect(await sqlAsOwner('select status, content from followup where cuserid = $1 order by followupid', [cuserid])).toEqual([
    { status: '02', content: null },
    { status: '05', content: null },
  ]);
});

test('a person of another institution is unknown to both steps', async () => {
  const { as, anonymizationid, request } = await requested();
  const missing = { code: 130001 };
  await expect(as('qiao')(anonymizeCUser, request)).rejects.toMatchObject(missing);
  await expect(as('qiao')(answerAnonymization, { anonymizationid, agreed: 1 })).rejects.toMatchObject(missing);
  await expect(as('qiao')(withdrawAnonymization, { anonymizationid })).rejects.toMatchObject(missing);
});
