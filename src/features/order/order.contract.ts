import { z } from 'zod';
import { GoodsType, InvoiceStatus, PayChannel, type OrderStatusCode } from '#domain/order/order.ts';
import { defineAction, forTypes, NON_AUTHORITY_TYPES, OPERATOR_TYPES, staffOf } from '#contract/action.ts';
import { contactPhone, day } from '#contract/field.ts';
import { file } from '#contract/file.ts';
import { pageOf, pageRequest, sortedBy } from '#contract/page.ts';
import { refundRow } from '#features/order/refund/refund.contract.ts';

/**
 * 订单管理 and 选购. A buyer sees its own orders, a seller those of its goods, the platform all. Amounts are 分. Every step moves status,
 * stock, counts and log in one transaction, by `nextStatus` of the domain.
 */

export const orderReaders = forTypes(NON_AUTHORITY_TYPES, staffOf('operations.orders'));
const buyers = forTypes(['002', '004', '005'], staffOf('operations.orders'));
export const orderSellers = forTypes(OPERATOR_TYPES, staffOf('operations.orders'));

export const orderno = z
  .string()
  .regex(/^\d{20}$/, '订单号格式不正确')
  .describe('订单号');
export const orderstatus = z.union([1, 2, 3, 4, 5, 10, 11].map((code) => z.literal(code as OrderStatusCode)));

const filters = {
  /** which side: 'sold' orders of the caller's goods, 'bought' its own; absent: both, and all for the platform */
  side: z.enum(['sold', 'bought']).optional().describe('范围'),
  musercode: z.string().max(20).optional().describe('买方机构'),
  orderno: z.string().trim().max(20).optional().describe('订单号'),
  orderstatus: z.array(z.coerce.number().pipe(orderstatus)).max(7).optional().describe('状态'),
  goodsname: z.string().trim().max(60).optional().describe('商品名称'),
  paychannel: z.enum(PayChannel.codes).optional().describe('支付方式'),
  begindate: day.optional().describe('开始日期'),
  enddate: day.optional().describe('结束日期'),
};

export const orderRow = z.object({
  orderno: z.string(),
  musercode: z.string(),
  insname: z.string(),
  sellermusercode: z.string(),
  sellername: z.string(),
  /** the first goods, and how many others */
  goodsname: z.string(),
  goodscount: z.number(),
  totalamount: z.number(),
  payamount: z.number(),
  refundamount: z.number(),
  orderstatus,
  statusname: z.string(),
  paychannel: z.enum(PayChannel.codes).nullable(),
  createtime: z.string(),
  paytime: z.string(),
  expiretime: z.string(),
  invoicestatus: z.enum(InvoiceStatus.codes),
});
export type OrderRow = z.infer<typeof orderRow>;

/** A page of orders, the latest first, with the sums of all orders that fit the filters. */
export const getOrderPageList = defineAction({
  name: 'as.m.order.getOrderPageList',
  title: '查询订单',
  allow: orderReaders,
  kind: 'read',
  request: pageRequest.extend({ orderby: sortedBy('createtime', 'payamount', 'paytime'), ...filters }),
  response: pageOf(orderRow).extend({
    sums: z.object({ totalamount: z.number(), payamount: z.number(), refundamount: z.number() }),
  }),
});

/** The number and the amount of orders by status. */
export const getOrderStatusCount = defineAction({
  name: 'as.m.order.getOrderStatusCount',
  title: '统计订单状态',
  allow: orderReaders,
  kind: 'read',
  request: z.strictObject({
    side: filters.side,
    musercode: filters.musercode,
    begindate: filters.begindate,
    enddate: filters.enddate,
  }),
  response: z.array(z.object({ orderstatus, statusname: z.string(), count: z.number(), amount: z.number() })),
});

export const orderItem = z.object({
  seq: z.number(),
  goodsid: z.number(),
  goodsname: z.string(),
  goodstype: z.enum(GoodsType.codes),
  coverurl: z.string(),
  price: z.number(),
  qty: z.number(),
  amount: z.number(),
  planname: z.string(),
  /** counts of one unit */
  countqty: z.number(),
  /** the last day of what was bought; '' without end or before the payment */
  enddate: z.string(),
  delivered: z.number(),
  refundedqty: z.number(),
  /** how many may go back now: bought, not refunded, and of counts only free ones */
  refundable: z.number(),
});

export type OrderItem = z.infer<typeof orderItem>;

/** What the caller may do with the order now; the console shows a button for each. */
export const orderActions = [
  'pay',
  'cancel',
  'recordtransfer',
  'confirmtransfer',
  'rejecttransfer',
  'refund',
  'answerrefund',
  'deliver',
  'invoice',
] as const;

/** An order with its items, refunds and log. 130001 for one of others. */
export const getOrderDetail = defineAction({
  name: 'as.m.order.getOrderDetail',
  title: '查看订单',
  allow: orderReaders,
  kind: 'read',
  request: z.strictObject({ orderno }),
  response: orderRow.extend({
    items: z.array(orderItem),
    refunds: z.array(refundRow),
    log: z.array(
      z.object({
        time: z.string(),
        event: z.string(),
        fromstatus: z.number().nullable(),
        tostatus: z.number(),
        content: z.string(),
        operatorname: z.string(),
      }),
    ),
    actions: z.array(z.enum(orderActions)),
    /** the channels by which the order can be paid here: online ones only where the operator has their gateway */
    paychannels: z.array(z.enum(PayChannel.codes)),
    payno: z.string(),
    /** a link of the voucher, '' without one */
    voucherurl: z.string(),
    transfer: z.object({ payno: z.string(), date: z.string(), amount: z.number(), recordedby: z.string() }).nullable(),
    receiver: z.string(),
    receiverphone: z.string(),
    receiveraddress: z.string(),
    invoicetitle: z.string(),
    taxno: z.string(),
    invoiceno: z.string(),
    cancelreason: z.string(),
    remark: z.string(),
  }),
});

/**
 * Orders goods of one seller above the caller's institution. Takes stock and holds the seller's free counts. The same `clientkey`
 * returns the same order. 130001 for goods that are not on sale for the caller, 140001 for a changed price or no stock, 150001 when the
 * seller has too few counts. A price of 0 is paid at once.
 */
export const insertOrder = defineAction({
  name: 'as.m.order.insertOrder',
  title: '提交订单',
  allow: buyers,
  kind: 'write',
  request: z.strictObject({
    items: z
      .array(
        z.strictObject({
          goodsid: z.number().int().positive(),
          qty: z.number().int().min(1, '数量应大于 0').max(10_000, '一次最多 10000 份').describe('数量'),
          /** the price that the buyer saw; 140001 when it has changed */
          price: z.number().int().optional(),
        }),
      )
      .min(1, '请选择商品')
      .max(20, '一次最多 20 种商品')
      .describe('商品'),
    paychannel: z.enum(PayChannel.codes).default('03').describe('支付方式'),
    clientkey: z.uuid().optional(),
    receiver: z.string().trim().max(30).default('').describe('收货人'),
    receiverphone: contactPhone.or(z.literal('')).default('').describe('收货电话'),
    receiveraddress: z.string().trim().max(200).default('').describe('收货地址'),
    invoicetitle: z.string().trim().max(60).default('').describe('发票抬头'),
    taxno: z.string().trim().max(20).default('').describe('税号'),
    remark: z.string().trim().max(200).default('').describe('备注'),
  }),
  response: z.object({ orderno: z.string(), payamount: z.number(), orderstatus, expiretime: z.string() }),
});

/**
 * Begins the payment: 1 or 4 → 2. Online channels answer an address and a QR text of the gateway. A transfer needs the voucher, and
 * waits for the seller. In 支付中 the same online channel answers its address again. 140001 in another status or after the order has
 * expired.
 */
export const payOrder = defineAction({
  name: 'as.m.order.payOrder',
  title: '支付订单',
  allow: buyers,
  kind: 'write',
  request: z
    .strictObject({
      orderno,
      paychannel: z.enum(PayChannel.codes).describe('支付方式'),
      voucherfileid: z.uuid().optional().describe('转账凭证'),
    })
    .refine(({ paychannel, voucherfileid }) => paychannel !== '03' || voucherfileid !== undefined, {
      message: '请上传转账凭证',
      path: ['voucherfileid'],
    }),
  response: z.object({ orderstatus, payurl: z.string(), qrcode: z.string() }),
});

/** The status of an order whose payment was begun. In 支付中 it asks the gateway. */
export const getPayResult = defineAction({
  name: 'as.m.order.getPayResult',
  title: '查询支付结果',
  allow: buyers,
  kind: 'write',
  request: z.strictObject({ orderno }),
  response: z.object({ orderstatus }),
});

/** One human of the seller records what the transfer says: its number, day and exact amount (120002 when it is not the amount due). */
export const recordTransfer = defineAction({
  name: 'as.m.order.recordOfflinePay',
  title: '登记线下到账',
  allow: orderSellers,
  kind: 'write',
  request: z.strictObject({
    orderno,
    payno: z.string().trim().min(1, '请填写银行流水号').max(64, '流水号不超过 64 个字').describe('流水号'),
    date: day.describe('到账日期'),
    amount: z.number().int().min(1).describe('到账金额'),
  }),
  response: z.object({}),
});

/**
 * Another human of the seller, or else of the platform, confirms the recorded transfer: → 3. 110004 for the human who recorded it and
 * for shared accounts, 120002 when number or amount differ from the record.
 */
export const confirmOfflinePay = defineAction({
  name: 'as.m.order.confirmOfflinePay',
  title: '确认线下到账',
  allow: orderSellers,
  kind: 'write',
  request: z.strictObject({
    orderno,
    payno: z.string().trim().max(64).describe('流水号'),
    amount: z.number().int().describe('到账金额'),
  }),
  response: z.object({ orderstatus }),
});

/** The seller found no such transfer: 2 → 4. The buyer may pay again. */
export const rejectOfflinePay = defineAction({
  name: 'as.m.order.rejectOfflinePay',
  title: '驳回转账凭证',
  allow: orderSellers,
  kind: 'write',
  request: z.strictObject({ orderno, reason: z.string().trim().min(1, '请填写原因').max(200).describe('原因') }),
  response: z.object({ orderstatus }),
});

/** Cancels an unpaid order: 1 or 4 → 5, by the buyer or the seller. Stock and counts go back. */
export const cancelOrder = defineAction({
  name: 'as.m.order.cancelOrder',
  title: '取消订单',
  allow: orderReaders,
  kind: 'write',
  request: z.strictObject({ orderno, reason: z.string().trim().min(1, '请填写原因').max(200).describe('原因') }),
  response: z.object({ orderstatus }),
});

/** The seller delivered a service or a thing. What was delivered cannot be refunded. */
export const deliverOrder = defineAction({
  name: 'as.m.order.deliverOrder',
  title: '登记交付',
  allow: orderSellers,
  kind: 'write',
  request: z.strictObject({ orderno, seq: z.number().int(), delivered: z.union([z.literal(0), z.literal(1)]) }),
  response: z.object({}),
});

/** The buyer asks for an invoice, or the seller notes its number. */
export const updateInvoice = defineAction({
  name: 'as.m.order.updateInvoice',
  title: '登记发票',
  allow: orderReaders,
  kind: 'write',
  request: z.strictObject({
    orderno,
    invoicetitle: z.string().trim().max(60).optional().describe('发票抬头'),
    taxno: z.string().trim().max(20).optional().describe('税号'),
    invoiceno: z.string().trim().max(40).optional().describe('发票号码'),
  }),
  response: z.object({ invoicestatus: z.enum(InvoiceStatus.codes) }),
});

/** The orders that fit the filters as a workbook, one row an item. */
export const exportOrderList = defineAction({
  name: 'as.m.order.exportOrderList',
  title: '导出订单',
  allow: orderSellers,
  kind: 'export',
  request: z.strictObject(filters),
  response: file,
});
