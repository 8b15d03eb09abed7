import { shanghaiDate, shanghaiTime } from '#domain/base/calendar.ts';
import { isAwaited, releaseDayOf } from '#domain/statistics/releaseDay.ts';
import { adjustedRateOf, careFiguresOf, compareFigures, placeOfSchool, type GradeCounts } from '#domain/statistics/schools.ts';
import { percent } from '#domain/task/taskprogress.ts';
import { handle } from '#server/dispatch/handle.ts';
import type { StatsScope } from '#server/db/scope.ts';
import { groupBy, type Outcome } from '#domain/release/measures.ts';
import * as release from '#features/release/release.queries.ts';
import * as contract from '#features/bureau/bureau.contract.ts';
import { findPopulation, NO_RESULTS, sumEffort, timeOf, withRelease, type Effort } from '#features/bureau/released.ts';

const timeText = (time: Date | null): string => (time ? shanghaiTime(time) : '');

const getReleaseOptions = handle(contract.getReleaseOptions, (input, { stats, now }) =>
  stats(async (scope) => {
    const { appids, appid, periods } = await findPopulation(scope, input.appid);
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

const resultsOf = (outcome: Outcome) => {
  const { valid, abnormal, opened, settled, closed } = outcome;
  const suppressed = [valid, abnormal, opened, settled, closed].includes(null) ? 1 : 0;
  return { valid, abnormal, opened, ...careFiguresOf(outcome), suppressed };
};

/** A region with the results that its schools are compared with. */
interface Region {
  results: Outcome;
  grades: GradeCounts[];
}
async function findRegion(scope: StatsScope, filters: release.ReleaseFilters): Promise<Region> {
  const [results = NO_RESULTS] = await release.findOutcome(scope, filters, 'all', 'region');
  return { results, grades: toGrades(await release.findOutcome(scope, filters, 'grade', 'region')) };
}

const getSchoolComparison = handle(contract.getSchoolComparison, async ({ orderby, isasc, ...input }, ctx) =>
  withRelease(ctx, input, async (scope, { musercode, ...filters }) => {
    const all = await release.findSchools(scope, filters);
    const effort = groupBy(await release.findEffort(scope, filters), (row) => row.musercode);
    const results = new Map((await release.findOutcome(scope, filters, 'all', 'institution')).map((row) => [row.musercode, row]));
    const grades = groupBy(await release.findOutcome(scope, filters, 'grade', 'institution'), (row) => row.musercode ?? '');
    const [whole] = await release.findOutcome(scope, filters, 'all', 'region');
    const effortOf = (schools: readonly { musercode: string }[]) =>
      withRate(sumEffort(schools.flatMap((school) => effort.get(school.musercode) ?? [])));
    const districts = new Map<string, Region>();
    for (const code of new Set(all.map(({ districtcode }) => districtcode)))
      districts.set(code, await findRegion(scope, code ? { ...filters, regioncode: code } : filters));
    const schools = all.filter((school) => !musercode || school.musercode === musercode);
    const rows = schools.map(({ hasoverdue, lasttaskend, datatime, districtcode, insname, regionname, ...school }) => {
      const outcome = results.get(school.musercode) ?? NO_RESULTS;
      const district = districts.get(districtcode) ?? { results: NO_RESULTS, grades: [] };
      const own = effortOf([school]);
      return {
        ...{ musercode: school.musercode, insname, districtcode, regionname, ...own },
        hasbegun: own.tested > 0 ? 1 : 0,
        hasoverdue: hasoverdue ? 1 : 0,
        lasttaskend: timeText(lasttaskend),
        isawaited: !datatime && isAwaited(lasttaskend, ctx.now) ? 1 : 0,
        ...resultsOf(outcome),
        place: placeOfSchool(outcome, district.results),
        adjustedrate: adjustedRateOf(outcome, toGrades(grades.get(school.musercode) ?? []), district.results, district.grades),
      };
    });
    const isAscending = isasc !== '0';
    const inOrder = (a: (typeof rows)[number], b: (typeof rows)[number]): number => {
      if (orderby === undefined) return byPlace(a, b);
      if (orderby === 'insname') return byName(a, b) * (isAscending ? 1 : -1);
      return compareFigures(a[orderby], b[orderby], isAscending) || byPlace(a, b);
    };
    return {
      ...{ year: filters.year, term: filters.term, datatime: whole ? timeOf(all) : '' },
      counttime: oldest(all.map(({ counttime }) => counttime)),
      releaseday: whole
        ? ''
        : releaseDayOf(
            filters,
            all.map(({ lasttaskend }) => lasttaskend),
          ),
      region: { ...effortOf(all), ...resultsOf(whole ?? NO_RESULTS) },
      districts: [...districts].sort().map(([districtcode, { results: ofDistrict }]) => {
        const members = all.filter((school) => school.districtcode === districtcode);
        return {
          ...{ districtcode, regionname: members[0]?.regionname ?? '', schools: members.length },
          ...effortOf(members),
          ...resultsOf(ofDistrict),
        };
      }),
      rows: rows.sort(inOrder),
    };
  }),
);
const oldest = (times: readonly Date[]): string => times.map(shanghaiTime).sort()[0] ?? '';

const toGrades = (groups: readonly ({ groupcode: string } & Outcome)[]): GradeCounts[] =>
  groups.map(({ groupcode, valid, abnormal }) => ({ gradecode: groupcode, valid, abnormal }));

export const bureauHandlers = [getReleaseOptions, getSchoolComparison];
