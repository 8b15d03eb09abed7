import { randomUUID } from 'node:crypto';
import { shanghaiTime } from '#domain/base/calendar.ts';
import { formatYuan } from '#domain/base/money.ts';
import { GoodsType, type OrderStatusCode } from '#domain/order/order.ts';
import { problems } from '#contract/problem.ts';
import { handle, type Context } from '#server/dispatch/handle.ts';
import { findPlace } from '#features/access/institutionAccess.queries.ts';
import { findBuyable } from '#features/goods/goods.queries.ts';
import * as contract from '#features/order/order.contract.ts';
import * as queries from '#features/order/order.queries.ts';
import { actorOf, requireOrder } from '#features/order/parties.ts';
import { placeOrder, type Line } from '#features/order/place.ts';
import { cancel, requireLocked, withOrders } from '#features/order/step.ts';

/** Ordering and cancelling. */

type StaffContext = Context<'staff'>;
/** The ordered goods, all of one seller and on sale for the caller's institution at the price that the buyer saw. */
async function findLines(
  { scope, caller }: StaffContext,
  items: readonly { goodsid: number; qty: number; price?: number | undefined }[],
): Promise<Line[]> {
  const own = await findPlace(scope, caller.musercode);
  if (!own) throw problems.notFound({ what: '机构' });
  const ids = items.map(({ goodsid }) => goodsid);
  if (new Set(ids).size !== ids.length) throw problems.invalid({ message: '同一件商品只能填写一次' }, { field: 'items' });
  const goods = new Map((await findBuyable(scope, own, ids)).map((row) => [row.goodsid, row]));
  const lines = items.map(({ goodsid, qty, price }) => {
    const found = goods.get(goodsid);
    if (!found) throw problems.notFound({ what: '商品' }, { field: 'items' });
    if (price !== undefined && price !== found.price)
      throw problems.wrongState(
        { why: `“${found.goodsname}”的价格已变为 ${formatYuan(found.price)} 元，请核对后再提交` },
        { field: 'items' },
      );
    return { goods: found, qty };
  });
  if (new Set(lines.map((line) => line.goods.musercode)).size > 1)
    throw problems.invalid({ message: '一张订单只能选购同一家机构的商品，请分开提交' }, { field: 'items' });
  return lines;
}

const insertOrder = handle(contract.insertOrder, async ({ items, clientkey = randomUUID(), ...request }, ctx) => {
  const { scope, caller, cipher } = ctx;
  const known = await queries.findByClientkey(scope, caller.musercode, clientkey);
  if (known) return toAnswer(known);
  const lines = await findLines(ctx, items);
  if (lines.some(({ goods }) => goods.goodstype === GoodsType.thing))
    for (const field of ['receiver', 'receiverphone', 'receiveraddress'] as const)
      if (request[field] === '') throw problems.missing({ title: TITLES[field] }, { field });
  const { receiverphone, ...rest } = request;
  const order = await withOrders(ctx, (seller) =>
    placeOrder(
      seller,
      {
        ...{ ...rest, clientkey, musercode: caller.musercode, createby: caller.accountid },
        sealPhone: (orderno) => receiverphone && cipher.encrypt(caller.musercode, `order:${orderno}`, receiverphone),
      },
      lines,
      actorOf(ctx),
    ),
  );
  const answer = order ?? (await queries.findByClientkey(scope, caller.musercode, clientkey));
  if (!answer) throw problems.serverBusy();
  ctx.audit({
    objectid: answer.orderno,
    detail: { goods: lines.map(({ goods, qty }) => `${goods.goodsname} × ${qty}`), totalamount: answer.payamount },
  });
  return toAnswer(answer);
});

const TITLES = { receiver: '收货人', receiverphone: '收货电话', receiveraddress: '收货地址' } as const;

const toAnswer = ({
  orderno,
  payamount,
  orderstatus,
  expiretime,
}: {
  orderno: string;
  payamount: number;
  orderstatus: number;
  expiretime: Date;
}) => ({ orderno, payamount, orderstatus: orderstatus as OrderStatusCode, expiretime: shanghaiTime(expiretime) });

const cancelOrder = handle(contract.cancelOrder, async ({ orderno, reason }, ctx) => {
  await requireOrder(ctx, orderno);
  const orderstatus = await withOrders(ctx, async (seller) =>
    cancel(seller, await requireLocked(seller, orderno), { kind: 'cancel', reason }, actorOf(ctx)),
  );
  ctx.audit({ objectid: orderno, detail: { reason } });
  return { orderstatus };
});

export const placeHandlers = [insertOrder, cancelOrder];
