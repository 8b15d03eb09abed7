/** Amounts of money. They travel and are stored as whole 分; people read and type 元. */

const YUAN = /^(\d{1,10}|\d{1,3}(?:,\d{3}){1,3})(?:\.(\d{1,2}))?$/;

/** Returns 分 as 元 with two decimals and separators: 1,234.50. */
export const formatYuan = (fen: number): string =>
  (fen / 100).toLocaleString('en-US', { minimumFractionDigits: 2, maximumFractionDigits: 2 });

/** Returns the 分 of an amount that somebody typed in 元, such as 1234.5, ¥1,234.50 or 99 元; undefined if it is no amount. */
export function parseYuan(text: string): number | undefined {
  const plain = text
    .normalize('NFKC')
    .replace(/\s/g, '')
    .replace(/^[¥￥]/, '')
    .replace(/元$/, '');
  const [, yuan, decimals = ''] = YUAN.exec(plain) ?? [];
  return yuan === undefined ? undefined : Number(yuan.replaceAll(',', '') + decimals.padEnd(2, '0'));
}
