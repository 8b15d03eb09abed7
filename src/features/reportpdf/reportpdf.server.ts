import { shanghaiDate } from '#domain/base/calendar.ts';
import { codeOf } from '#contract/menu.ts';
import { problems } from '#contract/problem.ts';
import type { Staff } from '#server/dispatch/caller.ts';
import { handle, type Context } from '#server/dispatch/handle.ts';
import { printReports } from '#server/pdf/render.ts';
import { judgeExport, requireApproval } from '#features/approval/requireApproval.ts';
import type { ExportSubject } from '#features/approval/exportSubjects.ts';
import { assertNotRestricted, isMinor, toFilters } from '#features/report/reportRow.ts';
import * as contract from '#features/reportpdf/reportpdf.contract.ts';
import { openLetterheads, toSheet } from '#features/reportpdf/printSheet.ts';
import * as queries from '#features/reportpdf/reportpdf.queries.ts';
import { writeReportZip } from '#features/reportpdf/reportZip.ts';
import type { z } from 'zod';

type StaffContext = Context<'staff'>;
export const audienceNames = { self: '本人版', staff: '工作人员版' } as const;

const exportReportPdf = handle(contract.exportReportPdf, async (request, ctx) => {
  assertNotRestricted(ctx.caller);
  const letterheadOf = async (musercode: string) => (await openLetterheads(ctx, [musercode])).get(musercode);
  const { sheet, row, cuserid, version } = await toSheet(ctx, request, letterheadOf);
  const { bytes } = await printReports({ sheets: [sheet] });
  const { reportcode, audience } = request;
  ctx.audit({ cuserids: [cuserid], objectid: reportcode, minors: isMinor(row.age), detail: { version, audience } });
  return { filename: `报告_${reportcode}_${audienceNames[audience]}.pdf`, mime: 'application/pdf', body: bytes };
});

type Batch = z.output<(typeof contract.checkReportZip)['request']>;

/** The reports of an export, the oldest first. */
function findKeys(
  { audience: _audience, answers: _answers, shortform: _shortform, layout: _layout, ...filters }: Batch,
  ctx: Pick<StaffContext, 'scope' | 'caller' | 'cipher'>,
) {
  assertNotRestricted(ctx.caller);
  return queries.findReportKeys(ctx.scope, toFilters(filters, ctx));
}

/** What the approval of an export depends on. */
const contentOf = ({ audience, answers }: Pick<Batch, 'audience' | 'answers'>, caller: Staff) => ({
  isSingleFree: true,
  hasAnswers: audience === 'staff' && answers === 1 && caller.codes.has(codeOf('exam.answers')),
});

const checkReportZip = handle(contract.checkReportZip, async (request, ctx) => {
  const keys = await findKeys(request, ctx);
  const cuserids = keys.map(({ cuserid }) => cuserid);
  const { persons, minors, isApprovalNeeded } = await judgeExport(ctx, cuserids, contentOf(request, ctx.caller));
  const parts = Math.ceil(keys.length / contract.ZIP_PART);
  return { reports: keys.length, persons, minors, parts, needsapproval: isApprovalNeeded ? 1 : 0 };
});

const exportReportZip = handle(contract.exportReportZip, async ({ part, approvalid, ...request }, ctx) => {
  const keys = await findKeys(request, ctx);
  const cuserids = keys.map(({ cuserid }) => cuserid);
  await requireApproval(ctx, 'as.m.report.exportReportZip', request, approvalid, cuserids, contentOf(request, ctx.caller));
  const from = (part - 1) * contract.ZIP_PART;
  const chosen = keys.slice(from, from + contract.ZIP_PART);
  if (chosen.length === 0) throw problems.notFound({ what: '报告' });
  const rows = await queries.findPrintRows(
    ctx.scope,
    chosen.map(({ reportcode }) => reportcode),
  );
  const parts = Math.ceil(keys.length / contract.ZIP_PART);
  const { body, failures } = await writeReportZip(ctx, rows, request);
  ctx.audit({
    cuserids: [...new Set(chosen.map(({ cuserid }) => cuserid))],
    minors: rows.some((row) => isMinor(row.age)),
    detail: { filters: request, reports: chosen.length, failures, part, approvalid },
  });
  const suffix = parts > 1 ? `_第${part}部分（共${parts}部分）` : '';
  return {
    filename: `报告_${audienceNames[request.audience]}_${shanghaiDate(ctx.now)}${suffix}.zip`,
    mime: 'application/zip',
    body,
  };
});

export const reportPdfHandlers = [exportReportPdf, checkReportZip, exportReportZip];

/** The export of this feature that may need an approval. One approval holds for all parts. */
export const reportPdfSubjects: Readonly<Record<'as.m.report.exportReportZip', ExportSubject>> = {
  'as.m.report.exportReportZip': {
    action: contract.exportReportZip,
    persons: async (filters, ctx) => {
      const parsed = contract.checkReportZip.request.safeParse(
        Object.fromEntries(Object.entries(filters).filter(([key]) => key !== 'part')),
      );
      if (!parsed.success) throw problems.invalid({ message: '筛选条件不正确' }, { field: 'filter' });
      return { filters: parsed.data, cuserids: (await findKeys(parsed.data, ctx)).map(({ cuserid }) => cuserid) };
    },
  },
};
