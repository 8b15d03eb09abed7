import { buffer } from 'node:stream/consumers';
import { Readable } from 'node:stream';
import { expect, test } from 'vitest';
import type { templateKeys } from '#domain/report/template/template.ts';
import { emptyTemplate, type ReportTemplate } from '#domain/report/template/template.ts';
import * as plan from '#features/plan/plan.contract.ts';
import * as report from '#features/report/report.contract.ts';
import * as template from '#features/reporttemplate/reporttemplate.contract.ts';
import { readPdf } from '#testing/pdf/readPdf.ts';
import { startServer, type TestServer } from '#testing/server.ts';
import { addStudent, takeExam } from '#testing/exam.ts';

const lowScores = { PHQ9: '0 0 1 1 0 0 0 0 0 0', GAD7: '0 0 0 0 0 0 0' };

/** A template with 建议 before 各量表结果, without 与上次比较, with own words. */
const ownTemplate: ReportTemplate = {
  ...emptyTemplate(),
  title: '晨光心理成长报告',
  notice: '您的回答只有心理老师能看到。',
  fields: ['username', 'planname'],
  sections: ['cover', 'notice', 'basicinfo', 'overall', 'suggestion', 'forms', 'compare', 'riskfactors', 'support'].map(
    (key) => ({
      key: key as (typeof templateKeys)[number],
      on: key !== 'compare' && key !== 'riskfactors',
      ...(key === 'forms' && { title: '这次的结果', options: { reference: false } }),
    }),
  ),
};
const request = ownTemplate as never;

/** A plan of chen's school with custom reports after the template. */
async function planWith({ as, sqlAsOwner }: TestServer, templatecode: string) {
  const { plancode } = await as('chen')(plan.insertMUserExamPlan, {
    appid: '000000002',
    planname: '晨光自定义报告方案',
    forms: [{ formcode: 'PHQ9' }, { formcode: 'GAD7' }],
  });
  await sqlAsOwner("update plan set reportmode = '03', reporttemplatecode = $2 where plancode = $1", [plancode, templatecode]);
  return plancode;
}

test('a custom report keeps the sections, the order and the words that its template had at the hand-in', async () => {
  const server = await startServer();
  const { as } = server;
  const { templatecode } = await as('chen')(template.insertReportTemplate, { templatename: '成长报告', sections: request });
  const plancode = await planWith(server, templatecode);
  const student = await addStudent(server);
  const { examcode } = await takeExam(server, student, lowScores, { plancode });
  const { rows } = await as('chen')(template.getReportTemplateList, {});
  await as('chen')(template.updateReportTemplate, {
    templatecode,
    version: rows[0]?.version,
    sections: { ...ownTemplate, title: '另一份报告', notice: '' } as never,
  });
  const { self, staff } = await as('chen')(report.getCUserReport, { examcode });
  expect(self.title).toBe('晨光心理成长报告');
  expect(self.templatecode).toBe(templatecode);
  expect(self.sections.map(({ key }) => key)).toEqual([
    'cover',
    'notice',
    'basicinfo',
    'overall',
    'suggestion',
    'forms',
    'support',
    'closing',
  ]);
  expect(self.sections.find(({ key }) => key === 'forms')?.title).toBe('这次的结果');
  const words = JSON.stringify(self);
  expect(words).toContain('您的回答只有心理老师能看到。');
  expect(words).not.toContain('参考范围');
  expect(words).not.toContain('作答用时');
  // Staff keep the questions that were asked, the review and the answers.
  expect(staff.sections.map(({ key }) => key)).toEqual(expect.arrayContaining(['riskfactors', 'conclusion', 'appendix']));
});

test('a template that leaves out what every report needs, or has forbidden words, is refused at its field', async () => {
  const { as } = await startServer();
  const insert = (change: Partial<ReportTemplate>) =>
    as('chen')(template.insertReportTemplate, { templatename: '成长报告', sections: { ...ownTemplate, ...change } as never });
  await expect(insert({ title: '抑郁症患者报告' })).rejects.toMatchObject({ code: 120002, data: { field: 'sections.title' } });
  await expect(insert({ notice: '请和爸爸妈妈一起读这份报告。' })).rejects.toMatchObject({
    code: 120002,
    data: { field: 'sections.notice' },
  });
  await expect(insert({ fields: ['username', 'idno'] })).rejects.toMatchObject({
    code: 120002,
    data: { field: 'sections.fields' },
  });
  await expect(
    insert({ sections: ownTemplate.sections.map((section) => ({ ...section, on: section.key !== 'support' && section.on })) }),
  ).rejects.toThrow('“求助与支持”是每份报告都要有的');
});

test('a template that a plan uses is switched off, not deleted', async () => {
  const server = await startServer();
  const { as } = server;
  const { templatecode } = await as('chen')(template.insertReportTemplate, { templatename: '成长报告', sections: request });
  const plancode = await planWith(server, templatecode);
  await expect(as('chen')(template.deleteReportTemplate, { templatecode })).rejects.toMatchObject({ code: 130003 });
  await as('chen')(plan.deleteMUserExamPlan, { plancode });
  await as('chen')(template.deleteReportTemplate, { templatecode });
  expect((await as('chen')(template.getReportTemplateList, {})).total).toBe(0);
});

test('a school uses the templates of its provider but cannot change them, and another school does not see its own', async () => {
  const { as } = await startServer();
  const { templatecode } = await as('fang')(template.insertReportTemplate, { templatename: '区统一报告', sections: request });
  const { rows } = await as('chen')(template.getReportTemplateList, {});
  expect(rows).toMatchObject([{ templatecode, own: false }]);
  await expect(
    as('chen')(template.updateReportTemplate, { templatecode, version: 1, templatename: '改名' }),
  ).rejects.toMatchObject({ code: 130001 });
  await as('chen')(template.insertReportTemplate, { templatename: '晨光报告', sections: request });
  expect((await as('qiao')(template.getReportTemplateList, {})).rows.map(({ templatename }) => templatename)).not.toContain(
    '晨光报告',
  );
});

test('the preview arranges an invented report or a real one, also as PDF, and the real report stays as it is', async () => {
  const server = await startServer();
  const { as } = server;
  const example = await as('chen')(template.previewReportTemplate, { sections: request });
  expect(example.self.sections.map(({ key }) => key)).toContain('suggestion');
  expect(JSON.stringify(example.self)).toContain('示例');
  const student = await addStudent(server);
  const { examcode } = await takeExam(server, student, lowScores);
  const before = await as('chen')(report.getCUserReport, { examcode });
  const { reportcode } = before.report;
  const real = await as('chen')(template.previewTemplateOnReport, { sections: request, reportcode });
  expect(real.self.title).toBe('晨光心理成长报告');
  expect(JSON.stringify(real.self)).toContain('林小雨');
  expect(await as('chen')(report.getCUserReport, { examcode })).toEqual(before);
  const file = await as('chen')(template.exportTemplatePreview, { sections: request, reportcode });
  const body = file.body as Readable | Uint8Array;
  const { pages } = readPdf(body instanceof Readable ? await buffer(body) : body);
  expect(pages.flatMap((page) => page.map(({ text }) => text)).join('')).toContain('晨光心理成长报告');
});
