import { describe, it } from 'vitest';
import type { MessySheet } from '#testing/files/messySheet.ts';
import { HEADS, expectExactly } from '#testing/files/messySheet.ts';

/** Sheets as schools send them: heads, rows and duplicates. The check must count every row. */
const CORPUS: MessySheet[] = [
  {
    sheet: 'is clean',
    rows: [HEADS, ['0001', '王小明']],
    counts: [1, 0, 0],
    values: [{ studentno: '0001', username: '王小明', birthday: null }],
  },
  {
    sheet: 'has asterisks, brackets, blanks and full-width signs in its heads',
    rows: [
      ['学 号＊', '*姓名：', '出生日期（YYYY-MM-DD）'],
      ['1', '李华', '2012-09-01'],
    ],
    counts: [1, 0, 0],
    columns: { '学 号＊': 'matched', '*姓名：': 'matched', '出生日期（YYYY-MM-DD）': 'matched' },
  },
  {
    sheet: 'has other column names in another order',
    rows: [
      ['手机', '姓名', '学籍号'],
      ['13800000000', '李华', 'G320501'],
    ],
    counts: [1, 0, 0],
    values: [{ studentno: 'G320501', phonenumber: '13800000000' }],
  },
  {
    sheet: 'has a title and a note above its heads',
    rows: [['阳光中学 2026 年春季学生名单'], [], ['制表：教务处'], HEADS, ['1', '李华']],
    counts: [1, 0, 0],
  },
  {
    sheet: 'lacks a required column',
    rows: [
      ['姓名', '性别'],
      ['李华', '男'],
      ['韩梅', '女'],
    ],
    counts: [0, 2, 0],
    errors: ['缺少必填列“学号”：请在表头行添加这一列，或对照模板修改列名'],
    columns: { 姓名: 'matched', 性别: 'matched', 学号: 'missing' },
  },
  {
    sheet: 'has unknown columns, one of them without a head',
    rows: [
      ['学号', '姓名', '座右铭', ''],
      ['1', '李华', '奋斗', '多余'],
    ],
    counts: [1, 0, 0],
    columns: { 座右铭: 'ignored', '（第 4 列，无表头）': 'ignored' },
  },
  {
    sheet: 'has the same column twice',
    rows: [
      ['学号', '姓名', '学籍号'],
      ['1', '李华', 'G1'],
    ],
    counts: [1, 0, 0],
    values: [{ studentno: '1' }],
    columns: { 学籍号: 'repeated' },
    warnings: ['第 3 列“学籍号”与前面的列重复，未读取'],
  },
  {
    sheet: 'has blank rows between and after its rows',
    rows: [HEADS, ['1', '李华'], [], ['', '　'], ['2', '韩梅'], []],
    counts: [2, 0, 3],
  },
  {
    sheet: 'has row numbers in unfilled rows',
    rows: [
      ['序号', ...HEADS],
      ['1', '1001', '李华'],
      ['2', '', ''],
    ],
    counts: [1, 0, 1],
    warnings: ['第 3 行只在未识别的列中有内容，按空行处理'],
  },
  {
    sheet: 'lacks a name in one row',
    rows: [HEADS, ['1', '李华'], ['2', ' ']],
    counts: [1, 1, 0],
    errors: ['第 3 行“姓名”不能为空，请填写姓名'],
  },
  {
    sheet: 'contains the same pupil twice',
    rows: [HEADS, ['1', '李华'], ['2', '韩梅'], ['1', '李华 ']],
    counts: [2, 1, 0],
    errors: ['第 4 行“学号”与第 2 行完全相同，请删除这一行'],
  },
  {
    sheet: 'has the same number for two pupils',
    rows: [HEADS, ['1', '李华'], ['１', '韩梅'], ['2', '王刚']],
    counts: [1, 2, 0],
    errors: ['第 2 行“学号”与第 3 行重复，请核对后只保留正确的一行', '第 3 行“学号”与第 2 行重复，请核对后只保留正确的一行'],
  },
  {
    sheet: 'has two pupils with the same name and birthday',
    rows: [
      ['学号', '姓名', '出生日期'],
      ['1', '李华', '2012-01-01'],
      ['2', '李华', '2012/1/1'],
    ],
    counts: [2, 0, 0],
    warnings: [
      '第 2 行“出生日期”与第 3 行相同（姓名、出生日期都相同），请确认不是同一人',
      '第 3 行“出生日期”与第 2 行相同（姓名、出生日期都相同），请确认不是同一人',
    ],
  },
  {
    sheet: 'has failed formulas and columns that are too narrow',
    rows: [
      ['学号', '姓名', '出生日期'],
      ['#N/A', '李华', '####'],
    ],
    counts: [0, 1, 0],
    errors: ['第 2 行“学号”是公式错误 #N/A，请改为具体内容', '第 2 行“出生日期”是列宽不够时显示的 ####，请加宽该列后重新保存'],
  },
  {
    sheet: 'comes from our own CSV export, which protects against formulas',
    rows: [
      ['学号', '姓名', '备注'],
      ['1', '李华', "'=请假"],
    ],
    counts: [1, 0, 0],
    values: [{ remark: '=请假' }],
    fixed: { remark: '去掉了开头的单引号' },
  },
  {
    sheet: 'has remarks that are too long or look like numbers',
    rows: [
      ['学号', '姓名', '备注'],
      ['1', '李华', '一二三四五六七八九十十一'],
      ['2', '韩梅', '4.4E+17'],
    ],
    counts: [1, 1, 0],
    errors: ['第 2 行“备注”有 12 个字，最多 10 个，请缩短'],
    warnings: ['第 3 行“备注”4.4E+17 像是被转成科学计数法的号码，请核对'],
  },
  {
    sheet: 'has names and numbers in swapped columns',
    rows: [HEADS, ['李华', '1001']],
    counts: [0, 1, 0],
    errors: ['第 2 行“姓名”“1001”是数字，请填写姓名'],
  },
  { sheet: 'has only heads', rows: [HEADS], counts: [0, 0, 0], errors: ['表头下面没有数据，请填写后再导入'] },
  {
    sheet: 'is empty',
    rows: [],
    counts: [0, 0, 0],
    errors: [
      '缺少必填列“学号”：请在表头行添加这一列，或对照模板修改列名',
      '缺少必填列“姓名”：请在表头行添加这一列，或对照模板修改列名',
    ],
  },
  {
    sheet: 'has no heads at all',
    rows: [
      ['1001', '李华'],
      ['1002', '韩梅'],
    ],
    counts: [0, 1, 0],
    errors: [
      '缺少必填列“学号”：请在表头行添加这一列，或对照模板修改列名',
      '缺少必填列“姓名”：请在表头行添加这一列，或对照模板修改列名',
    ],
    columns: { '1001': 'ignored', 李华: 'ignored', 学号: 'missing', 姓名: 'missing' },
  },
  {
    sheet: 'has columns matched by the user',
    rows: [
      ['号', '谁', '学号'],
      ['1001', '李华', '旧'],
    ],
    mapping: ['studentno', 'username', null],
    counts: [1, 0, 0],
    values: [{ studentno: '1001', username: '李华' }],
    columns: { 号: 'matched', 谁: 'matched', 学号: 'ignored' },
  },
];

describe('a sheet that', () => {
  it.each(CORPUS)('$sheet', expectExactly);
});
