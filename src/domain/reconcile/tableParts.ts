import type { Sum, TableForm } from '#domain/reconcile/tableForm.ts';

/** Parts that several rows of the table share. */

/** Ascending limits: `0:0 5:1` gives level 0 from 0 on and level 1 from 5 on. */
export const from = <L extends number>(text: string) =>
  text.split(' ').map((part) => part.split(':').map(Number) as unknown as readonly [from: number, level: L]);
/** The options 0 to `highest`, each with its number as points. */
export const zeroTo = (highest: number): Record<string, number> =>
  Object.fromEntries(Array.from({ length: highest + 1 }, (_, points) => [String(points), points]));
/** The options 1 to `highest`, each with its number as points. */
export const oneTo = (highest: number): Record<string, number> =>
  Object.fromEntries(Array.from({ length: highest }, (_, index) => [String(index + 1), index + 1]));
const round: Sum['steps'] = [['round', 0]];
/** The mean of the other answers replaces up to `missing` answers; the sum is rounded half up. */
export const prorated = (missing: number) => ({ missing, isProrated: true, steps: round });

/** A factor of the SCL-90: the mean of its items with two decimals. A factor of 4 or more raises level 2. */
export const factor = (code: string, of: string): Sum => ({
  code,
  op: 'mean',
  of,
  steps: [['round', 2]],
  isPrimary: true,
  levels: from('1:0 2:1 3:2 4:3'),
  raises: from('4:2'),
});
/** A content scale of the MHT: 8 or more needs counselling. */
export const content = (code: string, of: string): Sum => ({
  code,
  op: 'sum',
  of,
  isPrimary: true,
  levels: from('0:0 8:2'),
});
/** A subscale of the DASS-21: twice its sum (Lovibond 1995). Limits of mild, moderate, severe, extremely severe. */
export const dass = (
  code: string,
  of: string,
  [mild, moderate, severe, extreme]: readonly [number, number, number, number],
): Sum => ({
  code,
  op: 'sum',
  of,
  missing: 1,
  isProrated: true,
  steps: [
    ['mul', 2],
    ['round', 0],
  ],
  isPrimary: true,
  levels: from(`0:0 ${mild}:1 ${moderate}:2 ${severe}:3 ${extreme}:4`),
  raises: from(`${severe}:2 ${extreme}:3`),
});
/** A Zung scale: the whole part of 1.25 × the raw sum. */
export const zung = (reversed: string, [mild, moderate, severe]: readonly [number, number, number]): TableForm => ({
  items: 'q1..q20',
  points: oneTo(4),
  reversed,
  sums: [
    { code: 'raw', op: 'sum', of: 'q1..q20' },
    {
      code: 'std',
      op: 'same',
      of: 'raw',
      steps: [['mul', 1.25], ['floor']],
      isPrimary: true,
      levels: from(`0:0 ${mild}:1 ${moderate}:2 ${severe}:3`),
      raises: from(`${severe}:2`),
    },
  ],
});
/** A checklist of staff: the number of clear signs. Five or more raise level 2. */
export const checklist = (items: string): Pick<TableForm, 'items' | 'points' | 'sums'> => ({
  items,
  points: zeroTo(2),
  sums: [
    { code: 'total', op: 'sum', of: items, missing: 2 },
    {
      code: 'nclear',
      op: 'count',
      of: items,
      where: { eq: 2 },
      missing: 2,
      isPrimary: true,
      levels: from('0:0 1:1 3:2 5:3'),
      raises: from('5:2'),
    },
  ],
});
