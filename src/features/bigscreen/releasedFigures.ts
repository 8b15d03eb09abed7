import { shanghaiTime } from '#domain/base/calendar.ts';
import { Term } from '#domain/base/enums.ts';
import { POPULATIONS, type Period } from '#domain/release/period.ts';
import { percent } from '#domain/task/taskprogress.ts';
import type { ReadContext } from '#server/dispatch/handle.ts';
import type { StatsScope } from '#server/db/scope.ts';
import {
  findEffort,
  findOutcome,
  findPeriods,
  findSchools,
  type PublishedOutcome,
  type PublishedSchool,
  type ReleaseFilters,
} from '#features/release/release.queries.ts';
import type { Figures } from '#features/bigscreen/ownFigures.ts';
import { placesOf } from '#features/bigscreen/places.ts';
import { findRegionNames } from '#features/bigscreen/wall.queries.ts';

type PublishedPeriod = Awaited<ReturnType<typeof findPeriods>>[number];

/** The most periods of the line. */
const MOST_PERIODS = 8;

const nameOf = ({ year, term }: Period): string =>
  term.startsWith('Q') ? `${year} 年第 ${term.slice(1)} 季度` : `${year} 学年${Term.label(term)}`;
/** 2025-2026 1 as 25秋, 2026 Q3 as 26年3季, so that eight of them have room. */
const shortNameOf = ({ year, term }: Period): string => {
  if (term.startsWith('Q')) return `${year.slice(2)}年${term.slice(1)}季`;
  return term === '1' ? `${year.slice(2, 4)}秋` : `${year.slice(7)}春`;
};

/** The region above a district of the country: its province or city. */
const provinceOf = (code: string): string => (code ? `${code.slice(0, 2)}0000` : '');
const cityOf = (code: string): string => (code.length === 6 && !code.endsWith('0000') ? `${code.slice(0, 4)}00` : '');

const latest = (times: readonly Date[]): string =>
  times.length === 0 ? '' : shanghaiTime(new Date(Math.max(...times.map((time) => time.getTime()))));

/** A rate of visible counts; null when one of them is hidden. */
const rateOf = (part: number | null, whole: number | null): number | null =>
  part === null || whole === null ? null : percent(part, whole);

/** The population that has something published, students first, with its periods, newest first. */
async function choosePopulation(scope: StatsScope) {
  for (const appid of POPULATIONS) {
    const periods = await findPeriods(scope, appid);
    if (periods.length > 0) return { appid, periods };
  }
  return undefined;
}

/** The newest period in which an institution has had a task, else the newest, with its institutions. */
async function choosePeriod(scope: StatsScope, base: Omit<ReleaseFilters, keyof Period>, periods: readonly Period[]) {
  const all = [];
  for (const { year, term } of periods.slice(0, MOST_PERIODS)) {
    const filters: ReleaseFilters = { ...base, year, term };
    const schools = await findSchools(scope, filters);
    if (schools.some(({ lasttaskend }) => lasttaskend !== null)) return { filters, schools };
    all.push({ filters, schools });
  }
  return all[0];
}

/** The outcomes of the released periods, newest first. */
async function findOutcomes(scope: StatsScope, base: Omit<ReleaseFilters, keyof Period>, periods: readonly PublishedPeriod[]) {
  const outcomes: { period: PublishedPeriod; outcome: PublishedOutcome }[] = [];
  for (const period of periods.slice(0, MOST_PERIODS)) {
    const { year, term } = period;
    const [outcome] = await findOutcome(scope, { ...base, year, term }, 'all', 'region');
    if (outcome) outcomes.push({ period, outcome });
  }
  return outcomes;
}

/** The effort of the institutions, summed over their grades. */
async function countEffort(scope: StatsScope, filters: ReleaseFilters, schools: readonly PublishedSchool[]) {
  const effort = await findEffort(scope, filters);
  return schools.map(({ musercode, insname, districtcode, hasoverdue }) => {
    const own = effort.filter((row) => row.musercode === musercode);
    const sum = (key: 'total' | 'tested' | 'exempt') => own.reduce((total, row) => total + row[key], 0);
    return {
      ...{ musercode, insname, districtcode, hasoverdue },
      ...{ provincecode: provinceOf(districtcode), citycode: cityOf(districtcode) },
      ...{ total: sum('total'), tested: sum('tested'), exempt: sum('exempt') },
    };
  });
}

const NOTHING: Figures = {
  source: 'release',
  datatime: '',
  periodname: '',
  outcomename: '',
  outcometime: '',
  waiting: 0,
  institutions: { total: 0, active: 0 },
  completion: { total: 0, tested: 0, exempt: 0, rate: null },
  places: [],
  result: null,
  trend: { title: '各学期需关注率', unit: '%', points: [] },
  cases: null,
  overdueplaces: 0,
};

/**
 * Reads what an authority may read (docs/decisions/0069): the effort of the last night, and the newest outcome that is released, perhaps
 * of an earlier period.
 */
export function readReleasedFigures({ stats }: ReadContext<'staff'>, regioncode?: string): Promise<Figures> {
  return stats(async (scope) => {
    const population = await choosePopulation(scope);
    if (!population) return NOTHING;
    const { appid, periods } = population;
    const chosen = await choosePeriod(scope, { appid, regioncode }, periods);
    if (!chosen) return NOTHING;
    const { filters, schools } = chosen;
    const counted = await countEffort(scope, filters, schools);
    const regions = await findRegionNames(scope, [
      ...new Set(counted.flatMap((row) => [row.provincecode, row.citycode, row.districtcode])),
    ]);
    const sum = (key: 'total' | 'tested' | 'exempt') => counted.reduce((total, row) => total + row[key], 0);
    const outcomes = await findOutcomes(scope, { appid, regioncode }, periods);
    const [newest] = outcomes;
    return {
      source: 'release',
      datatime: latest(schools.map(({ counttime }) => counttime)),
      periodname: nameOf(filters),
      outcomename: newest ? nameOf(newest.period) : '',
      outcometime: latest(newest?.period.datatime ? [newest.period.datatime] : []),
      waiting: schools.filter(({ datatime }) => datatime === null).length,
      institutions: { total: schools.length, active: counted.filter(({ tested }) => tested > 0).length },
      completion: {
        ...{ total: sum('total'), tested: sum('tested'), exempt: sum('exempt') },
        rate: percent(sum('tested'), sum('total')),
      },
      places: placesOf(counted, regions),
      ...resultOf(newest?.outcome),
      trend: {
        title: filters.term.startsWith('Q') ? '各季度需关注率' : '各学期需关注率',
        unit: '%',
        points: outcomes
          .map(({ period, outcome }) => ({ name: shortNameOf(period), value: rateOf(outcome.abnormal, outcome.valid) }))
          .reverse(),
      },
      overdueplaces: schools.filter(({ hasoverdue }) => hasoverdue).length,
    };
  });
}

/** The results and cases of an outcome. Open cases are none of it. */
function resultOf(outcome: PublishedOutcome | undefined): Pick<Figures, 'result' | 'cases'> {
  if (!outcome) return { result: null, cases: null };
  const { valid, abnormal, levels, opened, closed, settled } = outcome;
  return {
    result: { valid, abnormal, rate: rateOf(abnormal, valid), levels },
    cases: { opened, closed, rate: rateOf(settled, opened), open: null, overdue: null },
  };
}
