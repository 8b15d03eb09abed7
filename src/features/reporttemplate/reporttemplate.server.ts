import { shanghaiTime } from '#domain/base/calendar.ts';
import { applyTemplate } from '#domain/report/template/applyTemplate.ts';
import { findTemplateFaults, type ReportTemplate } from '#domain/report/template/template.ts';
import { problems } from '#contract/problem.ts';
import { handle, type Context } from '#server/dispatch/handle.ts';
import { printReports } from '#server/pdf/render.ts';
import { claimFiles, fileRefOf } from '#features/file/attachments.ts';
import { readReport } from '#features/report/readReport.ts';
import { assertNotRestricted, isMinor } from '#features/report/reportRow.ts';
import { findLetterheads } from '#features/reportpdf/reportpdf.queries.ts';
import { openLetterheads, readTemplateLogo, toSheet } from '#features/reportpdf/printSheet.ts';
import { buildExampleReport } from '#features/reporttemplate/exampleReport.ts';
import * as contract from '#features/reporttemplate/reporttemplate.contract.ts';
import * as queries from '#features/reporttemplate/reporttemplate.queries.ts';

type StaffContext = Context<'staff'>;

const getReportTemplateList = handle(contract.getReportTemplateList, async (filters, ctx) => {
  const { scope, caller } = ctx;
  const { total, rows } = await queries.findTemplates(scope, caller.musercode, filters);
  const logos = rows.flatMap(({ sections }) => (sections as ReportTemplate).logofileid ?? []);
  const pictures = await queries.findPictures(scope, logos);
  return {
    total,
    rows: rows.map((row) => {
      const sections = row.sections as ReportTemplate;
      const picture = pictures.find(({ fileid }) => fileid === sections.logofileid);
      return {
        ...row,
        sections,
        own: row.musercode === caller.musercode,
        logourl: picture ? fileRefOf(ctx, picture).url : '',
        updatetime: shanghaiTime(row.updatetime),
      };
    }),
  };
});

/** Refuses (120002) the first fault of a template at its field. */
function assertTemplateValid(template: ReportTemplate): void {
  const [fault] = findTemplateFaults(template);
  if (fault) throw problems.invalid({ message: fault.message }, { field: `sections.${fault.field}` });
}

/** Attaches a new logo to its template. Earlier logos stay, because earlier reports show them. */
const claimLogo = (ctx: StaffContext, templatecode: string, fileid: string) =>
  claimFiles(ctx, [fileid], 'logo', { refcode: `reporttemplate:${templatecode}`, ispublic: 1 });

const insertReportTemplate = handle(contract.insertReportTemplate, async ({ templatename, sections }, ctx) => {
  const { scope, caller, now } = ctx;
  assertTemplateValid(sections);
  const templatecode = await queries.addTemplate(scope, {
    musercode: caller.musercode,
    templatename,
    sections,
    updateby: caller.accountid,
    createtime: now,
    updatetime: now,
  });
  if (sections.logofileid) await claimLogo(ctx, templatecode, sections.logofileid);
  ctx.audit({ objectid: templatecode, detail: { templatename } });
  return { templatecode };
});

const updateReportTemplate = handle(contract.updateReportTemplate, async ({ templatecode, version: _, ...fields }, ctx) => {
  const { scope, caller, now } = ctx;
  const before = await queries.findOwnTemplate(scope, caller.musercode, templatecode);
  if (!before) throw problems.notFound({ what: '报告模板' });
  if (fields.sections) assertTemplateValid(fields.sections);
  const changes = Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
  await queries.changeTemplate(scope, caller.musercode, templatecode, {
    ...changes,
    updateby: caller.accountid,
    updatetime: now,
  });
  const logo = fields.sections?.logofileid;
  if (logo && logo !== (before.sections as ReportTemplate).logofileid) await claimLogo(ctx, templatecode, logo);
  ctx.audit({ objectid: templatecode, detail: { changed: Object.keys(changes) } });
  return {};
});

const deleteReportTemplate = handle(contract.deleteReportTemplate, async ({ templatecode }, ctx) => {
  const { scope, caller, now } = ctx;
  const plans = await queries.countPlans(scope, templatecode);
  if (plans > 0) throw problems.inUse({ why: `有 ${plans} 个方案使用这个模板，请先在方案中改用其他模板，或停用它` });
  const row = await queries.changeTemplate(scope, caller.musercode, templatecode, {
    isdeleted: 1,
    enabled: 0,
    updateby: caller.accountid,
    updatetime: now,
  });
  if (!row) throw problems.notFound({ what: '报告模板' });
  ctx.audit({ objectid: templatecode });
  return {};
});

/** The template as reports take it. A preview has no code yet. */
const forPreview = (sections: ReportTemplate) => ({ ...sections, templatecode: 'usersReportCustom' });

const previewReportTemplate = handle(contract.previewReportTemplate, async ({ sections }, { scope, caller, now }) => {
  const [letterhead] = await findLetterheads(scope, [caller.musercode]);
  const { staff, self } = buildExampleReport({ insname: letterhead?.insname ?? '', sector: caller.sector }, shanghaiTime(now));
  return { staff: applyTemplate(staff, forPreview(sections)), self: applyTemplate(self, forPreview(sections)) };
});

const previewTemplateOnReport = handle(contract.previewTemplateOnReport, async ({ sections, reportcode }, ctx) => {
  assertNotRestricted(ctx.caller);
  const { row, cuserid, staff, self, version } = await readReport(ctx, { reportcode });
  ctx.audit({ cuserids: [cuserid], objectid: reportcode, minors: isMinor(row.age), detail: { version } });
  return { staff: applyTemplate(staff, forPreview(sections)), self: applyTemplate(self, forPreview(sections)) };
});

const exportTemplatePreview = handle(contract.exportTemplatePreview, async ({ sections, reportcode, audience }, ctx) => {
  assertNotRestricted(ctx.caller);
  const letterheadOf = async (musercode: string) => (await openLetterheads(ctx, [musercode])).get(musercode);
  const template = forPreview(sections);
  if (!reportcode) {
    const letterhead = await letterheadOf(ctx.caller.musercode);
    if (!letterhead) throw problems.notFound({ what: '机构' });
    const content = applyTemplate(
      buildExampleReport({ insname: letterhead.institution, sector: ctx.caller.sector }, shanghaiTime(ctx.now))[audience],
      template,
    );
    const logo = await readTemplateLogo(ctx, content);
    const sheet = {
      ...letterhead,
      ...logo,
      content,
      version: 1,
      reportcode: '示例',
      printtime: ctx.now,
      verify: { url: ctx.publicUrl, code: '示例' },
    };
    const { bytes } = await printReports({ sheets: [sheet] });
    return { filename: '报告模板预览_示例.pdf', mime: 'application/pdf', body: bytes };
  }
  const { sheet, row, cuserid, version } = await toSheet(ctx, { reportcode, audience, answers: 0, shortform: 0 }, letterheadOf);
  const content = applyTemplate(sheet.content, template);
  const { bytes } = await printReports({ sheets: [{ ...sheet, ...(await readTemplateLogo(ctx, content)), content }] });
  ctx.audit({ cuserids: [cuserid], objectid: reportcode, minors: isMinor(row.age), detail: { version, audience } });
  return { filename: `报告模板预览_${reportcode}.pdf`, mime: 'application/pdf', body: bytes };
});

export const reportTemplateHandlers = [
  getReportTemplateList,
  insertReportTemplate,
  updateReportTemplate,
  deleteReportTemplate,
  previewReportTemplate,
  previewTemplateOnReport,
  exportTemplatePreview,
];
