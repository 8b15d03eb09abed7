import type { DemoLogin } from '#seed/demo/calls.ts';
import type { GoodsKey } from '#seed/demo/shop/goods.ts';

/** The orders of the demonstration: who buys what, when, and what becomes of it. Days count from the anchor. */

export interface DemoOrder {
  by: Extract<DemoLogin, 'demo_fws' | 'demo_school' | 'demo_zs'>;
  seller: 'platform' | 'provider';
  items: readonly (readonly [goods: GoodsKey, qty: number])[];
  day: number;
  clock: string;
  path:
    | 'pending'
    | 'voucher'
    | 'recorded'
    | 'rejected'
    | 'failed'
    | 'paid'
    | 'free'
    | 'cancelled'
    | 'expired'
    | 'partial'
    | 'full'
    | 'asked'
    | 'late'
    | 'lateWaiting';
  /** pays by a transfer that two humans confirm; otherwise online */
  isTransfer?: true;
  channel?: '01' | '02';
  /** the seller has delivered the service or the thing */
  isDelivered?: true;
  invoice?: string;
  receiver?: string;
  remark?: string;
}

const CHENGUANG = '云栖市晨光中学';
const ZHISHU = '云栖市直属实验学校';
const school = (order: Omit<DemoOrder, 'by' | 'seller'>): DemoOrder => ({ by: 'demo_school', seller: 'provider', ...order });
const zhishu = (order: Omit<DemoOrder, 'by' | 'seller'>): DemoOrder => ({ by: 'demo_zs', seller: 'provider', ...order });
const provider = (order: Omit<DemoOrder, 'by' | 'seller'>): DemoOrder => ({ by: 'demo_fws', seller: 'platform', ...order });

export const orders: readonly DemoOrder[] = [
  // The provider buys from the platform.
  provider({ items: [['wholesale', 1]], day: -80, clock: '09:30', path: 'paid', invoice: '安澜心理' }),
  provider({
    items: [['booklets', 2]],
    day: -62,
    clock: '10:05',
    path: 'paid',
    channel: '02',
    isDelivered: true,
    receiver: '方敏',
  }),
  provider({ items: [['training', 1]], day: -55, clock: '14:20', path: 'paid', isDelivered: true, invoice: '安澜心理' }),
  provider({ items: [['wholesale', 1]], day: -9, clock: '11:00', path: 'cancelled' }),
  provider({ items: [['booklets', 1]], day: -3, clock: '16:45', path: 'expired', receiver: '方敏' }),
  // 晨光中学
  school({
    items: [['term', 2]],
    day: -75,
    clock: '09:10',
    path: 'paid',
    isTransfer: true,
    invoice: CHENGUANG,
    remark: '新学年普测',
  }),
  school({ items: [['trial', 1]], day: -74, clock: '15:30', path: 'free' }),
  school({ items: [['any', 1]], day: -70, clock: '10:40', path: 'paid' }),
  school({
    ...{ items: [['supervision', 1]], day: -66, clock: '09:50', path: 'paid', isTransfer: true, isDelivered: true },
    invoice: CHENGUANG,
  }),
  school({ items: [['lessons', 1]], day: -60, clock: '13:15', path: 'paid', channel: '02' }),
  school({
    ...{ items: [['sandplay', 1]], day: -52, clock: '10:25', path: 'paid', isTransfer: true, isDelivered: true },
    ...{ invoice: CHENGUANG, receiver: '马文博', remark: '送到心理辅导室' },
  }),
  school({ items: [['any', 2]], day: -48, clock: '14:05', path: 'partial', isTransfer: true }),
  school({ items: [['supervision', 2]], day: -44, clock: '11:20', path: 'partial' }),
  {
    ...{ by: 'demo_school', seller: 'platform', items: [['booklets', 1]], day: -41, clock: '09:35', path: 'paid' },
    ...{ channel: '02', isDelivered: true, receiver: '马文博' },
  },
  school({ items: [['term', 1]], day: -36, clock: '10:15', path: 'full', isTransfer: true }),
  school({ items: [['lessons', 1]], day: -33, clock: '16:10', path: 'cancelled' }),
  school({ items: [['any', 1]], day: -30, clock: '12:30', path: 'expired' }),
  school({ items: [['supervision', 1]], day: -27, clock: '09:40', path: 'paid', isDelivered: true }),
  school({ items: [['any', 1]], day: -24, clock: '15:00', path: 'late' }),
  school({ items: [['trial', 1]], day: -20, clock: '10:10', path: 'free' }),
  school({ items: [['term', 1]], day: -16, clock: '09:25', path: 'paid', isTransfer: true, invoice: CHENGUANG }),
  school({ items: [['supervision', 1]], day: -12, clock: '14:30', path: 'full', channel: '02' }),
  school({ items: [['supervision', 1]], day: -9, clock: '10:50', path: 'asked', isTransfer: true }),
  school({ items: [['supervision', 1]], day: -5, clock: '09:30', path: 'paid', isTransfer: true, invoice: CHENGUANG }),
  school({ items: [['any', 1]], day: -3, clock: '08:55', path: 'rejected', isTransfer: true }),
  school({ items: [['any', 3]], day: -2, clock: '09:15', path: 'recorded', isTransfer: true, invoice: CHENGUANG }),
  school({ items: [['supervision', 1]], day: -1, clock: '10:30', path: 'voucher', isTransfer: true }),
  school({ items: [['lessons', 1]], day: -1, clock: '14:20', path: 'pending' }),
  school({
    items: [
      ['term', 1],
      ['any', 1],
    ],
    day: -1,
    clock: '15:10',
    path: 'pending',
    remark: '春季学期预备',
  }),
  // 直属实验学校
  zhishu({ items: [['any', 1]], day: -72, clock: '10:00', path: 'paid', isTransfer: true, invoice: ZHISHU }),
  zhishu({ items: [['trial', 1]], day: -68, clock: '11:30', path: 'free' }),
  zhishu({ items: [['supervision', 1]], day: -58, clock: '09:20', path: 'paid', isDelivered: true }),
  zhishu({ items: [['sandplay', 1]], day: -50, clock: '13:40', path: 'cancelled', receiver: '章敏' }),
  zhishu({ items: [['any', 2]], day: -46, clock: '10:35', path: 'partial', channel: '02' }),
  zhishu({ items: [['lessons', 1]], day: -39, clock: '15:25', path: 'paid' }),
  zhishu({ items: [['any', 1]], day: -34, clock: '09:45', path: 'paid', isTransfer: true }),
  zhishu({ items: [['supervision', 1]], day: -25, clock: '12:10', path: 'expired' }),
  zhishu({ items: [['any', 1]], day: -19, clock: '10:20', path: 'full' }),
  zhishu({
    items: [
      ['any', 1],
      ['supervision', 1],
    ],
    day: -14,
    clock: '14:15',
    path: 'paid',
  }),
  zhishu({ items: [['supervision', 1]], day: -6, clock: '11:10', path: 'lateWaiting' }),
  zhishu({ items: [['any', 1]], day: -2, clock: '10:45', path: 'paid', channel: '02' }),
  zhishu({ items: [['any', 1]], day: -4, clock: '09:55', path: 'failed' }),
  zhishu({ items: [['lessons', 1]], day: -1, clock: '16:20', path: 'failed', channel: '02' }),
  zhishu({ items: [['any', 1]], day: -1, clock: '11:40', path: 'pending' }),
];
