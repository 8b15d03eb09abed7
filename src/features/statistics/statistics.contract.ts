import { z } from 'zod';
import { ALL_TYPES, defineAction, forTypes, staffOf, type Action, type ResponseOf } from '#contract/action.ts';
import { day } from '#contract/field.ts';

/**
 * The figures of 数据分析 (design/statistics.md 4, supplement-people-statistics.md 8). Every call takes the same filters and counts the
 * same base sets (`baseSets.queries.ts`): roster, submitted sheets, persons, and each person's latest valid sheet. An authority gets the
 * figures of the release (`src/features/bureau`).
 */

const readers = forTypes(ALL_TYPES, staffOf('statistics.school', 'statistics.hospital'));
/** Days, scenes and classes are not in the release, so these calls are closed to authorities. */
const careReaders = staffOf('statistics.school', 'statistics.hospital');

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

/** The figures, with `count` as the type of a count of persons. */
const figures = <Count extends z.ZodType>(count: Count) => ({
  /** `rostercount` and `examcount` count rows (人次) */
  rows: { taskcount: count, rostercount: count, examcount: count },
  people: { total: count, male: count, female: count, unknown: count },
  completion: {
    /** 应测: persons on a roster or with a submitted sheet */
    total: count,
    /** 有效: persons with a valid sheet */
    complete: count,
    /** 完成率 = 有效 / 应测; of an authority 实测 / 应测 */
    rate,
    /** 实测: persons with a submitted sheet */
    tested: count,
    /** 免测: no sheet, excused for a lasting reason */
    exempt: count,
    /** 缺测: no sheet, absent for another reason */
    absent: count,
    /** 有效 / (应测 − 免测); of an authority 实测 / (应测 − 免测) */
    ratenet: rate,
  },
  /** `levels`: the number of persons at each of the levels 0 to 4 */
  attention: { valid: count, abnormal: count, rate, alert: count, levels: z.array(count).length(5) },
  grade: {
    /** '' for persons without a grade */
    gradecode: z.string(),
    gradename: z.string(),
    total: count,
    complete: count,
    rate,
    abnormal: count,
    abnormalrate: rate,
  },
  levelShares: {
    n: count,
    items: z.array(z.object({ level: z.number(), levelname: z.string(), count, ratio: rate })),
  },
  gender: { gender: z.string(), valid: count, abnormal: count, rate },
  gradeLevels: {
    gradecode: z.string(),
    gradename: z.string(),
    n: count,
    levels: z.array(z.object({ level: z.number(), count, ratio: rate })),
  },
});
const own = figures(z.number());
const released = figures(z.number().nullable());
/** Only figures of the release have it. 1: a count is null, because it is small, not released yet or never released. */
const suppressed = z.number();
/** The marker comes first in a union: an own figure does not have it. */
export const ofCaller = <Released extends z.ZodRawShape, Own extends z.ZodRawShape>(shape: Released, ownShape: Own) =>
  z.union([z.object({ ...shape, suppressed }), z.object(ownShape)]);
type OwnRow<T> = Exclude<T, { suppressed: number }>;
type OwnOf<T> = T extends readonly (infer Row)[] ? OwnRow<Row>[] : OwnRow<T>;
/** The figures of institutions that read their own rows: no count is hidden. */
export type OwnFigures<A extends Action> = OwnOf<ResponseOf<A>>;

/** Returns an answer as the figures of an institution's own rows. Throws for figures of the release. */
export function toOwnFigures<T extends object>(answer: T): OwnOf<T> {
  const isReleased = (row: unknown) => typeof row === 'object' && row !== null && 'suppressed' in row;
  if ([answer].flat().some(isReleased)) throw new TypeError('figures of the release');
  return answer as OwnOf<T>;
}

const figure = <Res extends z.ZodType>(
  name: `as.m.assess.${string}`,
  title: string,
  response: Res,
  allow: typeof readers = readers,
) => defineAction({ name, title, allow, kind: 'read', request: filters, response });

export const getAssessSchoolCount = figure(
  'as.m.assess.getAssessSchoolCount',
  '统计机构数',
  /** `active`: institutions with at least one submitted sheet; an authority counts institutions with five tested persons or more */
  z.object({ total: z.number(), active: z.number(), inactive: z.number() }),
  forTypes(ALL_TYPES, staffOf('statistics.school', 'statistics.hospital', 'data.counts')),
);

export const getAssessCount = figure('as.m.assess.getAssessCount', '统计任务和人次', ofCaller(released.rows, own.rows));

export const getAssessPeopleCount = figure(
  'as.m.assess.getAssessPeopleCount',
  '统计应测人数',
  ofCaller(released.people, own.people),
);

export const getAssessPeopleCompleteCount = figure(
  'as.m.assess.getAssessPeopleCompleteCount',
  '统计完成人数',
  ofCaller(released.completion, own.completion),
);

export const getAssessAbnormalCount = figure(
  'as.m.assess.getAssessAbnormalCount',
  '统计需关注人数',
  ofCaller(released.attention, own.attention),
);

export const getAssessDayCountTrend = figure(
  'as.m.assess.getAssessDayCountTrend',
  '统计每日提交',
  /** one row a day without gaps, at most 366; `abnormal` counts valid sheets */
  z.array(z.object({ date: z.string(), examcount: z.number(), abnormal: z.number() })),
  careReaders,
);

export const getAssessGradeCountTrend = figure(
  'as.m.assess.getAssessGradeCountTrend',
  '按年级统计',
  /** of an authority also 实测 */
  z.array(ofCaller({ ...released.grade, tested: z.number() }, own.grade)),
);

export const getClassReportCountRatio = defineAction({
  name: 'as.m.assess.getClassReportCountRatio',
  title: '按班级统计',
  allow: careReaders,
  kind: 'read',
  request: z.strictObject({ ...statisticFilters, gradecode: code.min(1, '请选择年级').describe('年级') }),
  response: z.array(
    z.object({
      classname: z.string(),
      total: z.number(),
      complete: z.number(),
      levels: own.attention.levels,
      abnormalrate: rate,
    }),
  ),
});

export const getSceneCountTrend = defineAction({
  name: 'as.m.assess.getSceneCountTrend',
  title: '按场景统计',
  allow: careReaders,
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

const levelShares = ofCaller(released.levelShares, own.levelShares);
export const getDepressedQuotaCountRatio = figure('as.m.assess.getDepressedQuotaCountRatio', '统计抑郁程度', levelShares);
export const getAnxiousQuotaCountRatio = figure('as.m.assess.getAnxiousQuotaCountRatio', '统计焦虑程度', levelShares);

export const getManAndWomanAbnormalCountRatio = figure(
  'as.m.assess.getManAndWomanAbnormalCountRatio',
  '按性别统计需关注',
  z.array(ofCaller(released.gender, own.gender)),
);

export const getGradeReportCountRatio = figure(
  'as.m.assess.getGradeReportCountRatio',
  '按年级统计程度',
  z.array(ofCaller(released.gradeLevels, own.gradeLevels)),
);

/** Up to when the figures of these filters are complete. Figures over several institutions are counted every few minutes. */
export const getStatisticTime = defineAction({
  name: 'as.m.statistic.getStatisticTime',
  title: '统计数据截至',
  allow: readers,
  kind: 'read',
  request: filters,
  /** '' for an authority before the release */
  response: z.object({ datatime: z.string() }),
});
