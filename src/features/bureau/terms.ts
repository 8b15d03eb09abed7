import { shanghaiTime } from '#domain/base/calendar.ts';
import { careFiguresOf } from '#domain/statistics/schools.ts';
import { percent } from '#domain/task/taskprogress.ts';
import type { ReadContext } from '#server/dispatch/handle.ts';
import * as release from '#features/release/release.queries.ts';
import { findGroups, findPopulation, NO_RESULTS, sumEffort, withRelease, type Request } from '#features/bureau/released.ts';

/** The last periods of the release, the oldest first: effort, and the results where they are released. */
export const findReleasedTerms = (
  ctx: Pick<ReadContext<'staff'>, 'stats'>,
  input: Omit<Request, 'year' | 'term'>,
  most: number,
) =>
  withRelease(
    ctx,
    input,
    async (scope, filters) => {
      const { periods } = await findPopulation(scope, filters.appid);
      const rows = [];
      for (const { year, term, datatime } of periods.slice(0, most).reverse()) {
        const ofTerm = { ...filters, year, term };
        const { total, tested } = sumEffort(await release.findEffort(scope, ofTerm));
        const [results = NO_RESULTS] = await findGroups(scope, ofTerm, 'all');
        const { abnormalrate, low, high } = careFiguresOf(results);
        rows.push({
          ...{ year, term, total, tested, complete: results.valid, rate: percent(tested, total) },
          ...{ abnormal: results.abnormal, abnormalrate, low, high, datatime: datatime ? shanghaiTime(datatime) : '' },
          suppressed: results.valid === null || results.abnormal === null ? 1 : 0,
        });
      }
      return rows;
    },
    ['gradecode'],
  );
