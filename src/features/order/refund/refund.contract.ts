import { z } from 'zod';
import { defineAction, forTypes, OPERATOR_TYPES, staffOf } from '#contract/action.ts';

/**
 * Refunds of paid orders, in part or whole. What counts were free goes back to the seller when the refund begins, and returns when it
 * fails. One refund of an order runs at a time.
 */

const refunders = forTypes(OPERATOR_TYPES, staffOf('order.refund'));
const refundno = z
  .string()
  .regex(/^R\d{20}$/, '退款单号格式不正确')
  .describe('退款单号');

export const refundRow = z.object({
  refundno: z.string(),
  amount: z.number(),
  items: z.array(z.object({ seq: z.number(), goodsname: z.string(), qty: z.number() })),
  reason: z.string(),
  status: z.union([z.literal(0), z.literal(1), z.literal(2), z.literal(3), z.literal(4)]),
  statusname: z.string(),
  /** 1: money that came after the order was cancelled, or twice */
  issurplus: z.number(),
  askedby: z.string(),
  answeredby: z.string(),
  answer: z.string(),
  createtime: z.string(),
  donetime: z.string(),
});

/**
 * Refunds quantities of a paid order. `amount` is their price unless it is named; less needs a reason. Goodwill (all quantities 0) and
 * offline refunds wait for a second human. 150001 when the buyer has used the counts, 140001 while another refund runs.
 */
export const refundOrder = defineAction({
  name: 'as.m.order.refundOrder',
  title: '订单退款',
  allow: refunders,
  kind: 'write',
  sensitive: true,
  request: z.strictObject({
    orderno: z
      .string()
      .regex(/^\d{20}$/, '订单号格式不正确')
      .describe('订单号'),
    items: z
      .array(z.strictObject({ seq: z.number().int(), qty: z.number().int().min(0).describe('数量') }))
      .min(1, '请选择商品')
      .max(20)
      .describe('商品'),
    amount: z.number().int().min(0, '金额不能为负').optional().describe('退款金额'),
    reason: z.string().trim().min(1, '请填写退款原因').max(200, '退款原因不超过 200 个字').describe('退款原因'),
  }),
  response: z.object({ refundno: z.string(), orderstatus: z.number(), status: z.number() }),
});

/** Another human of the seller, or else of the platform, agrees to a refund or rejects it. 110004 for the human who asked. */
export const answerRefund = defineAction({
  name: 'as.m.order.answerRefund',
  title: '复核退款',
  allow: refunders,
  kind: 'write',
  sensitive: true,
  request: z
    .strictObject({
      refundno,
      agree: z.boolean().describe('是否同意'),
      answer: z.string().trim().max(200).default('').describe('说明'),
      /** the number of the bank's repayment; for offline channels */
      refundpayno: z.string().trim().max(64).optional().describe('退款流水号'),
    })
    .refine(({ agree, answer }) => agree || answer !== '', { message: '请填写不同意的原因', path: ['answer'] }),
  response: z.object({ orderstatus: z.number(), status: z.number() }),
});
