import { shanghaiTime } from '#domain/base/calendar.ts';
import type { AiText } from '#domain/report/ai/checkAiText.ts';
import type { ReportContent } from '#domain/report/report.content.ts';
import type { Review } from '#domain/report/report.review.ts';
import { problems } from '#contract/problem.ts';
import type { Scope } from '#server/db/scope.ts';
import { findReportTexts } from '#features/report/renderReport.ts';
import { findCorrections, findVersions } from '#features/report/review/review.queries.ts';

/** An earlier version of a report as it was read at that time. */
interface FormerVersion {
  version: number;
  /** the person of that version */
  cuserid: string;
  text: { staff: ReportContent; self: ReportContent };
  review: Review;
  /** when the sheet moved to another person; null for a version of the same person */
  correctedtime: string | null;
}

/** An earlier version. Refuses 130001 when the report has no such version. */
export async function findVersion(scope: Scope, reportcode: string, version: number): Promise<FormerVersion> {
  const versions = await findVersions(scope, reportcode);
  const corrections = await findCorrections(scope, reportcode);
  const correction = corrections.find((text) => text.version >= version);
  const own = versions.find((row) => row.version === version);
  if (version > 1 && !own && correction?.version !== version) throw problems.notFound({ what: '报告版本' });
  const texts =
    correction?.content && correction.selfcontent ? { staff: correction.content, self: correction.selfcontent } : undefined;
  return {
    version,
    cuserid: correction?.cuserid ?? own?.cuserid ?? '',
    text:
      texts ??
      (await findReportTexts(scope, reportcode, {
        aistatus: own?.aistatus ?? 0,
        aicontent: (own?.aicontent as AiText | null | undefined) ?? null,
      })),
    review: {
      conclusion: own?.conclusion ?? '',
      advice: own?.advice ?? '',
      reviewer: own?.status === 2 ? own.username : '',
      reviewtime: own?.status === 2 ? shanghaiTime(own.time) : null,
    },
    correctedtime: correction ? shanghaiTime(correction.time) : null,
  };
}
