import { z } from 'zod';
import { defineAction, forTypes, staffOf } from '#contract/action.ts';
import { sortedBy } from '#contract/page.ts';
import { statisticFilters } from '#features/statistics/statistics.contract.ts';

/** What only an authority asks of the release (design/supplement-people-statistics.md 9–11). */

const readers = forTypes(['003'], staffOf('statistics.school'));
const count = z.number().nullable();
/** in percent */
const rate = z.number().nullable();
/** A time, or '' when there is none. */
const time = z.string();
const { provincecode, citycode, districtcode, musercode, appid, year, term } = statisticFilters;

/** The filters that an authority has. */
export const bureauFilters = { provincecode, citycode, districtcode, musercode, appid, year, term };

/** The choices of the filters of the authority's page. */
export const getReleaseOptions = defineAction({
  name: 'as.m.statistic.getReleaseOptions',
  title: '查询发布数据的条件选项',
  allow: readers,
  kind: 'read',
  request: z.strictObject({ appid }),
  response: z.object({
    /** populations with a period, and the one that these periods are of */
    appids: z.array(z.string()),
    appid: z.string(),
    /** the newest first; `datatime` is '' before the release of the results */
    periods: z.array(z.object({ year: z.string(), term: z.string(), datatime: time })),
    /** institutions of the caller's region, by district and name */
    schools: z.array(z.object({ musercode: z.string(), insname: z.string(), districtcode: z.string(), regionname: z.string() })),
    today: z.string(),
  }),
});

/** 应测, 免测, 实测, rounded down to multiples of 5, and 完成率 = 实测 / 应测. */
const effort = { total: z.number(), exempt: z.number(), tested: z.number(), rate };
/** Released results. A small count is null, and so is what would give it away. */
const results = {
  valid: count,
  abnormal: count,
  /** 需关注 / 有效, with Wilson's 95 % interval */
  abnormalrate: rate,
  low: rate,
  high: rate,
  /** cases opened in the period */
  opened: count,
  /** 结案率: closed of these */
  closerate: rate,
  /** 闭环率: closed, or open without an overdue duty, of these */
  looprate: rate,
  /** 1: a count is hidden or not released */
  suppressed: z.number(),
};

/**
 * The institutions of a region beside each other. The order is district and name, or a name, 完成率 or 结案率: there is no order by the
 * share who need attention. `place` tells how far a share lies from its district's: limits at ±1.96 and ±3.09 standard errors.
 */
export const getSchoolComparison = defineAction({
  name: 'as.m.statistic.getSchoolComparison',
  title: '比较各校',
  allow: readers,
  kind: 'read',
  request: z.strictObject({
    ...bureauFilters,
    orderby: sortedBy('insname', 'rate', 'closerate'),
    /** '1' means ascending */
    isasc: z.enum(['0', '1']).optional(),
  }),
  response: z.object({
    year: z.string(),
    term: z.string(),
    /** the results are of this time; '' before their release */
    datatime: time,
    /** the day on which the results come out at the latest; '' after their release */
    releaseday: z.string(),
    /** the effort is of this time */
    counttime: time,
    /** the region of the filters as a whole: with null as soon as a count of one of its districts is hidden */
    region: z.object({ ...effort, ...results }),
    districts: z.array(
      z.object({ districtcode: z.string(), regionname: z.string(), schools: z.number(), ...effort, ...results }),
    ),
    rows: z.array(
      z.object({
        musercode: z.string(),
        insname: z.string(),
        districtcode: z.string(),
        regionname: z.string(),
        ...effort,
        /** 0: 未开始或少于5人 */
        hasbegun: z.number(),
        /** 有超时: a duty of an open case is overdue */
        hasoverdue: z.number(),
        /** the end of its last task; '' without a task */
        lasttaskend: time,
        /** 1: the release waits for it */
        isawaited: z.number(),
        ...results,
        place: z.enum(['波动内', '偏离', '明显偏离']).nullable(),
        /** the share adjusted for grades (O/E · p₀), in whole percent */
        adjustedrate: z.number().nullable(),
      }),
    ),
  }),
});
