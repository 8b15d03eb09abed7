import { z } from 'zod';
import { defineEnum } from '#domain/base/enum.ts';
import { Gender } from '#domain/base/enums.ts';
import { andHolding, CARE_TYPES, defineAction, forTypes, staffOf } from '#contract/action.ts';
import { readableBy } from '#contract/fieldAccess.ts';
import { pageOf, pageRequest, sortedBy } from '#contract/page.ts';
import { personScreens } from '#contract/population.ts';
import { cuserRow } from '#features/cuser/cuser.contract.ts';
import { statisticFilters } from '#features/statistics/statistics.contract.ts';

/** The persons behind a number of 数据分析 (supplement-people-statistics.md 8.7): the total of a list is the number. */

/** The figures that count persons. `value` is the level of the last three; without it they count the persons with a level. */
export const Measure = defineEnum({
  total: ['total', '应测'],
  tested: ['tested', '实测'],
  untested: ['untested', '未测'],
  exempt: ['exempt', '免测'],
  absent: ['absent', '缺测'],
  complete: ['complete', '有效'],
  abnormal: ['abnormal', '需关注'],
  alert: ['alert', '预警'],
  level: ['level', '总体程度'],
  depressed: ['depressed', '抑郁程度'],
  anxious: ['anxious', '焦虑程度'],
});

/** The measures that tell a result of the persons. */
export const resultMeasures: readonly string[] = [
  Measure.abnormal,
  Measure.alert,
  Measure.level,
  Measure.depressed,
  Measure.anxious,
];

const levelMeasures: readonly string[] = [Measure.level, Measure.depressed, Measure.anxious];

/** How far a person came within the filters. */
export const TestState = defineEnum({
  valid: ['valid', '有效'],
  doubtful: ['doubtful', '作答存疑'],
  withheld: ['withheld', '待补同意'],
  exempt: ['exempt', '免测'],
  absent: ['absent', '缺测'],
  doing: ['doing', '作答中'],
  none: ['none', '未开始'],
});

/** `ofgrade` and `ofclass` of the persons without a grade or class. */
export const NO_PLACE = '-';

const statisticPersonRow = cuserRow.omit({ version: true, guardianstate: true }).extend({
  /** grade and class as the figures count the person */
  gradename: z.string(),
  classname: z.string(),
  teststate: z.enum(TestState.codes),
  /** why the person is 免测 or 缺测 */
  reason: z.string(),
  /** of the latest valid sheet within the filters */
  overalllevel: readableBy('results', z.number().nullable()),
  /** `MentalState` of that sheet */
  resultstate: readableBy('results', z.number().nullable()),
  submittime: z.string().nullable(),
  reportcode: readableBy('results', z.string().nullable()),
  /** interventions since that sheet */
  interferecount: z.number(),
});
export type StatisticPersonRow = z.infer<typeof statisticPersonRow>;

/** Lists the persons that a figure counts. Who may not read results gets 110004 for a measure that tells one. */
export const getStatisticPersonPageList = defineAction({
  name: 'as.m.assess.getStatisticPersonPageList',
  title: '查询统计人员',
  allow: forTypes(CARE_TYPES, andHolding(staffOf(...personScreens), 'statistics.school')),
  kind: 'read',
  request: pageRequest
    .extend({
      orderby: sortedBy('username', 'belongs', 'overalllevel', 'submittime'),
      ...statisticFilters,
      measure: z.enum(Measure.codes).default(Measure.total).describe('指标'),
      value: z.coerce.number().int().min(0).max(4).optional().describe('程度'),
      /** a group of the figure: 00 counts persons of unknown gender */
      ofgender: z.enum(Gender.codes).optional().describe('性别'),
      ofgrade: z.string().max(20).optional().describe('所在年级'),
      ofclass: z.string().max(50).optional().describe('所在班级'),
    })
    .refine(({ measure, value }) => value === undefined || levelMeasures.includes(measure), {
      path: ['value'],
      message: '该指标没有程度',
    }),
  response: pageOf(statisticPersonRow),
});
