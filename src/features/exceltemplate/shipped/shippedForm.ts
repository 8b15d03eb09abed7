import { grades } from '#domain/person/grades.ts';
import type { Mapping } from '#domain/exceltemplate/mapping.ts';
import { LOOK, newFormBook, type FormCell, type FormSheet } from '#server/workbook/fill/newBook.ts';
import { letters } from '#server/workbook/parts.ts';

export const SHIPPED_TITLE = '学生心理健康排查统计表';

/** More schools than this make a form by district: the form must stay below 1 MB, and people read it. */
const MOST_SCHOOLS = 500;

type Choice = Mapping & { sheetname: string; ref: string };
const all = { place: 'region', placecolumn: '', people: 'all', peoplecolumn: '' } as const;

/** The columns of the form by school: indicator, head, group of heads. */
const SCHOOL_COLUMNS = [
  ['total', '应测人数', '参测情况'],
  ['exempt', '免测人数', '参测情况'],
  ['tested', '实测人数', '参测情况'],
  ['rate', '完成率', '参测情况'],
  ['valid', '有效人数', '排查结果'],
  ['abnormal', '需关注人数', '排查结果'],
  ['abnormalrate', '需关注率', '排查结果'],
  ['alert', '触发预警人数', '排查结果'],
  ['opened', '新建个案', '处置情况'],
  ['settled', '已处置', '处置情况'],
  ['closed', '已结案', '处置情况'],
] as const;
const GROUP_COLUMNS = SCHOOL_COLUMNS.filter(([code]) => code !== 'exempt').slice(0, 6);

const NOTES =
  '说明：①参测人数每校每年级向下取整到 5 的倍数后相加。②“不公布”表示人数较少，或公布后会推出个别人；合计公式不计入“不公布”的格。' +
  '③“—”表示结果尚未发布，或没有可以计算的人数。④筛查结果不等于医学诊断，只用于安排关心和支持。';

const isRate = (code: string): boolean => code.endsWith('rate');
const lookOf = (code: string): number => (isRate(code) ? LOOK.percent : LOOK.count);
const cellsOf = (look: number, texts: readonly string[]): FormCell[] => texts.map((text) => ({ look, text }));
const blank = (look: number, count: number): FormCell[] => Array.from({ length: count }, () => ({ look }));

/** Returns the form with a row for each school (or district), and what fills its cells. */
export async function buildShippedForm({
  schools,
  districts,
}: {
  schools: readonly string[];
  districts: readonly string[];
}): Promise<{ bytes: Buffer; cells: Choice[] }> {
  const isBySchool = schools.length <= MOST_SCHOOLS;
  const bySchool = schoolSheet(isBySchool ? schools : districts, isBySchool);
  const byGrade = groupSheet();
  const byGender = genderSheet();
  return {
    bytes: await newFormBook([bySchool.sheet, byGrade.sheet, byGender.sheet], { 来源: '系统自带表格' }),
    cells: [...bySchool.cells, ...byGrade.cells, ...byGender.cells],
  };
}

function schoolSheet(names: readonly string[], isBySchool: boolean): { sheet: FormSheet; cells: Choice[] } {
  const sheetname = isBySchool ? '学校汇总' : '区县汇总';
  const noun = isBySchool ? '学校' : '区县';
  const first = 5;
  const last = first + names.length - 1;
  const width = SCHOOL_COLUMNS.length + 2;
  const end = letters(width - 1);
  const row = (look: number, texts: readonly string[]): FormCell[] => [
    ...cellsOf(look, texts),
    ...blank(look, width - texts.length),
  ];
  const heads = row(LOOK.head, ['序号', noun]);
  const groups = [...new Set(SCHOOL_COLUMNS.map(([, , group]) => group))].map((group) => {
    const columns = SCHOOL_COLUMNS.flatMap(([, , own], index) => (own === group ? [index + 2] : []));
    heads[columns[0]!] = { look: LOOK.head, text: group };
    return `${letters(columns[0]!)}3:${letters(columns.at(-1)!)}3`;
  });
  const facts = row(LOOK.label, ['填报单位：']);
  facts[5] = { look: LOOK.label, text: '统计时段：' };
  facts[9] = { look: LOOK.label, text: '数据截至：' };
  const sums = SCHOOL_COLUMNS.map(([code], index): FormCell => {
    const column = letters(index + 2);
    const look = isRate(code) ? LOOK.totalPercent : LOOK.total;
    if (code === 'total' || code === 'exempt' || code === 'tested')
      return { look, formula: `SUM(${column}${first}:${column}${last})` };
    return code === 'rate' ? { look, formula: `IF(C${last + 1}>0,E${last + 1}/C${last + 1},"—")` } : { look };
  });
  const rows = [
    { height: 34, cells: row(LOOK.title, [SHIPPED_TITLE]) },
    { height: 22, cells: facts },
    { height: 22, cells: heads },
    {
      height: 32,
      cells: [
        ...blank(LOOK.head, 2),
        ...cellsOf(
          LOOK.head,
          SCHOOL_COLUMNS.map(([, head]) => head),
        ),
      ],
    },
    ...names.map((name, index) => ({
      height: 20,
      cells: [
        { look: LOOK.text, text: String(index + 1) },
        { look: LOOK.text, text: name },
        ...SCHOOL_COLUMNS.map(([code]) => ({ look: lookOf(code) })),
      ],
    })),
    { height: 22, cells: [{ look: LOOK.total, text: '合计' }, { look: LOOK.total }, ...sums] },
    { height: 48, cells: row(LOOK.note, [NOTES]) },
  ];
  const merges = [
    `A1:${end}1`,
    ...['A2:B2', 'C2:E2', 'G2:I2', `K2:${end}2`, 'A3:A4', 'B3:B4'],
    ...groups,
    `A${last + 1}:B${last + 1}`,
    `A${last + 2}:${end}${last + 2}`,
  ];
  const cells: Choice[] = [
    ...(['insname:C2', 'period:G2', 'datatime:K2'] as const).map((pair) => {
      const [indicator = '', ref = ''] = pair.split(':');
      return { ...all, sheetname, ref, indicator };
    }),
    ...SCHOOL_COLUMNS.map(([indicator], index) => ({
      ...all,
      ...{ sheetname, ref: `${letters(index + 2)}${first}`, indicator },
      ...{ place: isBySchool ? 'rows:school' : 'rows:district', placecolumn: 'B' },
    })),
    ...SCHOOL_COLUMNS.flatMap(([indicator], index) =>
      ['total', 'exempt', 'tested', 'rate'].includes(indicator)
        ? []
        : [{ ...all, sheetname, ref: `${letters(index + 2)}${last + 1}`, indicator }],
    ),
  ];
  return { sheet: { name: sheetname, widths: [6, 30, ...SCHOOL_COLUMNS.map(() => 11)], rows, merges, headrows: [3, 4] }, cells };
}

/** The grades from primary to senior school. */
const SCHOOL_GRADES = grades.filter(({ code }) => /^(?:P[1-6]|J[1-3]|S[1-3])$/.test(code));

function groupSheet(): { sheet: FormSheet; cells: Choice[] } {
  const sheetname = '分年级';
  const codes = GROUP_COLUMNS.map(([code]) => code);
  const rows = [
    { height: 34, cells: [{ look: LOOK.title, text: `${SHIPPED_TITLE}（分年级）` }, ...blank(LOOK.title, codes.length)] },
    { height: 26, cells: cellsOf(LOOK.head, ['年级', ...GROUP_COLUMNS.map(([, head]) => head)]) },
    ...SCHOOL_GRADES.map(({ name }) => ({
      height: 20,
      cells: [{ look: LOOK.text, text: name }, ...codes.map((code) => ({ look: lookOf(code) }))],
    })),
  ];
  const cells = codes.map((indicator, index) => ({
    ...all,
    ...{ sheetname, ref: `${letters(index + 1)}3`, indicator },
    ...{ people: 'rows:grade', peoplecolumn: 'A' },
  }));
  const merges = [`A1:${letters(codes.length)}1`];
  return { sheet: { name: sheetname, widths: [18, ...codes.map(() => 13)], rows, merges, headrows: [2, 2] }, cells };
}

function genderSheet(): { sheet: FormSheet; cells: Choice[] } {
  const sheetname = '分性别';
  const columns = SCHOOL_COLUMNS.slice(4, 7);
  const genders = [
    ['01', '男'],
    ['02', '女'],
  ] as const;
  const rows = [
    { height: 34, cells: [{ look: LOOK.title, text: `${SHIPPED_TITLE}（分性别）` }, ...blank(LOOK.title, columns.length)] },
    { height: 26, cells: cellsOf(LOOK.head, ['性别', ...columns.map(([, head]) => head)]) },
    ...genders.map(([, name]) => ({
      height: 20,
      cells: [{ look: LOOK.text, text: name }, ...columns.map(([code]) => ({ look: lookOf(code) }))],
    })),
  ];
  const cells = genders.flatMap(([code], index) =>
    columns.map(([indicator], column) => ({
      ...all,
      ...{ sheetname, ref: `${letters(column + 1)}${index + 3}`, indicator, people: `gender:${code}` },
    })),
  );
  return { sheet: { name: sheetname, widths: [18, 16, 16, 16], rows, merges: ['A1:D1'], headrows: [2, 2] }, cells };
}
