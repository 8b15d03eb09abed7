import { z } from 'zod';
import { defineAction, forTypes, OPERATOR_TYPES, staffOf } from '#contract/action.ts';
import { day } from '#contract/field.ts';
import { pageOf, pageRequest } from '#contract/page.ts';

/** 对账: each day of a seller, orders against payments, ledger, holds and stock. */

const readers = forTypes(OPERATOR_TYPES, staffOf('operations.orders'));

export const reconcileLine = z.object({
  kind: z.enum(['paid', 'refunded', 'gateway', 'counts', 'holds', 'stock']),
  title: z.string(),
  expected: z.number(),
  actual: z.number(),
  /** 1: the two agree (平) */
  isbalanced: z.number(),
  /** the orders that do not agree */
  ordernos: z.array(z.string()),
});
export type ReconcileLine = z.infer<typeof reconcileLine>;

/** The days of a seller, the latest first. The platform reads those of all sellers unless it names one. */
export const getReconcileList = defineAction({
  name: 'as.m.order.getReconcileList',
  title: '查询对账结果',
  allow: readers,
  kind: 'read',
  request: pageRequest.extend({
    musercode: z.string().max(20).optional().describe('卖方机构'),
    begindate: day.optional().describe('开始日期'),
    enddate: day.optional().describe('结束日期'),
  }),
  response: pageOf(
    z.object({
      /** seller and day, which are unique together */
      key: z.string(),
      musercode: z.string(),
      insname: z.string(),
      day: z.string(),
      paid: z.number(),
      refunded: z.number(),
      isbalanced: z.number(),
      faults: z.number(),
      createtime: z.string(),
    }),
  ),
});

/** The lines of one day. 130001 for a day that was not compared. */
export const getReconcileDetail = defineAction({
  name: 'as.m.order.getReconcileDetail',
  title: '查看对账明细',
  allow: readers,
  kind: 'read',
  request: z.strictObject({ musercode: z.string().max(20).optional(), day }),
  response: z.object({
    musercode: z.string(),
    insname: z.string(),
    day: z.string(),
    createtime: z.string(),
    lines: z.array(reconcileLine),
  }),
});
