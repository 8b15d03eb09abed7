import { shanghaiDate } from '#domain/base/calendar.ts';
import { expiryOf, GoodsType, ORDER_EVENT_WORDS, OrderStatus } from '#domain/order/order.ts';
import { platformCode } from '#domain/tenant/tenantTree.ts';
import { problems } from '#contract/problem.ts';
import type { Scope } from '#server/db/scope.ts';
import type { BuyableGoods } from '#features/goods/goods.queries.ts';
import { findSellingFault } from '#features/goods/sellable.ts';
import { countFree, holdCounts, lockWallets } from '#features/order/counts.queries.ts';
import { notifySeller } from '#features/order/notify.ts';
import { requireLocked, takePayment, type Actor } from '#features/order/step.ts';
import * as steps from '#features/order/step.queries.ts';

/** How an order begins: it takes the stock and holds the seller's counts. */

/** Goods that are ordered, as the buyer may buy them. */
export interface Line {
  goods: BuyableGoods;
  qty: number;
}

/** Refuses goods whose plan or course may not be sold any more: it was put aside since they went on sale. */
async function assertStillSold(scope: Scope, lines: readonly Line[], now: Date): Promise<void> {
  for (const { goods } of lines)
    if (await findSellingFault(scope, goods, now))
      throw problems.wrongState({ why: `“${goods.goodsname}”暂时不能选购，请联系卖方` }, { field: 'items' });
}

/** Takes the stock of goods, in the order of their numbers, so that two orders never wait for each other. */
async function takeStock(scope: Scope, lines: readonly Line[]): Promise<void> {
  for (const { goods, qty } of [...lines].sort((a, b) => a.goods.goodsid - b.goods.goodsid))
    if (!(await steps.takeStock(scope, goods.goodsid, qty)))
      throw problems.wrongState({ why: `“${goods.goodsname}”库存不足或已下架` }, { field: 'items' });
}

/** Holds the seller's counts of each package. Refuses 150001 when it has too few. */
async function hold(scope: Scope, orderno: string, lines: readonly Line[], { operator, now }: Actor): Promise<void> {
  const info = { orderno, operator: operator ?? '系统', now, today: shanghaiDate(now), remark: `订单预留 ${orderno}` };
  const packages = lines.filter(({ goods }) => goods.goodstype === GoodsType.counts && goods.musercode !== platformCode);
  for (const { goods } of packages.slice(0, 1))
    await lockWallets(scope, goods.musercode, [...packages.map((line) => line.goods.plancode ?? '*'), '*']);
  for (const [index, { goods, qty }] of lines.entries()) {
    if (goods.goodstype !== GoodsType.counts || goods.musercode === platformCode) continue;
    const need = qty * (goods.qty ?? 0);
    const plancode = goods.plancode ?? '*';
    if (await holdCounts(scope, { musercode: goods.musercode, plancode, seq: index + 1, qty: need }, info)) continue;
    const wallet = { musercode: goods.musercode, walletcode: plancode };
    const free = Math.max(
      await countFree(scope, wallet, info.today),
      await countFree(scope, { ...wallet, walletcode: '*' }, info.today),
    );
    throw problems.countsShort({ free, need }, { field: 'items' });
  }
}

/** What the buyer says about an order. */
export type NewOrder = Pick<
  Parameters<typeof steps.addOrder>[1],
  'musercode' | 'clientkey' | 'createby' | 'receiver' | 'receiveraddress' | 'invoicetitle' | 'taxno' | 'remark'
> & {
  paychannel: string;
  /** the sealed telephone of the receiver, for the number of the order */
  sealPhone: (orderno: string) => string;
};

/**
 * Places an order of one seller's goods, in the server's session (`withOrders`). A price of 0 is paid at once. Returns undefined when
 * the buyer has an order with this key. Refuses 140001 without stock, 150001 when the seller has too few counts.
 */
export async function placeOrder(
  scope: Scope,
  { sealPhone, ...request }: NewOrder,
  lines: readonly Line[],
  actor: Actor,
): Promise<steps.OrderRecord | undefined> {
  const { now, operator, operatorname } = actor;
  const { musercode, paychannel } = request;
  const totalamount = lines.reduce((sum, { goods, qty }) => sum + goods.price * qty, 0);
  if (totalamount > 2_000_000_000) throw problems.invalid({ message: '订单金额过大，请分开提交' }, { field: 'items' });
  await assertStillSold(scope, lines, now);
  const orderno = await steps.nextOrderno(scope, now);
  const isNew = await steps.addOrder(scope, {
    ...request,
    ...{ orderno, sellermusercode: lines[0]?.goods.musercode as string, totalamount, payamount: totalamount },
    ...{ goodscount: lines.reduce((sum, { qty }) => sum + qty, 0), expiretime: expiryOf(now, paychannel) },
    ...{ receiverphone: sealPhone(orderno), invoicestatus: request.invoicetitle ? '01' : '00', createtime: now, updatetime: now },
  });
  // The same key at the same time: the other call made the order.
  if (!isNew) return undefined;
  await steps.addItems(
    scope,
    lines.map(({ goods, qty }, index) => ({
      ...{ orderno, seq: index + 1, musercode, goodsid: goods.goodsid, goodsname: goods.goodsname },
      ...{ goodstype: goods.goodstype, price: goods.price, qty, amount: goods.price * qty, plancode: goods.plancode },
      ...{ countqty: goods.qty ?? 0, validdays: goods.validdays, courseid: goods.courseid },
    })),
  );
  await takeStock(scope, lines);
  await hold(scope, orderno, lines, actor);
  await steps.addLog(scope, {
    ...{ orderno, musercode, fromstatus: null, tostatus: OrderStatus.pending, event: ORDER_EVENT_WORDS.create, content: '' },
    ...{ operator, operatorname, time: now },
  });
  const made = await requireLocked(scope, orderno);
  if (totalamount > 0) {
    await notifySeller(scope, made, { key: 'new', title: '收到新订单', content: '下级机构提交了订单，请留意付款。' }, now);
    return made;
  }
  await takePayment(scope, made, { payno: `FREE${orderno}`, paychannel, amount: 0, paytime: now }, actor);
  return requireLocked(scope, orderno);
}
