/** How a number is meant to be read: Excel keeps a day as a number and only its format says that it is one. */
export type NumberKind = { is: 'number' } | { is: 'date' | 'datetime' | 'time' } | { is: 'zeros'; digits: number };

const NUMBER: NumberKind = { is: 'number' };
// The formats Excel has built in (ECMA-376 18.8.30), with those East Asian editions add.
const BUILT_IN = new Map<number, NumberKind>([
  ...[14, 15, 16, 17, 27, 28, 29, 30, 31, 36, 50, 51, 52, 53, 54, 57, 58].map((id) => [id, { is: 'date' }] as const),
  ...[18, 19, 20, 21, 32, 33, 34, 35, 45, 46, 47, 55, 56].map((id) => [id, { is: 'time' }] as const),
  [22, { is: 'datetime' }],
]);

/** The kind of a cell format: `id` of the format, `code` where the file defines it. */
export function numberKind(id: number, code: string | undefined): NumberKind {
  if (code === undefined) return BUILT_IN.get(id) ?? NUMBER;
  const first = code.split(';')[0]!;
  // Words, colours and escaped characters say nothing about dates; [h] does.
  const bare = first
    .replace(/"[^"]*"|\\.|_.|\*./g, '')
    .replace(/\[(?!h+\]|m+\]|s+\])[^\]]*\]/gi, '')
    .toLowerCase();
  if (/^0{2,}$/.test(bare)) return { is: 'zeros', digits: bare.length };
  if (/general|[#0?]/.test(bare) && !/[ydh]/.test(bare)) return NUMBER;
  const day = /[yd]/.test(bare) || (/m/.test(bare) && !/[hs]/.test(bare));
  const clock = /[hs]/.test(bare);
  return day ? { is: clock ? 'datetime' : 'date' } : clock ? { is: 'time' } : NUMBER;
}

/** The text of a stored number, as the user saw it as far as it carries meaning: all digits, zeros in front, day, time. */
export function showNumber(stored: string, kind: NumberKind, date1904: boolean): string {
  const value = Number(stored);
  if (stored.trim() === '' || !Number.isFinite(value)) return stored;
  if (kind.is === 'number') return plainNumber(value);
  if (kind.is === 'zeros')
    return Number.isInteger(value) && value >= 0 ? plainNumber(value).padStart(kind.digits, '0') : plainNumber(value);
  const serial = date1904 ? value + 1462 : value;
  if (serial < 0 || serial >= 2_958_466) return plainNumber(value);
  const seconds = Math.round(serial * 86_400);
  // 60 is 29 February 1900, a day Excel invented: before it days count from one later.
  const moment = new Date((Date.UTC(1899, 11, serial < 60 ? 31 : 30) / 1000 + seconds) * 1000).toISOString();
  const clock = moment.slice(11, 19);
  if (kind.is === 'time' && serial < 1) return clock;
  if (kind.is === 'date' || clock === '00:00:00') return moment.slice(0, 10);
  return `${moment.slice(0, 10)} ${clock}`;
}

function plainNumber(value: number): string {
  if (Number.isSafeInteger(value)) return String(value);
  const scientific = /^(-?)(\d)(?:\.(\d+))?e\+(\d+)$/.exec(value.toPrecision(15));
  // Beyond fifteen digits there is nothing but zeros to tell; the double's own digits would look like a number that was typed.
  if (scientific && Number(scientific[4]) <= 30) {
    const [, sign, first, rest = '', power] = scientific;
    return sign! + first! + rest.padEnd(Number(power), '0');
  }
  // Fifteen digits are what Excel itself keeps: 0.1 + 0.2 reads 0.3.
  return String(Number(value.toPrecision(15)));
}
