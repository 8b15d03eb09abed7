import { shanghaiTime } from '#domain/base/calendar.ts';
import { Term } from '#domain/base/enums.ts';
import { addVisible } from '#domain/release/measures.ts';
import { STUDENTS, type Period } from '#domain/release/period.ts';
import { percent } from '#domain/task/taskprogress.ts';
import type { Staff } from '#server/dispatch/caller.ts';
import type { ReadContext } from '#server/dispatch/handle.ts';
import { permittedPopulations } from '#server/security/population.ts';
import type { StatsScope } from '#server/db/scope.ts';
import { findEffort, findOutcome, findPeriods, findSchools, type ReleaseFilters } from '#features/release/release.queries.ts';
import type { Figures } from '#features/bigscreen/ownFigures.ts';
import { placesOf } from '#features/bigscreen/places.ts';
import { findRegionNames } from '#features/bigscreen/wall.queries.ts';

/** The populations in the order in which a screen looks for something published. */
const POPULATIONS = [STUDENTS, '000000001', '000000003', '000000004'];
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

/** The population that has something published, students first, with its periods. */
async function choosePopulation(scope: StatsScope, caller: Staff) {
  const appids = permittedPopulations(caller) ?? POPULATIONS;
  for (const appid of appids) {
    const periods = await findPeriods(scope, appid);
    if (periods.length > 0) return { appid, periods };
  }
  return { appid: STUDENTS, periods: [] };
}

const NOTHING: Figures = {
  source: 'release',
  datatime: '',
  periodname: '',
  outcometime: '',
  waiting: 0,
  institutions: { total: 0, active: 0 },
  completion: { total: 0, tested: 0, exempt: 0, rate: null },
  places: [],
  result: null,
  trend: { title: '各学期需关注率', unit: '%', points: [] },
  cases: null,
};

/** Reads what an authority may read (docs/decisions/0069): the effort of the last night, and the outcome once it is released. */
export function readReleasedFigures({ stats, caller }: ReadContext<'staff'>, regioncode?: string): Promise<Figures> {
  return stats(async (scope) => {
    const { appid, periods } = await choosePopulation(scope, caller);
    const [newest] = periods;
    if (!newest) return NOTHING;
    const filters: ReleaseFilters = { year: newest.year, term: newest.term, appid, regioncode };
    const schools = await findSchools(scope, filters);
    const effort = await findEffort(scope, filters);
    const [outcome] = await findOutcome(scope, filters, 'all', 'region');
    const counted = schools.map(({ musercode, insname, districtcode, hasoverdue }) => {
      const own = effort.filter((row) => row.musercode === musercode);
      const sum = (key: 'total' | 'tested' | 'exempt') => own.reduce((total, row) => total + row[key], 0);
      return {
        ...{ musercode, insname, districtcode, hasoverdue },
        ...{ provincecode: provinceOf(districtcode), citycode: cityOf(districtcode) },
        ...{ total: sum('total'), tested: sum('tested'), exempt: sum('exempt') },
      };
    });
    const regions = await findRegionNames(scope, [
      ...new Set(counted.flatMap((row) => [row.provincecode, row.citycode, row.districtcode])),
    ]);
    const sum = (key: 'total' | 'tested' | 'exempt') => counted.reduce((total, row) => total + row[key], 0);
    const released = schools.flatMap(({ datatime }) => datatime ?? []);
    return {
      source: 'release',
      datatime: latest(schools.map(({ counttime }) => counttime)),
      periodname: nameOf(newest),
      outcometime: outcome ? latest(released) : '',
      waiting: schools.length - released.length,
      institutions: { total: schools.length, active: counted.filter(({ tested }) => tested > 0).length },
      completion: {
        total: sum('total'),
        tested: sum('tested'),
        exempt: sum('exempt'),
        rate: percent(sum('tested'), sum('total')),
      },
      places: placesOf(counted, regions),
      result: outcome
        ? {
            valid: outcome.valid,
            abnormal: outcome.abnormal,
            rate: rateOf(outcome.abnormal, outcome.valid),
            levels: outcome.levels,
          }
        : null,
      trend: await readTrend(scope, filters, periods),
      cases: outcome
        ? {
            opened: outcome.opened,
            closed: outcome.closed,
            rate: rateOf(outcome.settled, outcome.opened),
            open: null,
            overdue: null,
            overdueplaces: schools.filter(({ hasoverdue }) => hasoverdue).length,
          }
        : null,
    };
  });
}

const latest = (times: readonly Date[]): string =>
  times.length === 0 ? '' : shanghaiTime(new Date(Math.max(...times.map((time) => time.getTime()))));

/** A rate of visible counts; null when one of them is hidden. */
const rateOf = (part: number | null, whole: number | null): number | null =>
  addVisible([part, whole]) === null ? null : percent(part as number, whole as number);

/** The share that needs attention in the released periods, the oldest first. */
async function readTrend(scope: StatsScope, filters: ReleaseFilters, periods: readonly Period[]): Promise<Figures['trend']> {
  const points: Figures['trend']['points'] = [];
  for (const { year, term } of periods.slice(0, MOST_PERIODS)) {
    const [outcome] = await findOutcome(scope, { ...filters, year, term }, 'all', 'region');
    if (outcome) points.unshift({ name: shortNameOf({ year, term }), value: rateOf(outcome.abnormal, outcome.valid) });
  }
  return { ...NOTHING.trend, title: periods[0]?.term.startsWith('Q') ? '各季度需关注率' : '各学期需关注率', points };
}
