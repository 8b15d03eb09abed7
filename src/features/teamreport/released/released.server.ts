import { shanghaiTime } from '#domain/base/calendar.ts';
import { populations } from '#domain/person/populations.ts';
import { compareNewest, type Period } from '#domain/release/period.ts';
import { buildReleasedReport } from '#domain/teamreport/releasedReport.ts';
import { problems } from '#contract/problem.ts';
import { handle, type ReadContext } from '#server/dispatch/handle.ts';
import { printTeamReport } from '#server/pdf/render.ts';
import { writeTeamReport } from '#server/pdf/team/teamDocx.ts';
import { findEffort, findOutcome, findPeriods, findSchools } from '#features/release/release.queries.ts';
import { openLetterheads } from '#features/reportpdf/printSheet.ts';
import * as contract from '#features/teamreport/released/released.contract.ts';
import * as queries from '#features/teamreport/released/released.queries.ts';

type ReadCtx = Pick<ReadContext<'staff'>, 'scope' | 'stats' | 'caller'>;

const periodName = ({ year, term }: Period): string =>
  term.startsWith('Q') ? `${year}年第${term.slice(1)}季度` : `${year}学年${term === '1' ? '秋季' : '春季'}学期`;
const timeText = (time: Date | null | undefined): string => (time ? shanghaiTime(time) : '');

const getReleasedReportList = handle(contract.getReleasedReportList, async ({ appid }, { scope, stats, caller }) => {
  const own = await queries.findOwnName(scope, caller.musercode);
  const periods = await stats((one) => findPeriods(one, appid));
  const shown = await stats((one) => queries.findShownReports(one, appid));
  const rows = [];
  for (const { datatime, ...period } of periods.sort(compareNewest)) {
    const row = { appid, ...period, periodname: periodName(period) };
    rows.push({ ...row, teamreportcode: '', insname: own, datatime: timeText(datatime) });
    const reports = shown.filter(({ year, term }) => year === period.year && term === period.term);
    const schools = reports.length > 0 ? await stats((one) => findSchools(one, { appid, ...period })) : [];
    for (const school of schools) {
      const report = reports.find(({ musercode }) => musercode === school.musercode);
      if (!report) continue;
      const { teamreportcode, insname } = report;
      rows.push({ ...row, teamreportcode, insname, datatime: timeText(school.datatime) });
    }
  }
  return rows;
});

interface Chosen extends Period {
  appid: string;
  teamreportcode?: string | undefined;
}

/** A released report. Answers 130001 for one that is not shown, and for a period that the region does not have. */
async function readReleased({ scope, stats, caller }: ReadCtx, { teamreportcode = '', ...period }: Chosen) {
  const { appid, year, term } = period;
  const shown = teamreportcode ? await stats((one) => queries.findShownReports(one, appid)) : [];
  const report = shown.find((one) => one.teamreportcode === teamreportcode && one.year === year && one.term === term);
  if (teamreportcode && !report) throw problems.notFound({ what: '团体报告' });
  const filters = { appid, year, term, ...(report ? { musercode: report.musercode } : {}) };
  const of = report ? 'institution' : 'region';
  const schools = await stats((one) => findSchools(one, filters));
  const [school] = schools;
  if (!school) throw problems.notFound({ what: '团体报告' });
  const effort = await stats((one) => findEffort(one, filters));
  const [outcome] = await stats((one) => findOutcome(one, filters, 'all', of));
  const released = schools.map(({ datatime }) => datatime?.getTime() ?? 0);
  const counted = schools.map(({ counttime }) => counttime.getTime());
  const insname = report?.insname ?? (await queries.findOwnName(scope, caller.musercode));
  const sum = (key: 'total' | 'exempt' | 'tested') => effort.reduce((all, row) => all + row[key], 0);
  const time = shanghaiTime(new Date(Math.max(...(outcome ? released : counted))));
  return {
    ...{ appid, year, term, periodname: periodName(period), teamreportcode, insname },
    datatime: outcome ? time : '',
    content: buildReleasedReport({
      ...{ subject: periodName(period), insname, datatime: time, outcome },
      population: (populations as Readonly<Record<string, { appname: string }>>)[appid]?.appname ?? '',
      effort: { total: sum('total'), exempt: sum('exempt'), tested: sum('tested') },
      grades: await stats((one) => findOutcome(one, filters, 'grade', of)),
      genders: await stats((one) => findOutcome(one, filters, 'gender', of)),
    }),
  };
}

const getReleasedReport = handle(contract.getReleasedReport, (request, ctx) => readReleased(ctx, request));

const docxMime = 'application/vnd.openxmlformats-officedocument.wordprocessingml.document';
const exportReleasedReport = handle(contract.exportReleasedReport, async ({ format, ...request }, ctx) => {
  const { caller, now, audit } = ctx;
  const { content, insname, periodname } = await readReleased(ctx, request);
  const letterhead = (await openLetterheads(ctx, [caller.musercode])).get(caller.musercode);
  const sheet = {
    ...{ accent: '#43a777', reader: `${caller.name} ${caller.accountid}` },
    ...letterhead,
    ...{ institution: insname, content, subject: `${insname} · ${periodname}`, printtime: now, hasAiText: false },
    reportcode: [request.teamreportcode ?? caller.musercode, request.year, request.term].join('-'),
  };
  audit({ detail: { ...request, format } });
  const filename = `团体报告_${insname}_${periodname}.${format}`;
  return format === 'docx'
    ? { filename, mime: docxMime, body: await writeTeamReport(sheet) }
    : { filename, mime: 'application/pdf', body: (await printTeamReport(sheet)).bytes };
});

export const releasedReportHandlers = [getReleasedReportList, getReleasedReport, exportReleasedReport];
