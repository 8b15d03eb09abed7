import { randomBytes } from 'node:crypto';
import { buffer } from 'node:stream/consumers';
import { setTimeout as pause } from 'node:timers/promises';
import fc from 'fast-check';
import { SaxesParser } from 'saxes';
import { describe, expect, it } from 'vitest';
import { fromBufferPromise } from 'yauzl';
import { checkRows } from '#contract/workbook/checkRows.ts';
import { headsOf } from '#contract/workbook/column.ts';
import { studentWorksheet } from '#contract/workbook/student.columns.ts';
import { readWorkbook } from './read.ts';
import { receiptOf, templateOf } from './template.ts';
import { writeWorkbook, writeWorksheet } from './write.ts';

/** Returns every part of a workbook after a strict parse with namespaces. */
async function partsOf(book: Buffer): Promise<Record<string, string>> {
  const parts: Record<string, string> = {};
  const zip = await fromBufferPromise(book, { lazyEntries: true });
  for await (const entry of zip.eachEntry()) {
    const xml = (await buffer(await zip.openReadStreamPromise(entry))).toString();
    const parser = new SaxesParser({ xmlns: true });
    parser.on('error', (error) => {
      throw new Error(`${entry.fileName}: ${error.message}`);
    });
    parser.write(xml).close();
    parts[entry.fileName] = xml;
  }
  return parts;
}

const SHEET = 'xl/worksheets/sheet1.xml';

describe('a written workbook', () => {
  it('is read back unchanged, also texts like formulas, control characters and rare characters', async () => {
    const rows = [
      ['王小明', '00123', 12.5, '2012-09-01'],
      ['=1+1', '+86', -3, '@SUM(A1)'],
      ['－１', '\t=2', 0, '\0x'],
      ['a\r\nb', ' 首尾 ', 1e21, '_x0041_'],
      ['𠮷', '<&>"\'', 0.1, ']]>'],
    ];
    const book = await buffer(
      writeWorksheet({ name: '成绩', heads: ['姓名', '学号', { head: '分数', kind: 'number' }, '日期'], rows }),
    );
    await partsOf(book);
    const read = await readWorkbook(book, '成绩.xlsx');
    expect(read).toEqual({
      rows: [['姓名', '学号', '分数', '日期'], ...rows.map((row) => row.map(String))].map((row) =>
        row.map((c) => (c === '1e+21' ? `1${'0'.repeat(21)}` : c)),
      ),
      sheetname: '成绩',
    });
  });

  it('is read back unchanged for random texts', async () => {
    const text = fc.oneof(
      fc.string({ unit: 'binary', maxLength: 20 }),
      fc.string({ maxLength: 20 }),
      fc.constantFrom('=a', '_x', '_x0000_', 'x_x005F_'),
    );
    await fc.assert(
      fc.asyncProperty(
        fc.array(
          fc.array(
            text.filter((t) => t !== ''),
            { minLength: 1, maxLength: 5 },
          ),
          { maxLength: 30 },
        ),
        async (rows) => {
          const book = await buffer(writeWorksheet({ name: '表', heads: ['甲', '乙', '丙', '丁', '戊'], rows }));
          await partsOf(book);
          expect((await readWorkbook(book, 'a.xlsx')).rows.slice(1)).toEqual(rows);
        },
      ),
      { numRuns: 12 },
    );
  });

  it('has numbers only in number columns, and no formula', async () => {
    const book = await buffer(
      writeWorksheet({
        name: '表',
        heads: ['编号', { head: '次数', kind: 'number' }],
        rows: [
          [1001, 7],
          [true, 'x'],
          [null, NaN],
          ['=HYPERLINK("x")', 2],
        ],
      }),
    );
    const sheet = (await partsOf(book))[SHEET]!;
    expect([...sheet.matchAll(/<v>(.*?)<\/v>/g)].map((match) => match[1])).toEqual(['7', '2']);
    expect(sheet).not.toContain('<f>');
    expect((await readWorkbook(book, 'a.xlsx')).rows.slice(1)).toEqual([
      ['1001', '7'],
      ['是', 'x'],
      ['', 'NaN'],
      ['=HYPERLINK("x")', '2'],
    ]);
  });

  it.each(['=1', '+1', '-1', '@a', '\ta', '\ra', '\0a', '＝1', '＋1', '－1', '＠a'])('has %j as quoted text', async (text) => {
    const parts = await partsOf(await buffer(writeWorksheet({ name: '表', heads: ['文字'], rows: [[text], ['安全']] })));
    const styles = [...parts[SHEET]!.matchAll(/<c r="A[23]" s="(\d+)" t="inlineStr"/g)].map((match) => Number(match[1]));
    const xfs = [.../<cellXfs.*<\/cellXfs>/.exec(parts['xl/styles.xml']!)![0].matchAll(/<xf [^>]*>/g)].map(([xf]) =>
      xf.includes('quotePrefix="1"'),
    );
    expect(styles.map((style) => xfs[style])).toEqual([true, false]);
  });

  it('has text that begins like a formula as quoted text in every column', async () => {
    const trigger = fc.constantFrom('=', '+', '-', '@', '\t', '\r', '\0', '＝', '＋', '－', '＠');
    const payload = fc.tuple(trigger, fc.string({ unit: 'binary', maxLength: 30 })).map((parts) => parts.join(''));
    await fc.assert(
      fc.asyncProperty(fc.array(payload, { minLength: 1, maxLength: 20 }), async (texts) => {
        const heads = ['文字', { head: '数', kind: 'number' as const }];
        const parts = await partsOf(await buffer(writeWorksheet({ name: '表', heads, rows: texts.map((text) => [text, text]) })));
        const xfs = [.../<cellXfs.*<\/cellXfs>/.exec(parts['xl/styles.xml']!)![0].matchAll(/<xf [^>]*>/g)];
        const cells = [...parts[SHEET]!.matchAll(/<c r="[AB](\d+)"([^>]*)>(?=<(\w+))/g)].filter(([, row]) => row !== '1');
        expect(cells).toHaveLength(texts.length * 2);
        for (const [, , facts, first] of cells) {
          const style = Number(/ s="(\d+)"/.exec(facts!)![1]);
          expect([first, facts!.includes('t="inlineStr"'), xfs[style]![0].includes('quotePrefix="1"')]).toEqual([
            'is',
            true,
            true,
          ]);
        }
      }),
      { numRuns: 15 },
    );
  });

  it('freezes and filters its heads below the visible export mark, and has the mark in its properties', async () => {
    const mark = '导出人 王老师 2026-03-01 09:00 编号 E0001';
    const book = await buffer(
      writeWorksheet({
        name: '表',
        note: mark,
        heads: ['甲', '乙'],
        widths: [30, 12],
        rows: [['1', '2']],
        properties: { 导出人: '王老师', 编号: 'E0001' },
      }),
    );
    const parts = await partsOf(book);
    expect(parts[SHEET]).toContain('ySplit="2" topLeftCell="A3"');
    expect(parts[SHEET]).toContain('<autoFilter ref="A2:B3"/>');
    expect(parts['xl/workbook.xml']).toContain(`localSheetId="0" hidden="1">'表'!$A$2:$B$3</definedName>`);
    expect(parts[SHEET]).toMatch(/min="1" max="1" width="30"/);
    expect(parts['docProps/custom.xml']).toMatch(/name="导出人"><vt:lpwstr>王老师<.*name="编号"><vt:lpwstr>E0001</);
    expect((await readWorkbook(book, 'a.xlsx')).rows[0]).toEqual([mark]);
  });

  it('has sheet names that are unique and valid in Excel', async () => {
    const sheets = ['初一/3班', '初一/3班', `'${'长'.repeat(40)}`, ''].map((name) => ({ name, heads: ['甲'], rows: [] }));
    const names = [
      ...(await partsOf(await buffer(writeWorkbook({ sheets }))))['xl/workbook.xml']!.matchAll(/<sheet name="(.*?)"/g),
    ].map((match) => match[1]!);
    expect(names).toEqual(['初一 3班', '初一 3班 2', '长'.repeat(27), '表']);
  });

  it('cuts a text that is too long for a cell and ends it with …', async () => {
    const book = await buffer(writeWorksheet({ name: '表', heads: ['文字'], rows: [['x'.repeat(40_000)]] }));
    const text = (await readWorkbook(book, 'a.xlsx')).rows[1]![0]!;
    expect([text.length, text.at(-1)]).toEqual([32_767, '…']);
  });
});

describe('writing a workbook', () => {
  function* randomRows(progress: { rows: number; hasEnded: boolean }, end = Infinity): Generator<string[]> {
    try {
      for (; progress.rows < end; progress.rows++) yield [randomBytes(40).toString('base64')];
    } finally {
      progress.hasEnded = true;
    }
  }

  it('waits for a slow client and closes the row source when the client disconnects', async () => {
    const progress = { rows: 0, hasEnded: false };
    const output = writeWorksheet({ name: '表', heads: ['甲'], rows: randomRows(progress) });
    output.once('readable', () => undefined);
    let before = -1;
    while (before !== progress.rows || progress.rows === 0) {
      before = progress.rows;
      await pause(50);
    }
    expect(progress).toEqual({ rows: before, hasEnded: false });
    expect(progress.rows).toBeLessThan(50_000);
    output.destroy();
    while (!progress.hasEnded) await pause(5);
    expect(progress.rows).toBeLessThan(50_000);
  });

  it('closes an asynchronous row source when the client disconnects', async () => {
    const progress = { rows: 0, hasEnded: false };
    const rows = (async function* () {
      for await (const row of randomRows(progress)) yield row;
    })();
    const output = writeWorksheet({ name: '表', heads: ['甲'], rows });
    for await (const chunk of output) if ((chunk as Buffer).length > 0 && progress.rows > 100) break;
    while (!progress.hasEnded) await pause(5);
    expect(output.destroyed).toBe(true);
  });

  it('fails when the query fails, instead of ending the file normally', async () => {
    const rows = (async function* () {
      yield* randomRows({ rows: 0, hasEnded: false }, 5000);
      throw new Error('the connection was lost');
    })();
    await expect(buffer(writeWorksheet({ name: '表', heads: ['甲'], rows }))).rejects.toThrow('the connection was lost');
  });
});

describe('the export and import of a school', () => {
  it('starts with a template that has text cells, drop-down lists and a worksheet of explanations', async () => {
    const book = await buffer(writeWorkbook({ sheets: templateOf(studentWorksheet) }));
    const parts = await partsOf(book);
    expect((await readWorkbook(book, '模板.xlsx')).rows).toEqual([headsOf(studentWorksheet)]);
    expect(parts[SHEET]).toContain('<formula1>"男,女"</formula1>');
    expect(parts[SHEET]).toContain('sqref="C2:C20001"');
    expect(parts['xl/worksheets/sheet2.xml']).toContain('必填。填写其中一个：小学、初中、高中、中职、大学。');
  });

  it('returns the uploaded workbook with wrong cells in red, and the corrected workbook is accepted', async () => {
    const heads = ['学号', '姓名', '性别', '学段', '年级', '班级', '座右铭'];
    const uploadedRows = [
      ['阳光中学名单'],
      heads,
      ['1', '王小明', '男', '初中', '初一', '3班', '=奋斗'],
      [],
      ['2', '', '汉', '初中', '初一', '3班'],
    ];
    const checked = checkRows(studentWorksheet, { rows: uploadedRows });
    const book = await buffer(writeWorksheet(receiptOf(uploadedRows, checked)));
    const { rows } = await readWorkbook(book, '错误回执.xlsx');
    expect(rows).toEqual([
      ['阳光中学名单'],
      [...heads, '错误说明'],
      uploadedRows[2],
      [],
      [...uploadedRows[4]!, '', '“姓名”不能为空，请填写姓名；“性别”“汉”不在可选范围，请填写：男、女'],
    ]);
    const sheet = (await partsOf(book))[SHEET]!;
    expect([...sheet.matchAll(/<c r="(\w+)" s="5"/g)].map((match) => match[1])).toEqual(['B5', 'C5']);
    const correctedRows = rows.map((row, index) => (index === 4 ? ['2', '李华', '女', ...row.slice(3)] : row));
    expect(checkRows(studentWorksheet, { rows: correctedRows })).toMatchObject({ good: 2, bad: 0, blank: 1 });
  });

  it('reports a missing required column in each row of the receipt', async () => {
    const uploadedRows = [
      ['学号', '姓名'],
      ['1', '王小明'],
    ];
    const receipt = receiptOf(uploadedRows, checkRows(studentWorksheet, { rows: uploadedRows }));
    const { rows } = await readWorkbook(await buffer(writeWorksheet(receipt)), 'a.xlsx');
    expect(rows[1]).toEqual(['1', '王小明', '缺少必填列“性别”；缺少必填列“学段”；缺少必填列“年级”；缺少必填列“班级”']);
  });
});
