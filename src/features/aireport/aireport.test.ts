import { expect, test } from 'vitest';
import { aiLabel } from '#domain/report/ai/aiSection.ts';
import type { AiText } from '#domain/report/ai/checkAiText.ts';
import * as ai from '#features/aireport/aireport.contract.ts';
import { writeAiTexts } from '#features/aireport/writeAiTexts.ts';
import * as report from '#features/report/report.contract.ts';
import * as respond from '#features/respond/respond.contract.ts';
import { refuses, says, startProvider } from '#testing/process/aiProvider.ts';
import { addStudent, takeExam } from '#testing/exam.ts';
import { startServer } from '#testing/server.ts';

const text: AiText = {
  summary: '你近来有些疲惫，先照顾好休息。',
  factors: ['近来事情较多'],
  advice: ['每天固定时间起床', '睡前放下手机', '和信任的人聊聊近况'],
  talk: '最近辛苦了，想听你说说过得怎么样。',
};
const calm = { PHQ9: '0 1 1 1 0 0 0 0 0', GAD7: '0 0 1 0 0 0 0' };

/** A school with a report of 林小雨 and a provider. `isAgreed` false: the school has not agreed. */
async function withProvider({
  isAgreed = true,
  answers = [says(text)],
}: { isAgreed?: boolean; answers?: Parameters<typeof startProvider> } = {}) {
  const server = await startServer();
  const { config, bodies } = await startProvider(...answers);
  server.services.ai = config;
  const student = await addStudent(server);
  const exam = await takeExam(server, student, calm);
  const { rows } = await server.as('chen')(report.getCUserReportPageList, {});
  const reportcode = rows[0]?.reportcode ?? '';
  if (isAgreed) await server.as('ma')(ai.saveAiConsent, { allowed: 1 });
  const write = () => writeAiTexts(server.services, () => server.clock.now);
  const generate = (force?: 1) => server.as('chen')(ai.generateAiReport, { reportcode, ...(force && { force }) });
  const read = () => server.as('chen')(report.getCUserReport, { reportcode });
  return { ...server, server, bodies, student, exam, reportcode, write, generate, read };
}
const sectionOf = (content: { sections: readonly { key: string }[] }) =>
  JSON.stringify(content.sections.find(({ key }) => key === 'ai') ?? null);

test('without a provider or without the consent of the institution a report keeps the text of the rules', async () => {
  const { server, services, as, generate, bodies, read } = await withProvider({ isAgreed: false });
  await expect(generate()).rejects.toMatchObject({ code: 140001, message: expect.stringContaining('未开通 AI 授权') as string });
  expect(await as('ma')(ai.getAiSettings, {})).toMatchObject({ isavailable: 1, allowed: 0, usedtoday: 0 });
  await as('ma')(ai.saveAiConsent, { allowed: 1 });
  delete server.services.ai;
  await expect(generate()).rejects.toMatchObject({ code: 140001, message: expect.stringContaining('未启用 AI 服务') as string });
  expect(await writeAiTexts(services, () => new Date())).toEqual({ written: 0, failed: 0 });
  expect(bodies).toEqual([]);
  expect(sectionOf((await read()).staff)).toBe('null');
});

test('a job writes the text; staff read it with its label, the person only after the review', async () => {
  const { as, withToken, exam, bodies, reportcode, write, generate, read } = await withProvider();
  await as('chen')(report.showOrHiddenReport, { reportcodes: [reportcode], isshow: 1 });
  const own = async () => (await withToken(exam.token)(respond.getOwnReports, {})).length;
  expect(await own()).toBe(1);
  expect(await generate()).toEqual({ aistatus: 1, content: null });
  expect(await write()).toEqual({ written: 1, failed: 0 });
  expect(bodies).toHaveLength(1);
  for (const secret of ['林小雨', '20230301', '晨光', reportcode]) expect(bodies[0]).not.toContain(secret);
  const made = await read();
  expect(made.report.aistatus).toBe(2);
  expect(sectionOf(made.staff)).toContain(`${aiLabel}（尚未审核）`);
  expect(sectionOf(made.self)).toBe('null');
  expect(await own()).toBe(0);
  await as('chen')(report.updateReport, { reportcode, version: made.version, status: 2 });
  await as('chen')(report.showOrHiddenReport, { reportcodes: [reportcode], isshow: 1 });
  const reviewed = await read();
  expect(reviewed.report.aistatus).toBe(3);
  expect(sectionOf(reviewed.self)).toContain(text.summary);
  expect(sectionOf(reviewed.self)).toContain(aiLabel);
  expect(sectionOf(reviewed.self)).not.toContain(text.talk);
  expect(await own()).toBe(1);
  expect(await generate()).toEqual({ aistatus: 3, content: text });
});

test('a text that fails a check is discarded, and the report keeps the text of the rules', async () => {
  const { sqlAsOwner, as, write, generate, read } = await withProvider({
    answers: [says({ ...text, summary: '你患有抑郁症。' })],
  });
  await generate();
  expect(await write()).toEqual({ written: 0, failed: 1 });
  const failed = await read();
  expect(failed.report.aistatus).toBe(9);
  expect(sectionOf(failed.staff)).toBe('null');
  expect((await as('ma')(ai.getAiSettings, {})).lastfault).toBe('出现不得使用的词语');
  expect(JSON.stringify(await sqlAsOwner('select output, fault from aijob'))).not.toContain('患有');
});

test('the same facts take the text of the earlier job; a repetition on request asks the provider again', async () => {
  const { server, as, bodies, write, generate } = await withProvider();
  await generate();
  await write();
  const other = await addStudent(server, { username: '周明', studentno: '20230302' });
  await takeExam(server, other, calm);
  const { rows } = await as('chen')(report.getCUserReportPageList, { keyword: '周明' });
  await as('chen')(ai.generateAiReport, { reportcode: rows[0]?.reportcode ?? '' });
  expect(await write()).toEqual({ written: 1, failed: 0 });
  expect(bodies).toHaveLength(1);
  expect((await as('ma')(ai.getAiSettings, {})).usedtoday).toBe(1);
  expect(await generate(1)).toEqual({ aistatus: 1, content: null });
  await write();
  expect(bodies).toHaveLength(2);
});

test('after five failures the provider is paused for ten minutes', async () => {
  const { clock, write, generate, bodies } = await withProvider({ answers: [refuses(400)] });
  for (let failure = 0; failure < 5; failure += 1) {
    await generate();
    expect(await write()).toEqual({ written: 0, failed: 1 });
    clock.now = new Date(clock.now.getTime() + 1000);
  }
  await expect(generate()).rejects.toMatchObject({ code: 170001 });
  clock.now = new Date(clock.now.getTime() + 10 * 60_000);
  await generate();
  await write();
  expect(bodies).toHaveLength(6);
});

test('an institution asks for at most 200 texts a day', async () => {
  const { sqlAsOwner, clock, reportcode, generate } = await withProvider();
  await sqlAsOwner(
    `insert into aijob (musercode, orgpath, reportcode, status, promptversion, provider, model, accountid, createtime, donetime)
     select musercode, orgpath, $1, 2, 'p', 'h', 'm', 'a', $2::timestamptz, $2::timestamptz from report, generate_series(1, 200)
     where reportcode = $1`,
    [reportcode, clock.now.toISOString()],
  );
  await expect(generate()).rejects.toMatchObject({ code: 140001, message: expect.stringContaining('200 份') as string });
  clock.now = new Date(clock.now.getTime() + 86_400_000);
  expect(await generate()).toMatchObject({ aistatus: 1 });
});

test('another school cannot ask for a text, nor staff without the screen of AI reports', async () => {
  const { as, reportcode } = await withProvider();
  await expect(as('qiao')(ai.generateAiReport, { reportcode })).rejects.toMatchObject({ code: 130001 });
  await expect(as('wang')(ai.generateAiReport, { reportcode })).rejects.toMatchObject({ code: 110004 });
  await expect(as('chen')(ai.saveAiConsent, { allowed: 0 })).rejects.toMatchObject({ code: 110004 });
});

test('a consent that was withdrawn stops the jobs that wait', async () => {
  const { as, bodies, write, generate, read } = await withProvider();
  await generate();
  await as('ma')(ai.saveAiConsent, { allowed: 0 });
  expect(await write()).toEqual({ written: 0, failed: 1 });
  expect(bodies).toEqual([]);
  expect((await read()).report.aistatus).toBe(9);
});
