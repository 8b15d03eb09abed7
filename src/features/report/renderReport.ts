import { reportFrom } from '#domain/report/report.basis.ts';
import type { ReportContent } from '#domain/report/report.content.ts';
import { platformCode } from '#domain/tenant/tenantTree.ts';
import { problems } from '#contract/problem.ts';
import type { Scope } from '#server/db/scope.ts';
import type { Services } from '#server/dispatch/services.ts';
import { runAsSystem } from '#server/db/systemSession.ts';
import { scaleFor } from '#features/form/scaleCache.ts';
import { findText, findUnrendered, saveTexts, type TextRow } from '#features/report/renderReport.queries.ts';

async function renderedReport(scope: Scope, row: TextRow): Promise<{ staff: ReportContent; self: ReportContent }> {
  if (row.content && row.selfcontent) return { staff: row.content, self: row.selfcontent };
  if (!row.basis) throw problems.notFound({ what: '报告' });
  const forms = await Promise.all(
    row.forms.map(async ({ formcode, formversion, answers, raw }) => ({
      scale: await scaleFor(scope, formcode, formversion),
      answers,
      result: raw,
    })),
  );
  return reportFrom(row.reportcode, row.basis, forms);
}

/** Both versions of a report's text, made now where nobody has yet; refuses a report that is out of reach. */
export async function reportText(scope: Scope, reportcode: string): Promise<{ staff: ReportContent; self: ReportContent }> {
  const row = await findText(scope, reportcode);
  if (!row) throw problems.notFound({ what: '报告' });
  return renderedReport(scope, row);
}

/**
 * Writes the texts of reports that have none: a hand-in leaves that to a quieter moment. Answers how many were written, `most` at a
 * time, so that a school handing in is not held up by the reports of the one before.
 */
export const renderReports = ({ pools }: Pick<Services, 'pools'>, most = 200): Promise<number> =>
  runAsSystem(pools, platformCode, async (scope) => {
    const rows = await findUnrendered(scope, most);
    const texts = await Promise.all(
      rows.map(async (row) => {
        const { staff, self } = await renderedReport(scope, row);
        return { reportcode: row.reportcode, content: staff, selfcontent: self };
      }),
    );
    if (texts.length > 0) await saveTexts(scope, texts);
    return texts.length;
  });
