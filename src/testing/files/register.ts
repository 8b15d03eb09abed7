import { xlsxMime, type Upload } from '#contract/file.ts';
import { workbookParts, zipOf } from '#testing/files/workbook.ts';

/** Workbooks as schools have them: the export of the national student register, and class lists. */

type Cell = string | number;
export type Rows = readonly (readonly Cell[])[];

const escape = (text: string): string => text.replace(/[&<>]/g, (c) => `&#${c.charCodeAt(0)};`);
const cellXml = (cell: Cell): string =>
  typeof cell === 'number'
    ? `<c><v>${cell}</v></c>`
    : `<c t="inlineStr"><is><t xml:space="preserve">${escape(cell)}</t></is></c>`;
const sheetXml = (rows: Rows): string => rows.map((row) => `<row>${row.map(cellXml).join('')}</row>`).join('');

/** Returns a workbook with these worksheets as an uploaded file. */
export async function xlsx(sheets: Readonly<Record<string, Rows>>, filename = '学生信息.xlsx'): Promise<Upload> {
  const list = Object.entries(sheets);
  const parts = workbookParts('', {
    sheets: list.map(([name], index) => `<sheet name="${escape(name)}" sheetId="${index + 1}" r:id="s${index + 1}"/>`).join(''),
  });
  const relation = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships/worksheet';
  const relationOf = (index: number) => `<Relationship Id="s${index}" Type="${relation}" Target="worksheets/sheet${index}.xml"/>`;
  const relations = list.map((_, index) => relationOf(index + 1)).join('');
  parts['xl/_rels/workbook.xml.rels'] = `<Relationships>${relations}</Relationships>`;
  list.forEach(([, rows], index) => {
    parts[`xl/worksheets/sheet${index + 1}.xml`] =
      `<worksheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><sheetData>${sheetXml(rows)}</sheetData></worksheet>`;
  });
  return { filename, mime: xlsxMime, content: await zipOf(parts) };
}

/** The heads of the national student register that its users fill in, under its title row. */
export const REGISTER_HEADS = [
  '姓名★',
  '性别★',
  '出生日期★',
  '出生地★',
  '民族★',
  '身份证件类型★',
  '身份证件号★',
  '健康状况★',
  '户口所在地★',
  '学籍号',
  '学籍辅号',
  '班内学号',
  '年级★',
  '班级★',
  '入学年月★',
  '就读方式★',
  '家庭地址★',
  '联系电话★',
  '是否留守儿童★',
  '成员1姓名',
  '成员1关系',
  '成员1联系电话',
  '成员1是否监护人',
  '成员2姓名',
  '成员2关系',
  '成员2联系电话',
  '成员2是否监护人',
] as const;

/** Three pupils of 初一 and 初二 as the register exports them. */
export const registerRows: Rows = [
  ['云栖市晨光中学学生基本信息'],
  REGISTER_HEADS,
  ...(
    [
      [
        '林小雨',
        '2-女',
        20130908,
        '110101201309080041',
        'L0000000001',
        '1',
        '初一',
        '七(1)班',
        '2-住校',
        '2-双亲留守',
        '王秀英',
        '61-祖母',
        '0-否',
        '林建国',
        '51-父亲',
        '1-是',
      ],
      [
        '张小北',
        '1-男',
        '20130102',
        '110101201301020032',
        'L0000000002',
        '2',
        '初一',
        '七(1)班',
        '1-走读',
        '0-非留守',
        '张伟',
        '51-父亲',
        '1-是',
        '李娜',
        '52-母亲',
        '0-否',
      ],
      [
        '周宁',
        '女',
        20120304,
        '110101201203040029',
        'L0000000003',
        '1',
        '八年级',
        '2班',
        '1',
        '0',
        '周强',
        '父亲',
        '是',
        '',
        '',
        '',
      ],
    ] as const
  ).map(([name, gender, born, idno, no, seat, grade, className, boarding, left, m1, r1, is1, m2, r2, is2]) => [
    name,
    gender,
    born,
    '110101',
    '1-汉族',
    '1-居民身份证',
    idno,
    '1-健康',
    '110101',
    `G${idno}`,
    no,
    seat,
    grade,
    className,
    202509,
    boarding,
    '幸福路 1 号',
    '13800000001',
    left,
    m1,
    r1,
    '13900000001',
    is1,
    m2,
    r2,
    m2 ? '13900000002' : '',
    is2,
  ]),
];
