import { z } from 'zod';
import { ALL_TYPES, defineAction, forTypes, NON_AUTHORITY_TYPES, staffOf } from '#contract/action.ts';
import { ofCaller, statisticFilters } from '#features/statistics/statistics.contract.ts';

/** Comparing terms (design/supplement-people-statistics.md section 10). */

const readers = forTypes(ALL_TYPES, staffOf('statistics.school', 'statistics.hospital'));
const rate = z.number().nullable();
const {
  year: _year,
  term: _term,
  taskcode: _task,
  teamcode: _team,
  begindate: _begin,
  enddate: _end,
  ...groupFilters
} = statisticFilters;
const year = z.string().min(1, '请选择学年').max(20);
const term = z.string().min(1, '请选择学期').max(2);

/** What a term counts of the filters. */
const figuresOf = <Count extends z.ZodType>(count: Count) => ({
  year: z.string(),
  term: z.string(),
  /** 应测 */
  total: count,
  /** 有效 */
  complete: count,
  /** 完成率 = 有效 / 应测 */
  rate,
  /** 需关注 */
  abnormal: count,
  /** 需关注 / 有效 */
  abnormalrate: rate,
});
const termFigures = figuresOf(z.number());
const interval = { low: rate, high: rate };

/**
 * Compares a term with an earlier one. When half of the persons or more have a valid sheet in both terms, their pairs are tested
 * (McNemar), else the two shares (z). `isnoise` says that the difference lies within random fluctuation.
 */
export const compareTerms = defineAction({
  name: 'as.m.statistic.compareTerms',
  title: '比较两个学期',
  allow: forTypes(NON_AUTHORITY_TYPES, readers),
  kind: 'read',
  request: z.strictObject({
    ...groupFilters,
    year: year.describe('学年'),
    term: term.describe('学期'),
    beforeyear: year.describe('对比学年'),
    beforeterm: term.describe('对比学期'),
  }),
  response: z.object({
    before: z.object(termFigures),
    now: z.object(termFigures),
    /** persons with a valid sheet in both terms, and those who needed attention in one of them only */
    pairs: z.object({ both: z.number(), onlybefore: z.number(), onlynow: z.number() }),
    /** 0: 不可比, for the reason in `words` */
    iscomparable: z.number(),
    /** the share now minus the share before, in percentage points, with Newcombe's 95 % interval; of the pairs where these are tested */
    difference: z.number().nullable(),
    low: z.number().nullable(),
    high: z.number().nullable(),
    test: z.enum(['z', 'mcnemar', 'exact']).nullable(),
    /** z, or χ² of McNemar's test; null for the exact test */
    statistic: z.number().nullable(),
    p: z.number().nullable(),
    isnoise: z.number(),
    words: z.string(),
  }),
});

/**
 * The last eight terms with tasks, the oldest first, with the 95 % interval (Wilson) of the share who need attention. An authority
 * gets the terms of the release with 实测 and the day of the release; its 完成率 is 实测 / 应测.
 */
export const getTermTrend = defineAction({
  name: 'as.m.statistic.getTermTrend',
  title: '统计学期趋势',
  allow: readers,
  kind: 'read',
  request: z.strictObject(groupFilters),
  response: z.array(
    ofCaller(
      {
        ...figuresOf(z.number().nullable()),
        ...interval,
        tested: z.number(),
        /** the results are of this time; '' before the release */
        datatime: z.string(),
      },
      { ...termFigures, ...interval },
    ),
  ),
});
