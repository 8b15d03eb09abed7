import { formatNumber } from '#domain/base/number.ts';
import type { Balance } from '#domain/counts/wallet.ts';

/** A figure above a list. */
export interface Figure {
  name: string;
  value: number | string;
  unit: string;
  /** how the figure is computed */
  definition: string;
}

/** Formats a movement with its sign. */
export const formatSigned = (qty: number): string => `${qty > 0 ? '+' : ''}${formatNumber(qty)}`;

/** The figures of one or more wallets, each with its definition. */
export const figures = ({ granted, used, frozen, expired, free }: Balance): Figure[] => [
  { name: '获得', value: granted, unit: '次', definition: '获得发放、购入与调整之和，减去被收回的' },
  { name: '已使用', value: used, unit: '次', definition: '受测者每交卷一次使用一次' },
  { name: '冻结', value: frozen, unit: '次', definition: '已授权或已生成测评码、还没有作答的次数' },
  { name: '已过期', value: expired, unit: '次', definition: '超过有效期未用完的次数' },
  { name: '剩余', value: free, unit: '次', definition: '获得 = 已使用 + 冻结 + 已过期 + 剩余' },
];

/** The query string with the filters that both screens share, for a link from one screen to the other. */
export function formatSharedFilters(params: URLSearchParams, more: Readonly<Record<string, string>> = {}): string {
  const shared = new URLSearchParams();
  for (const name of ['kind', 'forplan']) if (more[name]) shared.set(name, more[name]);
  for (const name of ['musercode', 'plancode', 'appid', 'begindate', 'enddate']) {
    const value = more[name] ?? params.get(name);
    if (value) shared.set(name, value);
  }
  const text = shared.toString();
  return text ? `?${text}` : '';
}
