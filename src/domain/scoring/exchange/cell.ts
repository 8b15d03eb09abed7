/** What one cell of a worksheet says. Authors write full-width signs, blanks, units and marks; all of them are understood. */

/** Half-width signs, without blanks around them and without invisible characters. */
export const toPlain = (text: string): string =>
  text
    .replace(/[\uff01-\uff5e]/g, (sign) => String.fromCharCode(sign.charCodeAt(0) - 0xfee0))
    .replace(/[\u3000\u00a0]/g, ' ')
    .replace(/[\u200b-\u200f\ufeff]/g, '')
    .trim();

const NUMBER = /^[-+]?(?:\d{1,20}\.?\d{0,20}|\.\d{1,20})(?:e[-+]?\d{1,3})?$/i;
const UNIT = /\s*(?:分钟|分|岁|题|级|年|人|个)$/;

/** The number of a cell, also with a unit such as `5分钟`; undefined when it is none. */
export function toNumber(text: string): number | undefined {
  if (text.length > 60) return undefined;
  const plain = toPlain(text).replace(UNIT, '').replace('−', '-');
  if (!NUMBER.test(plain)) return undefined;
  const value = Number(plain);
  return Number.isFinite(value) ? value : undefined;
}

const YES = new Set(['是', '√', '✓', '✔', '1', 'y', 'yes', 'true', '对', '有', '必答', '反向', '反']);
const NO = new Set(['否', '×', 'x', '✗', '0', 'n', 'no', 'false', '不', '无']);

/** 是 or 否; undefined when the cell says neither. */
export function toYesNo(text: string): boolean | undefined {
  const plain = toPlain(text).toLowerCase();
  return YES.has(plain) ? true : NO.has(plain) ? false : undefined;
}

/** The parts of a list that authors divide by 、，；/ or blanks. */
export const toList = (text: string): string[] =>
  toPlain(text)
    .split(/[、,;/\s]+/)
    .filter(Boolean);

/** A number of a question as its code: `3`, `第3题` and `q3` are q3. */
export const toItemCode = (text: string): string => {
  const plain = toPlain(text).replace(/\.0+$/, '');
  const number = /^(?:第\s*)?(\d{1,4})\s*(?:题)?[.、]?$/.exec(plain)?.[1];
  return number === undefined ? plain : `q${Number(number)}`;
};

const sortKeys = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(sortKeys);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(entries.map(([key, entry]) => [key, sortKeys(entry)]));
};

/** Whether two values of a definition are the same JSON, whatever the order of their keys. */
export const isSame = (a: unknown, b: unknown): boolean => JSON.stringify(sortKeys(a)) === JSON.stringify(sortKeys(b));
