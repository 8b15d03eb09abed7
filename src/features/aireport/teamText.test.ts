import { expect, test } from 'vitest';
import { buffer } from 'node:stream/consumers';
import type { Readable } from 'node:stream';
import { aiLabel } from '#domain/report/ai/aiSection.ts';
import type { AiText } from '#domain/report/ai/checkAiText.ts';
import type { TeamReportContent } from '#domain/teamreport/teamreport.content.ts';
import * as ai from '#features/aireport/aireport.contract.ts';
import { writeAiTexts } from '#features/aireport/writeAiTexts.ts';
import * as files from '#features/teamreport/teamfile.contract.ts';
import * as team from '#features/teamreport/teamreport.contract.ts';
import { readPdf } from '#testing/pdf/readPdf.ts';
import { refuses, says, startProvider } from '#testing/process/aiProvider.ts';
import { insertFixtureA } from '#testing/statistics/fixtureA.ts';
import { startServer } from '#testing/server.ts';

const text: AiText = {
  summary: '本次有效测评9人，完成率为69.2%，请结合日常观察理解。',
  factors: ['参加的人数较少'],
  advice: ['安排补测', '完成重点对象的访谈', '做好日常心理健康教育'],
  talk: '这次测评反映的是大家近段时间的情绪状态，我们会继续陪伴每一位同学。',
};

/** A school with a group report on its task and a provider. `isAgreed` false: the school has not agreed. */
async function withProvider({
  isAgreed = true,
  answers = [says(text)],
}: { isAgreed?: boolean; answers?: Parameters<typeof startProvider> } = {}) {
  const server = await startServer();
  await insertFixtureA(server);
  const { config, bodies } = await startProvider(...answers);
  server.services.ai = config;
  if (isAgreed) await server.as('ma')(ai.saveAiConsent, { allowed: 1 });
  const chen = server.as('chen');
  const make = async () => (await chen(team.insertTeamReport, { scope: { kind: 'task', taskcode: 'T1' } })).teamreportcode;
  const teamreportcode = await make();
  const generate = (force?: 1) => chen(ai.generateAiReport, { teamreportcode, ...(force && { force }) });
  const write = () => writeAiTexts(server.services, () => server.clock.now);
  const read = (version?: number) => chen(team.getTeamReport, { teamreportcode, ...(version ? { version } : {}) });
  const review = async (agreed: 0 | 1) => {
    const { version, aitime } = await read();
    return chen(ai.reviewTeamReportText, { teamreportcode, version, aitime, agreed });
  };
  const print = async () => {
    const { body } = (await chen(files.exportTeamReport, { teamreportcode, format: 'pdf' })) as { body: Readable | Uint8Array };
    const bytes = body instanceof Uint8Array ? body : new Uint8Array(await buffer(body));
    return readPdf(bytes)
      .pages.flat()
      .map((part) => part.text)
      .join('');
  };
  return { ...server, server, bodies, chen, make, teamreportcode, generate, write, read, review, print };
}
const sectionOf = (content: TeamReportContent) => JSON.stringify(content.sections.find(({ key }) => key === 'ai') ?? null);

test('without a provider or without the consent of the institution a group report keeps the text of the rules', async () => {
  const { server, as, generate, bodies, read, write } = await withProvider({ isAgreed: false });
  await expect(generate()).rejects.toMatchObject({ code: 140001, message: expect.stringContaining('未开通 AI 授权') as string });
  await as('ma')(ai.saveAiConsent, { allowed: 1 });
  delete server.services.ai;
  await expect(generate()).rejects.toMatchObject({ code: 140001, message: expect.stringContaining('未启用 AI 服务') as string });
  expect(await write()).toEqual({ written: 0, failed: 0 });
  expect(bodies).toEqual([]);
  expect(await read()).toMatchObject({ aistatus: 0, aitime: '' });
  expect(sectionOf((await read()).content)).toBe('null');
});

test('a job writes the text on a group; it names nobody, waits for its review, and only then stands on paper', async () => {
  const { chen, bodies, generate, write, read, review, print, teamreportcode } = await withProvider();
  expect(await generate()).toEqual({ aistatus: 1, content: null });
  expect(await write()).toEqual({ written: 1, failed: 0 });
  expect(bodies).toHaveLength(1);
  for (const secret of ['晨光', '云栖', 'T1', '初一', '1班', 'c01', '陈静怡', teamreportcode])
    expect(bodies[0]).not.toContain(secret);
  const made = await read();
  expect(made.aistatus).toBe(2);
  expect(sectionOf(made.content)).toContain(`${aiLabel}（尚未审核）`);
  expect(await print()).not.toContain(text.summary);
  expect(await review(1)).toEqual({ aistatus: 3 });
  const reviewed = await read();
  expect(reviewed).toMatchObject({ aistatus: 3, aireviewname: '陈静怡' });
  expect(sectionOf(reviewed.content)).toContain(text.summary);
  const paper = await print();
  for (const part of [aiLabel, '请结合日常观察理解']) expect(paper).toContain(part);
  expect((await chen(team.getTeamReportPageList, { aistatus: 3 })).rows.map((row) => row.teamreportcode)).toEqual([
    teamreportcode,
  ]);
  expect((await chen(team.getTeamReportPageList, { aistatus: 2 })).rows).toEqual([]);
  expect(await generate()).toEqual({ aistatus: 3, content: text });
});

test('a discarded text leaves the text of the rules, and a reviewer who read another text is refused', async () => {
  const { chen, clock, generate, write, read, review, teamreportcode } = await withProvider();
  await generate();
  await write();
  const { aitime } = await read();
  clock.now = new Date(clock.now.getTime() + 60_000);
  await generate(1);
  await write();
  await expect(chen(ai.reviewTeamReportText, { teamreportcode, version: 1, aitime, agreed: 1 })).rejects.toMatchObject({
    code: 140001,
  });
  expect(await review(0)).toEqual({ aistatus: 0 });
  expect(await read()).toMatchObject({ aistatus: 0 });
  expect(sectionOf((await read()).content)).toBe('null');
  await expect(review(1)).rejects.toMatchObject({ code: 140001 });
});

test.each([
  ['a diagnosis', says({ ...text, summary: '部分学生患有抑郁症。' }), '出现不得使用的词语'],
  ['a ranking', says({ ...text, factors: ['有的班级排名靠后'] }), '出现不得使用的词语'],
  ['a number of its own', says({ ...text, summary: '需要关注的占37%。' }), '出现事实之外的数字'],
  ['two persons', says({ ...text, summary: '其中2名学生需要面谈。' }), '出现事实之外的数字'],
  ['English', says({ ...text, summary: 'Everything is fine with this group.' }), '不是中文'],
  ['no text', refuses(400), 'AI 服务返回 400'],
])('a provider that answers with %s leaves the text of the rules', async (_, answer, why) => {
  const { as, sqlAsOwner, generate, write, read } = await withProvider({ answers: [answer] });
  await generate();
  expect(await write()).toEqual({ written: 0, failed: 1 });
  const failed = await read();
  expect(failed.aistatus).toBe(9);
  expect(sectionOf(failed.content)).toBe('null');
  expect((await as('ma')(ai.getAiSettings, {})).lastfault).toBe(why);
  expect(await sqlAsOwner('select output from aijob')).toEqual([{ output: null }]);
});

test('a report that is made again loses its text; the earlier version keeps the one that was reviewed', async () => {
  const { chen, sqlAsOwner, generate, write, read, review, teamreportcode } = await withProvider();
  await generate();
  await write();
  await review(1);
  await sqlAsOwner("update taskroster set status = 3, reason = '休学' where taskcode = 'T1' and cuserid = 'c12'");
  await expect(generate(1)).rejects.toMatchObject({ code: 140001, message: expect.stringContaining('数据已更新') as string });
  await chen(team.insertTeamReport, { teamreportcode });
  expect(await read()).toMatchObject({ version: 2, aistatus: 0, aitime: '', aireviewname: '' });
  expect(sectionOf((await read()).content)).toBe('null');
  expect(sectionOf((await read(1)).content)).toContain(text.summary);
});

test('a text that a job writes while the report is made again is discarded', async () => {
  const { chen, bodies, generate, write, read, teamreportcode } = await withProvider();
  await generate();
  await chen(team.insertTeamReport, { teamreportcode });
  expect(await generate()).toEqual({ aistatus: 1, content: null });
  expect(await write()).toEqual({ written: 1, failed: 1 });
  expect(bodies).toHaveLength(1);
  expect(await read()).toMatchObject({ version: 2, aistatus: 2 });
});

test('the same figures take the text of the earlier job', async () => {
  const { chen, make, bodies, generate, write } = await withProvider();
  await generate();
  await write();
  await chen(ai.generateAiReport, { teamreportcode: await make() });
  expect(await write()).toEqual({ written: 1, failed: 0 });
  expect(bodies).toHaveLength(1);
});

test('owners of classes, other schools and staff without 00043 or 00033 ask for no text and review none', async () => {
  const { as, sqlAsOwner, generate, write, read, teamreportcode } = await withProvider();
  await generate();
  await write();
  const { version, aitime } = await read();
  const request = { teamreportcode, version, aitime, agreed: 1 as const };
  await expect(as('qiao')(ai.generateAiReport, { teamreportcode })).rejects.toMatchObject({ code: 130001 });
  await expect(as('qiao')(ai.reviewTeamReportText, request)).rejects.toMatchObject({ code: 130001 });
  await expect(as('wang')(ai.generateAiReport, { teamreportcode })).rejects.toMatchObject({ code: 110004 });
  await expect(as('wang')(ai.reviewTeamReportText, request)).rejects.toMatchObject({ code: 110004 });
  await sqlAsOwner("update assessteam set owneruserid = 'U_WANG' where teamcode = 'J1-1'");
  await as('chen')(team.showOrHiddenTeamReport, { teamcodes: ['J1-1'], isshow: 1 });
  const own = await as('wang')(team.getTeamReport, { teamreportcode });
  expect(JSON.stringify(own)).not.toContain(text.summary);
  expect(own).toMatchObject({ aistatus: 0, aitime: '', aireviewname: '' });
  await expect(as('chen')(ai.generateAiReport, {})).rejects.toMatchObject({ code: 120002 });
});
