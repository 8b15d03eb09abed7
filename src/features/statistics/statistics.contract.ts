import { z } from 'zod';
import { defineAction, forTypes, NON_AUTHORITY_TYPES, staffOf } from '#contract/action.ts';
import { day } from '#contract/field.ts';

/**
 * The figures of 数据分析 (design/statistics.md 4, supplement-people-statistics.md 8). Every call takes the same filters and counts the
 * same base sets (`baseSets.queries.ts`): roster, submitted sheets, persons, and each person's latest valid sheet.
 */

/** Authorities read the nightly release only (supplement 9), so these calls are closed to them. */
const readers = forTypes(NON_AUTHORITY_TYPES, staffOf('statistics.school', 'statistics.hospital'));

const code = z.string().max(20);
const region = z.string().max(6);

/** The filters by institution. */
export const institutionFilters = {
  musercode: code.optional().describe('机构'),
  schoolcode: code.optional().describe('机构'),
  provincecode: region.optional().describe('省'),
  citycode: region.optional().describe('市'),
  districtcode: region.optional().describe('区县'),
  categorycode: code.optional().describe('机构及下级'),
};
/** The filters of every figure. */
export const statisticFilters = {
  ...institutionFilters,
  appid: z.string().max(9).optional().describe('人群'),
  plancode: code.optional().describe('方案'),
  stagecode: code.optional().describe('阶段'),
  year: z.string().max(20).optional().describe('学年'),
  term: z.string().max(2).optional().describe('学期'),
  taskcode: code.optional().describe('任务'),
  teamcode: code.optional().describe('团体'),
  gradecode: code.optional().describe('年级'),
  classname: z.string().max(50).optional().describe('班级'),
  begindate: day.optional().describe('提交日期从'),
  enddate: day.optional().describe('提交日期至'),
};
const filters = z
  .strictObject(statisticFilters)
  .refine(({ begindate, enddate }) => !begindate || !enddate || begindate <= enddate, {
    path: ['enddate'],
    message: '结束日期不能早于开始日期',
  });
/** A rate in percent with one decimal, half up; null when its denominator is 0. */
const rate = z.number().nullable();
/** The number of persons at each of the levels 0 to 4. */
const levels = z.array(z.number()).length(5);

const figure = <Res extends z.ZodType>(name: `as.m.assess.${string}`, title: string, response: Res) =>
  defineAction({ name, title, allow: readers, kind: 'read', request: filters, response });

export const getAssessSchoolCount = defineAction({
  name: 'as.m.assess.getAssessSchoolCount',
  title: '统计机构数',
  allow: forTypes(NON_AUTHORITY_TYPES, staffOf('statistics.school', 'statistics.hospital', 'data.counts')),
  kind: 'read',
  request: filters,
  /** `active`: institutions with at least one submitted sheet */
  response: z.object({ total: z.number(), active: z.number(), inactive: z.number() }),
});

export const getAssessCount = figure(
  'as.m.assess.getAssessCount',
  '统计任务和人次',
  /** `rostercount` and `examcount` count rows (人次) */
  z.object({ taskcount: z.number(), rostercount: z.number(), examcount: z.number() }),
);

export const getAssessPeopleCount = figure(
  'as.m.assess.getAssessPeopleCount',
  '统计应测人数',
  z.object({ total: z.number(), male: z.number(), female: z.number(), unknown: z.number() }),
);

export const getAssessPeopleCompleteCount = figure(
  'as.m.assess.getAssessPeopleCompleteCount',
  '统计完成人数',
  z.object({
    /** 应测: persons on a roster or with a submitted sheet */
    total: z.number(),
    /** 有效: persons with a valid sheet */
    complete: z.number(),
    /** 完成率 = 有效 / 应测 */
    rate,
    /** 实测: persons with a submitted sheet */
    tested: z.number(),
    /** 免测: no sheet, excused for a lasting reason */
    exempt: z.number(),
    /** 缺测: no sheet, absent for another reason */
    absent: z.number(),
    /** 有效 / (应测 − 免测) */
    ratenet: rate,
  }),
);

export const getAssessAbnormalCount = figure(
  'as.m.assess.getAssessAbnormalCount',
  '统计需关注人数',
  z.object({ valid: z.number(), abnormal: z.number(), rate, alert: z.number(), levels }),
);

export const getAssessDayCountTrend = figure(
  'as.m.assess.getAssessDayCountTrend',
  '统计每日提交',
  /** one row a day without gaps, at most 366; `abnormal` counts valid sheets */
  z.array(z.object({ date: z.string(), examcount: z.number(), abnormal: z.number() })),
);

export const getAssessGradeCountTrend = figure(
  'as.m.assess.getAssessGradeCountTrend',
  '按年级统计',
  z.array(
    z.object({
      /** '' for persons without a grade */
      gradecode: z.string(),
      gradename: z.string(),
      total: z.number(),
      complete: z.number(),
      rate,
      abnormal: z.number(),
      abnormalrate: rate,
    }),
  ),
);

export const getClassReportCountRatio = defineAction({
  name: 'as.m.assess.getClassReportCountRatio',
  title: '按班级统计',
  allow: readers,
  kind: 'read',
  request: z.strictObject({ ...statisticFilters, gradecode: code.min(1, '请选择年级').describe('年级') }),
  response: z.array(z.object({ classname: z.string(), total: z.number(), complete: z.number(), levels, abnormalrate: rate })),
});

export const getSceneCountTrend = defineAction({
  name: 'as.m.assess.getSceneCountTrend',
  title: '按场景统计',
  allow: readers,
  kind: 'read',
  request: z.strictObject({ ...statisticFilters, by: z.enum(['month', 'day']).default('month') }),
  response: z.array(
    z.object({
      /** 2025-09, or 2025-09-15 by day */
      period: z.string(),
      items: z.array(z.object({ scenecode: z.string(), scenename: z.string(), count: z.number() })),
    }),
  ),
});

const levelShares = z.object({
  n: z.number(),
  items: z.array(z.object({ level: z.number(), levelname: z.string(), count: z.number(), ratio: rate })),
});
export const getDepressedQuotaCountRatio = figure('as.m.assess.getDepressedQuotaCountRatio', '统计抑郁程度', levelShares);
export const getAnxiousQuotaCountRatio = figure('as.m.assess.getAnxiousQuotaCountRatio', '统计焦虑程度', levelShares);

export const getManAndWomanAbnormalCountRatio = figure(
  'as.m.assess.getManAndWomanAbnormalCountRatio',
  '按性别统计需关注',
  z.array(z.object({ gender: z.string(), valid: z.number(), abnormal: z.number(), rate })),
);

export const getGradeReportCountRatio = figure(
  'as.m.assess.getGradeReportCountRatio',
  '按年级统计程度',
  z.array(
    z.object({
      gradecode: z.string(),
      gradename: z.string(),
      n: z.number(),
      levels: z.array(z.object({ level: z.number(), count: z.number(), ratio: rate })),
    }),
  ),
);

/** Up to when the figures of these filters are complete. Figures over several institutions are counted every few minutes. */
export const getStatisticTime = defineAction({
  name: 'as.m.statistic.getStatisticTime',
  title: '统计数据截至',
  allow: readers,
  kind: 'read',
  request: filters,
  response: z.object({ datatime: z.string() }),
});
