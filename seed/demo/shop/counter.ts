import { addDays, shanghaiDate } from '#domain/base/calendar.ts';
import { platformCode } from '#domain/tenant/tenantTree.ts';
import { updateToOSS } from '#features/file/file.contract.ts';
import { updateListingStatus } from '#features/goods/goods.contract.ts';
import * as order from '#features/order/order.contract.ts';
import { endDueOrders, sendRefunds } from '#features/order/orderJobs.ts';
import { reconcileSellers } from '#features/order/reconcile/reconcile.ts';
import * as refund from '#features/order/refund/refund.contract.ts';
import { takeNotice } from '#features/order/takeNotice.ts';
import { pageOfText } from '#seed/demo/content/pdf.ts';
import { minutesLater } from '#seed/demo/content/dates.ts';
import type { DemoRun } from '#seed/demo/run.ts';
import { addGoods, shelfOfGoods, type GoodsKey } from '#seed/demo/shop/goods.ts';
import { orders, type DemoOrder } from '#seed/demo/shop/orders.ts';
import { codes } from '#seed/demo/tenants/institutions.ts';

/**
 * Plays the orders of the demonstration in the order of time, through the product's own actions and its gateway of this machine. Each
 * night of the last two weeks compares the day before.
 */

/** One step of an order, at its time. */
interface Step {
  time: Date;
  run: () => Promise<unknown>;
}

/** The nights that have a comparison. */
const NIGHTS = 14;

/** Sells, pays, confirms, cancels and refunds the orders of the demonstration. */
export async function playOrders(run: DemoRun): Promise<void> {
  const { calls, dates, services } = run;
  run.log('正在生成演示数据… 商品与订单');
  const goodsids = await addGoods(run);
  const taken = orders.flatMap((one) => toSteps(run, goodsids, one));
  const nights = Array.from({ length: NIGHTS }, (_, index): Step => {
    const time = dates.day(index - NIGHTS + 1, '01:10');
    const day = shanghaiDate(addDays(time, -1));
    return { time, run: () => reconcileSellers(services, [codes.provider, platformCode], day, time) };
  });
  const sandplayEnds = dates.day(-20, '17:30');
  const takeOff: Step = {
    time: sandplayEnds,
    run: async () =>
      (await calls.as('demo_fws', sandplayEnds))(updateListingStatus, { goodsid: goodsids.sandplay, listingstatus: 2 }),
  };
  const steps = [...taken, ...nights, takeOff].filter(({ time }) => time <= dates.now);
  for (const { run: work } of steps.sort((a, b) => a.time.getTime() - b.time.getTime())) await work();
}

/** The steps of an order, each at its time. */
function toSteps(run: DemoRun, goodsids: Record<GoodsKey, number>, one: DemoOrder): Step[] {
  const { calls, dates, services, gateways } = run;
  const { by, items, path, channel = '01', invoice } = one;
  const begin = dates.day(one.day, one.clock);
  const at = (days: number, clock: string) => dates.day(one.day + days, clock);
  const amount = items.reduce((sum, [key, qty]) => sum + shelfOfGoods[key].fields.price * qty, 0);
  let orderno = '';
  let refundno = '';
  const step = (time: Date, work: (time: Date) => Promise<unknown>): Step => ({ time, run: () => work(time) });
  const buyer = (time: Date) => calls.as(by, time);
  const clerk = (time: Date) => calls.as('demo_fws2', time);
  const manager = (time: Date) => calls.as('demo_fws', time);
  const receive = async (signed: ReturnType<(typeof gateways)['01']['pay']>, time: Date) => {
    if (!signed) throw new Error(`the gateway does not know ${orderno}`);
    const { notice } = gateways[channel].readNotice(signed.headers, Buffer.from(signed.body), time);
    // Gateways send their notices more than once.
    for (const _ of [1, 2]) await takeNotice(services, channel, notice, time);
  };

  const place = step(begin, async (time) => {
    const isThing = items.some(([key]) => shelfOfGoods[key].fields.goodstype === '04');
    const receiver = isThing
      ? { receiver: one.receiver ?? '', receiverphone: '13800138000', receiveraddress: '云栖市文汇路 18 号 行政楼 203' }
      : {};
    ({ orderno } = await (
      await buyer(time)
    )(order.insertOrder, {
      items: items.map(([key, qty]) => ({ goodsid: goodsids[key], qty, price: shelfOfGoods[key].fields.price })),
      paychannel: path === 'expired' ? channel : '03',
      ...receiver,
      ...(invoice ? { invoicetitle: invoice, taxno: '12330100MB0000000X' } : {}),
      remark: one.remark ?? '',
    }));
  });
  const beginOnline = step(minutesLater(begin, 4), async (time) =>
    (await buyer(time))(order.payOrder, { orderno, paychannel: channel }),
  );
  const payOnline = [
    beginOnline,
    step(minutesLater(begin, 6), (time) => receive(gateways[channel].pay(orderno, true, time), time)),
  ];
  const voucher = step(minutesLater(begin, 95), async (time) => {
    const call = await buyer(time);
    const page = pageOfText('银行回单（演示）', [
      `订单 ${orderno}`,
      `金额 ${(amount / 100).toFixed(2)} 元`,
      '本回单为虚构，仅用于演示。',
    ]);
    const upload = { filename: '银行回单.pdf', mime: 'application/pdf', content: Buffer.from(page) };
    const { fileid } = await call(updateToOSS, { biztype: 'voucher' }, upload);
    await call(order.payOrder, { orderno, paychannel: '03', voucherfileid: fileid });
  });
  const payno = () => `BK${orderno.slice(2, 14)}`;
  const record = step(minutesLater(begin, 240), async (time) =>
    (await clerk(time))(order.recordTransfer, { orderno, payno: payno(), date: shanghaiDate(time), amount }),
  );
  const confirm = step(at(1, '10:20'), async (time) =>
    (await manager(time))(order.confirmOfflinePay, { orderno, payno: payno(), amount }),
  );
  const payByTransfer = [voucher, record, confirm];
  const pay = one.isTransfer ? payByTransfer : payOnline;
  const ask = (days: number, qtys: readonly number[], reason: string) =>
    step(at(days, '14:10'), async (time) => {
      ({ refundno } = await (
        await clerk(time)
      )(refund.refundOrder, { orderno, items: qtys.map((qty, index) => ({ seq: index + 1, qty })), reason }));
    });
  const repayOnline = (days: number) =>
    step(at(days, '14:40'), (time) => receive(gateways[channel].endRefund(refundno, true, time), time));
  const agree = (days: number) =>
    step(at(days, '16:30'), async (time) => {
      await (
        await manager(time)
      )(refund.answerRefund, { refundno, agree: true, refundpayno: `RB${refundno.slice(3, 15)}` });
    });
  const giveBack = (qtys: readonly number[], reason: string) =>
    one.isTransfer ? [ask(5, qtys, reason), agree(6)] : [ask(5, qtys, reason), repayOnline(5)];
  const cancel = step(at(1, '09:05'), async (time) =>
    (await buyer(time))(order.cancelOrder, { orderno, reason: '计划有调整，暂不需要' }),
  );
  const deliver = step(at(3, '15:40'), async (time) => {
    if (!one.isDelivered) return;
    const call = one.seller === 'platform' ? run.asPlatform(time) : await clerk(time);
    await call(order.deliverOrder, { orderno, seq: 1, delivered: 1 });
    if (invoice) await call(order.updateInvoice, { orderno, invoiceno: `0330${orderno.slice(4, 12)}` });
  });
  /** Somebody pays after the order was cancelled: the money goes back. */
  const payLate = step(at(1, '09:30'), (time) => receive(gateways[channel].pay(orderno, true, time), time));
  const repayLate = step(at(1, '11:00'), async (time) => {
    await sendRefunds(services, time);
    for (const no of gateways[channel].findRefunds()) await receive(gateways[channel].endRefund(no, true, time), time);
  });
  const timeout = (minutes: number) => step(minutesLater(begin, minutes), (time) => endDueOrders(services, time));

  const paths: Readonly<Record<DemoOrder['path'], readonly Step[]>> = {
    pending: [],
    voucher: [voucher],
    recorded: [voucher, record],
    rejected: [
      voucher,
      step(minutesLater(begin, 300), async (time) =>
        (await clerk(time))(order.rejectOfflinePay, { orderno, reason: '银行账户未查到这笔转账，请核对付款账号后重新提交' }),
      ),
    ],
    failed: [beginOnline, step(minutesLater(begin, 6), (time) => receive(gateways[channel].pay(orderno, false, time), time))],
    paid: [...pay, deliver],
    free: [],
    cancelled: [cancel],
    expired: [timeout(45)],
    partial: [...pay, ...giveBack([1], '实际使用人数少于计划，协商退回一份')],
    full: [...pay, ...giveBack([items[0]?.[1] ?? 1], '采购重复，协商全额退回')],
    asked: [...payByTransfer, ask(4, [1], '时间冲突，学校申请取消本次服务')],
    late: [beginOnline, timeout(25), cancel, payLate, repayLate],
    lateWaiting: [beginOnline, timeout(25), cancel, payLate],
  };
  return [place, ...paths[path]];
}
