import { expect } from 'vitest';
import { checkRows } from '#contract/workbook/checkRows.ts';
import { column, defineWorksheet } from '#contract/workbook/column.ts';

/** Worksheets as schools really send them. Each one lists all expected reports: every row must be counted. */

const pupils = defineWorksheet(
  [
    column({ key: 'studentno', head: '学号', kind: 'code', required: true, aliases: ['学籍号'] }),
    column({ key: 'username', head: '姓名', kind: 'name', required: true, maxlength: 20 }),
    column({ key: 'birthday', head: '出生日期', kind: 'date', past: true }),
    column({
      key: 'gender',
      head: '性别',
      kind: 'choice',
      choices: [
        { value: '01', label: '男', aliases: ['男生'] },
        { value: '02', label: '女' },
      ],
    }),
    column({ key: 'phonenumber', head: '联系电话', kind: 'phone', aliases: ['手机'] }),
    column({ key: 'idno', head: '证件号', kind: 'idno', aliases: ['身份证号'] }),
    column({ key: 'boarding', head: '是否寄宿', kind: 'yesno' }),
    column({ key: 'siblings', head: '兄弟姐妹数', kind: 'integer', min: 0, max: 20 }),
    column({ key: 'remark', head: '备注', kind: 'text', maxlength: 10 }),
  ],
  { name: '学生', unique: [['studentno'], ['idno']], alike: [['username', 'birthday']] },
);

/** A worksheet and the complete expected report. */
export interface MessySheet {
  sheet: string;
  rows: string[][];
  /** [good, bad, blank] */
  counts: [number, number, number];
  values?: Record<string, unknown>[];
  fixed?: Record<string, string>;
  errors?: string[];
  warnings?: string[];
  columns?: Record<string, string>;
  mapping?: (string | null | undefined)[];
}

export const HEADS = ['学号', '姓名'];
/** Returns a worksheet of one row with one additional column. */
export const sheetWithColumn = (head: string, text: string): string[][] => [
  ['学号', '姓名', head],
  ['1001', '王小明', text],
];
export const AS_TEXT = '请把该列设为“文本”格式后重新填写完整的号码';

/** Checks the worksheet and compares the complete report with the expected one. */
export function expectExactly({ rows, counts, values, errors, warnings, columns, fixed, mapping }: MessySheet): void {
  const checked = checkRows(pupils, { rows }, { today: '2026-03-01', ...(mapping ? { mapping } : {}) });
  expect([checked.good, checked.bad, checked.blank]).toEqual(counts);
  expect(checked.total).toBe(checked.good + checked.bad + checked.blank);
  expect(checked.errors.map((error) => error.message)).toEqual(errors ?? []);
  expect(checked.warnings.map((warning) => warning.message)).toEqual(warnings ?? []);
  values?.forEach((expected, index) => expect(checked.rows[index]!.values).toMatchObject(expected));
  const states = Object.fromEntries(checked.columns.map((checkedColumn) => [checkedColumn.head, checkedColumn.state]));
  expect(states).toMatchObject(columns ?? {});
  for (const [key, text] of Object.entries(fixed ?? {}))
    expect(checked.rows[0]!.cells[key as keyof (typeof checked.rows)[0]['cells']].fixed).toBe(text);
}
