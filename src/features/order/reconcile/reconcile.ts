import { addDays, fromShanghai, shanghaiDate, shanghaiTime } from '#domain/base/calendar.ts';
import { PayChannel } from '#domain/order/order.ts';
import { platformCode } from '#domain/tenant/tenantTree.ts';
import { codesOf } from '#contract/menu.ts';
import type { Scope } from '#server/db/scope.ts';
import type { Services } from '#server/dispatch/services.ts';
import { findHolders } from '#features/anonymize/anonymize.queries.ts';
import type { ReconcileLine } from '#features/order/reconcile/reconcile.contract.ts';
import * as queries from '#features/order/reconcile/reconcile.queries.ts';
import { withOrders } from '#features/order/step.ts';
import { addNotices } from '#features/warning/alerts/notify.queries.ts';

/**
 * 对账: compares each day of a seller. Money is that of the day; counts, holds and stock are those of all orders at the time of the
 * comparison. A line agrees (平) when both sums and every single order agree, so that two faults do not hide each other.
 */

type Parts = Pick<Services, 'pools' | 'gateways'>;

/** The hour of Shanghai after which the day before is compared: late notices have come by then. */
const HOUR = 1;
/** After a standstill the job makes up for this many days. */
const DAYS_BACK = 7;
/** Orders that a line of stock names. */
const MOST_ORDERS = 20;

/** The payments and repayments of a day as one gateway lists them. Several channels may share a gateway. */
interface GatewayDay {
  channels: string[];
  flow: queries.FlowLine[];
}

const toLine = (
  kind: ReconcileLine['kind'],
  title: string,
  pairs: readonly queries.Pair[],
  more: readonly string[] = [],
): ReconcileLine => {
  const wrong = pairs.filter(({ expected, actual }) => expected !== actual).map(({ orderno }) => orderno);
  const ordernos = [...new Set([...wrong, ...more])].sort();
  const sum = (side: 'expected' | 'actual') => pairs.reduce((total, pair) => total + pair[side], 0);
  return { kind, title, expected: sum('expected'), actual: sum('actual'), isbalanced: ordernos.length === 0 ? 1 : 0, ordernos };
};

/** One line for each channel with money, or one without money. */
function toChannelLines(
  kind: 'paid' | 'refunded',
  word: string,
  payments: readonly queries.Payment[],
  more: readonly { orderno: string; channel: string }[] = [],
): ReconcileLine[] {
  const channels = [...new Set([...payments, ...more].map(({ channel }) => channel))].sort();
  if (channels.length === 0) return [toLine(kind, word, [])];
  const isOf = (channel: string) => (entry: { channel: string }) => entry.channel === channel;
  return channels.map((channel) =>
    toLine(
      kind,
      `${word} · ${PayChannel.label(channel)}`,
      payments.filter(isOf(channel)),
      more.filter(isOf(channel)).map(({ orderno }) => orderno),
    ),
  );
}

/** Compares the list of a gateway with our notices, payment by payment. */
function toGatewayLine(channels: readonly string[], listed: readonly queries.FlowLine[], notices: readonly queries.FlowLine[]) {
  const pairs = new Map<string, queries.Pair>();
  const add = ({ orderno, payno, amount }: queries.FlowLine, side: 'expected' | 'actual') => {
    const key = `${orderno} ${payno} ${Math.sign(amount)}`;
    const pair = pairs.get(key) ?? { orderno, expected: 0, actual: 0 };
    pairs.set(key, { ...pair, [side]: pair[side] + amount });
  };
  for (const line of listed) add(line, 'expected');
  for (const line of notices) add(line, 'actual');
  return toLine('gateway', `渠道流水 · ${channels.map((channel) => PayChannel.label(channel)).join('、')}`, [...pairs.values()]);
}

async function toStockLine(scope: Scope, seller: string): Promise<ReconcileLine> {
  const stock = await queries.findStock(scope, seller);
  const ordernos: string[] = [];
  for (const { goodsid, ordered, taken } of stock)
    if (ordered !== taken) ordernos.push(...(await queries.findStockOrders(scope, goodsid, MOST_ORDERS)));
  const line = toLine(
    'stock',
    '占用库存',
    stock.map(({ ordered, taken }) => ({ orderno: '', expected: ordered, actual: taken })),
  );
  return { ...line, ordernos: [...new Set(ordernos)].sort() };
}

/** Returns the lines of a seller and a day. */
export async function compareDay(
  scope: Scope,
  seller: string,
  day: string,
  gateways: readonly GatewayDay[],
): Promise<ReconcileLine[]> {
  const span = { from: fromShanghai(day), until: addDays(fromShanghai(day), 1) };
  const lines = [
    ...toChannelLines('paid', '收款', await queries.findPaid(scope, seller, span)),
    ...toChannelLines(
      'refunded',
      '退款',
      await queries.findRefunded(scope, seller, span),
      await queries.findWrongRefunds(scope, seller),
    ),
  ];
  for (const { channels, flow } of gateways) {
    const sellers = await queries.findSellersOf(
      scope,
      flow.map(({ orderno }) => orderno),
    );
    // An order that nobody knows is a matter of the platform, which has the contract with the gateway.
    const listed = flow.filter(({ orderno }) => (sellers.get(orderno) ?? platformCode) === seller);
    lines.push(toGatewayLine(channels, listed, await queries.findNotices(scope, seller, channels, span)));
  }
  const counts = await queries.findCounts(scope, seller);
  const pairsOf = (expected: 'bought' | 'open', actual: 'buyer' | 'seller' | 'held' | 'frozen') =>
    counts.map((order) => ({ orderno: order.orderno, expected: order[expected], actual: order[actual] }));
  return [
    ...lines,
    toLine('counts', '买方入账次数', pairsOf('bought', 'buyer')),
    ...(seller === platformCode ? [] : [toLine('counts', '卖方出账次数', pairsOf('bought', 'seller'))]),
    toLine('holds', '未付订单预留次数', pairsOf('open', 'held')),
    toLine('holds', '卖方冻结流水', pairsOf('open', 'frozen')),
    await toStockLine(scope, seller),
  ];
}

/** Asks each gateway for its payments and repayments of a day. */
async function listGateways({ gateways = {} }: Pick<Services, 'gateways'>, day: string): Promise<GatewayDay[]> {
  const channelsOf = new Map<NonNullable<(typeof gateways)[string]>, string[]>();
  for (const [channel, gateway] of Object.entries(gateways))
    if (gateway) channelsOf.set(gateway, [...(channelsOf.get(gateway) ?? []), channel]);
  const days: GatewayDay[] = [];
  for (const [gateway, channels] of channelsOf) {
    const flow = (await gateway.list(day)).map(({ orderno, payno, amount, state }) => ({
      ...{ orderno, payno },
      amount: state === 'refunded' ? -amount : amount,
    }));
    days.push({ channels, flow });
  }
  return days;
}

/** Tells the seller's staff, and the platform's, that a day does not agree. */
async function notify(scope: Scope, seller: string, day: string, faults: number, now: Date): Promise<void> {
  for (const musercode of new Set([seller, platformCode]))
    await addNotices(
      scope,
      (await findHolders(scope, musercode, codesOf(['operations.orders']))).map((userid) => ({
        ...{ musercode, userid, kind: 'system' as const, createtime: now, link: '/operations/orderManagement/reconcile' },
        ...{ title: '订单对账不平', content: `${day} 有 ${faults} 项不平，请在订单管理的对账中查看订单。` },
        dedupekey: `payreconcile:${seller}:${day}:${userid}`,
      })),
    );
}

/** Compares a seller's day and stores the result. */
async function reconcileDay(
  parts: Parts,
  seller: string,
  day: string,
  gateways: readonly GatewayDay[],
  now: Date,
): Promise<void> {
  await withOrders(parts, async (scope) => {
    const lines = await compareDay(scope, seller, day, gateways);
    await queries.saveDay(scope, seller, day, lines, now);
    const faults = lines.filter(({ isbalanced }) => isbalanced === 0).length;
    if (faults > 0) await notify(scope, seller, day, faults, now);
  });
}

/** Compares a day of these sellers now, also when it was compared before. */
export async function reconcileSellers(parts: Parts, sellers: readonly string[], day: string, now: Date): Promise<void> {
  const gateways = await listGateways(parts, day);
  for (const seller of sellers) await reconcileDay(parts, seller, day, gateways, now);
}

/**
 * Compares the days that are over and were not compared: each night after 01:00 the day before, and up to a week after a standstill.
 * The job calls it every few minutes. Returns the failures; the other sellers and days went on.
 */
export async function reconcileOrdersDue(parts: Parts, now: Date): Promise<{ musercode: string; error: string }[]> {
  const hour = Number(shanghaiTime(now).slice(11, 13));
  const last = shanghaiDate(addDays(now, hour < HOUR ? -2 : -1));
  const first = shanghaiDate(addDays(fromShanghai(last), 1 - DAYS_BACK));
  const missing = await withOrders(parts, (scope) => queries.findMissingDays(scope, first, last));
  const failed: { musercode: string; error: string }[] = [];
  for (const { seller, day } of missing)
    try {
      await reconcileSellers(parts, [seller], day, now);
    } catch (error) {
      failed.push({ musercode: seller, error: error instanceof Error ? error.message : String(error) });
    }
  return failed;
}
