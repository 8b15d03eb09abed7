import { shanghaiDate, shanghaiTime } from '#domain/base/calendar.ts';
import { isAwaited, releaseDayOf } from '#domain/statistics/releaseDay.ts';
import { adjustedRateOf, careFiguresOf, compareFigures, placeOfSchool } from '#domain/statistics/schools.ts';
import { percent } from '#domain/task/taskprogress.ts';
import { handle } from '#server/dispatch/handle.ts';
import type { Outcome } from '#domain/release/measures.ts';
import * as release from '#features/release/release.queries.ts';
import * as contract from '#features/statistics/bureau/bureau.contract.ts';
import { findPopulation, NO_RESULTS, sumEffort, timeOf, withRelease, type Effort } from '#features/statistics/bureau/released.ts';

const timeText = (time: Date | null): string => (time ? shanghaiTime(time) : '');

const getReleaseOptions = handle(contract.getReleaseOptions, (input, { stats, caller, now }) =>
  stats(async (scope) => {
    const { appids, appid, periods } = await findPopulation(scope, caller, input.appid);
    const [newest] = periods;
    const schools = newest ? await release.findSchools(scope, { appid, year: newest.year, term: newest.term }) : [];
    return {
      appids,
      appid,
      periods: periods.map(({ datatime, ...period }) => ({ ...period, datatime: timeText(datatime) })),
      schools: schools
        .map(({ musercode, insname, districtcode, regionname }) => ({ musercode, insname, districtcode, regionname }))
        .sort(byPlace),
      today: shanghaiDate(now),
    };
  }),
);

interface Named {
  districtcode: string;
  insname: string;
}
const byName = (a: Named, b: Named): number => a.insname.localeCompare(b.insname, 'zh', { numeric: true });
const byPlace = (a: Named, b: Named): number =>
  a.districtcode === b.districtcode ? byName(a, b) : a.districtcode < b.districtcode ? -1 : 1;

const withRate = ({ total, exempt, tested }: Effort) => ({ total, exempt, tested, rate: percent(tested, total) });

const resultsOf = (outcome: Outcome) => ({
  valid: outcome.valid,
  abnormal: outcome.abnormal,
  opened: outcome.opened,
  ...careFiguresOf(outcome),
});

const groupBy = <T>(rows: readonly T[], keyOf: (row: T) => string): Map<string, T[]> => {
  const groups = new Map<string, T[]>();
  for (const row of rows) groups.set(keyOf(row), [...(groups.get(keyOf(row)) ?? []), row]);
  return groups;
};

const getSchoolComparison = handle(contract.getSchoolComparison, async ({ orderby, isasc, ...input }, ctx) =>
  withRelease(ctx, input, async (scope, filters) => {
    // A school is compared with its region, so the region is read without it.
    const { musercode: _, ...ofRegion } = filters;
    const schools = await release.findSchools(scope, filters);
    const effort = groupBy(await release.findEffort(scope, filters), ({ musercode }) => musercode);
    const [released] = await release.findOutcome(scope, ofRegion, 'all', 'region');
    const region = released ?? NO_RESULTS;
    const regionGrades = toGrades(await release.findOutcome(scope, ofRegion, 'grade', 'region'));
    const results = new Map((await release.findOutcome(scope, filters, 'all', 'institution')).map((row) => [row.musercode, row]));
    const grades = groupBy(await release.findOutcome(scope, filters, 'grade', 'institution'), ({ musercode = '' }) => musercode);
    const datatime = released ? timeOf(schools) : '';
    const rows = schools.map(({ hasoverdue, lasttaskend, datatime: schooltime, ...school }) => {
      const outcome = results.get(school.musercode) ?? NO_RESULTS;
      const own = sumEffort(effort.get(school.musercode) ?? []);
      return {
        ...school,
        ...withRate(own),
        hasbegun: own.tested > 0 ? 1 : 0,
        hasoverdue: hasoverdue ? 1 : 0,
        lasttaskend: timeText(lasttaskend),
        isawaited: !schooltime && isAwaited(lasttaskend, ctx.now) ? 1 : 0,
        ...resultsOf(outcome),
        place: placeOfSchool(outcome, region),
        adjustedrate: adjustedRateOf(outcome, toGrades(grades.get(school.musercode) ?? []), region, regionGrades),
        suppressed: [outcome.valid, outcome.abnormal, outcome.opened, outcome.closed, outcome.settled].includes(null) ? 1 : 0,
      };
    });
    const isAscending = isasc !== '0';
    const sorted =
      orderby === undefined
        ? rows.sort(byPlace)
        : rows.sort((a, b) =>
            orderby === 'insname'
              ? byName(a, b) * (isAscending ? 1 : -1)
              : compareFigures(a[orderby], b[orderby], isAscending) || byPlace(a, b),
          );
    return {
      ...{ year: filters.year, term: filters.term, datatime },
      releaseday: datatime
        ? ''
        : releaseDayOf(
            filters,
            schools.map(({ lasttaskend }) => lasttaskend),
          ),
      region: { ...withRate(sumEffort([...effort.values()].flat())), ...resultsOf(filters.musercode ? NO_RESULTS : region) },
      rows: sorted,
    };
  }),
);

const toGrades = (groups: readonly ({ groupcode: string } & Outcome)[]) =>
  groups.map(({ groupcode, valid, abnormal }) => ({ gradecode: groupcode, valid, abnormal }));

export const bureauHandlers = [getReleaseOptions, getSchoolComparison];
