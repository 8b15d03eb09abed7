import type { z } from 'zod';
import { shanghaiTime } from '#domain/base/calendar.ts';
import { compareGrades } from '#domain/person/grades.ts';
import { percent } from '#domain/task/taskprogress.ts';
import { titleOf } from '#contract/fieldTitles.ts';
import { problems } from '#contract/problem.ts';
import type { ReadContext } from '#server/dispatch/handle.ts';
import type { StatsScope } from '#server/db/scope.ts';
import { LEVELS, type Outcome } from '#domain/release/measures.ts';
import { POPULATIONS, STUDENTS } from '#domain/release/period.ts';
import * as release from '#features/release/release.queries.ts';
import { DOMAIN_LEVELS } from '#domain/statistics/levelWords.ts';
import { getAssessCount } from '#features/statistics/statistics.contract.ts';

/**
 * The figures that an authority reads: of the release only (design/supplement-people-statistics.md 9). A hidden count is null and
 * `suppressed` is 1. Before the release of the results only the effort has numbers.
 */

export type Request = z.output<typeof getAssessCount.request>;
type Context = Pick<ReadContext<'staff'>, 'stats'>;

/** The filters of an authority; with others a reader could subtract small groups from each other. */
const FILTERS = ['musercode', 'schoolcode', 'provincecode', 'citycode', 'districtcode', 'appid', 'year', 'term', 'gradecode'];

const wordsOf = (key: string): string => titleOf(getAssessCount.request, [key]) ?? key;

/** Refuses filters that the release does not have (120002). */
function refuseOtherFilters(input: Request, more: readonly string[] = []): void {
  for (const [key, value] of Object.entries(input))
    if (value && (!FILTERS.includes(key) || more.includes(key)))
      throw problems.invalid(
        { message: `主管部门的数据只按地区、学校、学年学期、人群和年级发布，不能按“${wordsOf(key)}”筛选` },
        { field: key },
      );
  if (input.year && !input.term) throw problems.invalid({ message: '请选择学期' }, { field: 'term' });
  if (input.term && !input.year) throw problems.invalid({ message: '请选择学年' }, { field: 'year' });
}

/**
 * The population of a request: the one asked for, else the first with a period. The release holds an authority's own sector, so the
 * screens of persons, which an authority lacks, do not limit its populations.
 */
export async function findPopulation(scope: StatsScope, appid: string | undefined) {
  const found: { appid: string; periods: Awaited<ReturnType<typeof release.findPeriods>> }[] = [];
  for (const candidate of POPULATIONS) {
    const periods = await release.findPeriods(scope, candidate);
    if (periods.length > 0) found.push({ appid: candidate, periods });
  }
  const chosen = appid ? found.find((one) => one.appid === appid) : found[0];
  return {
    appids: found.map((one) => one.appid),
    appid: chosen?.appid ?? (appid || STUDENTS),
    periods: chosen?.periods ?? [],
  };
}

/** The filters of the release for a request: without a period the newest whose results are released, else the newest. */
export async function toReleaseFilters(scope: StatsScope, input: Request): Promise<release.ReleaseFilters> {
  const { appid, periods } = await findPopulation(scope, input.appid);
  const period = periods.find(({ datatime }) => datatime) ?? periods[0];
  return {
    appid,
    year: input.year || (period?.year ?? ''),
    term: input.term || (period?.term ?? ''),
    regioncode: input.districtcode || input.citycode || input.provincecode || undefined,
    musercode: input.musercode || input.schoolcode || undefined,
  };
}

/** Runs `work` with the filters of the release. `refused` are filters that this figure does not have either. */
export const withRelease = <T>(
  { stats }: Context,
  input: Request,
  work: (scope: StatsScope, filters: release.ReleaseFilters) => Promise<T>,
  refused: readonly string[] = [],
): Promise<T> => {
  refuseOtherFilters(input, refused);
  return stats(async (scope) => work(scope, await toReleaseFilters(scope, input)));
};

export const NO_RESULTS: Outcome = {
  ...{ valid: null, abnormal: null, alert: null, opened: null, settled: null, closed: null },
  ...{ levels: [], depressed: [], anxious: [] },
};

/** The results of the school or region of the filters by group. */
export const findGroups = (scope: StatsScope, filters: release.ReleaseFilters, by: 'all' | 'grade' | 'gender') =>
  release.findOutcome(scope, filters, by, filters.musercode ? 'institution' : 'region');

/** The results of all persons, or of one grade. */
export async function findResults(scope: StatsScope, filters: release.ReleaseFilters, gradecode = ''): Promise<Outcome> {
  const groups = await findGroups(scope, filters, gradecode ? 'grade' : 'all');
  return groups.find(({ groupcode }) => !gradecode || groupcode === gradecode) ?? NO_RESULTS;
}

export interface Effort {
  total: number;
  exempt: number;
  tested: number;
}
/** The sum of the rounded numbers. */
export const sumEffort = (rows: readonly Effort[]): Effort =>
  rows.reduce(
    (sum, row) => ({ total: sum.total + row.total, exempt: sum.exempt + row.exempt, tested: sum.tested + row.tested }),
    { total: 0, exempt: 0, tested: 0 },
  );

const findEffortSum = async (scope: StatsScope, filters: release.ReleaseFilters, gradecode = '') =>
  sumEffort((await release.findEffort(scope, filters)).filter((row) => !gradecode || row.gradecode === gradecode));

/** A share of two counts in percent; null when one is hidden. */
const shareOf = (count: number | null, total: number | null): number | null =>
  count === null || total === null ? null : percent(count, total);

/** Adds `suppressed`: whether a count is null. Rates do not tell: they are also null without persons. */
const marked = <T extends object>(row: T, counts: readonly (number | null)[]): T & { suppressed: number } => ({
  ...row,
  suppressed: counts.includes(null) ? 1 : 0,
});

export const countSchools = (ctx: Context, input: Request) =>
  withRelease(ctx, input, async (scope, filters) => {
    const schools = await release.findSchools(scope, filters);
    const effort = await release.findEffort(scope, filters);
    const begun = new Set(effort.flatMap(({ musercode, tested }) => (tested > 0 ? [musercode] : [])));
    const active = schools.filter(({ musercode }) => begun.has(musercode)).length;
    return { total: schools.length, active, inactive: schools.length - active };
  });

export const countRows = (ctx: Context, input: Request) =>
  withRelease(ctx, input, async (scope, filters) => {
    const { total, tested } = await findEffortSum(scope, filters, input.gradecode);
    return { taskcount: null, rostercount: total, examcount: tested, suppressed: 1 };
  });

export const countPeople = (ctx: Context, input: Request) =>
  withRelease(ctx, input, async (scope, filters) => {
    const { total } = await findEffortSum(scope, filters, input.gradecode);
    return { total, male: null, female: null, unknown: null, suppressed: 1 };
  });

export const countCompletion = (ctx: Context, input: Request) =>
  withRelease(ctx, input, async (scope, filters) => {
    const { total, exempt, tested } = await findEffortSum(scope, filters, input.gradecode);
    const { valid } = await findResults(scope, filters, input.gradecode);
    const rates = { rate: percent(tested, total), ratenet: percent(tested, total - exempt) };
    return { total, complete: valid, tested, exempt, absent: null, ...rates, suppressed: 1 };
  });

export const countAttention = (ctx: Context, input: Request) =>
  withRelease(ctx, input, async (scope, filters) => {
    const results = await findResults(scope, filters, input.gradecode);
    const { valid, abnormal, alert } = results;
    const levels = LEVELS.map((level) => results.levels[level] ?? null);
    return marked({ valid, abnormal, rate: shareOf(abnormal, valid), alert, levels }, [valid, abnormal, alert, ...levels]);
  });

/** The grades of the effort and of the results, in school order; persons without a grade come last. */
async function findGrades(scope: StatsScope, filters: release.ReleaseFilters, gradecode: string | undefined) {
  const effort = await release.findEffort(scope, filters);
  const results = await findGroups(scope, filters, 'grade');
  const names = new Map([
    ...results.map(({ groupcode, groupname }) => [groupcode, groupname] as const),
    ...effort.map((row) => [row.gradecode, row.gradename] as const),
  ]);
  return [...names]
    .filter(([code]) => !gradecode || code === gradecode)
    .sort(([a], [b]) => Number(a === '') - Number(b === '') || compareGrades(a, b))
    .map(([code, name]) => ({
      gradecode: code,
      gradename: code === '' ? '未填年级' : name,
      effort: sumEffort(effort.filter((row) => row.gradecode === code)),
      results: results.find(({ groupcode }) => groupcode === code) ?? NO_RESULTS,
    }));
}

export const countGrades = (ctx: Context, input: Request) =>
  withRelease(ctx, input, async (scope, filters) =>
    (await findGrades(scope, filters, input.gradecode)).map(({ gradecode, gradename, effort, results }) => {
      const { valid, abnormal } = results;
      const rates = { rate: percent(effort.tested, effort.total), abnormalrate: shareOf(abnormal, valid) };
      const { total, tested } = effort;
      return marked({ gradecode, gradename, total, tested, complete: valid, abnormal, ...rates }, [valid, abnormal]);
    }),
  );

export const countGradeLevels = (ctx: Context, input: Request) =>
  withRelease(ctx, input, async (scope, filters) =>
    (await findGrades(scope, filters, input.gradecode)).map(({ gradecode, gradename, results }) => {
      const levels = LEVELS.map((level) => {
        const count = results.levels[level] ?? null;
        return { level, count, ratio: shareOf(count, results.valid) };
      });
      return marked({ gradecode, gradename, n: results.valid, levels }, [results.valid, ...levels.map(({ count }) => count)]);
    }),
  );

export const countDomain = (ctx: Context, input: Request, domain: '01' | '02') =>
  withRelease(ctx, input, async (scope, filters) => {
    const results = await findResults(scope, filters, input.gradecode);
    const counts = LEVELS.map((level) => (domain === '01' ? results.depressed : results.anxious)[level] ?? null);
    const n = counts.reduce((sum, count) => (sum === null || count === null ? null : sum + count), 0 as number | null);
    const items = counts.map((count, level) => ({
      ...{ level, levelname: DOMAIN_LEVELS[domain][level] as string, count },
      ratio: shareOf(count, n),
    }));
    return marked({ n, items }, counts);
  });

export const countGenders = (ctx: Context, input: Request) =>
  withRelease(
    ctx,
    input,
    async (scope, filters) =>
      (await findGroups(scope, filters, 'gender')).map(({ groupcode, valid, abnormal }) =>
        marked({ gender: groupcode, valid, abnormal, rate: shareOf(abnormal, valid) }, [valid, abnormal]),
      ),
    ['gradecode'],
  );

/** The time of the results of schools: of those that were released first. */
export function timeOf(schools: readonly { datatime: Date | null }[]): string {
  const times = schools.flatMap(({ datatime }) => (datatime ? [shanghaiTime(datatime)] : [])).sort();
  return times[0] ?? '';
}

export const findTime = (ctx: Context, input: Request) =>
  withRelease(ctx, input, async (scope, filters) => {
    const isReleased = (await findGroups(scope, filters, 'all')).length > 0;
    return { datatime: isReleased ? timeOf(await release.findSchools(scope, filters)) : '' };
  });
