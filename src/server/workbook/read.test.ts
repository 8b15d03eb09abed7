import { Readable } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { workbookOf } from '#testing/files/workbook.ts';
import { readWorkbook } from './read.ts';

const cells = async (data: string, more: Parameters<typeof workbookOf>[1] = {}): Promise<string[][]> =>
  (await readWorkbook(await workbookOf(data, more), '名单.xlsx')).rows;

describe('a workbook from another program', () => {
  it('returns its first visible sheet and the name of it', async () => {
    const book = await workbookOf('<row><c t="inlineStr"><is><t>王小明</t></is></c></row>', {
      sheets: '<sheet name="隐藏" sheetId="9" state="hidden" r:id="rId9"/><sheet name="七年级" sheetId="1" r:id="rId1"/>',
    });
    expect(await readWorkbook(book, 'a.xlsx')).toEqual({ rows: [['王小明']], sheetname: '七年级' });
  });

  it('keeps the positions of cells and rows when cells or rows between them are empty', async () => {
    expect(
      await cells('<row r="2"><c r="B2"><v>1</v></c><c r="D2"><v>2</v></c></row><row r="4"><c r="A4"><v>3</v></c></row>'),
    ).toEqual([[], ['', '1', '', '2'], [], ['3']]);
  });

  it('joins the parts of rich text and leaves the phonetic text out', async () => {
    const shared =
      '<si><r><rPr><b/></rPr><t>王</t></r><r><t xml:space="preserve">小明 </t></r><rPh sb="0" eb="1"><t>wang</t></rPh></si>';
    expect(await cells('<row><c t="s"><v>0</v></c></row>', { shared })).toEqual([['王小明 ']]);
    expect(await cells('<row><c t="inlineStr"><is><r><t>李</t></r><r><t>华</t></r></is></c></row>')).toEqual([['李华']]);
  });

  it('returns the stored value of a formula, and #CALC! when there is none', async () => {
    const data =
      '<row><c><f>A2+1</f><v>42</v></c><c t="str"><f>B2&amp;"x"</f><v>三班</v></c><c t="str"><f>""</f><v></v></c>' +
      '<c><f>NOW()</f></c><c t="e"><f>1/0</f><v>#DIV/0!</v></c></row>';
    expect(await cells(data)).toEqual([['42', '三班', '', '#CALC!', '#DIV/0!']]);
  });

  it('returns booleans as TRUE and FALSE', async () => {
    expect(await cells('<row><c t="b"><v>1</v></c><c t="b"><v>0</v></c></row>')).toEqual([['TRUE', 'FALSE']]);
  });

  it('returns numbers with all stored digits, and with leading zeros when the format shows them', async () => {
    const xfs =
      '<numFmts><numFmt numFmtId="164" formatCode="00000000"/></numFmts><cellXfs><xf numFmtId="0"/><xf numFmtId="164"/></cellXfs>';
    const data =
      '<row><c><v>13800000000</v></c><c><v>1.10101199003071E+17</v></c><c s="1"><v>230101</v></c><c><v>0.30000000000000004</v></c></row>';
    expect(await cells(data, { xfs })).toEqual([['13800000000', '110101199003071000', '00230101', '0.3']]);
  });

  const DATES =
    '<numFmts><numFmt numFmtId="165" formatCode="yyyy&quot;年&quot;m&quot;月&quot;d&quot;日&quot;;@"/>' +
    '<numFmt numFmtId="166" formatCode="[Red]0.00&quot;d&quot;"/></numFmts>' +
    '<cellXfs><xf numFmtId="14"/><xf numFmtId="165"/><xf numFmtId="22"/><xf numFmtId="20"/><xf numFmtId="166"/></cellXfs>';

  it('returns days as days in every format, and plain numbers as numbers', async () => {
    const data =
      '<row><c s="0"><v>40242</v></c><c s="1"><v>40242</v></c><c s="2"><v>40242.5</v></c>' +
      '<c s="3"><v>0.25</v></c><c s="4"><v>40242</v></c></row>';
    expect(await cells(data, { xfs: DATES })).toEqual([['2010-03-05', '2010-03-05', '2010-03-05 12:00:00', '06:00:00', '40242']]);
  });

  it('reads days of the 1904 calendar and days before Excel’s 29 February 1900', async () => {
    expect(await cells('<row><c s="0"><v>38780</v></c></row>', { xfs: DATES, workbookPr: '<workbookPr date1904="1"/>' })).toEqual(
      [['2010-03-05']],
    );
    expect(await cells('<row><c s="0"><v>1</v></c><c s="0"><v>61</v></c></row>', { xfs: DATES })).toEqual([
      ['1900-01-01', '1900-03-01'],
    ]);
  });

  it('copies a merged class cell into every student row but into no blank row', async () => {
    const data =
      '<row r="1"><c r="A1" t="str"><v>三班</v></c><c r="B1" t="str"><v>李华</v></c></row><row r="2"><c r="B2" t="str"><v>韩梅</v></c></row>' +
      '<row r="4"><c r="B4" t="str"><v>王刚</v></c></row>';
    const after = '<mergeCells><mergeCell ref="A1:A1048576"/><mergeCell ref="C1:F1"/></mergeCells>';
    expect(await cells(data, { after })).toEqual([['三班', '李华'], ['三班', '韩梅'], [], ['三班', '王刚']]);
  });

  it('is read in the same way with namespace prefixes', async () => {
    const book = await workbookOf('');
    expect((await readWorkbook(book, 'a.xlsx')).rows).toEqual([]);
    expect(await cells('<x:row xmlns:x="urn:x"><x:c t="str"><x:v>a_x000D_b</x:v></x:c></x:row>')).toEqual([['a\rb']]);
  });
});

describe('a CSV file', () => {
  const read = async (bytes: Buffer, name = '名单.csv'): Promise<string[][]> => (await readWorkbook(bytes, name)).rows;
  /** 姓名,学号 / 王小明,001 as Excel in Chinese saves it. */
  const GBK = Buffer.from([
    0xd0, 0xd5, 0xc3, 0xfb, 0x2c, 0xd1, 0xa7, 0xba, 0xc5, 13, 10, 0xcd, 0xf5, 0xd0, 0xa1, 0xc3, 0xf7, 0x2c, 0x30, 0x30, 0x31,
  ]);
  const EXPECTED_ROWS = [
    ['姓名', '学号'],
    ['王小明', '001'],
  ];

  it('is read in UTF-8 with and without a byte order mark, in GB 18030 and in UTF-16', async () => {
    expect(await read(Buffer.from('姓名,学号\n王小明,001\n'))).toEqual(EXPECTED_ROWS);
    expect(await read(Buffer.from('\ufeff姓名,学号\r\n王小明,001\r\n'))).toEqual(EXPECTED_ROWS);
    expect(await read(GBK)).toEqual(EXPECTED_ROWS);
    expect(await read(Buffer.from('\ufeff姓名\t学号\r\n王小明\t001', 'utf16le'), '名单.txt')).toEqual(EXPECTED_ROWS);
  });

  it('keeps rare characters of names that only GB 18030 has', async () => {
    const rare = Buffer.concat([GBK.subarray(0, 11), Buffer.from([0x95, 0x32, 0x82, 0x36]), Buffer.from(',002')]);
    expect(await read(rare)).toEqual([EXPECTED_ROWS[0], ['𠀀', '002']]);
  });

  it('keeps row numbers, line breaks within quotes and numbers that are written as formulas', async () => {
    expect(await read(Buffer.from('a;b\n\n"x\ny";="007"\n'))).toEqual([['a', 'b'], [], ['x\ny', '007']]);
  });

  it('is refused with the line when a quote is never closed, and when its encoding is unknown', async () => {
    await expect(read(Buffer.from('a,b\n"c,d\n'))).rejects.toMatchObject({
      code: 'broken',
      message: expect.stringContaining('第 2 行') as string,
    });
    await expect(read(Buffer.from([0xff, 0x80, 0x2c, 0x41]))).rejects.toMatchObject({
      code: 'broken',
      message: expect.stringContaining('编码') as string,
    });
  });

  it('can be read from a stream', async () => {
    expect((await readWorkbook(Readable.from([GBK.subarray(0, 7), GBK.subarray(7)]), 'a.csv')).rows).toEqual(EXPECTED_ROWS);
  });
});
