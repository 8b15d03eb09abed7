import { z } from 'zod';
import { CountKind } from '#domain/base/enums.ts';
import { defineAction, staffOf } from '#contract/action.ts';
import { personName } from '#contract/fieldAccess.ts';
import { day, flag } from '#contract/field.ts';
import { file } from '#contract/file.ts';
import { pageOf, pageRequest, sortedBy } from '#contract/page.ts';

/** The ledger of counts and the statistics of wallets. The sums of both screens equal the sums of the wallets. */

const region = z.string().regex(/^\d{6}$/, '地区编码不正确');
const institution = {
  musercode: z.string().max(20).optional().describe('机构'),
  provincecode: region.optional().describe('省'),
  citycode: region.optional().describe('市'),
  districtcode: region.optional().describe('区县'),
  /** an institution and everything below it */
  categorycode: z.string().max(20).optional().describe('机构及下级'),
  appid: z.string().max(9).optional().describe('人群'),
  /** a plan, or '*' for counts of any plan */
  plancode: z.string().max(20).optional().describe('方案'),
  begindate: day.optional().describe('开始日期'),
  enddate: day.optional().describe('结束日期'),
};
const balance = {
  granted: z.number(),
  used: z.number(),
  frozen: z.number(),
  expired: z.number(),
  free: z.number(),
};

export const ledgerRow = z.object({
  logid: z.number(),
  time: z.string(),
  musercode: z.string(),
  insname: z.string(),
  plancode: z.string(),
  planname: z.string(),
  /** the plan for which counts for any plan were frozen or used; '' for other lines */
  forplan: z.string(),
  forplanname: z.string(),
  kind: z.enum(CountKind.codes),
  kindname: z.string(),
  qty: z.number(),
  balance: z.number(),
  username: personName(),
  /** the institution that the counts came from or went to */
  partyname: z.string(),
  operatorname: z.string(),
  remark: z.string(),
  /** the last day of the counts that were granted, taken back or expired; null: none, or a line without a lot */
  enddate: z.string().nullable(),
});
export type LedgerRow = z.infer<typeof ledgerRow>;

const details = {
  ...institution,
  kind: z.enum(CountKind.codes).optional().describe('类型'),
  /** lines that froze, used or released counts for this plan, of every wallet */
  forplan: z.string().max(20).optional().describe('使用方案'),
};

export const getPlanAuthorizeDetails = defineAction({
  name: 'as.m.hospital.statistic.getPlanAuthorizeDetails',
  title: '查询方案授权明细',
  allow: staffOf('data.details'),
  kind: 'read',
  request: pageRequest.extend({ ...details, orderby: sortedBy('time') }),
  /** `sum` and `kinds` add up all lines of the filters, not only those of the page. */
  response: pageOf(ledgerRow).extend({
    sum: z.object(balance),
    kinds: z.array(z.object({ kind: z.enum(CountKind.codes), lines: z.number(), qty: z.number() })),
  }),
});

export const exportPlanAuthorizeDetails = defineAction({
  name: 'as.m.hospital.statistic.exportPlanAuthorizeDetails',
  title: '导出方案授权明细',
  allow: staffOf('data.details'),
  kind: 'export',
  request: z.strictObject(details),
  response: file,
});

export const countRow = z.object({
  /** institution and plan, for lists */
  key: z.string(),
  musercode: z.string(),
  insname: z.string(),
  plancode: z.string(),
  planname: z.string(),
  ...balance,
  /** a wallet for any plan: its used counts (in the days of the filter) and its frozen counts (now), by plan */
  uses: z.array(z.object({ plancode: z.string(), planname: z.string(), used: z.number(), frozen: z.number() })),
  /** the persons with at least one freeze, each counted once */
  peoplecount: z.number(),
  lastusetime: z.string().nullable(),
  /** the next last day of free counts, and the number that ends then */
  enddate: z.string().nullable(),
  ending: z.number(),
  expiring: z.number(),
  low: z.number(),
});
export type CountRow = z.infer<typeof countRow>;

const statistics = {
  ...institution,
  /** 1: less than a tenth is free */
  low: flag.optional().describe('余量不足'),
  /** 1: ends within 30 days or has ended */
  expiring: flag.optional().describe('即将到期'),
};

/**
 * Wallets by institution and plan. With dates, granted, used, expired, persons and last use are those of these days; frozen and
 * free are always the current figures.
 */
export const getPlanAuthorizeCount = defineAction({
  name: 'as.m.hospital.statistic.getPlanAuthorizeCount',
  title: '查询方案授权统计',
  allow: staffOf('data.counts'),
  kind: 'read',
  request: pageRequest.extend({
    ...statistics,
    orderby: sortedBy('insname', 'granted', 'used', 'frozen', 'expired', 'free', 'enddate'),
  }),
  response: pageOf(countRow).extend({ sum: z.object({ ...balance, peoplecount: z.number() }) }),
});

/** Exports the wallets of the filters with their sums as a worksheet. */
export const exportPlanAuthorizeCount = defineAction({
  name: 'as.m.hospital.statistic.exportPlanAuthorizeCount',
  title: '导出方案授权统计',
  allow: staffOf('data.counts'),
  kind: 'export',
  request: z.strictObject(statistics),
  response: file,
});
