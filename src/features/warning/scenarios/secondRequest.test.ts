import { expect, test } from 'vitest';
import * as handling from '#features/warning/handling/handling.contract.ts';
import * as second from '#features/warning/second/second.contract.ts';
import * as special from '#features/warning/special/special.contract.ts';
import { crisisSchool } from '#testing/crisisCase.ts';
import type { Person } from '#testing/people.ts';

// Asking the second person is an act: the first person fills in the step, the second agrees or returns it (clinical-rules.md C).

const NOTE = '面谈核实为误答，予以排除，家长知情';
const AGREED = '已核对作答、访谈与处置记录，同意办理';

/** A case of level 3 that Chen has accepted, talked about, interviewed and told the guardian of. */
async function graveCase(now = '2026-11-18 09:00') {
  const school = await crisisSchool(now);
  const code = await school.report(3);
  await school.accept(code);
  await school.talk(code);
  await school.interview(code, 3, { ideation: 2 });
  await school.tellGuardian(code);
  const { as, version, detail } = school;
  /** Chen asks to exclude the case. */
  const askToExclude = (seconds: string[] = []) =>
    as('chen')(handling.verifyWarning, { warningcode: code, contactresult: '02', falsealarm: 1, content: NOTE, seconds });
  const requests = async (who: Person = 'chen') => (await detail(code, who)).full?.requests ?? [];
  const answer = async (agreed: 0 | 1, content: string, who: Person = 'lu') => {
    const [request] = await requests(who);
    return as(who)(second.answerSecondRequest, {
      warningcode: code,
      version: await version(code),
      requestid: request?.requestid ?? 0,
      agreed,
      content,
    });
  };
  return { ...school, code, askToExclude, requests, answer };
}

test('a step that needs a second person becomes a request, and the person who may answer is told', async () => {
  const { code, askToExclude, requests, notices, logs, clocks } = await graveCase();
  expect(await askToExclude()).toMatchObject({ waits: 1, state: '03' });
  expect(await requests('lu')).toMatchObject([
    { title: '排除/误报', summary: expect.stringContaining(NOTE), askname: '陈静怡', status: '01', mine: 0, answerable: 1 },
  ]);
  expect(await requests('chen')).toMatchObject([{ mine: 1, answerable: 0 }]);
  const questions = (await notices(code)).filter(({ title }) => title.includes('请您复核'));
  expect(questions.map(({ userid }) => userid)).toContain('U_LU');
  expect(questions.map(({ userid }) => userid)).not.toContain('U_CHEN');
  expect(questions[0]?.title).not.toContain('林小雨');
  expect((await logs(code))[0]).toMatchObject({ action: '申请复核', operatorname: '陈静怡' });
  expect(await clocks(code)).toMatchObject({ second: '11-19 09:00' });
});

test('when the second person agrees, what was asked happens by itself', async () => {
  const { code, askToExclude, answer, detail, logs, notices } = await graveCase();
  await askToExclude();
  expect(await answer(1, AGREED)).toMatchObject({ isdone: 1, state: '08' });
  expect(await detail(code)).toMatchObject({ state: '08', full: { closenote: NOTE, requests: [] } });
  expect((await logs(code)).slice(0, 2)).toMatchObject([
    { action: '排除', operatorname: '陈静怡（陆远 复核）' },
    { action: '复核', operatorname: '陆远', content: expect.stringContaining(AGREED) },
  ]);
  expect((await notices(code)).filter(({ title }) => title.includes('复核已同意'))).toMatchObject([{ userid: 'U_CHEN' }]);
});

test('a returned request tells the asker why, and the step may be asked for again', async () => {
  const { code, askToExclude, answer, requests, notices, detail, clocks } = await graveCase();
  await askToExclude();
  expect(await answer(0, '请补上家长的说法')).toMatchObject({ isdone: 0, state: '03' });
  expect((await notices(code)).filter(({ title }) => title.includes('复核已退回'))).toMatchObject([
    { userid: 'U_CHEN', content: expect.stringContaining('请补上家长的说法') },
  ]);
  expect(await requests()).toMatchObject([{ status: '03', answer: '请补上家长的说法', answername: '陆远' }]);
  expect((await clocks(code))['second']).toBeUndefined();
  await askToExclude();
  expect(await requests()).toMatchObject([{ status: '01' }]);
  expect(await detail(code)).toMatchObject({ state: '03' });
});

test('rules that no longer hold when the second person agrees send the request back with the reasons', async () => {
  const { code, askToExclude, answer, sqlAsOwner, detail } = await graveCase();
  await askToExclude();
  await sqlAsOwner('update warning set contacttime = null where warningcode = $1', [code]);
  expect(await answer(1, AGREED)).toMatchObject({ isdone: 0, reasons: ['新情况之后须与本人取得联系'], state: '03' });
  expect(await detail(code)).toMatchObject({ state: '03', full: { confirmed: '' } });
});

test('news withdraws a request, and the asker is told', async () => {
  const { code, askToExclude, requests, answer, report, at, logs, notices } = await graveCase();
  await askToExclude();
  const [request] = await requests('lu');
  at('2026-11-18 10:00');
  await report(4, '同学说她写了告别信');
  expect(await requests()).toMatchObject([{ requestid: request?.requestid, status: '05' }]);
  expect((await logs(code)).map(({ action }) => action)).toContain('复核失效');
  expect((await notices(code)).filter(({ title }) => title.includes('复核已失效'))).toMatchObject([{ userid: 'U_CHEN' }]);
  await expect(answer(1, AGREED)).rejects.toMatchObject({ code: 140001 });
});

test('the asker withdraws a request; nobody else does', async () => {
  const { code, as, askToExclude, requests, logs } = await graveCase();
  await askToExclude();
  const [request] = await requests();
  const target = { warningcode: code, requestid: request?.requestid ?? 0 };
  await expect(as('lu')(second.withdrawSecondRequest, target)).rejects.toMatchObject({ code: 140001 });
  await as('chen')(second.withdrawSecondRequest, target);
  expect(await requests()).toEqual([]);
  expect((await logs(code))[0]).toMatchObject({ action: '撤回复核' });
});

test('the asker, a second account of the asker and the owner cannot answer', async () => {
  const { code, askToExclude, answer, requests, as, sqlAsOwner } = await graveCase();
  await askToExclude();
  await expect(answer(1, AGREED, 'chen')).rejects.toMatchObject({ code: 140001, message: '复核人不能是申请人' });
  await sqlAsOwner("update sysuser set phonenumber = '13800001111' where userid in ('U_CHEN', 'U_LU')");
  expect(await requests('lu')).toMatchObject([{ answerable: 0 }]);
  await expect(answer(1, AGREED)).rejects.toMatchObject({ code: 140001 });
  await sqlAsOwner("update sysuser set phonenumber = null where userid = 'U_LU'");
  await as('chen')(handling.assignWarning, { warningcode: code, owneruserid: 'U_LU' });
  await expect(answer(1, AGREED)).rejects.toMatchObject({ code: 140001, message: '复核人不能是责任人' });
});

test('a step that fails for another reason is refused, not asked for', async () => {
  const { code, as } = await graveCase();
  const close = { warningcode: code, closereason: '01' as const, closenote: '持续稳定，家校配合良好', seconds: [] };
  await expect(as('chen')(handling.closeWarning, close)).rejects.toMatchObject({
    code: 140001,
    data: { reasons: expect.arrayContaining(['须先转入随访观察']) },
  });
});

test('only persons who may answer can be chosen', async () => {
  const { code, as, askToExclude, requests } = await graveCase();
  const persons = await as('chen')(second.getSecondList, { warningcode: code, subject: 'exclude' });
  expect(persons.map(({ userid }) => userid)).toContain('U_LU');
  expect(persons.map(({ userid }) => userid)).not.toContain('U_CHEN');
  await expect(askToExclude(['U_CHEN'])).rejects.toMatchObject({ code: 120002 });
  await askToExclude(['U_LU']);
  expect(await requests()).toMatchObject([{ persons: ['陆远'] }]);
});

test('a low conclusion and an exemption ask for their confirmation by themselves', async () => {
  const { code, as, interview, requests, answer, detail, clocks } = await graveCase();
  await interview(code, 1, { ideation: 2, lowreason: '本人否认有自杀想法，为玩笑话，家长与同学均可证实此事' });
  expect(await requests('lu')).toMatchObject([{ subject: 'conclusion', answerable: 1 }]);
  await answer(1, AGREED);
  expect((await detail(code)).full?.assesses[0]).toMatchObject({ confirmed: expect.stringContaining('陆远') });
  await as('chen')(handling.exemptGuardian, {
    warningcode: code,
    ground: 2,
    reason: '母亲醉酒后有殴打史，告知会加重危险',
    alternate: '姑姑 林芳，11月18日当面',
  });
  expect(await requests('lu')).toMatchObject([{ subject: 'exempt', answerable: 1 }]);
  await answer(0, '姑姑住得太远，请改为外婆');
  expect((await detail(code)).full?.exemption).toBeNull();
  expect((await clocks(code))['second']).toBeUndefined();
});

test('after a death the reporter asks, and the second person closes the case', async () => {
  const { code, as, detail, version, answer, logs } = await graveCase();
  await as('chen')(special.reportDeath, { warningcode: code, source: '派出所电话告知，家属确认' });
  const start = (await detail(code)).full?.duties.find(({ kind }) => kind === 'postvention');
  await as('chen')(special.finishDuty, {
    warningcode: code,
    version: await version(code),
    dutyid: start?.dutyid ?? 0,
    unit: '云栖市教育局',
    content: '已核实并报告，由马主任联系家属',
  });
  const close = { warningcode: code, closereason: '05' as const, closenote: '已与家属核实，启动善后工作', seconds: [] };
  expect(await as('chen')(handling.closeWarning, close)).toMatchObject({ waits: 1 });
  expect(await answer(1, AGREED)).toMatchObject({ state: '07', isdone: 1 });
  expect((await logs(code))[0]).toMatchObject({ action: '结案', operatorname: '陆远' });
});

test('a request that nobody answers within a day makes the case overdue', async () => {
  const { code, askToExclude, at, detail } = await graveCase();
  await askToExclude();
  at('2026-11-19 09:01');
  expect(await detail(code)).toMatchObject({ isoverdue: 1 });
});
