import { reportFrom } from '#domain/report/report.basis.ts';
import { withoutName, withViolenceFound } from '#domain/report/report.review.ts';
import type { ReportContent } from '#domain/report/report.content.ts';
import { platformCode } from '#domain/tenant/tenantTree.ts';
import { problems } from '#contract/problem.ts';
import type { Scope } from '#server/db/scope.ts';
import type { Services } from '#server/dispatch/services.ts';
import { runAsSystem } from '#server/db/systemSession.ts';
import { scaleFor } from '#features/form/scaleCache.ts';
import { findReportText, findUnrendered, saveReportTexts, type ReportTextRow } from '#features/report/renderReport.queries.ts';

/** Both versions of a stored text, or of a text that it renders now. */
async function render(scope: Scope, row: ReportTextRow): Promise<{ staff: ReportContent; self: ReportContent }> {
  if (row.content && row.selfcontent) return { staff: row.content, self: row.selfcontent };
  if (!row.basis) throw problems.notFound({ what: '报告' });
  const forms = await Promise.all(
    row.forms.map(async ({ formcode, formversion, answers, raw, isentered }) => ({
      scale: await scaleFor(scope, formcode, formversion),
      // Entered scores have no list of answers.
      ...(!isentered && { answers }),
      result: raw,
    })),
  );
  return reportFrom(row.reportcode, row.basis, forms);
}

/**
 * Both versions of a report's text, without advice about the family when violence was found since. Refuses 130001 for a report that
 * the caller cannot read.
 */
export async function findReportTexts(scope: Scope, reportcode: string): Promise<{ staff: ReportContent; self: ReportContent }> {
  const row = await findReportText(scope, reportcode);
  if (!row) throw problems.notFound({ what: '报告' });
  const texts = await render(scope, row);
  const changed = (content: ReportContent): ReportContent => {
    const named = row.isAnonymized ? withoutName(content) : content;
    return row.isViolenceFound ? withViolenceFound(named) : named;
  };
  return { staff: changed(texts.staff), self: changed(texts.self) };
}

/**
 * Renders the texts of reports that have none, at most `limit` at a time, and returns their number. A submission does not render,
 * so that it is quick. The limit keeps a run short while another school submits.
 */
export const renderReports = ({ pools }: Pick<Services, 'pools'>, limit = 200): Promise<number> =>
  runAsSystem(pools, platformCode, async (scope) => {
    const rows = await findUnrendered(scope, limit);
    const texts = await Promise.all(
      rows.map(async (row) => {
        const { staff, self } = await render(scope, row);
        return { reportcode: row.reportcode, content: staff, selfcontent: self };
      }),
    );
    if (texts.length > 0) await saveReportTexts(scope, texts);
    return texts.length;
  });
