import { z } from 'zod';
import { Gender, InterfereKind } from '#domain/base/enums.ts';
import { defineAction, forTypes, NON_AUTHORITY_TYPES, staffOf } from '#contract/action.ts';
import { personName, readableBy } from '#contract/fieldAccess.ts';
import { day } from '#contract/field.ts';
import { pageOf, pageRequest, sortedBy } from '#contract/page.ts';
import { institutionFilters } from '#features/statistics/statistics.contract.ts';

/** The figures of statisticsN: from the authorization to the valid sheet, and what was done (design/statistics.md 4.2). */

const readers = forTypes(NON_AUTHORITY_TYPES, staffOf('statistics.school', 'statistics.hospital'));
const rate = z.number().nullable();

/** Authorizations of the range by their time of grant. */
const funnelFilters = z.strictObject({
  ...institutionFilters,
  appid: z.string().max(9).optional().describe('人群'),
  stagecode: z.string().max(20).optional().describe('阶段'),
  begindate: day.optional().describe('授权日期从'),
  enddate: day.optional().describe('授权日期至'),
});

/** 授权人次: of a cleared authorization only what was used counts. Stages stand in their order; '' is no stage. */
export const getTotalAssessCount = defineAction({
  name: 'as.m.hospital.statistic.getTotalAssessCount',
  title: '统计授权人次',
  allow: readers,
  kind: 'read',
  request: funnelFilters,
  response: z.object({
    total: z.number(),
    stages: z.array(z.object({ stagecode: z.string(), stagename: z.string(), count: z.number() })),
  }),
});

/** The funnel 授权 → 完成 → 需关注 in 人次, in total and by stage. 完成 are valid sheets of these authorizations. */
export const getCompleteAssessCount = defineAction({
  name: 'as.m.hospital.statistic.getCompleteAssessCount',
  title: '统计完成人次',
  allow: readers,
  kind: 'read',
  request: funnelFilters,
  response: z.object({
    authorised: z.number(),
    complete: z.number(),
    rate,
    abnormal: z.number(),
    abnormalrate: rate,
    stages: z.array(
      z.object({
        stagecode: z.string(),
        stagename: z.string(),
        authorised: z.number(),
        complete: z.number(),
        rate,
        abnormal: z.number(),
      }),
    ),
  }),
});

/** The interventions of the filters, the newest first, with their number and the number of persons. */
export const getInterfereRecord = defineAction({
  name: 'as.m.hospital.statistic.getInterfereRecord',
  title: '查询干预统计',
  allow: forTypes(NON_AUTHORITY_TYPES, staffOf('statistics.school', 'statistics.hospital', 'consult.followups')),
  kind: 'read',
  request: pageRequest.extend({
    orderby: sortedBy('begintime'),
    ...institutionFilters,
    appid: z.string().max(9).optional().describe('人群'),
    kind: z.enum(InterfereKind.codes).optional().describe('干预方式'),
    begindate: day.optional().describe('日期从'),
    enddate: day.optional().describe('日期至'),
  }),
  response: pageOf(
    z.object({
      interfereid: z.number(),
      cuserid: z.string(),
      username: personName(),
      gender: z.enum(Gender.codes),
      appid: z.string(),
      kind: z.string(),
      kindname: z.string(),
      begintime: z.string(),
      minutes: z.number(),
      effect: readableBy('cases', z.number().nullable()),
      operatorname: z.string(),
      insname: z.string(),
    }),
  ).extend({
    summary: z.object({
      /** 人次 */
      total: z.number(),
      /** 人数 */
      people: z.number(),
      kinds: z.array(z.object({ kind: z.string(), kindname: z.string(), count: z.number() })),
    }),
  }),
});
