import { halfWidth, headWithoutRemark } from './column.ts';
import type { TableColumn } from './matchHeads.ts';
import { schoolYearOf } from '#domain/person/grades.ts';

/** 班内学号: a short number that only one pupil of a class has. With the class it becomes unique. */

const HEAD = /^(班内学号|班内序号|班级学号|座号|座位号)$/;
const NUMBER_KEYS: ReadonlySet<string | null> = new Set(['cuserno', 'studentno']);

/** Whether a head stands over numbers that are unique within a class only. */
export const isClassNumber = (head: string): boolean => HEAD.test(headWithoutRemark(head));

/** Finds the column of class numbers in a list that has no other number: the user decides whether to use it. */
export const findClassNumber = (columns: readonly TableColumn[]): TableColumn | undefined =>
  columns.some(({ key, state }) => NUMBER_KEYS.has(key) && state === 'matched')
    ? undefined
    : columns.find(({ head, index, state }) => index !== null && state === 'ignored' && isClassNumber(head));

/**
 * The student number of a class number: year of entry, class and number as schools write them, 20250307. A class of an unknown grade
 * stands with its name: 火箭班07. A longer number stays as it is.
 */
export function composeNumber(
  { gradecode, classname }: { gradecode: string; classname: string },
  text: string,
  today: string,
): string {
  const plain = halfWidth(text).trim();
  if (!/^\d{1,3}$/.test(plain) || classname === '') return plain;
  const year = Number(gradecode.slice(1));
  const entry = gradecode === '' || Number.isNaN(year) ? '' : String(Number(schoolYearOf(today).slice(0, 4)) - year + 1);
  const digits = /^(\d{1,2})班$/.exec(classname)?.[1];
  return `${entry}${entry && digits ? digits.padStart(2, '0') : classname}${plain.padStart(2, '0')}`;
}
