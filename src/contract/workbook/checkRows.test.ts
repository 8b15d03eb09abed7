import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { excelDay, idnoCheck, isDay } from './cell.ts';
import { checkRows } from './checkRows.ts';
import { column, explainColumn, headsOf, templateColumnsOf, defineWorksheet } from './column.ts';
import { rosterWorksheet } from './roster.columns.ts';
import { studentWorksheet } from './student.columns.ts';

const TODAY = '2026-03-01';
const text = fc.oneof(
  fc.string({ unit: 'grapheme', maxLength: 12 }),
  fc.constantFrom('', ' ', '1.1E+17', '45123', '李华', '男', '2010/3/5', '学号', '姓名'),
);
const table = fc.array(fc.array(text, { maxLength: 8 }), { maxLength: 12 });

describe('the check of any table', () => {
  it('counts every row below the heads as good, bad or blank', () => {
    fc.assert(
      fc.property(table, fc.constantFrom(studentWorksheet, rosterWorksheet), (rows, sheet) => {
        const checked = checkRows(sheet, { rows }, { today: TODAY });
        expect(checked.good + checked.bad + checked.blank).toBe(checked.total);
        expect(checked.rows.length).toBe(checked.good + checked.bad);
        expect(checked.total).toBe(Math.max(0, rows.length - checked.headrow));
      }),
      { numRuns: 500 },
    );
  });

  it('gives errors for each bad row and none for good rows', () => {
    fc.assert(
      fc.property(fc.array(fc.array(text, { minLength: 7, maxLength: 7 }), { maxLength: 8 }), (body) => {
        const rows = [['学号', '姓名', '性别', '学段', '年级', '班级', '出生日期'], ...body];
        const checked = checkRows(studentWorksheet, { rows }, { today: TODAY });
        const rowsWithErrors = new Set(checked.errors.map((error) => error.row));
        for (const row of checked.rows) expect(rowsWithErrors.has(row.row)).toBe(!row.ok);
      }),
      { numRuns: 300 },
    );
  });

  it('lists every column that has a value', () => {
    fc.assert(
      fc.property(table, (rows) => {
        const checked = checkRows(rosterWorksheet, { rows }, { today: TODAY });
        const listedIndexes = new Set(checked.columns.map((item) => item.index));
        for (const row of rows.slice(checked.headrow))
          row.forEach((cell, index) => expect(listedIndexes.has(index) || !/[^\s\p{C}\p{Z}]/u.test(cell)).toBe(true));
      }),
      { numRuns: 300 },
    );
  });

  it('changes nothing in values it has already corrected', () => {
    fc.assert(
      fc.property(fc.array(fc.array(text, { minLength: 7, maxLength: 7 }), { maxLength: 8 }), (body) => {
        const heads = ['学号', '姓名', '性别', '学段', '年级', '班级', '出生日期'];
        const keys = ['studentno', 'username', 'gender', 'eduphase', 'grade', 'classname', 'birthday'] as const;
        const once = checkRows(studentWorksheet, { rows: [heads, ...body] }, { today: TODAY });
        const good = once.rows.filter((row) => row.ok);
        const again = checkRows(
          studentWorksheet,
          { rows: [heads, ...good.map((row) => keys.map((key) => String(row.values[key] ?? '')))] },
          { today: TODAY },
        );
        expect(again.good).toBe(good.length);
        expect(again.rows.map((row) => row.values)).toEqual(good.map((row) => row.values));
      }),
      { numRuns: 300 },
    );
  });
});

describe('a written day', () => {
  const day = fc
    .date({ min: new Date('1910-01-01'), max: new Date('2026-02-28'), noInvalidDate: true })
    .map((date) => date.toISOString().slice(0, 10));
  const birthdayOf = (cell: string): unknown =>
    checkRows(
      studentWorksheet,
      {
        rows: [
          ['学号', '出生日期'],
          ['1', cell],
        ],
      },
      { today: TODAY },
    ).rows[0]!.cells.birthday.value;

  it('is valid in every format that schools use', () => {
    fc.assert(
      fc.property(day, fc.constantFrom('/', '.', '-', '年'), (date, mark) => {
        const [y, m, d] = date.split('-').map(Number) as [number, number, number];
        expect(birthdayOf(mark === '年' ? `${y}年${m}月${d}日` : [y, m, d].join(mark))).toBe(date);
      }),
    );
  });

  it('can be an Excel serial number', () => {
    fc.assert(
      fc.property(day, (date) => {
        const serial = Math.round((Date.parse(date) - Date.UTC(1899, 11, 30)) / 86_400_000);
        expect(excelDay(serial)).toBe(date);
        expect(birthdayOf(String(serial))).toBe(date);
      }),
    );
  });

  it('is valid only if the calendar has it', () => {
    expect([isDay('2000-02-29'), isDay('1900-02-29'), isDay('2011-04-31'), isDay('2011-00-10')]).toEqual([
      true,
      false,
      false,
      false,
    ]);
  });
});

describe('a resident identity number', () => {
  it('has the check character of the two examples printed in GB 11643-1999', () => {
    expect([idnoCheck('11010519491231002'), idnoCheck('44052418800101001')]).toEqual(['X', '4']);
  });

  it('is accepted with its own check character and with no other', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 999 }), fc.constantFrom(...'0123456789X'), (order, check) => {
        const body = `11010119900307${String(order).padStart(3, '0')}`;
        const sheet = defineWorksheet([column({ key: 'idno', head: '证件号', kind: 'idno', required: true })], { name: '证件' });
        const { good } = checkRows(sheet, { rows: [['证件号'], [body + check]] });
        expect(good).toBe(check === idnoCheck(body) ? 1 : 0);
      }),
      { numRuns: 500 },
    );
  });
});

describe('a declared sheet', () => {
  it('has the heads of template A and of the roster', () => {
    expect(headsOf(studentWorksheet).join(' ')).toBe(
      '学号 姓名* 性别* 出生日期 学段* 年级* 班级* 院系 宿舍 是否寄宿 是否留守 联系电话 监护人姓名 监护人关系 监护人电话 班主任账号 备注',
    );
    expect(headsOf(rosterWorksheet).join(' ')).toBe('团体名称* 团体类型 学年 年级 班级 姓名* 学号/工号 联系电话 性别 出生日期');
  });

  it.each([studentWorksheet, rosterWorksheet])('$name accepts its own heads and examples without errors', (sheet) => {
    const rows = [headsOf(sheet), templateColumnsOf(sheet).map((item) => item.example ?? '')];
    const checked = checkRows(sheet, { rows }, { today: TODAY });
    expect([checked.good, checked.errors, checked.warnings]).toEqual([1, [], []]);
    expect(checked.columns.filter(({ index }) => index !== null).every((item) => item.state === 'matched')).toBe(true);
  });

  it('explains each column', () => {
    expect(explainColumn(studentWorksheet.columns[2])).toBe('必填。填写其中一个：男、女。');
    expect(explainColumn(studentWorksheet.columns[3])).toBe('选填。日期，如 2010-03-05。');
  });

  it('restores leading zeros of fixed-length numbers and reports it', () => {
    const sheet = defineWorksheet([column({ key: 'code', head: '测评码', kind: 'code', digits: 6 })], { name: '码' });
    const checked = checkRows(sheet, { rows: [['测评码'], ['1234'], ['1234567']] });
    expect(checked.rows[0]).toMatchObject({ ok: true, values: { code: '001234' } });
    expect(checked.warnings[0]!.message).toBe('第 2 行“测评码”应为 6 位，已补上开头的 0，请核对');
    expect(checked.errors[0]!.message).toBe('第 3 行“测评码”应为 6 位数字，现为“1234567”，请改正');
  });

  it('refuses a contradictory declaration', () => {
    const name = column({ key: 'a', head: '姓名', kind: 'name' });
    expect(() => defineWorksheet([name, { ...name, head: '名' }], { name: 'x' })).toThrow(RangeError);
    expect(() => defineWorksheet([name, { ...name, key: 'b' }], { name: 'x' })).toThrow(RangeError);
    expect(() => defineWorksheet([{ ...name, kind: 'choice' }], { name: 'x' })).toThrow(RangeError);
  });
});
