import { addDays, daysFrom, shanghaiDate, shanghaiTime, shiftDate } from '#domain/base/calendar.ts';
import { Term } from '#domain/base/enums.ts';
import { compareGrades, gradeOf } from '#domain/person/grades.ts';
import { spanOf } from '#domain/release/period.ts';
import { isSmallCell } from '#domain/statistics/smallCells.ts';
import { lastYearOf, openingPeriod } from '#domain/statistics/term.ts';
import { levelName } from '#domain/warning/levels.ts';
import { percent } from '#domain/task/taskprogress.ts';
import type { ResponseOf } from '#contract/action.ts';
import type { Staff } from '#server/dispatch/caller.ts';
import type { ReadContext } from '#server/dispatch/handle.ts';
import { permittedPopulations } from '#server/security/population.ts';
import type { StatsScope } from '#server/db/scope.ts';
import type { StatisticFilters } from '#features/statistics/baseSets.queries.ts';
import type { Source } from '#features/statistics/cells.queries.ts';
import { chooseSource } from '#features/statistics/kept/source.ts';
import { findTerms } from '#features/statistics/options/options.queries.ts';
import { countByDay, countGroups } from '#features/statistics/statistics.queries.ts';
import { placesOf } from '#features/bigscreen/places.ts';
import type { getBigScreenData } from '#features/bigscreen/wall.contract.ts';
import * as queries from '#features/bigscreen/wall.queries.ts';

export type Figures = Omit<ResponseOf<typeof getBigScreenData>, 'insname' | 'regionname' | 'now'>;
type Place = Figures['places'][number];

/** The days of the line of submissions. */
const TREND_DAYS = 30;
const LEVELS = [0, 1, 2, 3, 4] as const;
/** The levels of cases; 4 is a crisis. */
const CASE_LEVELS = [1, 2, 3, 4] as const;

/** The filter of a region: 330000 is a province, 330100 a city, 330106 a district. */
export const regionFilter = (regioncode: string | undefined) =>
  regioncode === undefined
    ? {}
    : regioncode.endsWith('0000')
      ? { provincecode: regioncode }
      : regioncode.endsWith('00')
        ? { citycode: regioncode }
        : { districtcode: regioncode };

/**
 * The period of a screen: the current term, else the latest with tasks. Without a term it is all time, which the kept figures know;
 * one institution counts 12 months.
 */
async function choosePeriod(scope: StatsScope, filters: StatisticFilters, { isLeaf }: Staff, now: Date) {
  const today = shanghaiDate(now);
  const opening = openingPeriod(today, await findTerms(scope, filters));
  if ('year' in opening) {
    const days = spanOf(opening) ?? lastYearOf(today);
    return { periodname: `${opening.year} 学年${Term.label(opening.term)}`, days, filters: { ...filters, ...opening } };
  }
  return isLeaf
    ? { periodname: '近 12 个月', days: opening, filters: { ...filters, ...opening } }
    : { periodname: '累计', days: opening, filters };
}

/** Reads the figures of a caller who is no authority, from the source that the page of statistics reads. */
export function readOwnFigures({ figures, caller, now }: ReadContext<'staff'>, regioncode?: string): Promise<Figures> {
  const base: StatisticFilters = {
    ...regionFilter(regioncode),
    musercode: caller.isLeaf ? caller.musercode : undefined,
    appids: permittedPopulations(caller),
  };
  return figures(async (scope, asof) => {
    const { periodname, days, filters } = await choosePeriod(scope, base, caller, now);
    const { source, datatime } = await chooseSource(scope, caller, filters, 'persons', now);
    const institutions = await queries.countByInstitution(scope, filters, source);
    const cases = await queries.countCases(scope, filters, { ...days, now });
    const overdue = new Set(cases.flatMap((row) => (row.overdue > 0 ? [row.musercode] : [])));
    const regions = await queries.findRegionNames(scope, [
      ...new Set(institutions.flatMap((row) => [row.provincecode, row.citycode, row.districtcode])),
    ]);
    const [total, tested, exempt] = (['total', 'tested', 'exempt'] as const).map((key) => sumOf(institutions, key)) as [
      number,
      number,
      number,
    ];
    return {
      source: 'rows',
      datatime: shanghaiTime(datatime < asof ? datatime : asof),
      periodname,
      outcomename: '',
      outcometime: '',
      waiting: 0,
      institutions: { total: institutions.length, active: institutions.filter((row) => row.tested > 0).length },
      completion: { total, tested, exempt, rate: percent(tested, total) },
      places:
        institutions.length === 1
          ? await readGroups(scope, filters, source)
          : placesOf(
              institutions.map((row) => ({ ...row, hasoverdue: overdue.has(row.musercode) })),
              regions,
            ),
      result: caller.isLeaf ? hideFewResults(resultOf(institutions)) : resultOf(institutions),
      trend: await readTrend(scope, caller, base, now),
      cases: caller.isLeaf ? hideFewCases(casesOf(cases, caller.sector)) : casesOf(cases, caller.sector),
      overdueplaces: overdue.size,
    };
  });
}

const sumOf = <Key extends string>(rows: readonly Record<Key, number>[], key: Key): number =>
  rows.reduce((sum, row) => sum + row[key], 0);

function resultOf(institutions: readonly queries.InstitutionCounts[]): Figures['result'] {
  const [valid, abnormal] = [sumOf(institutions, 'valid'), sumOf(institutions, 'abnormal')];
  if (valid === 0) return null;
  const levels = LEVELS.map((level) => institutions.reduce((sum, row) => sum + (row.levels[level] ?? 0), 0));
  return { valid, abnormal, rate: percent(abnormal, valid), levels };
}

function casesOf(rows: readonly queries.CaseCounts[], sector: string): Figures['cases'] {
  const [opened, closed, settled] = [sumOf(rows, 'opened'), sumOf(rows, 'closed'), sumOf(rows, 'settled')];
  return {
    opened,
    closed,
    rate: percent(closed + settled, opened),
    open: CASE_LEVELS.map((level) => ({
      name: levelName(level, sector),
      count: sumOf(
        rows.filter((row) => row.level === level),
        'open',
      ),
    })),
    overdue: sumOf(rows, 'overdue'),
  };
}

/**
 * A screen of one institution hangs where its own people pass by. There a count of few persons could tell who they are, so it is hidden;
 * of open cases it shows only whether one is overdue.
 */
function hideFewResults(result: Figures['result']): Figures['result'] {
  if (!result || result.valid === null) return result;
  const isFew = (count: number | null) => count !== null && isSmallCell({ count, of: result.valid });
  const isHidden = isFew(result.abnormal);
  return {
    valid: result.valid,
    abnormal: isHidden ? null : result.abnormal,
    rate: isHidden ? null : result.rate,
    levels: isHidden || result.levels.some(isFew) ? LEVELS.map(() => null) : result.levels,
  };
}
function hideFewCases(cases: Figures['cases']): Figures['cases'] {
  if (!cases) return cases;
  const { opened, closed } = cases;
  const isHidden =
    opened !== null && closed !== null && [opened, closed, opened - closed].some((count) => isSmallCell({ count, of: null }));
  return isHidden
    ? { opened: null, closed: null, rate: null, open: null, overdue: null }
    : { ...cases, open: null, overdue: null };
}

/** The grades of the only institution of the filters. */
async function readGroups(scope: StatsScope, filters: StatisticFilters, source: Source): Promise<Place[]> {
  const groups = await countGroups(scope, filters, 'grade', source);
  return groups
    .sort((a, b) => Number(a.gradecode === '') - Number(b.gradecode === '') || compareGrades(a.gradecode, b.gradecode))
    .map(({ gradecode, gradename, total, complete }) => ({
      key: gradecode || '-',
      parent: '',
      kind: 'group',
      name: gradecode === '' ? '未填年级' : (gradeOf(gradecode)?.name ?? gradename),
      institutions: 0,
      total,
      tested: complete,
      rate: percent(complete, total),
      hasoverdue: false,
    }));
}

/** The submitted sheets of the last 30 days. */
async function readTrend(scope: StatsScope, caller: Staff, base: StatisticFilters, now: Date): Promise<Figures['trend']> {
  const enddate = shanghaiDate(now);
  const begindate = shanghaiDate(addDays(now, 1 - TREND_DAYS));
  const filters = { ...base, begindate, enddate };
  const { source } = await chooseSource(scope, caller, filters, 'sheets', now);
  const counts = new Map((await countByDay(scope, filters, source)).map(({ date, examcount }) => [date, examcount]));
  return {
    title: '近 30 天每日提交',
    unit: '份',
    points: Array.from({ length: daysFrom(begindate, enddate) + 1 }, (_, day) => {
      const date = shiftDate(begindate, day);
      return { name: date.slice(5), value: counts.get(date) ?? 0 };
    }),
  };
}
