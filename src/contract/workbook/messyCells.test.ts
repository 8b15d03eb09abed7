import { describe, it } from 'vitest';
import type { MessySheet } from '#testing/files/messySheet.ts';
import { AS_TEXT, HEADS, sheetWithColumn, expectExactly } from '#testing/files/messySheet.ts';

/** Cells as schools fill them: numbers and dates that Excel changed, and typed text. */
const CORPUS: MessySheet[] = [
  {
    sheet: 'has identity numbers that Excel shows in scientific notation',
    rows: sheetWithColumn('证件号', '1.10101E+17'),
    counts: [0, 1, 0],
    errors: [`第 2 行“证件号”1.10101E+17 是科学计数法，末尾数字已丢失，${AS_TEXT}`],
  },
  {
    sheet: 'has identity numbers whose last three digits Excel replaced by zeros',
    rows: sheetWithColumn('身份证号', '110101199003071000'),
    counts: [0, 1, 0],
    errors: [`第 2 行“证件号”末尾三位变成了 000，是 Excel 按数字保存造成的，${AS_TEXT}`],
  },
  {
    sheet: 'has an identity number that may correctly end in 000',
    rows: sheetWithColumn('证件号', '110101199003029000'),
    counts: [1, 0, 0],
    values: [{ idno: '110101199003029000' }],
    warnings: ['第 2 行“证件号”以 000 结尾，可能是 Excel 丢失了末尾数字，请与证件核对'],
  },
  {
    sheet: 'has an identity number ending in 000 beside numbers that Excel damaged',
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
    sheet: 'has two names in one cell',
    rows: [
      ['学号', '姓名'],
      ['1', '吴九，郑十'],
      ['2', '阿依古丽·买买提'],
    ],
    counts: [2, 0, 0],
    warnings: ['第 2 行“姓名”像是 2 个人：“吴九”、“郑十”，一格只填一人，请核对'],
  },
  {
    sheet: 'has a mistyped identity number',
    rows: sheetWithColumn('证件号', '110101199003077759'),
    counts: [0, 1, 0],
    errors: ['第 2 行“证件号”身份证号校验不通过，可能输错了数字，请与证件核对'],
  },
  {
    sheet: 'has identity numbers with blanks and a small x',
    rows: sheetWithColumn('证件号', '110101 19900307 002x'),
    counts: [1, 0, 0],
    values: [{ idno: '11010119900307002X' }],
    fixed: { idno: '识别为 11010119900307002X' },
  },
  {
    sheet: 'has an identity number of the old fifteen digits',
    rows: sheetWithColumn('证件号', '110101900307775'),
    counts: [0, 1, 0],
    errors: ['第 2 行“证件号”是 15 位旧证件号，请填写 18 位身份证号'],
  },
  {
    sheet: 'has an identity number with a birthday that does not exist',
    rows: sheetWithColumn('证件号', '110101199002307758'),
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
    sheet: 'has a student number in scientific notation with all digits',
    rows: [HEADS, ['2.0240101E+7', '李华']],
    counts: [1, 0, 0],
    values: [{ studentno: '20240101' }],
    fixed: { studentno: '科学计数法还原为 20240101' },
  },
  {
    sheet: 'has a student number in scientific notation with lost digits',
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
    rows: sheetWithColumn('出生日期', '45123'),
    counts: [1, 0, 0],
    values: [{ birthday: '2023-07-16' }],
    warnings: ['第 2 行“出生日期”45123 是 Excel 的日期序号，已转换为 2023-07-16，请核对'],
  },
  ...['2010/3/5', '2010.3.5', '2010年3月5日', '２０１０－０３－０５', '20100305', '2010-3-5 00:00:00', '2010 年 03 月 05 日'].map(
    (text): MessySheet => ({
      sheet: `writes the birthday ${text}`,
      rows: sheetWithColumn('出生日期', text),
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
  ].map((text): MessySheet => ({
    sheet: `writes the phone ${text}`,
    rows: sheetWithColumn('手机', text),
    counts: [1, 0, 0],
    values: [{ phonenumber: '13800000000' }],
  })),
  {
    sheet: 'has landline numbers with and without an area code',
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
    sheet: 'has phone numbers that are too short, double or in scientific notation',
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
    sheet: 'has blanks inside and after names',
    rows: [HEADS, ['1', '李　华 '], ['2', '买买提．艾力']],
    counts: [2, 0, 0],
    values: [{ username: '李华' }, { username: '买买提·艾力' }],
    fixed: { username: '去掉了首尾空格；全角字符转为半角；去掉了姓名中间的空格' },
  },
  {
    sheet: 'was copied from a web page with invisible characters',
    rows: [HEADS, ['1001\u200b', '\ufeff王小明\u00a0']],
    counts: [1, 0, 0],
    values: [{ studentno: '1001', username: '王小明' }],
    fixed: { studentno: '去掉了看不见的字符' },
  },
  {
    sheet: 'has other words for gender and one wrong word',
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
    sheet: 'has tick marks for yes and no',
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
    sheet: 'has numbers out of range and texts instead of numbers',
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
];

describe('a sheet that', () => {
  it.each(CORPUS)('$sheet', expectExactly);
});
