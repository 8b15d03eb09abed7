import { z } from 'zod';
import { defineEnum } from '#domain/base/enum.ts';
import { andHolding, CARE_TYPES, defineAction, forTypes, staffOf } from '#contract/action.ts';
import { day } from '#contract/field.ts';
import { pageOf, pageRequest, sortedBy } from '#contract/page.ts';
import { personScreens } from '#contract/population.ts';
import { cuserRow } from '#features/cuser/cuser.contract.ts';

/** Coverage of the stages at one institution, in 人数: of the persons whose stage was due, how many were tested. */

const readers = forTypes(CARE_TYPES, staffOf('statistics.school', 'statistics.hospital'));
/** Stages whose window was open within the range; without a range those that were ever due up to today. */
const filters = {
  appid: z.string().length(9).default('000000001').describe('人群'),
  musercode: z.string().max(20).optional().describe('机构'),
  begindate: day.optional().describe('日期从'),
  enddate: day.optional().describe('日期至'),
};

export const getStageCoverage = defineAction({
  name: 'as.m.hospital.statistic.getStageCoverage',
  title: '统计阶段覆盖',
  allow: readers,
  kind: 'read',
  request: z.strictObject(filters),
  response: z.array(
    z.object({
      stagecode: z.string(),
      stagename: z.string(),
      /** 应测: persons in care whose stage was due */
      due: z.number(),
      /** 已测: of these, persons with a valid sheet of the stage */
      tested: z.number(),
      untested: z.number(),
      /** 漏测: of the untested, persons whose window has ended */
      missed: z.number(),
      rate: z.number().nullable(),
    }),
  ),
});

/** What a figure of the coverage counts. */
export const Coverage = defineEnum({
  due: ['due', '应测'],
  tested: ['tested', '已测'],
  untested: ['untested', '未测'],
  missed: ['missed', '漏测'],
});

const stagePersonRow = cuserRow
  .pick({
    cuserid: true,
    username: true,
    gender: true,
    age: true,
    appid: true,
    belongs: true,
    gestation: true,
    edcdate: true,
    lastexamtime: true,
    ownername: true,
  })
  .extend({
    archiveno: z.string(),
    /** person and stage: without a stage in the request a person may have several rows */
    rowkey: z.string(),
    /** the stage that was due */
    stagename: z.string(),
    coverage: z.enum(Coverage.codes),
    /** the last day of the window; null when it has no end */
    until: z.string().nullable(),
  });
export type StagePersonRow = z.infer<typeof stagePersonRow>;

/** Lists the persons that a figure of the coverage counts. Those whose window ends first come first. */
export const getStagePersonPageList = defineAction({
  name: 'as.m.hospital.statistic.getStagePersonPageList',
  title: '查询阶段覆盖人员',
  allow: forTypes(CARE_TYPES, andHolding(staffOf(...personScreens), 'statistics.hospital')),
  kind: 'read',
  request: pageRequest.extend({
    orderby: sortedBy('username', 'until', 'lastexamtime'),
    ...filters,
    /** without it the persons of every stage */
    stagecode: z.string().max(10).optional().describe('阶段'),
    coverage: z.enum(Coverage.codes).default(Coverage.due).describe('覆盖'),
  }),
  response: pageOf(stagePersonRow),
});
