import { shanghaiTime } from '#domain/base/calendar.ts';
import { withCase } from '#domain/report/report.case.ts';
import { withoutAnswers, type ReportContent } from '#domain/report/report.content.ts';
import { withMaskedName, withReview, type Review } from '#domain/report/report.review.ts';
import { codeOf } from '#contract/menu.ts';
import { problems } from '#contract/problem.ts';
import type { Context } from '#server/dispatch/handle.ts';
import { canReadNames } from '#server/security/privacy.ts';
import * as queries from '#features/report/report.queries.ts';
import { findReportCase } from '#features/report/reportCase.ts';
import { findReportTexts } from '#features/report/renderReport.ts';
import { findVersion } from '#features/report/review/versions.ts';

/**
 * A report as the caller may read it, on screen and on paper: the staff version with the present review and case, both with the name
 * masked where the caller reads no names. Refuses 130001 when the caller may not see it.
 * @param identifier.version an earlier version; the present one without it
 */
export async function readReport(
  { scope, caller, now }: Pick<Context<'staff'>, 'scope' | 'caller' | 'now'>,
  {
    version: earlier,
    ...identifier
  }: { reportcode?: string | undefined; examcode?: string | undefined; version?: number | undefined },
) {
  const report = await queries.findReport(scope, identifier);
  // The words about safety at home would warn a member of staff who is suspected of harm.
  if (!report || (await queries.isSuspectedBy(scope, report.cuserid))) throw problems.notFound({ what: '报告' });
  const { conclusion, advice, reviewby, reviewtime, reviewername, version, ...row } = report;
  const present: Review = {
    conclusion: conclusion ?? '',
    advice: advice ?? '',
    reviewer: reviewername ?? reviewby ?? '',
    reviewtime: reviewtime && shanghaiTime(reviewtime),
  };
  const former = earlier === undefined || earlier === version ? undefined : await findVersion(scope, row.reportcode, earlier);
  if (former && former.cuserid !== row.cuserid && (await queries.isSuspectedBy(scope, former.cuserid)))
    throw problems.notFound({ what: '报告' });
  const text = former?.text ?? (await findReportTexts(scope, row.reportcode));
  const review = former?.review ?? present;
  const maskName = (content: ReportContent) => (canReadNames(caller) ? content : withMaskedName(content));
  const reviewedContent = withReview(text.staff, review);
  const staffContent = former
    ? reviewedContent
    : withCase(reviewedContent, await findReportCase(scope, row.cuserid, now), shanghaiTime(now));
  return {
    row,
    /** the person of this version */
    cuserid: former?.cuserid ?? row.cuserid,
    staff: maskName(caller.codes.has(codeOf('exam.answers')) ? staffContent : withoutAnswers(staffContent)),
    self: maskName(text.self),
    review,
    version: former?.version ?? version,
    correctedtime: former?.correctedtime ?? null,
  };
}
