import type { Balance } from '#domain/counts/wallet.ts';

export interface Figure {
  name: string;
  value: number | string;
  unit: string;
  /** how it is counted */
  definition: string;
}

/** A movement with its sign. */
export const signed = (qty: number): string => `${qty > 0 ? '+' : ''}${qty.toLocaleString('zh-CN')}`;

/** The figures of one or many wallets, with how each is counted. */
export const figures = ({ granted, used, frozen, expired, free }: Balance): Figure[] => [
  { name: '已发放', value: granted, unit: '次', definition: '发放、购入与调整之和，减去收回' },
  { name: '已使用', value: used, unit: '次', definition: '受测者每交卷一次使用一次' },
  { name: '冻结', value: frozen, unit: '次', definition: '已授权或已生成测评码、还没有作答的次数' },
  { name: '已过期', value: expired, unit: '次', definition: '超过有效期未用完的次数' },
  { name: '剩余', value: free, unit: '次', definition: '已发放 = 已使用 + 冻结 + 已过期 + 剩余' },
];

/** The filters both screens share, to go from one to the other. */
export function isDrillOnly(params: URLSearchParams, more: Readonly<Record<string, string>> = {}): string {
  const keptParams = new URLSearchParams();
  for (const name of ['kind', 'forplan']) if (more[name]) keptParams.set(name, more[name]);
  for (const name of ['musercode', 'plancode', 'appid', 'begindate', 'enddate']) {
    const value = more[name] ?? params.get(name);
    if (value) keptParams.set(name, value);
  }
  const text = keptParams.toString();
  return text ? `?${text}` : '';
}
