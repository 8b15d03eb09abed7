import { applyBandsets } from '#domain/scoring/bandset/applyBandsets.ts';
import { AiStatus } from '#domain/base/enums.ts';
import { mapInOrder } from '#domain/base/inOrder.ts';
import { withAiText } from '#domain/report/ai/aiSection.ts';
import { mentionsFamily } from '#domain/report/reader.ts';
import { withoutContents } from '#domain/report/recommended/contents.ts';
import { reportFrom, type TextsInForce } from '#domain/report/report.basis.ts';
import { withoutName, withViolenceFound, withWithdrawn } from '#domain/report/report.review.ts';
import type { ReportContent } from '#domain/report/report.content.ts';
import { platformCode } from '#domain/tenant/tenantTree.ts';
import { problems } from '#contract/problem.ts';
import type { Scope } from '#server/db/scope.ts';
import type { Services } from '#server/dispatch/services.ts';
import { runAsSystem } from '#server/db/systemSession.ts';
import { findJudgingBandsets } from '#features/bandset/inForce.queries.ts';
import { scaleFor } from '#features/form/scaleCache.ts';
import {
  findReportText,
  findUnrendered,
  saveReportTexts,
  type ReportTextRow,
  type StoredAiText,
} from '#features/report/renderReport.queries.ts';
import { withRegionNames } from '#features/report/regionNames.queries.ts';
import { textReader, type ReadTexts } from '#features/report/textsInForce.ts';

/** Both versions of a stored text, or of a text that it renders now. */
async function render(
  scope: Scope,
  row: ReportTextRow,
  readTexts: ReadTexts,
): Promise<{ staff: ReportContent; self: ReportContent }> {
  if (row.content && row.selfcontent) return { staff: row.content, self: row.selfcontent };
  if (!row.basis) throw problems.notFound({ what: '报告' });
  const forms = await mapInOrder(row.forms, async ({ formcode, formversion, answers, raw, isentered, bandsets }) => {
    // The sets that judged the sheet give the bands and their texts, also when others are in force by now.
    const scale = applyBandsets(await scaleFor(scope, formcode, formversion), await findJudgingBandsets(scope, bandsets));
    // Entered scores have no list of answers.
    return { scale, ...(!isentered && { answers: await withRegionNames(scope, scale, answers) }), result: raw };
  });
  return reportFrom(row.reportcode, row.basis, forms, await readTexts(row.orgpath, row.handintime));
}

/**
 * Both versions of a report's text with its generated text, without advice about the family when violence was found since, and without
 * contents when a person is offered instead by now. Refuses 130001 for a report that the caller cannot read.
 * @param version the generated text of an earlier version; the present one without it
 */
export async function findReportTexts(
  scope: Scope,
  reportcode: string,
  version?: StoredAiText,
): Promise<{ staff: ReportContent; self: ReportContent }> {
  const row = await findReportText(scope, reportcode);
  if (!row) throw problems.notFound({ what: '报告' });
  const texts = await render(scope, row, textReader(scope));
  const ai = findAiText({ ...row, ...version });
  const changed = (content: ReportContent): ReportContent => {
    const named = withWithdrawn(row.isAnonymized ? withoutName(content) : content, row.withdrawnforms);
    const shown = row.isPersonOffered ? withoutContents(named) : named;
    return withAiText(row.isViolenceFound ? withViolenceFound(shown) : shown, ai);
  };
  return { staff: changed(texts.staff), self: changed(texts.self) };
}

/** The texts that were in force at the hand-in of a report. Refuses 130001 for a report that the caller cannot read. */
export async function findTextsOfReport(scope: Scope, reportcode: string): Promise<TextsInForce> {
  const row = await findReportText(scope, reportcode);
  if (!row) throw problems.notFound({ what: '报告' });
  return textReader(scope)(row.orgpath, row.handintime);
}

/** The generated text that stands in a report; none about the family when violence was found since. */
function findAiText({
  aistatus,
  aicontent,
  hasalert,
  isViolenceFound,
}: StoredAiText & { hasalert: number; isViolenceFound: boolean }) {
  const isReviewed = aistatus === AiStatus.reviewed;
  if (!aicontent || !(isReviewed || aistatus === AiStatus.made)) return undefined;
  if (isViolenceFound && mentionsFamily(JSON.stringify(aicontent))) return undefined;
  return { text: aicontent, hasalert: hasalert === 1, isReviewed };
}

/**
 * Renders the texts of reports that have none, at most `limit` at a time, and returns their number. A submission does not render,
 * so that it is quick. The limit keeps a run short while another school submits.
 */
export const renderReports = ({ pools }: Pick<Services, 'pools'>, limit = 200): Promise<number> =>
  runAsSystem(pools, platformCode, async (scope) => {
    const rows = await findUnrendered(scope, limit);
    const readTexts = textReader(scope);
    const texts = await mapInOrder(rows, async (row) => {
      const { staff, self } = await render(scope, row, readTexts);
      return { reportcode: row.reportcode, content: staff, selfcontent: self };
    });
    if (texts.length > 0) await saveReportTexts(scope, texts);
    return texts.length;
  });
