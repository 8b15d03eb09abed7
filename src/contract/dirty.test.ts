import { describe, expect, it } from 'vitest';
import { checkRows } from './checkRows.ts';
import { column, sheetOf } from './column.ts';

/** Sheets as schools really send them. Each states everything that is reported; no row may vanish without being counted. */

const pupils = sheetOf(
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

interface Dirty {
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

const HEADS = ['学号', '姓名'];
const one = (head: string, text: string): string[][] => [
  ['学号', '姓名', head],
  ['1001', '王小明', text],
];
const AS_TEXT = '请把该列设为“文本”格式后重新填写完整的号码';

const CORPUS: Dirty[] = [
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
    sheet: 'calls its columns by other names and in another order',
    rows: [
      ['手机', '姓名', '学籍号'],
      ['13800000000', '李华', 'G320501'],
    ],
    counts: [1, 0, 0],
    values: [{ studentno: 'G320501', phonenumber: '13800000000' }],
  },
  {
    sheet: 'stands below a title and a note',
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
    sheet: 'has columns nobody knows, one of them without a head',
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
    sheet: 'has blank rows between and after',
    rows: [HEADS, ['1', '李华'], [], ['', '　'], ['2', '韩梅'], []],
    counts: [2, 0, 3],
  },
  {
    sheet: 'is numbered ahead for rows never filled',
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
    sheet: 'has identity numbers Excel shows in scientific notation',
    rows: one('证件号', '1.10101E+17'),
    counts: [0, 1, 0],
    errors: [`第 2 行“证件号”1.10101E+17 是科学计数法，末尾数字已丢失，${AS_TEXT}`],
  },
  {
    sheet: 'has identity numbers whose last three digits Excel made zeros',
    rows: one('身份证号', '110101199003071000'),
    counts: [0, 1, 0],
    errors: [`第 2 行“证件号”末尾三位变成了 000，是 Excel 按数字保存造成的，${AS_TEXT}`],
  },
  {
    sheet: 'has an identity number that may rightly end in 000',
    rows: one('证件号', '110101199003029000'),
    counts: [1, 0, 0],
    values: [{ idno: '110101199003029000' }],
    warnings: ['第 2 行“证件号”以 000 结尾，可能是 Excel 丢失了末尾数字，请与证件核对'],
  },
  {
    sheet: 'has such a number beside others that Excel surely damaged',
    rows: [
      ['学号', '姓名', '证件号'],
      ['1', '李华', '110101199003029000'],
      ['2', '韩梅', '1.10101E+17'],
    ],
    counts: [0, 2, 0],
    errors: [
      '第 2 行“证件号”以 000 结尾，同列其他证件号已被 Excel 改坏，请按证件重新填写',
      `第 3 行“证件号”1.10101E+17 是科学计数法，末尾数字已丢失，${AS_TEXT}`,
    ],
  },
  {
    sheet: 'has a mistyped identity number',
    rows: one('证件号', '110101199003077759'),
    counts: [0, 1, 0],
    errors: ['第 2 行“证件号”身份证号校验不通过，可能输错了数字，请与证件核对'],
  },
  {
    sheet: 'has identity numbers with blanks and a small x',
    rows: one('证件号', '110101 19900307 002x'),
    counts: [1, 0, 0],
    values: [{ idno: '11010119900307002X' }],
    fixed: { idno: '识别为 11010119900307002X' },
  },
  {
    sheet: 'has an identity number of the old fifteen digits',
    rows: one('证件号', '110101900307775'),
    counts: [0, 1, 0],
    errors: ['第 2 行“证件号”是 15 位旧证件号，请填写 18 位身份证号'],
  },
  {
    sheet: 'has an identity number with a birthday that does not exist',
    rows: one('证件号', '110101199002307758'),
    counts: [0, 1, 0],
    errors: ['第 2 行“证件号”身份证号中的出生日期 1990-02-30 不存在，请核对'],
  },
  {
    sheet: 'lost the leading zeros of some student numbers',
    rows: [HEADS, ['00230101', '李华'], ['230102', '韩梅']],
    counts: [2, 0, 0],
    warnings: ['第 3 行“学号”230102 可能丢失了开头的 0：同列以 0 开头的为 8 位，请核对'],
  },
  {
    sheet: 'has a long student number turned to scientific notation, all digits kept',
    rows: [HEADS, ['2.0240101E+7', '李华']],
    counts: [1, 0, 0],
    values: [{ studentno: '20240101' }],
    fixed: { studentno: '科学计数法还原为 20240101' },
  },
  {
    sheet: 'has a long student number turned to scientific notation, digits lost',
    rows: [HEADS, ['2.02401E+11', '李华']],
    counts: [0, 1, 0],
    errors: [`第 2 行“学号”2.02401E+11 是科学计数法，末尾数字已丢失，${AS_TEXT}`],
  },
  {
    sheet: 'has a nineteen-digit number rounded by Excel',
    rows: [HEADS, ['3205012012090100000', '李华']],
    counts: [0, 1, 0],
    errors: [`第 2 行“学号”第 15 位以后变成了 0，是 Excel 按数字保存造成的，${AS_TEXT}`],
  },
  {
    sheet: 'has dates as Excel serial numbers',
    rows: one('出生日期', '45123'),
    counts: [1, 0, 0],
    values: [{ birthday: '2023-07-16' }],
    warnings: ['第 2 行“出生日期”45123 是 Excel 的日期序号，已转换为 2023-07-16，请核对'],
  },
  ...['2010/3/5', '2010.3.5', '2010年3月5日', '２０１０－０３－０５', '20100305', '2010-3-5 00:00:00', '2010 年 03 月 05 日'].map(
    (text): Dirty => ({
      sheet: `writes the birthday ${text}`,
      rows: one('出生日期', text),
      counts: [1, 0, 0],
      values: [{ birthday: '2010-03-05' }],
    }),
  ),
  {
    sheet: 'has dates that do not exist, are incomplete, unclear or in the future',
    rows: [
      ['学号', '姓名', '出生日期'],
      ['1', '李华', '2011-02-29'],
      ['2', '韩梅', '2011年3月'],
      ['3', '王刚', '3/5/11'],
      ['4', '赵敏', '2031-01-01'],
      ['5', '钱多', '属虎'],
    ],
    counts: [0, 5, 0],
    errors: [
      '第 2 行“出生日期”没有 2011-02-29 这一天，请改正',
      '第 3 行“出生日期”“2011年3月”缺少日，请写成 2010-03-05 的形式',
      '第 4 行“出生日期”“3/5/11”分不清年月日，请写成 2010-03-05 的形式',
      '第 5 行“出生日期”2031-01-01 晚于今天，请改正',
      '第 6 行“出生日期”“属虎”不是日期，请写成 2010-03-05 的形式',
    ],
  },
  ...[
    '138 0000 0000',
    '138-0000-0000',
    '１３８００００００００',
    '+86 13800000000',
    '008613800000000',
    "'13800000000",
    '13800000000.0',
  ].map((text): Dirty => ({
    sheet: `writes the phone ${text}`,
    rows: one('手机', text),
    counts: [1, 0, 0],
    values: [{ phonenumber: '13800000000' }],
  })),
  {
    sheet: 'has landlines, with area code and without',
    rows: [
      ['学号', '姓名', '联系电话'],
      ['1', '李华', '(0512)66778899'],
      ['2', '韩梅', '66778899'],
    ],
    counts: [1, 1, 0],
    values: [{ phonenumber: '0512-66778899' }, { phonenumber: null }],
    errors: ['第 3 行“联系电话”“66778899”不是手机号，也不是带区号的固定电话，请改正'],
  },
  {
    sheet: 'has phones one digit short, two at once, or in scientific notation',
    rows: [
      ['学号', '姓名', '联系电话'],
      ['1', '李华', '1380000000'],
      ['2', '韩梅', '13800000000/13900000000'],
      ['3', '王刚', '1.38E+10'],
    ],
    counts: [0, 3, 0],
    errors: [
      '第 2 行“联系电话”手机号应为 11 位，现为 10 位，请改正',
      '第 3 行“联系电话”有两个号码，请只填写一个',
      `第 4 行“联系电话”1.38E+10 是科学计数法，号码已不完整，${AS_TEXT}`,
    ],
  },
  {
    sheet: 'pads names with blanks, inside and behind',
    rows: [HEADS, ['1', '李　华 '], ['2', '买买提．艾力']],
    counts: [2, 0, 0],
    values: [{ username: '李华' }, { username: '买买提·艾力' }],
    fixed: { username: '去掉了首尾空格；全角字符转为半角；去掉了姓名中间的空格' },
  },
  {
    sheet: 'was copied from a web page with characters nobody sees',
    rows: [HEADS, ['1001\u200b', '\ufeff王小明\u00a0']],
    counts: [1, 0, 0],
    values: [{ studentno: '1001', username: '王小明' }],
    fixed: { studentno: '去掉了看不见的字符' },
  },
  {
    sheet: 'writes gender in other words and once wrongly',
    rows: [
      ['学号', '姓名', '性别'],
      ['1', '李华', '男生'],
      ['2', '韩梅', ' 女 '],
      ['3', '王刚', '汉'],
    ],
    counts: [2, 1, 0],
    values: [{ gender: '01' }, { gender: '02' }, { gender: null }],
    errors: ['第 4 行“性别”“汉”不在可选范围，请填写：男、女'],
  },
  {
    sheet: 'ticks boxes',
    rows: [
      ['学号', '姓名', '是否寄宿'],
      ['1', '李华', '√'],
      ['2', '韩梅', '×'],
      ['3', '王刚', 'TRUE'],
      ['4', '赵敏', '周末回家'],
    ],
    counts: [3, 1, 0],
    values: [{ boarding: true }, { boarding: false }, { boarding: true }, { boarding: null }],
    errors: ['第 5 行“是否寄宿”“周末回家”无法判断，请填写 是 或 否'],
  },
  {
    sheet: 'has numbers out of range and numbers that are none',
    rows: [
      ['学号', '姓名', '兄弟姐妹数'],
      ['1', '李华', '２'],
      ['2', '韩梅', '1.0'],
      ['3', '王刚', '-1'],
      ['4', '赵敏', '两个'],
      ['5', '钱多', '1.5'],
    ],
    counts: [2, 3, 0],
    values: [{ siblings: 2 }, { siblings: 1 }],
    errors: [
      '第 4 行“兄弟姐妹数”-1 小于 0，请改正',
      '第 5 行“兄弟姐妹数”“两个”不是整数，请填写整数',
      '第 6 行“兄弟姐妹数”“1.5”不是整数，请填写整数',
    ],
  },
  {
    sheet: 'says the same pupil twice',
    rows: [HEADS, ['1', '李华'], ['2', '韩梅'], ['1', '李华 ']],
    counts: [2, 1, 0],
    errors: ['第 4 行“学号”与第 2 行完全相同，请删除这一行'],
  },
  {
    sheet: 'gives one number to two pupils',
    rows: [HEADS, ['1', '李华'], ['１', '韩梅'], ['2', '王刚']],
    counts: [1, 2, 0],
    errors: ['第 2 行“学号”与第 3 行重复，请核对后只保留正确的一行', '第 3 行“学号”与第 2 行重复，请核对后只保留正确的一行'],
  },
  {
    sheet: 'has two pupils of one name and birthday',
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
    sheet: 'has formulas that failed and columns too narrow',
    rows: [
      ['学号', '姓名', '出生日期'],
      ['#N/A', '李华', '####'],
    ],
    counts: [0, 1, 0],
    errors: ['第 2 行“学号”是公式错误 #N/A，请改为具体内容', '第 2 行“出生日期”是列宽不够时显示的 ####，请加宽该列后重新保存'],
  },
  {
    sheet: 'comes from our own CSV export, with its guard against formulas',
    rows: [
      ['学号', '姓名', '备注'],
      ['1', '李华', "'=请假"],
    ],
    counts: [1, 0, 0],
    values: [{ remark: '=请假' }],
    fixed: { remark: '去掉了开头的单引号' },
  },
  {
    sheet: 'has remarks too long and remarks that were numbers',
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
    sheet: 'has the name and the number in each other’s column',
    rows: [HEADS, ['李华', '1001']],
    counts: [0, 1, 0],
    errors: ['第 2 行“姓名”“1001”是数字，请填写姓名'],
  },
  { sheet: 'has heads and nothing else', rows: [HEADS], counts: [0, 0, 0], errors: ['表头下面没有数据，请填写后再导入'] },
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
    sheet: 'has its columns matched by hand',
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
  it.each(CORPUS)('$sheet', ({ rows, counts, values, errors, warnings, columns, fixed, mapping }) => {
    const checked = checkRows(pupils, { rows }, { today: '2026-03-01', ...(mapping ? { mapping } : {}) });
    expect([checked.good, checked.bad, checked.blank]).toEqual(counts);
    expect(checked.total).toBe(checked.good + checked.bad + checked.blank);
    expect(checked.errors.map((error) => error.message)).toEqual(errors ?? []);
    expect(checked.warnings.map((warning) => warning.message)).toEqual(warnings ?? []);
    values?.forEach((expected, at) => expect(checked.rows[at]!.values).toMatchObject(expected));
    const states = Object.fromEntries(checked.columns.map((found) => [found.head, found.state]));
    expect(states).toMatchObject(columns ?? {});
    for (const [key, said] of Object.entries(fixed ?? {}))
      expect(checked.rows[0]!.cells[key as keyof (typeof checked.rows)[0]['cells']].fixed).toBe(said);
  });
});
