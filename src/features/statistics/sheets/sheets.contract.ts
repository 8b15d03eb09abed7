import { z } from 'zod';
import { Gender, Scene } from '#domain/base/enums.ts';
import { andHolding, CARE_TYPES, defineAction, forTypes, staffOf } from '#contract/action.ts';
import { filterBy, personName, readableBy } from '#contract/fieldAccess.ts';
import { flag } from '#contract/field.ts';
import { pageOf, pageRequest, sortedBy } from '#contract/page.ts';
import { personScreens } from '#contract/population.ts';
import { TestState } from '#features/statistics/persons/persons.contract.ts';
import { statisticFilters } from '#features/statistics/statistics.contract.ts';

/** The answer sheets behind a number of 数据分析 that counts 人次: the total of a list is the number. */

const statisticSheetRow = z.object({
  examcode: z.string(),
  cuserid: z.string(),
  username: personName(),
  gender: z.enum(Gender.codes),
  appid: z.string(),
  /** grade and class at the time of the test */
  belongs: z.string(),
  insname: z.string(),
  planname: z.string(),
  taskname: z.string(),
  scenecode: z.string(),
  submittime: z.string(),
  /** valid, doubtful or withheld */
  sheetstate: z.enum(TestState.codes),
  overalllevel: readableBy('results', z.number().nullable()),
  /** `MentalState` of the sheet */
  mentalstate: readableBy('results', z.number().nullable()),
  reportcode: readableBy('results', z.string().nullable()),
});
export type StatisticSheetRow = z.infer<typeof statisticSheetRow>;

/** Lists the submitted sheets that the figures in 人次 count, one row a sheet, which may have several questionnaires. */
export const getStatisticSheetPageList = defineAction({
  name: 'as.m.assess.getStatisticSheetPageList',
  title: '查询统计答卷',
  allow: forTypes(CARE_TYPES, andHolding(staffOf(...personScreens), 'statistics.school')),
  kind: 'read',
  request: pageRequest.extend({
    orderby: sortedBy('submittime', 'username'),
    ...statisticFilters,
    scenecode: z.enum(Scene.codes).optional().describe('测评场景'),
    /** 2025-09: sheets of this month */
    month: z
      .string()
      .regex(/^\d{4}-\d{2}$/, '月份格式为 2025-09')
      .optional()
      .describe('月份'),
    /** valid sheets that need attention */
    isabnormal: filterBy('results', flag.optional().describe('需关注')),
  }),
  response: pageOf(statisticSheetRow),
});
