import { fromShanghai } from '#domain/base/calendar.ts';
import { formatYuan } from '#domain/base/money.ts';
import { InvoiceStatus, isOnline, OrderStatus, type OrderStatusCode } from '#domain/order/order.ts';
import { problems } from '#contract/problem.ts';
import { handle, type Context } from '#server/dispatch/handle.ts';
import { claimFiles } from '#features/file/attachments.ts';
import type { PayGateway } from '#server/pay/gateway.ts';
import { takeNotice } from '#features/order/takeNotice.ts';
import * as contract from '#features/order/order.contract.ts';
import { actorOf, requireBought, requireOrder, requireSold } from '#features/order/parties.ts';
import { notifyBuyer, notifySeller } from '#features/order/notify.ts';
import { assertPayable, beginPayment, failPayment, requireLocked, takePayment, withOrders } from '#features/order/step.ts';
import * as steps from '#features/order/step.queries.ts';
import { assertSecondHuman, findActor } from '#features/warning/handling/transition.ts';

/** Paying: through a gateway, or by a transfer that two humans of the seller confirm. */

const asStatus = (status: number) => status as OrderStatusCode;

/** The gateway of an online channel; 170001 when the operator has none. */
function requireGateway({ gateways }: Pick<Context<'staff'>, 'gateways'>, paychannel: string): PayGateway {
  const gateway = gateways?.[paychannel];
  if (!gateway) throw problems.providerUnavailable({ why: '本平台没有开通在线支付，请选择对公转账' }, { field: 'paychannel' });
  return gateway;
}

const payOrder = handle(contract.payOrder, async ({ orderno, paychannel, voucherfileid }, ctx) => {
  const order = await requireBought(ctx, orderno);
  const gateway = isOnline(paychannel) ? requireGateway(ctx, paychannel) : undefined;
  const isAgain = gateway !== undefined && order.orderstatus === OrderStatus.paying && order.paychannel === paychannel;
  if (gateway && !isAgain) assertPayable(order, ctx.now);
  const { amount, title, seller } = { amount: order.payamount, title: order.goodsname, seller: order.sellermusercode };
  // Before the status changes: without an address the buyer could not pay, and the order would wait for nothing.
  const online = gateway ? await gateway.create({ orderno, amount, title, seller }) : { payurl: '', qrcode: '' };
  if (isAgain) return { orderstatus: OrderStatus.paying, ...online };
  if (voucherfileid) await claimFiles(ctx, [voucherfileid], 'voucher', { refcode: `order:${orderno}` });
  const orderstatus = await withOrders(ctx, async (seller) => {
    const locked = await requireLocked(seller, orderno);
    const status = await beginPayment(seller, locked, { paychannel, voucherfileid: voucherfileid ?? null }, actorOf(ctx));
    if (!gateway)
      await notifySeller(
        seller,
        locked,
        { key: `voucher:${ctx.now.getTime()}`, title: '有转账待核对', content: '买方已提交付款，请两人核对到账后确认。' },
        ctx.now,
      );
    return status;
  });
  ctx.audit({ objectid: orderno, detail: { paychannel } });
  return { orderstatus, ...online };
});

const getPayResult = handle(contract.getPayResult, async ({ orderno }, ctx) => {
  const order = await requireBought(ctx, orderno);
  if (order.orderstatus !== OrderStatus.paying || !order.paychannel || !isOnline(order.paychannel))
    return { orderstatus: asStatus(order.orderstatus) };
  const gateway = requireGateway(ctx, order.paychannel);
  const notice = await gateway.query(orderno);
  if (notice) await takeNotice(ctx, order.paychannel, notice, ctx.now);
  return { orderstatus: asStatus((await requireBought(ctx, orderno)).orderstatus) };
});

/** Refuses an order that does not wait for a transfer. */
function assertTransfer(order: { orderstatus: number; paychannel: string | null }): void {
  if (order.orderstatus !== OrderStatus.paying || order.paychannel === null || isOnline(order.paychannel))
    throw problems.wrongState({ why: '订单没有等待核对的转账' });
}

const recordTransfer = handle(contract.recordTransfer, async ({ orderno, payno, date, amount }, ctx) => {
  const order = await requireSold(ctx, orderno);
  const keys = await findActor(ctx);
  if (keys.length === 0) throw problems.wrongState({ why: '机构主账号和共用账号不能登记到账，请由具名人员登记' });
  if (amount !== order.payamount)
    throw problems.invalid(
      { message: `到账金额应为 ${formatYuan(order.payamount)} 元；不符时请驳回并联系买方` },
      { field: 'amount' },
    );
  if (fromShanghai(date) > ctx.now) throw problems.invalid({ message: '到账日期不能晚于今天' }, { field: 'date' });
  const actor = actorOf(ctx);
  await withOrders(ctx, async (seller) => {
    const locked = await requireLocked(seller, orderno);
    assertTransfer(locked);
    await steps.updateOrder(seller, orderno, {
      ...{ transferno: payno, transferdate: date, transferamount: amount, transferby: actor.operatorname, transferkeys: keys },
      updatetime: ctx.now,
    });
    const { musercode } = locked;
    await steps.addLog(seller, {
      ...{ orderno, musercode, fromstatus: OrderStatus.paying, tostatus: OrderStatus.paying, event: '登记到账', content: payno },
      ...{ operator: actor.operator, operatorname: actor.operatorname, time: ctx.now },
    });
    await notifySeller(
      seller,
      locked,
      { key: `recorded:${payno}`, title: '请您复核到账', content: '同事已登记一笔转账，请另一位人员核对后确认。' },
      ctx.now,
    );
  });
  ctx.audit({ objectid: orderno, detail: { payno, date, amount } });
  return {};
});

const confirmOfflinePay = handle(contract.confirmOfflinePay, async ({ orderno, payno, amount }, ctx) => {
  await requireSold(ctx, orderno);
  const orderstatus = await withOrders(ctx, async (seller) => {
    const locked = await requireLocked(seller, orderno);
    // The same confirmation again changes nothing.
    if (locked.payno === payno) return asStatus(locked.orderstatus);
    assertTransfer(locked);
    if (locked.transferno === null || locked.paychannel === null)
      throw problems.wrongState({ why: '请先由一位同事登记到账信息，再由另一位确认' });
    await assertSecondHuman(ctx, locked.transferkeys);
    if (locked.transferno !== payno || locked.transferamount !== amount)
      throw problems.invalid(
        { message: '流水号或金额与登记的不一致，请核对银行流水' },
        { field: locked.transferno === payno ? 'amount' : 'payno' },
      );
    if (await steps.isPaynoUsed(seller, locked.sellermusercode, payno))
      throw problems.duplicate({ what: '这笔流水号对应的订单' }, { field: 'payno' });
    const { paychannel, transferdate } = locked;
    const paytime = transferdate === null ? ctx.now : fromShanghai(transferdate);
    const status = await takePayment(seller, locked, { payno, paychannel, amount, paytime }, actorOf(ctx));
    await notifyBuyer(
      seller,
      locked,
      { key: 'paid', title: '订单已支付', content: '卖方已确认到账，商品已按订单交付。' },
      ctx.now,
    );
    return status;
  });
  ctx.audit({ objectid: orderno, detail: { payno, amount } });
  return { orderstatus };
});

const rejectOfflinePay = handle(contract.rejectOfflinePay, async ({ orderno, reason }, ctx) => {
  await requireSold(ctx, orderno);
  const orderstatus = await withOrders(ctx, async (seller) => {
    const locked = await requireLocked(seller, orderno);
    assertTransfer(locked);
    const status = await failPayment(seller, locked, reason, actorOf(ctx));
    await notifyBuyer(
      seller,
      locked,
      { key: `rejected:${ctx.now.getTime()}`, title: '转账未核对上', content: '卖方没有核对到这笔转账，请查看原因后重新提交。' },
      ctx.now,
    );
    return status;
  });
  ctx.audit({ objectid: orderno, detail: { reason } });
  return { orderstatus };
});

const deliverOrder = handle(contract.deliverOrder, async ({ orderno, seq, delivered }, ctx) => {
  await requireSold(ctx, orderno);
  const actor = actorOf(ctx);
  await withOrders(ctx, async (seller) => {
    const locked = await requireLocked(seller, orderno);
    const item = (await steps.findItems(seller, orderno)).find((candidate) => candidate.seq === seq);
    if (!item) throw problems.notFound({ what: '商品' });
    if (!['03', '04'].includes(item.goodstype)) throw problems.wrongState({ why: '次数和课程在支付后自动交付' });
    if (locked.orderstatus !== OrderStatus.paid && locked.orderstatus !== OrderStatus.partlyRefunded)
      throw problems.wrongState({ why: '支付后才能登记交付' });
    await steps.updateItem(seller, orderno, seq, { delivered, delivertime: delivered ? ctx.now : null });
    const status = asStatus(locked.orderstatus);
    await steps.addLog(seller, {
      ...{
        orderno,
        musercode: locked.musercode,
        fromstatus: status,
        tostatus: status,
        event: delivered ? '登记交付' : '撤回交付',
      },
      ...{ content: item.goodsname, operator: actor.operator, operatorname: actor.operatorname, time: ctx.now },
    });
  });
  ctx.audit({ objectid: orderno, detail: { seq, delivered } });
  return {};
});

const updateInvoice = handle(contract.updateInvoice, async ({ orderno, invoicetitle, taxno, invoiceno }, ctx) => {
  const order = await requireOrder(ctx, orderno);
  const isBuyer = order.musercode === ctx.caller.musercode;
  if (invoiceno !== undefined) await requireSold(ctx, orderno);
  if ((invoicetitle !== undefined || taxno !== undefined) && !isBuyer) throw problems.notAllowed();
  const invoicestatus = await withOrders(ctx, async (seller) => {
    const locked = await requireLocked(seller, orderno);
    if (isBuyer && locked.invoicestatus === InvoiceStatus.issued) throw problems.wrongState({ why: '发票已开具，不能修改抬头' });
    const change = {
      ...(invoicetitle === undefined ? {} : { invoicetitle }),
      ...(taxno === undefined ? {} : { taxno }),
      ...(invoiceno === undefined ? {} : { invoiceno }),
    };
    const title = invoicetitle ?? locked.invoicetitle;
    const { issued, waiting, none } = InvoiceStatus;
    const status = (invoiceno ?? locked.invoiceno) !== '' ? issued : title === '' ? none : waiting;
    await steps.updateOrder(seller, orderno, { ...change, invoicestatus: status, updatetime: ctx.now });
    return status;
  });
  ctx.audit({ objectid: orderno, detail: { invoicetitle, invoiceno } });
  return { invoicestatus };
});

export const payHandlers = [
  payOrder,
  getPayResult,
  recordTransfer,
  confirmOfflinePay,
  rejectOfflinePay,
  deliverOrder,
  updateInvoice,
];
