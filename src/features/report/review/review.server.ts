import { shanghaiTime } from '#domain/base/calendar.ts';
import { reviewObstacle, showObstacle } from '#domain/report/review/obstacles.ts';
import { problems } from '#contract/problem.ts';
import { handle } from '#server/dispatch/handle.ts';
import { displayName } from '#server/security/privacy.ts';
import { findReport, isSuspectedBy } from '#features/report/report.queries.ts';
import { assertNotRestricted, isMinor, toFilters } from '#features/report/reportRow.ts';
import { lockReports, refusalsOf } from '#features/report/review/lockReports.ts';
import * as contract from '#features/report/review/review.contract.ts';
import * as queries from '#features/report/review/review.queries.ts';

const getReportBatch = handle(contract.getReportBatch, async (filters, ctx) => {
  const { caller, scope } = ctx;
  assertNotRestricted(caller);
  const { total, rows } = await queries.findBatch(scope, toFilters(filters, ctx), contract.batchLimit);
  return {
    total,
    rows: rows.map((row) => ({
      ...row,
      username: displayName(caller, row.username),
      reviewobstacle: reviewObstacle(row),
      showobstacle: showObstacle(row),
    })),
  };
});

const reviewReports = handle(contract.reviewReports, async ({ reports }, { scope, caller, audit, now }) => {
  assertNotRestricted(caller);
  const seen = new Map(reports.map(({ reportcode, version }) => [reportcode, version]));
  const rows = await lockReports(scope, [...seen.keys()]);
  const refused = refusalsOf(
    rows,
    caller,
    (row) => reviewObstacle(row) || (row.version === seen.get(row.reportcode) ? '' : '内容刚被他人修改，请打开查看'),
  );
  const left = new Set(refused.map(({ reportcode }) => reportcode));
  const codes = rows.flatMap(({ reportcode }) => (left.has(reportcode) ? [] : [reportcode]));
  const reviewed = await queries.reviewReports(scope, codes, caller.accountid, now);
  audit({ cuserids: [...new Set(reviewed.map(({ cuserid }) => cuserid))], detail: { reportcodes: codes, status: 2 } });
  return { reviewed: reviewed.length, refused };
});

const getReportHistory = handle(contract.getReportHistory, async ({ reportcode }, ctx) => {
  const { scope, caller } = ctx;
  assertNotRestricted(caller);
  const report = await findReport(scope, { reportcode });
  if (!report || (await isSuspectedBy(scope, report.cuserid))) throw problems.notFound({ what: '报告' });
  ctx.audit({ cuserids: [report.cuserid], objectid: reportcode, minors: isMinor(report.age) });
  const later = await queries.findVersions(scope, reportcode);
  const corrections = await queries.findCorrections(scope, reportcode);
  const lastFormer = corrections.at(-1)?.version ?? 0;
  const made = {
    version: 1,
    cuserid: '',
    conclusion: '',
    advice: '',
    status: 1,
    aistatus: 0,
    username: '',
    time: report.createtime,
  };
  const versions = [made, ...later].map(({ version, conclusion, advice, username, time, ...row }, index, all) => ({
    version,
    kind: kindOf(
      row,
      all[index - 1],
      corrections.some((correction) => correction.version === version - 1),
    ),
    username,
    time: shanghaiTime(time),
    conclusion,
    advice,
    isformer: version <= lastFormer ? 1 : 0,
  }));
  const persons = [...new Set([report.cuserid, ...corrections.map(({ cuserid }) => cuserid)])];
  const views = await queries.findViews(scope, reportcode, persons);
  return {
    versions: versions.reverse(),
    views: views.map((view) => ({
      ...view,
      who: view.isrespondent ? '受测者本人' : view.who,
      isrespondent: view.isrespondent ? 1 : 0,
      lasttime: shanghaiTime(view.lasttime),
    })),
  };
});

/** What made a version. */
function kindOf(
  { status, aistatus }: { status: number; aistatus: number },
  before: { aistatus: number } | undefined,
  isMoved: boolean,
): 'made' | 'written' | 'reviewed' | 'ai' | 'corrected' {
  if (!before) return 'made';
  if (isMoved) return 'corrected';
  if (status === 2) return 'reviewed';
  return aistatus !== before.aistatus ? 'ai' : 'written';
}

export const reviewHandlers = [getReportBatch, reviewReports, getReportHistory];
