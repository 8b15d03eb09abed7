import { addDays, fromShanghai, shanghaiDate, shanghaiTime } from '#domain/base/calendar.ts';
import { Scene } from '#domain/base/enums.ts';
import { compareGrades, gradeOf } from '#domain/person/grades.ts';
import { DOMAIN_LEVELS } from '#domain/statistics/levelWords.ts';
import { percent } from '#domain/task/taskprogress.ts';
import { problems } from '#contract/problem.ts';
import { handle, type ReadContext } from '#server/dispatch/handle.ts';
import type { StatsScope } from '#server/db/scope.ts';
import { hasTaskFilter, type StatisticFilters } from '#features/statistics/baseSets.queries.ts';
import { toCallerFilters } from '#features/statistics/callerFilters.ts';
import type { Source } from '#features/statistics/cells.queries.ts';
import { chooseSource } from '#features/statistics/kept/source.ts';
import * as contract from '#features/statistics/statistics.contract.ts';
import * as queries from '#features/statistics/statistics.queries.ts';

/** The most days of one trend. */
const MOST_DAYS = 366;
/** The days of a trend without dates and without a task. */
const DAYS_WITHOUT_RANGE = 30;
const LEVELS = [0, 1, 2, 3, 4] as const;

type Input = Omit<StatisticFilters, 'appids'>;

/** Runs a query with the filters that the caller may use, on the rows or on the kept figures. */
const count = <T>(
  { figures, caller, now }: Pick<ReadContext<'staff'>, 'figures' | 'caller' | 'now'>,
  input: Input,
  query: (scope: StatsScope, filters: StatisticFilters, source: Source) => Promise<T>,
  unit: 'persons' | 'sheets' = 'persons',
): Promise<T> => {
  const filters = toCallerFilters(caller, input);
  return figures(async (scope) => query(scope, filters, (await chooseSource(scope, caller, filters, unit, now)).source));
};

const getAssessSchoolCount = handle(contract.getAssessSchoolCount, async (input, ctx) => {
  const { total, active } = await count(ctx, input, queries.countInstitutions, 'sheets');
  return { total, active, inactive: total - active };
});

const getAssessCount = handle(contract.getAssessCount, (input, ctx) => count(ctx, input, queries.countRows));

const getAssessPeopleCount = handle(contract.getAssessPeopleCount, (input, ctx) => count(ctx, input, queries.countPersons));

const getAssessPeopleCompleteCount = handle(contract.getAssessPeopleCompleteCount, async (input, ctx) => {
  const counts = await count(ctx, input, queries.countCompletion);
  const { total, complete, exempt } = counts;
  return { ...counts, rate: percent(complete, total), ratenet: percent(complete, total - exempt) };
});

const getAssessAbnormalCount = handle(contract.getAssessAbnormalCount, async (input, ctx) => {
  const counts = await count(ctx, input, queries.countAbnormal);
  return { ...counts, rate: percent(counts.abnormal, counts.valid) };
});

/** The days between two days, both included. */
function daysFrom(first: string, last: string): string[] {
  const days: string[] = [];
  for (let day = first; day <= last; day = shanghaiDate(addDays(fromShanghai(day), 1))) days.push(day);
  return days;
}

const getAssessDayCountTrend = handle(contract.getAssessDayCountTrend, async (input, ctx) => {
  const today = shanghaiDate(ctx.now);
  const isOpen = !input.begindate && !input.enddate;
  const range =
    isOpen && !hasTaskFilter({ ...input, appids: null })
      ? { begindate: shanghaiDate(addDays(ctx.now, 1 - DAYS_WITHOUT_RANGE)), enddate: today }
      : { begindate: input.begindate, enddate: input.enddate };
  const rows = await count(ctx, { ...input, ...range }, queries.countByDay, 'sheets');
  const first = range.begindate ?? rows[0]?.date;
  const last = range.enddate ?? (range.begindate ? today : rows.at(-1)?.date);
  if (!first || !last) return [];
  if (addDays(fromShanghai(first), MOST_DAYS) <= fromShanghai(last))
    throw problems.invalid({ message: `时间跨度不能超过 ${MOST_DAYS} 天` }, { field: 'begindate' });
  const byDate = new Map(rows.map((row) => [row.date, row]));
  return daysFrom(first, last).map((date) => byDate.get(date) ?? { date, examcount: 0, abnormal: 0 });
});

/** Grades in school order; persons without a grade come last. */
const inGradeOrder = <T extends { gradecode: string }>(rows: T[]): T[] =>
  rows.sort((a, b) => Number(a.gradecode === '') - Number(b.gradecode === '') || compareGrades(a.gradecode, b.gradecode));
const nameOfGrade = ({ gradecode, gradename }: { gradecode: string; gradename: string }): string =>
  gradecode === '' ? '未填年级' : (gradeOf(gradecode)?.name ?? gradename);

const getAssessGradeCountTrend = handle(contract.getAssessGradeCountTrend, async (input, ctx) => {
  const groups = await count(ctx, input, (scope, filters, source) => queries.countGroups(scope, filters, 'grade', source));
  return inGradeOrder(groups).map((group) => ({
    gradecode: group.gradecode,
    gradename: nameOfGrade(group),
    total: group.total,
    complete: group.complete,
    rate: percent(group.complete, group.total),
    abnormal: group.abnormal,
    abnormalrate: percent(group.abnormal, group.complete),
  }));
});

const getClassReportCountRatio = handle(contract.getClassReportCountRatio, async (input, ctx) => {
  const groups = await count(ctx, input, (scope, filters) => queries.countGroups(scope, filters, 'class'));
  return groups
    .filter(({ gradecode }) => gradecode === input.gradecode)
    .sort((a, b) => a.classname.localeCompare(b.classname, 'zh', { numeric: true }))
    .map((group) => ({
      classname: group.classname || '未填班级',
      total: group.total,
      complete: group.complete,
      levels: group.levels,
      abnormalrate: percent(group.abnormal, group.complete),
    }));
});

const getSceneCountTrend = handle(contract.getSceneCountTrend, async ({ by, ...input }, ctx) => {
  const rows = await count(ctx, input, (scope, filters, source) => queries.countScenes(scope, filters, by, source), 'sheets');
  return [...new Set(rows.map((row) => row.period))].map((period) => ({
    period,
    items: rows
      .filter((row) => row.period === period)
      .map(({ scenecode, count: sheets }) => ({ scenecode, scenename: Scene.label(scenecode), count: sheets })),
  }));
});

async function findLevelShares(ctx: ReadContext<'staff'>, input: Input, domain: '01' | '02') {
  const rows = await count(ctx, input, (scope, filters, source) => queries.countDomainLevels(scope, filters, domain, source));
  const countOf = new Map(rows.map((row) => [row.level, row.count]));
  const n = rows.reduce((sum, row) => sum + row.count, 0);
  return {
    n,
    items: LEVELS.map((level) => {
      const persons = countOf.get(level) ?? 0;
      return { level, levelname: DOMAIN_LEVELS[domain][level], count: persons, ratio: percent(persons, n) };
    }),
  };
}
const getDepressedQuotaCountRatio = handle(contract.getDepressedQuotaCountRatio, (input, ctx) =>
  findLevelShares(ctx, input, '01'),
);
const getAnxiousQuotaCountRatio = handle(contract.getAnxiousQuotaCountRatio, (input, ctx) => findLevelShares(ctx, input, '02'));

const getManAndWomanAbnormalCountRatio = handle(contract.getManAndWomanAbnormalCountRatio, async (input, ctx) => {
  const rows = await count(ctx, input, queries.countByGender);
  return rows.map((row) => ({ ...row, rate: percent(row.abnormal, row.valid) }));
});

const getGradeReportCountRatio = handle(contract.getGradeReportCountRatio, async (input, ctx) => {
  const groups = await count(ctx, input, (scope, filters, source) => queries.countGroups(scope, filters, 'grade', source));
  return inGradeOrder(groups.filter(({ complete }) => complete > 0)).map((group) => ({
    gradecode: group.gradecode,
    gradename: nameOfGrade(group),
    n: group.complete,
    levels: LEVELS.map((level) => ({
      level,
      count: group.levels[level] ?? 0,
      ratio: percent(group.levels[level] ?? 0, group.complete),
    })),
  }));
});

const getStatisticTime = handle(contract.getStatisticTime, (input, { figures, caller, now }) =>
  figures(async (scope, asof) => {
    const { datatime } = await chooseSource(scope, caller, toCallerFilters(caller, input), 'sheets', now);
    return { datatime: shanghaiTime(datatime < asof ? datatime : asof) };
  }),
);

export const statisticsHandlers = [
  getStatisticTime,
  getAssessSchoolCount,
  getAssessCount,
  getAssessPeopleCount,
  getAssessPeopleCompleteCount,
  getAssessAbnormalCount,
  getAssessDayCountTrend,
  getAssessGradeCountTrend,
  getClassReportCountRatio,
  getSceneCountTrend,
  getDepressedQuotaCountRatio,
  getAnxiousQuotaCountRatio,
  getManAndWomanAbnormalCountRatio,
  getGradeReportCountRatio,
];
