/** The meaning of a stored number. Excel stores a day as a number, and only the cell format says that it is a day. */
export type NumberKind =
  { is: 'number'; isPercent?: true } | { is: 'date' | 'datetime' | 'time' } | { is: 'zeros'; digits: number };

const NUMBER: NumberKind = { is: 'number' };
const PERCENT: NumberKind = { is: 'number', isPercent: true };
// Excel's built-in formats (ECMA-376 18.8.30), with those of the East Asian editions.
const BUILT_IN = new Map<number, NumberKind>([
  ...[14, 15, 16, 17, 27, 28, 29, 30, 31, 36, 50, 51, 52, 53, 54, 57, 58].map((id) => [id, { is: 'date' }] as const),
  ...[18, 19, 20, 21, 32, 33, 34, 35, 45, 46, 47, 55, 56].map((id) => [id, { is: 'time' }] as const),
  [22, { is: 'datetime' }],
  [9, PERCENT],
  [10, PERCENT],
]);

/** Returns the kind of a number format by its `id`, or by its `code` when the file defines one. */
export function numberKind(id: number, code: string | undefined): NumberKind {
  if (code === undefined) return BUILT_IN.get(id) ?? NUMBER;
  const first = code.split(';')[0]!;
  // Quoted words, colours and escaped characters do not show a date; [h] does.
  const pattern = first
    .replace(/"[^"]*"|\\.|_.|\*./g, '')
    .replace(/\[(?!h+\]|m+\]|s+\])[^\]]*\]/gi, '')
    .toLowerCase();
  if (/^0{2,}$/.test(pattern)) return { is: 'zeros', digits: pattern.length };
  if (/general|[#0?]/.test(pattern) && !/[ydh]/.test(pattern)) return pattern.includes('%') ? PERCENT : NUMBER;
  const hasDay = /[yd]/.test(pattern) || (/m/.test(pattern) && !/[hs]/.test(pattern));
  const hasTime = /[hs]/.test(pattern);
  return hasDay ? { is: hasTime ? 'datetime' : 'date' } : hasTime ? { is: 'time' } : NUMBER;
}

/** Returns the text of a stored number as the user saw it, as far as it matters: all digits, leading zeros, day, time. */
export function showNumber(stored: string, kind: NumberKind, date1904: boolean): string {
  const value = Number(stored);
  if (stored.trim() === '' || !Number.isFinite(value)) return stored;
  if (kind.is === 'number') return plainNumber(value);
  if (kind.is === 'zeros')
    return Number.isInteger(value) && value >= 0 ? plainNumber(value).padStart(kind.digits, '0') : plainNumber(value);
  const serial = date1904 ? value + 1462 : value;
  if (serial < 0 || serial >= 2_958_466) return plainNumber(value);
  const seconds = Math.round(serial * 86_400);
  // Excel's day 60 is 29 February 1900, which never existed. So the days before it count from one day later.
  const moment = new Date((Date.UTC(1899, 11, serial < 60 ? 31 : 30) / 1000 + seconds) * 1000).toISOString();
  const clock = moment.slice(11, 19);
  if (kind.is === 'time' && serial < 1) return clock;
  if (kind.is === 'date' || clock === '00:00:00') return moment.slice(0, 10);
  return `${moment.slice(0, 10)} ${clock}`;
}

function plainNumber(value: number): string {
  if (Number.isSafeInteger(value)) return String(value);
  const scientific = /^(-?)(\d)(?:\.(\d+))?e\+(\d+)$/.exec(value.toPrecision(15));
  // Digits after the fifteenth are unknown, so write zeros. The digits of the double would look like typed digits.
  if (scientific && Number(scientific[4]) <= 30) {
    const [, sign, first, decimals = '', power] = scientific;
    return sign! + first! + decimals.padEnd(Number(power), '0');
  }
  // Excel itself stores fifteen digits: it shows 0.1 + 0.2 as 0.3.
  return String(Number(value.toPrecision(15)));
}
