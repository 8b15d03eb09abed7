import { defineEnum } from '#domain/base/enum.ts';
import type { ArchiveFieldDef } from './archive.ts';

/** 档案字段: the fields that an institution adds to the archives of a population. */

/** The codes of own fields; a population has at most ten. */
export const OWN_CODES = ['x1', 'x2', 'x3', 'x4', 'x5', 'x6', 'x7', 'x8', 'x9', 'x10'] as const;
export type OwnCode = (typeof OWN_CODES)[number];

/** The kinds of own fields. */
export const OwnFieldKind = defineEnum({
  text: ['text', '文字'],
  integer: ['integer', '数字'],
  date: ['date', '日期'],
  yesno: ['yesno', '是或否'],
  choice: ['choice', '单选'],
  list: ['list', '多选'],
});

/** An own field as the database stores it. */
export interface OwnField {
  fieldcode: string;
  fieldname: string;
  kind: ArchiveFieldDef['kind'];
  options: readonly { readonly code: string; readonly label: string }[];
  inlist: number;
  inexport: number;
  insearch: number;
  required: number;
  sensitive: number;
}

/** Returns an own field in the form of the fields of its population. A sensitive field is on no list and is no filter. */
export const toFieldDef = (field: OwnField): ArchiveFieldDef => ({
  code: field.fieldcode,
  title: field.fieldname,
  kind: field.kind,
  isOwn: true,
  isExported: field.inexport === 1,
  ...(hasOptions(field.kind) ? { choices: field.options.map(({ code, label }) => [code, label] as const) } : {}),
  ...(field.inlist === 1 && field.sensitive === 0 ? { inList: true } : {}),
  ...(field.insearch === 1 && field.sensitive === 0 ? { inSearch: true } : {}),
  ...(field.required === 1 ? { isRequired: true } : {}),
  ...(field.sensitive === 1 ? { isSensitive: true } : {}),
});

/** Whether fields of this kind have options. */
export const hasOptions = (kind: string): boolean => kind === OwnFieldKind.choice || kind === OwnFieldKind.list;

/** Returns the options with codes: an option keeps its code, a new one gets the next free code. */
export function numberOptions(
  options: readonly { code?: string | undefined; label: string }[],
): { code: string; label: string }[] {
  let last = Math.max(0, ...options.map(({ code }) => Number(code ?? 0)));
  return options.map(({ code, label }) => ({ code: code ?? String(++last).padStart(2, '0'), label }));
}

/** The value of an archive field as its reader knows it; '' without a value. */
export function archiveValueText(field: ArchiveFieldDef | undefined, value: unknown): string {
  if (value === null || value === undefined || value === '') return '';
  const labelOf = (code: unknown) => field?.choices?.find(([choice]) => choice === code)?.[1] ?? String(code);
  if (field?.kind === 'yesno') return Number(value) === 1 ? '是' : '否';
  return Array.isArray(value) ? value.map(labelOf).join('、') : labelOf(value);
}
