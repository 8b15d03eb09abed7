import type { PersonKind } from '#contract/workbook/importJob.ts';
import { xlsxMime, type Upload } from '#contract/file.ts';
import { csv } from '#testing/files/classList.ts';
import { xlsx, type Rows } from '#testing/files/register.ts';
import { workbookParts, zipOf } from '#testing/files/workbook.ts';

/** Sheets with the mistakes that people really make, for all four templates, each with its complete outcome. */
export interface DirtySheet {
  mistake: string;
  kind: PersonKind;
  file: () => Promise<Upload> | Upload;
  /** persons in the sheet: created + changed + unchanged + refused */
  rows: number;
  created: number;
  refused?: number;
  /** what the check says about a refusal, a correction or a line that it left out */
  says?: readonly string[];
}

const B = ['姓名', '联系电话', '出生日期', '末次月经'] as const;
const LI = ['李晓雨', '13800000001', '1995-03-02', '2025-03-26'] as const;
const WANG = ['王芳', '13800000002', '1990-01-01', '2025-05-01'] as const;
const C = ['人群', '姓名', '性别', '工号'] as const;
const ZHOU = ['高压职业', '周建华', '男', 'A001'] as const;
const A = ['学号', '姓名', '性别', '学段', '年级', '班级'] as const;
const LIN = ['0001', '林小雨', '女', '初中', '初一', '3班'] as const;
const T = ['团体名称', '姓名', '学号', '性别'] as const;
const ZHANG = ['初二3班', '张小北', '0002', '男'] as const;

/** The bytes of a text in GB 18030, as Excel saves CSV in Chinese Windows. */
function toGbk(text: string): Buffer {
  const decoder = new TextDecoder('gb18030');
  const codes = new Map<string, readonly number[]>();
  for (let high = 0x81; high < 0xff; high++)
    for (let low = 0x40; low < 0xff; low++) codes.set(decoder.decode(Uint8Array.of(high, low)), [high, low]);
  return Buffer.from(
    [...text].flatMap((letter) => (letter < '\u0080' ? [letter.charCodeAt(0)] : [...(codes.get(letter) ?? [0x3f])])),
  );
}
const bytes = (content: Buffer, filename: string): Upload => ({ filename, mime: 'text/csv', content });
const book = (rows: Rows) => () => xlsx({ 名单: rows });
/** A workbook of raw XML: numbers, dates and settings as Excel writes them. */
const rawBook = async (data: string, options: Parameters<typeof workbookParts>[1] = {}): Promise<Upload> => ({
  filename: '名单.xlsx',
  mime: xlsxMime,
  content: await zipOf(workbookParts(data, options)),
});
const textRow = (cells: readonly string[]) =>
  `<row>${cells.map((cell) => `<c t="inlineStr"><is><t xml:space="preserve">${cell}</t></is></c>`).join('')}</row>`;
const DATE_STYLES = '<cellXfs><xf/><xf numFmtId="14"/></cellXfs>';
/** Days since the first day of Excel's two calendars. */
const serial = (date: string, first: string) => (Date.parse(date) - Date.parse(first)) / 86_400_000;
const maternityWithSerials = (first: string, workbookPr = '') =>
  rawBook(
    `${textRow(B)}<row><c t="inlineStr"><is><t>李晓雨</t></is></c><c><v>13800000001</v></c>` +
      `<c s="1"><v>${serial('1995-03-02', first)}</v></c><c s="1"><v>${serial('2025-03-26', first)}</v></c></row>`,
    { xfs: DATE_STYLES, workbookPr },
  );
const twoSheets = (hidden: string) =>
  xlsx({ 名单: [B, LI], 附表: [B, WANG] }).then(async () => {
    const relation = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships/worksheet';
    const parts = workbookParts(textRow(B) + textRow(WANG), {
      sheets: `<sheet name="旧" sheetId="1" ${hidden} r:id="s1"/><sheet name="名单" sheetId="2" r:id="s2"/>`,
    });
    parts['xl/_rels/workbook.xml.rels'] =
      `<Relationships><Relationship Id="s1" Type="${relation}" Target="worksheets/sheet1.xml"/>` +
      `<Relationship Id="s2" Type="${relation}" Target="worksheets/sheet2.xml"/></Relationships>`;
    parts['xl/worksheets/sheet2.xml'] = parts['xl/worksheets/sheet1.xml']!.replaceAll('王芳', '李晓雨').replaceAll(
      '13800000002',
      '13800000001',
    );
    return { filename: '名单.xlsx', mime: xlsxMime, content: await zipOf(parts) };
  });
const one = { rows: 1, created: 1 } as const;
const two = { rows: 2, created: 2 } as const;

const maternity: readonly DirtySheet[] = [
  { mistake: 'a merged title above the heads', kind: 'maternity', file: book([['仁爱妇幼2025年建册名单'], B, LI]), ...one },
  {
    mistake: 'heads of two rows',
    kind: 'maternity',
    file: book([
      ['基本信息', '', '', '孕产信息', ''],
      ['姓名', '联系电话', '出生日期', '末次月经', '孕次'],
      [...LI, '1'],
    ]),
    ...one,
  },
  {
    mistake: 'a trailing total',
    kind: 'maternity',
    file: book([B, LI, ['合计', '1人', '', '']]),
    ...one,
    says: ['不是人员，未导入'],
  },
  {
    mistake: 'full-width digits',
    kind: 'maternity',
    file: book([B, ['李晓雨', '１３８０００００００１', '１９９５－０３－０２', '2025-03-26']]),
    ...one,
  },
  {
    mistake: 'dates in six styles',
    kind: 'maternity',
    file: book([
      B,
      ['甲一', '13800000001', '19950302', '2025-03-26'],
      ['甲二', '13800000002', '1995/3/2', '2025/3/26'],
      ['甲三', '13800000003', '1995.3.2', '2025.03.26'],
      ['甲四', '13800000004', '1995年3月2日', '2025年3月26日'],
      ['甲五', '13800000005', '1995-3-2 00:00:00', '2025-03-26'],
      ['甲六', '13800000006', '34760', '45742'],
    ]),
    rows: 6,
    created: 6,
    says: ['是 Excel 的日期序号'],
  },
  { mistake: 'dates as numbers with a date format', kind: 'maternity', file: () => maternityWithSerials('1899-12-30'), ...one },
  {
    mistake: 'the calendar of 1904',
    kind: 'maternity',
    file: () => maternityWithSerials('1904-01-01', '<workbookPr date1904="1"/>'),
    ...one,
  },
  { mistake: 'blank rows between persons', kind: 'maternity', file: book([B, LI, ['', '', '', ''], [' '], WANG]), ...two },
  { mistake: 'an old list in a hidden sheet', kind: 'maternity', file: () => twoSheets('state="hidden"'), ...one },
  {
    mistake: 'two heads of one meaning',
    kind: 'maternity',
    file: book([
      [...B, '手机号'],
      [...LI, '13900000009'],
    ]),
    ...one,
    says: ['与前面的列重复，未读取'],
  },
  {
    mistake: 'CSV in GB 18030 with semicolons',
    kind: 'maternity',
    file: () => bytes(toGbk([B, LI, WANG].map((row) => row.join(';')).join('\r\n')), '名单.csv'),
    ...two,
  },
  {
    mistake: 'CSV with tabs and a byte order mark',
    kind: 'maternity',
    file: () => bytes(Buffer.from(`\ufeff${[B, LI].map((row) => row.join('\t')).join('\n')}`), '名单.txt'),
    ...one,
  },
  {
    mistake: 'a telephone in scientific notation',
    kind: 'maternity',
    file: book([B, ['李晓雨', '1.38E+10', '1995-03-02', '2025-03-26'], WANG]),
    rows: 2,
    created: 1,
    refused: 1,
    says: ['是科学计数法，号码已不完整'],
  },
  {
    mistake: 'gestation with text, and a day of registration',
    kind: 'maternity',
    file: book([
      ['姓名', '手机', '生日', '建册孕周', '建卡日期'],
      ['李晓雨', '13800000001', '1995-03-02', '24周+3', '2025/9/1'],
    ]),
    ...one,
  },
  {
    mistake: 'the last period in the column of the expected date',
    kind: 'maternity',
    file: book([
      ['姓名', '联系电话', '出生日期', '末次月经', '预产期'],
      ['李晓雨', '13800000001', '1995-03-02', '2025-03-26', '2025-03-26'],
    ]),
    rows: 1,
    created: 0,
    refused: 1,
    says: ['不晚于末次月经'],
  },
  {
    mistake: 'a man in the list',
    kind: 'maternity',
    file: book([
      [...B, '性别'],
      [...LI, '女'],
      ['张强', '13800000009', '1990-02-02', '2025-03-26', '1-男'],
    ]),
    rows: 2,
    created: 1,
    refused: 1,
    says: ['这是孕产妇的名单'],
  },
  {
    mistake: 'the same woman twice',
    kind: 'maternity',
    file: book([B, LI, LI]),
    rows: 2,
    created: 1,
    refused: 1,
    says: ['完全相同，请删除这一行'],
  },
];
const adults: readonly DirtySheet[] = [
  {
    mistake: 'codes such as 1-男',
    kind: 'adults',
    file: book([C, ['高压职业', '周建华', '1-男', 'A001'], ['高压职业', '吴敏', '2', 'A002']]),
    ...two,
  },
  { mistake: 'numbers stored as numbers', kind: 'adults', file: book([C, ['高压职业', '周建华', '男', 20250001]]), ...one },
  {
    mistake: 'lost zeros',
    kind: 'adults',
    file: book([C, ['高压职业', '周建华', '男', '00012'], ['高压职业', '吴敏', '女', 13]]),
    ...two,
    says: ['可能丢失了开头的 0'],
  },
  {
    mistake: 'an ID number in scientific notation',
    kind: 'adults',
    file: book([
      [...C, '身份证号'],
      [...ZHOU, '3.30106E+17'],
    ]),
    ...one,
    says: ['这一项未导入'],
  },
  {
    mistake: 'an ID number that Excel rounded',
    kind: 'adults',
    file: book([
      [...C, '身份证号'],
      [...ZHOU, '330106198506010000'],
    ]),
    ...one,
    says: ['以 000 结尾，可能是 Excel 丢失了末尾数字'],
  },
  { mistake: 'blanks inside names', kind: 'adults', file: book([C, ['高压职业', '周 建　华', '男', 'A001']]), ...one },
  {
    mistake: 'two persons in one cell',
    kind: 'adults',
    file: book([C, ['高压职业', '周建华、吴敏', '男', 'A001']]),
    ...one,
    says: ['一格只填一人'],
  },
  {
    mistake: 'a formula error',
    kind: 'adults',
    file: book([C, ZHOU, ['高压职业', '吴敏', '#N/A', 'A002']]),
    rows: 2,
    created: 1,
    refused: 1,
    says: ['是公式错误 #N/A'],
  },
  {
    mistake: 'a column too narrow',
    kind: 'adults',
    file: book([
      [...C, '入职日期'],
      [...ZHOU, '########'],
    ]),
    ...one,
    says: ['####'],
  },
  {
    mistake: 'an unknown population',
    kind: 'adults',
    file: book([C, ['退休', '周建华', '男', 'A001']]),
    rows: 1,
    created: 0,
    refused: 1,
    says: ['不在可选范围'],
  },
  {
    mistake: 'years with a unit',
    kind: 'adults',
    file: book([
      [...C, '工龄'],
      [...ZHOU, '8年'],
    ]),
    ...one,
  },
  {
    mistake: 'values of another population',
    kind: 'adults',
    file: book([
      [...C, '慢病'],
      [...ZHOU, '高血压'],
    ]),
    ...one,
    says: ['的档案没有这一项，未导入'],
  },
  {
    mistake: 'two telephones in one cell',
    kind: 'adults',
    file: book([
      [...C, '手机号'],
      [...ZHOU, '13800000001/13800000002'],
    ]),
    rows: 1,
    created: 0,
    refused: 1,
    says: ['有两个号码'],
  },
  {
    mistake: 'signatures under the list',
    kind: 'adults',
    file: book([C, ZHOU, ['制表人：张三', '', '', '']]),
    ...one,
    says: ['不是人员，未导入'],
  },
];
const students: readonly DirtySheet[] = [
  { mistake: 'stars and line breaks in heads', kind: 'students', file: book([A.map((head) => `${head}★\n`), LIN]), ...one },
  {
    mistake: 'a class written with its grade',
    kind: 'students',
    file: book([
      ['学号', '姓名', '性别', '班级'],
      ['0001', '林小雨', '女', '七(1)班'],
    ]),
    ...one,
  },
  {
    mistake: 'the same number twice',
    kind: 'students',
    file: book([A, LIN, ['0001', '张小北', '男', '初中', '初一', '3班']]),
    rows: 2,
    created: 0,
    refused: 2,
    says: ['请核对后只保留正确的一行'],
  },
  {
    mistake: 'invisible characters',
    kind: 'students',
    file: () => csv([[...A], ['\u200b0001', '\ufeff林小雨\u00a0', '女', '初中', '初一', '3班']]),
    ...one,
  },
  {
    mistake: 'a birthday of the future',
    kind: 'students',
    file: book([
      [...A, '出生日期'],
      [...LIN, '2035-01-01'],
    ]),
    rows: 1,
    created: 0,
    refused: 1,
    says: ['晚于今天'],
  },
];
const roster: readonly DirtySheet[] = [
  {
    mistake: 'one class a sheet',
    kind: 'roster',
    file: () =>
      xlsx({
        '初二(3)班': [
          ['姓名', '学号', '性别'],
          ['张小北', '0002', '男'],
        ],
        '初二(4)班': [
          ['姓名', '学号', '性别'],
          ['林小雨', '0001', '女'],
        ],
      }),
    ...two,
  },
  {
    mistake: 'quotes and commas inside cells',
    kind: 'roster',
    file: () =>
      csv([
        [...T, '备注'],
        [...ZHANG, '说"好", 可以'],
      ]),
    ...one,
  },
  { mistake: 'a formula as text', kind: 'roster', file: () => csv([[...T], ['初二3班', "'=张小北", '0002', '男']]), ...one },
  {
    mistake: 'a row with content in unknown columns only',
    kind: 'roster',
    file: book([
      [...T, '座右铭'],
      [...ZHANG, ''],
      ['', '', '', '', '好好学习'],
    ]),
    ...one,
    says: ['只在未识别的列中有内容'],
  },
  {
    mistake: 'a name that is a number',
    kind: 'roster',
    file: book([T, ZHANG, ['初二3班', '12', '0003', '男']]),
    rows: 2,
    created: 1,
    refused: 1,
    says: ['是数字，请填写姓名'],
  },
];
export const dirtySheets: readonly DirtySheet[] = [...maternity, ...adults, ...students, ...roster];
