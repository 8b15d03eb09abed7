import { z } from 'zod';
import type { ReportContent } from '#domain/report/report.content.ts';
import { templateKeys, type ReportTemplate } from '#domain/report/template/template.ts';
import { andHolding, CARE_TYPES, defineAction, forTypes, NON_AUTHORITY_TYPES, staffOf } from '#contract/action.ts';
import { exportFields } from '#contract/fieldAccess.ts';
import { editVersion, flag, newVersion } from '#contract/field.ts';
import { file } from '#contract/file.ts';
import { pageOf, pageRequest } from '#contract/page.ts';
import { reportReaders } from '#features/report/report.contract.ts';

/**
 * Templates of custom reports: sections chosen, ordered and renamed, an own title, logo and paragraph about confidentiality. A plan with
 * report mode 03 names one. A report keeps the template of its hand-in.
 */

const readers = forTypes(NON_AUTHORITY_TYPES, staffOf('plans.library'));
const writers = forTypes(NON_AUTHORITY_TYPES, staffOf('plan.edit'));
const templatecode = z.string().max(20).describe('报告模板');
const templatename = z.string().trim().min(2, '请填写模板名称').max(40, '模板名称不超过 40 个字').describe('模板名称');

/** The template itself (`rtpl/1`). Its faults of words and choice come back as 120002 at their field. */
const sections = z
  .strictObject({
    schema: z.literal('rtpl/1'),
    title: z.string().trim().max(30, '报告标题不超过 30 个字'),
    logofileid: z.uuid().nullable().default(null),
    notice: z.string().trim().max(300, '不超过 300 个字').default(''),
    fields: z.array(z.string().max(40)).max(40),
    sections: z
      .array(
        z.strictObject({
          key: z.enum(templateKeys),
          on: z.boolean(),
          title: z.string().trim().max(20, '章节标题不超过 20 个字').optional(),
          options: z.record(z.string().max(20), z.boolean()).optional(),
        }),
      )
      .max(templateKeys.length),
  })
  .describe('章节') as unknown as z.ZodType<ReportTemplate>;

export const templateRow = z.object({
  templatecode: z.string(),
  templatename: z.string(),
  sections: z.custom<ReportTemplate>((value) => typeof value === 'object' && value !== null),
  musercode: z.string(),
  insname: z.string(),
  enabled: z.number(),
  /** plans that name it, in reach of the caller */
  plans: z.number(),
  /** the caller's institution owns it */
  own: z.boolean(),
  /** the address of its own logo; '' without one */
  logourl: z.string(),
  updatetime: z.string(),
  version: z.number(),
});
export type TemplateRow = z.infer<typeof templateRow>;

/** Returns a page of the templates of the institution and of those above it, the newest first. */
export const getReportTemplateList = defineAction({
  name: 'as.m.report.getReportTemplateList',
  title: '查询报告模板',
  allow: readers,
  kind: 'read',
  request: pageRequest.extend({
    keyword: z.string().trim().max(40).optional().describe('模板名称'),
    enabled: flag.optional().describe('状态'),
    templatecode: templatecode.optional(),
  }),
  response: pageOf(templateRow),
});

/** Adds a template of the caller's institution. */
export const insertReportTemplate = defineAction({
  name: 'as.m.report.insertReportTemplate',
  title: '新增报告模板',
  allow: writers,
  kind: 'write',
  request: z.strictObject({ templatename, sections }),
  response: z.object({ templatecode: z.string() }),
});

/** Changes a template of the caller's institution. Reports of sheets handed in before keep the earlier one. */
export const updateReportTemplate = defineAction({
  name: 'as.m.report.updateReportTemplate',
  title: '修改报告模板',
  allow: writers,
  kind: 'write',
  edits: { table: 'reporttemplate', key: 'templatecode' },
  request: z.strictObject({
    templatecode,
    version: editVersion,
    templatename: templatename.optional(),
    sections: sections.optional(),
    enabled: flag.optional().describe('状态'),
  }),
  response: z.object({ ...newVersion }),
});

/** Deletes a template that no plan names; else 130003 with their number. */
export const deleteReportTemplate = defineAction({
  name: 'as.m.report.deleteReportTemplate',
  title: '删除报告模板',
  allow: writers,
  kind: 'write',
  request: z.strictObject({ templatecode }),
  response: z.object({}),
});

const content = z.custom<ReportContent>((value) => typeof value === 'object' && value !== null);
const preview = {
  sections,
  /** a report whose contents the template arranges; absent: an invented person */
  reportcode: z.string().max(20).optional().describe('报告'),
};

/** Shows an invented person's report as a template arranges it, also before the template is saved. */
export const previewReportTemplate = defineAction({
  name: 'as.m.report.previewReportTemplate',
  title: '预览报告模板',
  allow: readers,
  kind: 'read',
  request: z.strictObject({ sections }),
  response: z.object({ staff: content, self: content }),
});

/** Shows the report of a person as a template arranges it. The report itself does not change. */
export const previewTemplateOnReport = defineAction({
  name: 'as.m.report.previewTemplateOnReport',
  title: '用真实报告预览模板',
  allow: forTypes(CARE_TYPES, andHolding(reportReaders, 'plans.library')),
  kind: 'reveal',
  // Only the report names the person, so the handler audits them.
  person: () => [],
  request: z.strictObject({ ...preview, reportcode: z.string().max(20).describe('报告') }),
  response: z.object({ staff: content, self: content }),
});

/** The same preview as PDF. It needs a step-up, as every report that leaves the console. */
export const exportTemplatePreview = defineAction({
  name: 'as.m.report.exportTemplatePreview',
  title: '下载报告模板预览',
  columns: exportFields(
    { head: '姓名', rule: 'names' },
    { head: '报告内容', rule: 'results' },
    { head: '作答明细', rule: 'answers' },
  ),
  allow: forTypes(CARE_TYPES, andHolding(reportReaders, 'plans.library', 'exam.export')),
  kind: 'export',
  request: z.strictObject({
    ...preview,
    audience: z.enum(['self', 'staff']).default('self').describe('版本'),
  }),
  response: file,
});
