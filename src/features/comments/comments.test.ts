import { expect, test } from 'vitest';
import { sentencesOf, type ReportContent } from '#domain/report/report.content.ts';
import { platformCode } from '#domain/tenant/tenantTree.ts';
import { runAsSystem } from '#server/db/systemSession.ts';
import * as comments from '#features/comments/comments.contract.ts';
import * as report from '#features/report/report.contract.ts';
import { findGroupWords } from '#features/report/textsInForce.ts';
import { renderReports } from '#features/report/renderReport.ts';
import { insertMUserExamPlan } from '#features/plan/plan.contract.ts';
import { getAuditPageList } from '#features/audit/audit.contract.ts';
import { aHomeForm } from '#testing/factories.ts';
import { addStudent, takeExam } from '#testing/exam.ts';
import { sharedServer, startServer, type TestServer } from '#testing/server.ts';

const paragraph = {
  section: 'form',
  audience: 'self',
  formcode: 'PHQ9',
  quotacode: 'PHQ9.total',
  level: 0,
  template: '您这两周的心情比较平稳，欢迎来心理中心坐坐。',
} as const;
const calm = { PHQ9: '0 0 1 1 0 0 0 0 0 0', GAD7: '0 0 0 0 0 0 0' };
const pass = (server: TestServer, milliseconds = 60_000) => {
  server.clock.now = new Date(server.clock.now.getTime() + milliseconds);
};
const textsOf = (content: ReportContent) => sentencesOf(content).map(({ text }) => text);
const openReport = async (server: TestServer, examcode: string) => {
  const { self, staff } = await server.as('chen')(report.getCUserReport, { examcode });
  // The version for staff also says how the case stands now, so it is compared without that section.
  const sections = staff.sections.filter(({ key }) => key !== 'overall');
  return { self: textsOf(self), staff: textsOf({ ...staff, sections }), engine: self.engine };
};

test('陈静怡’s own text stands in the report of 林小雨, and a change of the text changes no report of an earlier hand-in', async () => {
  const server = await startServer();
  const chen = server.as('chen');
  const student = await addStudent(server);
  const { commentid } = await chen(comments.insertComment, paragraph);
  pass(server);
  const first = await takeExam(server, student, calm);
  pass(server);
  const before = await openReport(server, first.examcode);
  expect(before.self).toContain('你这两周的心情比较平稳，欢迎来心理中心坐坐。');
  expect(before.self.join()).not.toContain('近两周未见明显的抑郁症状');

  const changed = { ...paragraph, template: '您的情绪状态平稳，请继续保持。' };
  await chen(comments.updateComment, { commentid, version: 1, ...changed });
  pass(server);
  // The report was not written yet: it has the text of its hand-in all the same.
  expect(await openReport(server, first.examcode)).toEqual(before);
  await renderReports(server.services);
  expect(await openReport(server, first.examcode)).toEqual(before);

  const second = await takeExam(server, student, calm);
  const after = await openReport(server, second.examcode);
  expect(after.self).toContain('你的情绪状态平稳，请继续保持。');
  expect(after.engine).not.toBe(before.engine);
  pass(server);
  await chen(comments.deleteComment, { commentid });
  expect((await openReport(server, second.examcode)).self).toContain('你的情绪状态平稳，请继续保持。');
  const third = await takeExam(server, student, calm);
  expect((await openReport(server, third.examcode)).self.join()).toContain('近两周未见明显的抑郁症状');
});

test('a form of the school gets paragraphs from its bands, and the own comments of the school in both versions', async () => {
  const server = await startServer();
  const chen = server.as('chen');
  await aHomeForm(server, { formcode: 'F000900', formname: '晨光情绪问卷' });
  const { plancode } = await chen(insertMUserExamPlan, {
    appid: '000000002',
    planname: '晨光方案',
    forms: [{ formcode: 'F000900' }],
    acknowledgement: '本校自编问卷，已安排老师逐份查看',
  });
  const student = await addStudent(server);
  const first = await takeExam(server, student, { F000900: '1 1' }, { plancode });
  const before = await openReport(server, first.examcode);
  expect(before.self).toContain('晨光情绪问卷得分2分（平稳）。');
  expect(before.staff).toContain('晨光情绪问卷 2分（平稳），请结合面谈理解。');

  pass(server);
  const own = { section: 'form', formcode: 'F000900', quotacode: 'F000900.total', level: 0 } as const;
  await chen(comments.insertComment, { ...own, audience: 'self', template: '您得了{{score.F000900.total}}分，状态不错。' });
  await chen(comments.insertComment, { ...own, audience: 'staff', template: '{{form.title}} {{form.score}}分，常规关注。' });
  pass(server);
  const second = await takeExam(server, student, { F000900: '1 1' }, { plancode });
  const after = await openReport(server, second.examcode);
  expect(after.self).toContain('你得了2分，状态不错。');
  expect(after.staff).toContain('晨光情绪问卷 2分，常规关注。');
  expect(await openReport(server, first.examcode)).toEqual(before);
});

test('an institution reads the texts of those above; its copy takes the place of the text and says when that text changed', async () => {
  const server = await startServer();
  const { as } = server;
  const { commentid } = await as('fang')(comments.insertComment, { ...paragraph, template: '安澜为您写的一段。' });
  pass(server);
  const listFor = async (who: 'chen' | 'qiao' | 'fang') =>
    (await as(who)(comments.getCommentPageList, { quotacode: 'PHQ9.total', level: 0, audience: 'self', pageSize: 50 })).rows;
  expect((await listFor('qiao')).map(({ owner, template }) => [owner, template])).toEqual([
    ['above', '安澜为您写的一段。'],
    ['platform', 'PHQ-9得分{{score.PHQ9.total}}分（{{level.PHQ9.total}}）。近两周未见明显的抑郁症状。'],
  ]);
  const copied = { commentid, version: 1, ...paragraph, template: '晨光为您改写的一段。' };
  const copy = await as('chen')(comments.updateComment, copied);
  expect(copy.commentid).not.toBe(commentid);
  await expect(as('chen')(comments.updateComment, copied)).rejects.toMatchObject({ code: 130002 });
  pass(server);
  const { self } = await openReport(server, (await takeExam(server, await addStudent(server), calm)).examcode);
  expect(self).toContain('晨光为你改写的一段。');
  expect(self.join()).not.toContain('安澜');

  expect((await listFor('qiao')).map(({ template }) => template)).not.toContain('晨光为您改写的一段。');
  expect((await listFor('fang')).map(({ template }) => template)).not.toContain('晨光为您改写的一段。');
  const mine = async () => (await listFor('chen')).find(({ owner }) => owner === 'own');
  expect(await mine()).toMatchObject({ originid: commentid, isoutdated: 0 });
  await as('fang')(comments.updateComment, { commentid, version: 1, ...paragraph, template: '安澜改过的一段。' });
  expect(await mine()).toMatchObject({ isoutdated: 1 });
  await expect(as('qiao')(comments.deleteComment, { commentid })).rejects.toMatchObject({ code: 130001 });
  await expect(as('fang')(comments.updateComment, { commentid, version: 1, ...paragraph })).rejects.toMatchObject({
    code: 140002,
  });
});

const shared = sharedServer();
test.each([
  [{ template: '您一定会好起来。' }, 'template', '不能写“一定”：筛查结果不作保证'],
  [{ template: '您没有自杀的想法。' }, 'template', '“伤害自己的念头”'],
  [{ audience: 'staff', template: '您好，请面谈。' }, 'template', '不称“您”或“你”'],
  [{ template: '得分{{score.PHQ9.sum}}分。' }, 'template', '这里没有占位符 {{score.PHQ9.sum}}'],
  [{ template: '关于{{alertmsgs}}。' }, 'template', '这里没有占位符 {{alertmsgs}}'],
  [{ template: '平'.repeat(151) }, 'template', '每段不超过 150 个字'],
  [{ template: '平'.repeat(1001) }, 'template', '不超过 1000 个字'],
  [{ reader: 'child', template: '最近两个星期你的心情总的来说是比较平稳和放松的。' }, 'template', '每句不超过 20 个字'],
  [{ cond: { score: 'PHQ9.sum', gte: 1 } }, 'cond', '量表 PHQ9 没有 sum'],
  [{ cond: { archive: 'salary', gte: 1 } }, 'cond', '没有 档案字段 salary'],
  [{ quotacode: 'GAD7.total' }, 'quotacode', '不属于所选量表'],
  [{ agemin: 15, agemax: 12 }, 'agemax', '最大年龄不能小于最小年龄'],
])('a text that no report may use is refused at its field: %j', async (more, field, words) => {
  await expect(shared().as('chen')(comments.insertComment, { ...paragraph, ...(more as object) })).rejects.toMatchObject({
    code: 120002,
    data: { field },
    message: expect.stringContaining(words) as string,
  });
});

test('a text may have lines of 150 characters each, and every line becomes a paragraph', async () => {
  const server = await startServer();
  await server.as('chen')(comments.insertComment, { ...paragraph, template: `${'平'.repeat(150)}\n第二段。` });
  pass(server);
  const { self } = await openReport(server, (await takeExam(server, await addStudent(server), calm)).examcode);
  expect(self).toEqual(expect.arrayContaining(['平'.repeat(150), '第二段。']));
});

test('a test names the winning text and why each other one lost, for an invented result and for the report of 林小雨', async () => {
  const server = await startServer();
  const { as } = server;
  const { commentid } = await as('chen')(comments.insertComment, { ...paragraph, gender: '02' });
  pass(server);
  const place = { section: 'form', audience: 'self', formcode: 'PHQ9' } as const;
  const girl = { appid: '000000002', gender: '02', age: 14, scores: { total: 3 } } as const;
  const trial = await as('chen')(comments.testComment, { ...place, invented: girl });
  expect(trial.chosen).toEqual([
    {
      commentid,
      text: '你这两周的心情比较平稳，欢迎来心理中心坐坐。',
      because: expect.stringContaining(`规则${commentid}：`) as string,
    },
  ]);
  const why = (id: string) => trial.others.find((other) => other.commentid === id)?.why;
  expect(why('PHQ9_0')).toBe('这一部分最多 1 段，排在前面的已用完');
  expect(why('PHQ9_1')).toContain('条件不成立');
  expect(why('GAD7_0')).toBe('量表不同');
  const boy = await as('chen')(comments.testComment, { ...place, invented: { ...girl, gender: '01' } });
  expect(boy.chosen[0]?.commentid).toBe('PHQ9_0');

  const { examcode } = await takeExam(server, await addStudent(server), calm);
  const { report: row } = await as('chen')(report.getCUserReport, { examcode });
  const real = await as('chen')(comments.testComment, { ...place, reportcode: row.reportcode });
  expect(real.chosen[0]?.commentid).toBe(commentid);
  await server.sqlAsOwner("update report set createtime = createtime - interval '1 hour'");
  await renderReports(server.services);
  expect((await as('chen')(comments.testComment, { ...place, reportcode: row.reportcode })).chosen).toEqual(real.chosen);
  const { rows: audited } = await as('ma')(getAuditPageList, { pageSize: 200 });
  expect(audited.filter(({ action }) => action === comments.testComment.name).length).toBeGreaterThan(0);
  for (const who of ['qiao', 'ma'] as const)
    await as(who)(comments.testComment, { ...place, reportcode: row.reportcode }).then(
      () => expect(who).toBe('ma'),
      (error: unknown) => expect(error).toMatchObject({ code: 130001 }),
    );
});

test('the coverage shows each level of a form of the school as a hole until a text fills it', async () => {
  const server = await startServer();
  const chen = server.as('chen');
  await aHomeForm(server, { formcode: 'F000900', formname: '晨光情绪问卷' });
  const coverage = () => chen(comments.getCommentCoverage, { formcode: 'F000900' });
  expect((await coverage()).rows.map(({ level, audience, commentid }) => [level, audience, commentid])).toEqual([
    [0, 'self', ''],
    [0, 'staff', ''],
    [3, 'self', ''],
    [3, 'staff', ''],
    [4, 'self', ''],
    [4, 'staff', ''],
  ]);
  const { commentid } = await chen(comments.insertComment, {
    section: 'form',
    audience: 'self',
    quotacode: 'F000900.total',
    level: 3,
    template: '我们想尽快和您聊一聊。',
  });
  const after = await coverage();
  expect(after.holes).toBe(5);
  expect(after.rows.find(({ commentid: id }) => id)).toMatchObject({ level: 3, audience: 'self', commentid, appid: '000000002' });
  const phq9 = await chen(comments.getCommentCoverage, { formcode: 'PHQ9' });
  expect(phq9).toMatchObject({ holes: 0 });
});

test('a school words the advice of its group reports; a rule of its own it cannot add', async () => {
  const server = await startServer();
  const chen = server.as('chen');
  const group = { section: 'group', audience: 'group' } as const;
  await expect(chen(comments.insertComment, { ...group, template: '请多陪伴学生。' })).rejects.toMatchObject({ code: 120002 });
  const template = '请让每个人都知道心理中心在致远楼三楼，全国统一心理援助热线是12356。';
  await chen(comments.updateComment, { commentid: 'GR_HELP', version: 1, ...group, template });
  pass(server);
  const wordsFor = (musercode: string) =>
    runAsSystem(server.services.pools, platformCode, (scope) => findGroupWords(scope, musercode, server.clock.now));
  expect((await wordsFor('M_CHENGUANG')).get('GR_HELP')).toBe(template);
  expect((await wordsFor('M_DONGSHAN')).get('GR_HELP')).not.toBe(template);
});
