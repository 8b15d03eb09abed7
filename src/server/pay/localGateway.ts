import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { shanghaiDate } from '#domain/base/calendar.ts';
import type { PayGateway, PayNotice } from '#server/pay/gateway.ts';

/**
 * A gateway inside this server, for tests and the demonstration: it moves no money. It signs its notices with HMAC-SHA256 over the time
 * and the body, as real providers do. A person pays on `/pay/local/{orderno}`.
 */

/** A notice older than this must be proven by a query. */
const OLD_MS = 5 * 60_000;
/** The header with the time of a notice, in milliseconds since 1970, and the one with its signature in hex. */
const TIME_HEADER = 'x-pay-time';
const SIGNATURE_HEADER = 'x-pay-signature';

/** A notice as it travels. */
export interface SignedNotice {
  headers: Record<string, string>;
  body: string;
}

export interface LocalGateway extends PayGateway {
  /** A person pays, or the payment fails. Returns the notice that the gateway sends. */
  pay: (orderno: string, isSuccessful: boolean, now: Date) => SignedNotice | undefined;
  /** Ends a repayment. Returns the notice that the gateway sends. */
  endRefund: (refundno: string, isSuccessful: boolean, now: Date) => SignedNotice | undefined;
  /** The order that a person is about to pay. */
  find: (orderno: string) => { amount: number; title: string } | undefined;
  /** The repayments that have not ended. */
  findRefunds: () => readonly string[];
}

interface Order {
  amount: number;
  title: string;
  seller: string;
  notices: PayNotice[];
}
interface Refund {
  orderno: string;
  amount: number;
  hasEnded: boolean;
}

export interface LocalGatewayOptions {
  /** signs the notices */
  secret: string;
  /** where a person pays */
  publicUrl: string;
  /** the channel that it stands for; part of the address where a person pays */
  channel?: string;
  /** a file that keeps the payments over a restart; absent: memory only */
  file?: string;
  /** repayments end at once and successfully; otherwise `endRefund` ends them */
  endsRefunds?: boolean;
}

/** Returns the payments of an earlier run. */
function readState(file: string | undefined): { orders: [string, Order][]; refunds: [string, Refund][] } {
  if (!file || !existsSync(file)) return { orders: [], refunds: [] };
  return JSON.parse(readFileSync(file, 'utf8'), (key, value: unknown) =>
    key === 'time' ? new Date(value as string) : value,
  ) as {
    orders: [string, Order][];
    refunds: [string, Refund][];
  };
}

/** Returns a gateway without a provider. */
export function localGateway({ secret, publicUrl, channel, file, endsRefunds = false }: LocalGatewayOptions): LocalGateway {
  const state = readState(file);
  const orders = new Map(state.orders);
  const refunds = new Map(state.refunds);
  const save = () => {
    if (!file) return;
    writeFileSync(`${file}.new`, JSON.stringify({ orders: [...orders], refunds: [...refunds] }));
    renameSync(`${file}.new`, file);
  };
  // Random, because the numbers of an earlier run must not come again.
  const nextPayno = (prefix: string) => `${prefix}${randomBytes(8).toString('hex')}`;
  const sign = (time: string, body: string) => createHmac('sha256', secret).update(`${time}\n${body}`).digest();
  const toSigned = (notice: PayNotice, now: Date): SignedNotice => {
    const body = JSON.stringify({ ...notice, time: notice.time.toISOString() });
    const time = String(now.getTime());
    return { headers: { [TIME_HEADER]: time, [SIGNATURE_HEADER]: sign(time, body).toString('hex') }, body };
  };
  const endRefund = (refundno: string, isSuccessful: boolean, now: Date): SignedNotice | undefined => {
    const refund = refunds.get(refundno);
    if (!refund || refund.hasEnded) return undefined;
    refund.hasEnded = true;
    const notice: PayNotice = {
      ...{ payno: nextPayno('LR'), orderno: refund.orderno, refundno, amount: refund.amount, time: now },
      state: isSuccessful ? 'refunded' : 'refundfailed',
    };
    orders.get(refund.orderno)?.notices.push(notice);
    save();
    return toSigned(notice, now);
  };
  return {
    create: ({ orderno, amount, title, seller }) => {
      if (!orders.has(orderno)) orders.set(orderno, { amount, title, seller, notices: [] });
      save();
      const payurl = `${publicUrl}/pay/local/${orderno}${channel ? `?channel=${channel}` : ''}`;
      return Promise.resolve({ payurl, qrcode: payurl });
    },
    query: (orderno) =>
      Promise.resolve(orders.get(orderno)?.notices.findLast(({ state }) => state === 'success' || state === 'fail')),
    list: (day) =>
      Promise.resolve(
        [...orders.values()].flatMap(({ notices }) =>
          notices.filter(({ state, time }) => (state === 'success' || state === 'refunded') && shanghaiDate(time) === day),
        ),
      ),
    refund: ({ refundno, orderno, amount }) => {
      if (!refunds.has(refundno)) refunds.set(refundno, { orderno, amount, hasEnded: false });
      // The filling of the demonstration paid its orders at another gateway.
      if (!orders.has(orderno)) orders.set(orderno, { amount, title: '', seller: '', notices: [] });
      save();
      if (endsRefunds) endRefund(refundno, true, new Date());
      return Promise.resolve();
    },
    queryRefund: (refundno) =>
      Promise.resolve(orders.get(refunds.get(refundno)?.orderno ?? '')?.notices.find((notice) => notice.refundno === refundno)),
    readNotice: (headers, body, now) => {
      const time = headers[TIME_HEADER] ?? '';
      const signature = Buffer.from(headers[SIGNATURE_HEADER] ?? '', 'hex');
      const expected = sign(time, body.toString('utf8'));
      if (signature.length !== expected.length || !timingSafeEqual(signature, expected))
        throw new Error('the signature is wrong');
      const notice = JSON.parse(body.toString('utf8')) as Omit<PayNotice, 'time'> & { time: string };
      return { notice: { ...notice, time: new Date(notice.time) }, isOld: Math.abs(now.getTime() - Number(time)) > OLD_MS };
    },
    pay: (orderno, isSuccessful, now) => {
      const order = orders.get(orderno);
      if (!order) return undefined;
      const notice: PayNotice = {
        ...{ payno: nextPayno('LP'), orderno, amount: order.amount, seller: order.seller, time: now },
        state: isSuccessful ? 'success' : 'fail',
      };
      order.notices.push(notice);
      save();
      return toSigned(notice, now);
    },
    endRefund,
    find: (orderno) => orders.get(orderno),
    findRefunds: () => [...refunds].flatMap(([refundno, { hasEnded }]) => (hasEnded ? [] : [refundno])),
  };
}
