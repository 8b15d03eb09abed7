import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { addDays, fromShanghai, shanghaiDate } from '#domain/base/calendar.ts';
import { isOnline, nextStatus, OrderStatus, wasPaid, type OrderEvent, type OrderStatusCode } from '#domain/order/order.ts';
import { platformCode } from '#domain/tenant/tenantTree.ts';
import { Problem } from '#contract/problem.ts';
import type { Scope } from '#server/db/scope.ts';
import type { SignedNotice } from '#server/pay/localGateway.ts';
import { expireCounts } from '#features/assesscount/expiry/expireCounts.ts';
import { freezeCounts } from '#features/assesscount/movement.queries.ts';
import type { BuyableGoods } from '#features/goods/goods.queries.ts';
import { endDueOrders, sendRefunds } from '#features/order/orderJobs.ts';
import { placeOrder } from '#features/order/place.ts';
import { compareDay } from '#features/order/reconcile/reconcile.ts';
import { agreeToRefund, beginRefund } from '#features/order/refund/decide.ts';
import { lockRefund } from '#features/order/refund/refund.queries.ts';
import { beginPayment, cancel, failPayment, requireLocked, takePayment, withOrders } from '#features/order/step.ts';
import * as steps from '#features/order/step.queries.ts';
import { applyNotice } from '#features/order/takeNotice.ts';
import { findDisagreements } from '#testing/counts.ts';
import { openCounter, sellGoods } from '#testing/content/counter.ts';
import { aCourse } from '#testing/content/contents.ts';
import { aStudent } from '#testing/factories.ts';
import { startServer } from '#testing/server.ts';

const SEED = 20_251_008;
const STEPS = 10_000;
/** The books are compared after each of these many steps, and at the end. */
const INTERVAL = 2000;
/** So many steps share a transaction. Each has a savepoint, so that a refused step leaves nothing. */
const BATCH = 40;

/** Pseudo-random numbers from a seed (mulberry32), so that a failed walk can be repeated. */
function randomOf(seed: number) {
  let state = seed;
  const next = () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  };
  const upTo = (most: number) => Math.floor(next() * most);
  const pick = <T>(list: readonly T[]): T => list[upTo(list.length)] as T;
  return { next, upTo, pick };
}

type Channel = '01' | '02';
const SELLERS = ['M_ANLAN', platformCode] as const;
const BUYERS = ['M_CHENGUANG', 'M_DONGSHAN', 'M_RENAI'] as const;

/** The counter with goods of all kinds, two pupils whose authorizations use counts, and every step that somebody may try. */
async function openWalk(seed: number) {
  const server = await startServer();
  const { services, clock, sqlAsOwner } = server;
  const { gateways } = await openCounter(server);
  const { next, upTo, pick } = randomOf(seed);
  const { courseid } = await aCourse(server, { free: 0 });
  const goodsids = [
    await sellGoods(server, { goodsname: '任选方案 4 次', qty: 4, price: 4000, stock: 40 }),
    await sellGoods(server, { goodsname: '学生方案 3 次，三天有效', plancode: 'P900002', qty: 3, price: 2500, validdays: 3 }),
    await sellGoods(server, { goodsname: '体验 2 次', qty: 2, price: 0, stock: 30 }),
    await sellGoods(server, { goodsname: '督导', goodstype: '03', price: 9900, stock: 25 }),
    await sellGoods(server, { goodsname: '宣传册', goodstype: '04', price: 700, stock: 60 }),
    await sellGoods(server, { goodsname: '课程', goodstype: '02', price: 3000, courseid }),
    await sellGoods(server, { musercode: platformCode, goodsname: '平台 5 次', qty: 5, price: 6000, validdays: 30, stock: 50 }),
  ];
  const goods = await sqlAsOwner<BuyableGoods>(
    'select g.*, g.goodsid::int as goodsid from goods g where g.goodsid = any($1) order by g.goodsid',
    [goodsids],
  );
  /** What the sellers have put into stock in all. */
  const supply = new Map(goods.map(({ goodsid, stock }) => [goodsid, stock]));
  // Authorizations of two pupils, one for each wallet that can pay.
  const authorizations = new Map<string, string>();
  for (const [walletcode, studentno] of [
    ['*', '20230301'],
    ['P900002', '20230302'],
  ] as const) {
    const { cuserid } = await aStudent(server, { username: `学生${studentno.slice(-1)}`, studentno });
    await sqlAsOwner(
      `insert into cuserplan (cuserid, musercode, plancode, appid, frozen, walletcode)
       values ($1, 'M_CHENGUANG', 'P900002', '000000002', 0, $2)`,
      [cuserid, walletcode],
    );
    authorizations.set(walletcode, cuserid);
  }

  const ordernos: string[] = [];
  /** notices on their way: they come late, out of order, and some twice */
  const notices: { channel: Channel; signed: SignedNotice }[] = [];
  const send = (channel: Channel, signed: SignedNotice | undefined, times: number) => {
    if (signed) for (let time = 0; time < times; time += 1) notices.push({ channel, signed });
  };
  const actor = () => ({ operator: 'U_FANG', operatorname: '方敏', now: clock.now });
  const channelOf = () => pick(['01', '02'] as const);
  // Mostly young orders, because old ones have come to rest.
  const lockAny = (scope: Scope) =>
    requireLocked(
      scope,
      ordernos[Math.max(0, ordernos.length - 1 - Math.floor(next() ** 2 * Math.min(ordernos.length, 60)))] ?? '',
    );

  const inBatch: Record<string, (scope: Scope) => Promise<unknown>> = {
    place: async (scope) => {
      const seller = pick(['M_ANLAN', 'M_ANLAN', 'M_ANLAN', platformCode]);
      const own = goods.filter(({ musercode }) => musercode === seller);
      const lines = [...new Set([pick(own), pick(own)])].map((one) => ({ goods: one, qty: 1 + upTo(3) }));
      const order = await placeOrder(
        scope,
        {
          ...{ musercode: pick(BUYERS), clientkey: `walk-${String(ordernos.length)}-${String(next())}`, createby: 'U_MA' },
          ...{ paychannel: pick(['01', '03', '03']), sealPhone: () => '' },
        },
        lines,
        actor(),
      );
      ordernos.push((order as steps.OrderRecord).orderno);
    },
    pay: async (scope) => {
      const order = await lockAny(scope);
      const channel = channelOf();
      await beginPayment(scope, order, { paychannel: channel }, actor());
      // Now and then the buyer pays another amount than the order has.
      const amount = order.payamount + (upTo(25) === 0 ? 100 : 0);
      await gateways[channel].create({ orderno: order.orderno, amount, title: '订单', seller: order.sellermusercode });
    },
    transfer: async (scope) => beginPayment(scope, await lockAny(scope), { paychannel: pick(['03', '04']) }, actor()),
    confirm: async (scope) => {
      const order = await lockAny(scope);
      if (order.orderstatus !== OrderStatus.paying || isOnline(order.paychannel ?? '01')) return;
      const payno = `B${order.orderno}`;
      const transfer = { transferno: payno, transferdate: shanghaiDate(clock.now), transferamount: order.payamount };
      await steps.updateOrder(scope, order.orderno, transfer);
      const payment = { payno, paychannel: order.paychannel ?? '03', amount: order.payamount, paytime: clock.now };
      await takePayment(scope, { ...order, ...transfer }, payment, actor());
    },
    reject: async (scope) => failPayment(scope, await lockAny(scope), '没有到账', actor()),
    // A person pays: in time, after the time-out, twice, or for a cancelled order.
    gateway: async (scope) => {
      const { orderno } = await lockAny(scope);
      const channel = pick((['01', '02'] as const).filter((one) => gateways[one].find(orderno)));
      if (channel) send(channel, gateways[channel].pay(orderno, upTo(5) > 0, clock.now), pick([1, 1, 2, 3]));
    },
    notice: async (scope) => {
      if (notices.length === 0) return;
      const index = upTo(notices.length);
      const { channel, signed } = notices[index] as (typeof notices)[number];
      const { notice } = gateways[channel].readNotice(signed.headers, Buffer.from(signed.body), clock.now);
      await applyNotice(scope, channel, notice, clock.now);
      notices.splice(index, 1);
    },
    /** A forged notice has another secret; a strange one names an order that does not exist. Both change nothing. */
    wrong: async (scope) => {
      const notice = { payno: `X${String(next())}`, orderno: '20200101000000000000', amount: 1, state: 'success' as const };
      const body = JSON.stringify({ ...notice, time: clock.now.toISOString() });
      const headers = { 'x-pay-time': String(clock.now.getTime()), 'x-pay-signature': 'ab'.repeat(32) };
      expect(() => gateways['01'].readNotice(headers, Buffer.from(body), clock.now)).toThrow();
      await applyNotice(scope, '01', { ...notice, time: clock.now }, clock.now);
    },
    cancel: async (scope) => cancel(scope, await lockAny(scope), { kind: 'cancel', reason: '不需要了' }, actor()),
    refund: async (scope) => {
      const order = await lockAny(scope);
      if (!wasPaid(order.orderstatus as OrderStatusCode)) return;
      const items = await steps.findItems(scope, order.orderno);
      const asks = items.slice(0, 1 + upTo(items.length)).map(({ seq, qty }) => ({ seq, qty: upTo(qty + 1) }));
      const amount = upTo(4) === 0 ? upTo(order.payamount + 1) : undefined;
      const { refundno, ...begun } = await beginRefund(
        scope,
        order,
        { asks, amount, reason: '协商', askkeys: ['u:U_FANG'] },
        actor(),
      );
      if (begun.status === 1 && order.paychannel && order.payno)
        await gateways[order.paychannel as Channel].refund({
          ...{ refundno, orderno: order.orderno, payno: order.payno, amount: begun.amount },
        });
    },
    answer: async (scope) => {
      const order = await lockAny(scope);
      const { rows } = await sql<{ refundno: string }>`select refundno from refund
        where orderno = ${order.orderno} and status in (0, 1) order by refundno limit 1`.execute(scope.db);
      const refund = rows[0] && (await lockRefund(scope, rows[0].refundno));
      if (!refund) return;
      const answer = { answer: '', refundpayno: `RB${refund.refundno}` };
      const { status } = await agreeToRefund(scope, order, refund, answer, { ...actor(), operatorname: '田悦' });
      if (status === 1)
        await gateways[order.paychannel as Channel].refund({
          ...{ refundno: refund.refundno, orderno: order.orderno, payno: order.payno ?? '', amount: refund.amount },
        });
    },
    // The gateway pays back, or fails; money too much always goes back.
    repay: async (scope) => {
      const channel = channelOf();
      const refundno = pick(gateways[channel].findRefunds());
      if (!refundno) return;
      const isSurplus = (await lockRefund(scope, refundno))?.issurplus === 1;
      send(channel, gateways[channel].endRefund(refundno, isSurplus || upTo(5) > 0, clock.now), pick([1, 2]));
    },
    // Counts are frozen for a pupil, used by a submission, or released: what is used cannot be refunded.
    freeze: async (scope) => {
      const today = shanghaiDate(clock.now);
      const cuserids = [authorizations.get('*') as string];
      const wallet = { musercode: 'M_CHENGUANG', plancode: 'P900002', cuserids, countPerPerson: 1 + upTo(4) };
      const walletcode = await freezeCounts(scope, { ...wallet, operator: '系统', now: clock.now, today });
      await sql`update cuserplan set frozen = frozen + ${wallet.countPerPerson}
        where cuserid = ${authorizations.get(walletcode)}`.execute(scope.db);
    },
    use: (scope) =>
      sql`with used as (update cuserplan set used = used + 1, frozen = frozen - 1
          where cuserid = ${authorizations.get(pick(['*', 'P900002']))} and frozen > 0 returning musercode, walletcode),
        moved as (update assesscount w set used = w.used + 1, frozen = w.frozen - 1 from used u
          where w.musercode = u.musercode and w.plancode = u.walletcode returning w.*)
        insert into assesscountlog (musercode, plancode, forplan, kind, qty, balance, time)
        select musercode, plancode, 'P900002', '04', -1, granted - used - frozen - expired, ${clock.now} from moved`.execute(
        scope.db,
      ),
    restock: async (scope) => {
      const { goodsid, stock } = pick(goods);
      if (stock === null) return;
      supply.set(goodsid, (supply.get(goodsid) ?? 0) + 20);
      await sql`update goods set stock = stock + 20 where goodsid = ${goodsid}`.execute(scope.db);
    },
    // The platform grants counts, some of which end before an order that holds them is paid.
    grant: async (scope) => {
      const enddate = upTo(3) > 0 ? shanghaiDate(addDays(clock.now, 1 + upTo(3))) : null;
      await sql`with moved as (update assesscount set granted = granted + 40
          where musercode = 'M_ANLAN' and plancode = '*' returning *)
        insert into assesscountlog (musercode, plancode, kind, qty, balance, enddate, time)
        select musercode, plancode, '01', 40, granted - used - frozen - expired, ${enddate}::date, ${clock.now} from moved`.execute(
        scope.db,
      );
    },
  };
  const alone: Record<string, () => Promise<unknown>> = {
    timeouts: async () => expect(await endDueOrders(services, clock.now)).toEqual([]),
    send: async () => expect(await sendRefunds(services, clock.now)).toEqual([]),
    expire: () => expireCounts(services.pools, clock.now),
    night: () => Promise.resolve((clock.now = addDays(clock.now, next() / 2))),
  };
  return { server, gateways, notices, ordernos, supply, inBatch, alone, next, pick };
}
type Walk = Awaited<ReturnType<typeof openWalk>>;

/** How often a step is tried, in 1,000. */
const WEIGHTS: Readonly<Record<string, number>> = {
  ...{ place: 130, pay: 130, transfer: 60, confirm: 60, reject: 15, gateway: 130, notice: 170, wrong: 10, cancel: 30 },
  ...{ refund: 80, answer: 50, repay: 40, freeze: 25, use: 35, restock: 12, grant: 8 },
  ...{ timeouts: 5, send: 5, expire: 3, night: 2 },
};
const BAG = Object.entries(WEIGHTS).flatMap(([name, weight]) => Array.from({ length: weight }, () => name));

/** Tries a step in the transaction of a batch. A refusal takes back what the step wrote. */
async function tryStep(scope: Scope, step: (scope: Scope) => Promise<unknown>): Promise<boolean> {
  await sql`savepoint step`.execute(scope.db);
  try {
    await step(scope);
    await sql`release savepoint step`.execute(scope.db);
    return true;
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    await sql`rollback to savepoint step`.execute(scope.db);
    return false;
  }
}

/** Compares the books. While notices are on their way, the lists of the gateways are ahead; at the end they agree too. */
async function compareBooks({ server, gateways, supply }: Walk, isEnd: boolean): Promise<void> {
  const { services, sqlAsOwner } = server;
  expect(await findDisagreements(server)).toEqual([]);
  const days = await sqlAsOwner<{ day: string }>(
    `select distinct to_char(time at time zone 'Asia/Shanghai', 'YYYY-MM-DD') as day from orderlog order by 1 desc`,
  );
  for (const { day } of isEnd ? days : days.slice(0, 1)) {
    const flows = await Promise.all(
      (['01', '02'] as const).map(async (channel) => ({
        channels: [channel],
        flow: (await gateways[channel].list(day)).map(({ state, amount, ...line }) => ({
          ...line,
          amount: state === 'refunded' ? -amount : amount,
        })),
      })),
    );
    for (const seller of SELLERS) {
      const lines = await withOrders(services, (scope) => compareDay(scope, seller, day, isEnd ? flows : []));
      expect([seller, day, lines.filter(({ isbalanced }) => isbalanced === 0)]).toEqual([seller, day, []]);
    }
  }
  // Stock: the units that the sellers put in are left, or orders took them.
  const stock = await sqlAsOwner<{ goodsid: number; total: number | null }>(
    'select goodsid::int as goodsid, stock + taken as total from goods order by goodsid',
  );
  expect(new Map(stock.map(({ goodsid, total }) => [goodsid, total]))).toEqual(supply);
  // Every step of every order is one of the domain.
  const edges = await sqlAsOwner<{ fromstatus: OrderStatusCode; tostatus: OrderStatusCode }>(
    'select distinct fromstatus, tostatus from orderlog where fromstatus is not null and fromstatus <> tostatus',
  );
  const events: OrderEvent[] = (['pay', 'success', 'fail', 'paytimeout', 'cancel', 'expire'] as const).map((kind) => ({ kind }));
  const refundsOf = [1, 2].map((refunded) => ({ kind: 'refund' as const, refunded, payamount: 2, left: 1 }));
  for (const { fromstatus, tostatus } of edges)
    expect([...events, ...refundsOf].map((event) => nextStatus(fromstatus, event))).toContain(tostatus);
}

test(
  'ledger, orders, wallets, holds, stock and the daily comparison agree after 10,000 random steps',
  { timeout: 240_000 },
  async () => {
    const counterWalk = await openWalk(SEED);
    const { server, gateways, notices, inBatch, alone, next, pick } = counterWalk;
    const { services, clock, sqlAsOwner } = server;
    const done = new Map<string, number>();
    let position = 0;
    try {
      let name = pick(BAG);
      const goOn = () => {
        position += 1;
        clock.now = new Date(clock.now.getTime() + Math.floor(next() * 240_000));
        name = pick(BAG);
      };
      while (position < STEPS) {
        const { [name]: work } = alone;
        if (work) {
          await work();
          goOn();
        } else {
          await withOrders(services, async (scope) => {
            for (
              let tries = 0;
              tries < BATCH && position < STEPS && inBatch[name] && (tries === 0 || position % INTERVAL > 0);
              tries += 1
            ) {
              if (await tryStep(scope, inBatch[name] as (scope: Scope) => Promise<unknown>))
                done.set(name, (done.get(name) ?? 0) + 1);
              goOn();
            }
          });
        }
        if (position % INTERVAL === 0) await compareBooks(counterWalk, false);
      }
      // Every notice arrives in the end, and every refund of a gateway ends.
      for (let round = 0; round < 5; round += 1) {
        await alone['send']?.();
        await withOrders(services, async (scope) => {
          while (notices.length > 0) await inBatch['notice']?.(scope);
          for (const channel of ['01', '02'] as const)
            for (const refundno of gateways[channel].findRefunds()) {
              const signed = gateways[channel].endRefund(refundno, true, clock.now);
              if (signed) notices.push({ channel, signed });
            }
          while (notices.length > 0) await inBatch['notice']?.(scope);
        });
      }
      await compareBooks(counterWalk, true);
      // The gateways have what the orders say: the price of those paid online, less their refunds.
      const days = new Set<string>();
      for (let day = fromShanghai('2025-10-08'); day <= clock.now; day = addDays(day, 1)) days.add(shanghaiDate(day));
      const kept = new Map<string, number>();
      for (const channel of ['01', '02'] as const)
        for (const day of days)
          for (const { orderno, amount, state } of await gateways[channel].list(day))
            kept.set(orderno, (kept.get(orderno) ?? 0) + (state === 'refunded' ? -amount : amount));
      const orders = await sqlAsOwner<{ orderno: string; kept: number }>(`select orderno,
      case when orderstatus in (3, 10, 11) and paychannel in ('01', '02') then payamount - refundamount else 0 end as kept from orders`);
      for (const order of orders) expect([order.orderno, kept.get(order.orderno) ?? 0]).toEqual([order.orderno, order.kept]);
    } catch (error) {
      throw new Error(`the walk with seed ${SEED} failed at step ${position}`, { cause: error });
    }
    // The walk has been everywhere: each step has succeeded, and orders rest in every status.
    for (const name of Object.keys(inBatch)) if (name !== 'wrong') expect([name, done.get(name) ?? 0]).not.toEqual([name, 0]);
    const statuses = await sqlAsOwner<{ orderstatus: number }>('select distinct orderstatus from orders order by 1');
    expect(statuses.map(({ orderstatus }) => orderstatus)).toEqual([...OrderStatus.codes].sort((a, b) => a - b));
    // No wrong notice was taken.
    expect(done.get('wrong')).toBeUndefined();
  },
);
