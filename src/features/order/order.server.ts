import { shanghaiTime } from '#domain/base/calendar.ts';
import {
  holdsGoods,
  InvoiceStatus,
  isOnline,
  OrderStatus,
  PayChannel,
  RefundStatus,
  wasPaid,
  type OrderStatusCode,
} from '#domain/order/order.ts';
import { platformCode } from '#domain/tenant/tenantTree.ts';
import { isPermitted } from '#contract/action.ts';
import { handle, type ReadContext } from '#server/dispatch/handle.ts';
import { planNameOf } from '#features/assesscount/planName.ts';
import { findAttachedFiles } from '#features/file/attachments.ts';
import { findContentLinks } from '#features/file/content/contentFiles.ts';
import { exportHandlers } from '#features/order/export.server.ts';
import * as contract from '#features/order/order.contract.ts';
import * as queries from '#features/order/order.queries.ts';
import { requireOrder } from '#features/order/parties.ts';
import { payHandlers } from '#features/order/pay.server.ts';
import { placeHandlers } from '#features/order/place.server.ts';
import { refundOrder as refundAction } from '#features/order/refund/refund.contract.ts';
import { findRefunds } from '#features/order/refund/refund.queries.ts';
import { findRefundable } from '#features/order/refund/refund.ts';
import { refundHandlers } from '#features/order/refund/refund.server.ts';

/** Reading orders. */

const toMinute = (time: Date | null) => (time ? shanghaiTime(time).slice(0, 16) : '');

const toRow = (row: queries.OrderLine) => ({
  ...row,
  orderstatus: row.orderstatus as OrderStatusCode,
  statusname: OrderStatus.label(row.orderstatus),
  paychannel: row.paychannel as contract.OrderRow['paychannel'],
  invoicestatus: row.invoicestatus as contract.OrderRow['invoicestatus'],
  createtime: toMinute(row.createtime),
  paytime: toMinute(row.paytime),
  expiretime: toMinute(row.expiretime),
});

const getOrderPageList = handle(contract.getOrderPageList, async (request, { scope, caller }) => {
  const { sums, rows } = await queries.findOrders(scope, caller.musercode, queries.toOrderFilters(request));
  const { total, ...amounts } = sums;
  return { total, rows: rows.map(toRow), sums: amounts };
});

const getOrderStatusCount = handle(contract.getOrderStatusCount, async (request, { scope, caller }) => {
  const counts = new Map(
    (await queries.countByStatus(scope, caller.musercode, queries.toOrderFilters(request))).map((row) => [row.orderstatus, row]),
  );
  return OrderStatus.codes.map((orderstatus) => ({
    ...{ orderstatus, statusname: OrderStatus.label(orderstatus) },
    count: counts.get(orderstatus)?.count ?? 0,
    amount: counts.get(orderstatus)?.amount ?? 0,
  }));
});

/** What the caller may do with an order now. */
function findActions(
  order: queries.FoundOrder,
  { caller }: Pick<ReadContext<'staff'>, 'caller'>,
  {
    hasAskedRefund,
    hasRunningRefund,
    hasOwedMoney,
    hasDeliverable,
  }: Record<'hasAskedRefund' | 'hasRunningRefund' | 'hasOwedMoney' | 'hasDeliverable', boolean>,
): (typeof contract.orderActions)[number][] {
  const status = order.orderstatus as OrderStatusCode;
  const isBuyer = order.musercode === caller.musercode;
  const isSeller = order.sellermusercode === caller.musercode || caller.musercode === platformCode;
  const canRefund = isPermitted(refundAction.allow, caller.codes, caller.musertype);
  const canPay = status === OrderStatus.pending || status === OrderStatus.failed;
  const isTransfer = status === OrderStatus.paying && order.paychannel !== null && !isOnline(order.paychannel);
  const isOpen = wasPaid(status) && status !== OrderStatus.refunded;
  const able: Record<(typeof contract.orderActions)[number], boolean> = {
    pay: isBuyer && canPay,
    cancel: canPay && holdsGoods(status),
    recordtransfer: isSeller && isTransfer,
    confirmtransfer: isSeller && isTransfer && order.transferno !== null,
    rejecttransfer: isSeller && isTransfer,
    refund: isSeller && canRefund && isOpen && !hasAskedRefund && !hasRunningRefund,
    answerrefund: isSeller && canRefund && (hasAskedRefund || hasOwedMoney),
    deliver: isSeller && isOpen && hasDeliverable,
    invoice: wasPaid(status) && (isSeller || order.invoicestatus !== InvoiceStatus.issued),
  };
  return contract.orderActions.filter((action) => able[action]);
}

const getOrderDetail = handle(contract.getOrderDetail, async ({ orderno }, ctx) => {
  const { scope, now, cipher } = ctx;
  const order = await requireOrder(ctx, orderno);
  const items = await queries.findItemLines(scope, orderno);
  const refunds = await findRefunds(scope, orderno);
  const covers = await findContentLinks(
    ctx,
    items.map(({ coverfileid }) => coverfileid),
  );
  const refundable = new Map(
    (await findRefundable(scope, order, now)).map((item) => [
      item.seq,
      item.countqty > 0
        ? Math.min(item.qty - item.refundedqty, Math.floor(item.freecounts / item.countqty))
        : item.qty - item.refundedqty,
    ]),
  );
  const voucher = (await findAttachedFiles(ctx, [`order:${orderno}`])).get(`order:${orderno}`)?.at(-1);
  const hasRefund = (issurplus: number, status: number) =>
    refunds.some((refund) => refund.issurplus === issurplus && refund.status === status);
  return {
    ...toRow(order),
    items: items.map(({ plancode, planname, coverfileid, enddate, ...item }) => ({
      ...item,
      goodstype: item.goodstype as contract.OrderItem['goodstype'],
      planname: plancode === null ? '' : planNameOf(plancode, planname),
      coverurl: covers.get(coverfileid ?? '')?.url ?? '',
      enddate: enddate ?? '',
      refundable: wasPaid(order.orderstatus as OrderStatusCode) ? (refundable.get(item.seq) ?? 0) : 0,
    })),
    refunds: refunds.map((refund) => ({
      ...{ refundno: refund.refundno, amount: refund.amount, reason: refund.reason, issurplus: refund.issurplus },
      ...{ askedby: refund.askedby, answeredby: refund.answeredby ?? '', answer: refund.answer },
      status: refund.status as 0 | 1 | 2 | 3 | 4,
      statusname: RefundStatus.label(refund.status),
      items: (refund.items as { seq: number; qty: number }[]).map((ask) => ({
        ...ask,
        goodsname: items.find(({ seq }) => seq === ask.seq)?.goodsname ?? '',
      })),
      createtime: toMinute(refund.createtime),
      donetime: toMinute(refund.donetime),
    })),
    log: (await queries.findLog(scope, orderno)).map((line) => ({ ...line, time: shanghaiTime(line.time) })),
    actions: findActions(order, ctx, {
      hasAskedRefund: hasRefund(0, RefundStatus.waiting),
      hasRunningRefund: hasRefund(0, RefundStatus.running),
      // The server began this refund and no gateway sends the money back: somebody notes the repayment.
      hasOwedMoney:
        !isOnline(order.paychannel ?? PayChannel.offline) &&
        refunds.some(({ status, askkeys }) => status === RefundStatus.running && askkeys.length === 0),
      hasDeliverable: items.some(({ goodstype }) => goodstype === '03' || goodstype === '04'),
    }),
    paychannels: PayChannel.codes.filter((channel) => !isOnline(channel) || ctx.gateways?.[channel]),
    payno: order.payno ?? '',
    ...{ receiver: order.receiver, receiveraddress: order.receiveraddress },
    ...{ invoicetitle: order.invoicetitle, taxno: order.taxno, invoiceno: order.invoiceno },
    ...{ cancelreason: order.cancelreason, remark: order.remark },
    voucherurl: voucher?.url ?? '',
    transfer:
      order.transferno === null
        ? null
        : {
            ...{ payno: order.transferno, date: order.transferdate ?? '', amount: order.transferamount ?? 0 },
            recordedby: order.transferby ?? '',
          },
    receiverphone: order.receiverphone && cipher.decrypt(order.musercode, `order:${orderno}`, order.receiverphone),
  };
});

export const orderHandlers = [
  getOrderPageList,
  getOrderStatusCount,
  getOrderDetail,
  ...placeHandlers,
  ...payHandlers,
  ...refundHandlers,
  ...exportHandlers,
];
