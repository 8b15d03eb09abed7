import { Readable } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { forgeEntry, workbookOf, workbookParts, zipOf } from '#testing/files/workbook.ts';
import { readWorkbook } from './read.ts';
import { LIMITS, WorkbookRefused } from './refused.ts';

const ROW = '<row><c t="str"><v>王小明</v></c></row>';
const SHEET = 'xl/worksheets/sheet1.xml';

async function refusal(file: Uint8Array | Readable, name = '名单.xlsx', bounds = {}): Promise<string> {
  const error: unknown = await readWorkbook(file, name, bounds).then(
    () => undefined,
    (caught: unknown) => caught,
  );
  expect(error).toBeInstanceOf(WorkbookRefused);
  const { code, message } = error as WorkbookRefused;
  // The message is Chinese and tells the user what to do.
  expect(message).toMatch(/：.*(?:请|上传)|只能上传/u);
  return code;
}

describe('a file that is no workbook', () => {
  it('is refused when it is an old Excel file, a PDF, a picture, a web page or mislabelled text', async () => {
    const ole = Buffer.concat([Buffer.from('d0cf11e0a1b11ae1', 'hex'), Buffer.alloc(2000)]);
    expect(await refusal(ole, '名单.xls')).toBe('type');
    expect(await refusal(Buffer.from('%PDF-1.7'), '名单.csv')).toBe('type');
    expect(await refusal(Buffer.from('89504e470d0a1a0a', 'hex'), '名单.png')).toBe('type');
    expect(await refusal(Buffer.from('<html><table>'), '名单.xls')).toBe('type');
    expect(await refusal(Buffer.from('姓名,学号'), '名单.xlsx')).toBe('type');
    expect(await refusal(Buffer.alloc(0), '名单.xlsx')).toBe('broken');
  });

  it('is refused when it is another kind of Office file or a plain zip', async () => {
    expect(
      await refusal(
        await workbookOf(ROW, { type: 'application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml' }),
      ),
    ).toBe('type');
    expect(await refusal(await workbookOf(ROW, { type: 'application/vnd.ms-excel.sheet.binary.macroEnabled.main' }))).toBe(
      'type',
    );
    expect(await refusal(await zipOf({ 'a.txt': 'x' }))).toBe('type');
  });

  it('is refused when a password protects it, in either container', async () => {
    const ole = Buffer.concat([
      Buffer.from('d0cf11e0a1b11ae1', 'hex'),
      Buffer.alloc(512),
      Buffer.from('EncryptedPackage', 'utf16le'),
    ]);
    expect(await refusal(ole)).toBe('encrypted');
    const locked = forgeEntry(await workbookOf(ROW), SHEET, 8, (entry) => entry.writeUInt16LE(entry.readUInt16LE(0) | 1));
    expect(await refusal(locked)).toBe('encrypted');
  });
});

describe('a damaged workbook', () => {
  it('is refused when its end is missing', async () => {
    const complete = await workbookOf(ROW);
    for (const share of [0.1, 0.5, 0.9, 0.99])
      expect(await refusal(complete.subarray(0, Math.floor(complete.length * share)))).toBe('broken');
  });

  it('is refused when its XML does not close, is not UTF-8, or names a shared string it lacks', async () => {
    expect(await refusal(await zipOf({ ...workbookParts(ROW), [SHEET]: '<worksheet><sheetData><row>' }))).toBe('broken');
    const latin = Buffer.concat([
      Buffer.from('<worksheet><sheetData><row><c t="str"><v>'),
      Buffer.from([0xe9, 0x20]),
      Buffer.from('</v></c></row></sheetData></worksheet>'),
    ]);
    expect(await refusal(await zipOf({ ...workbookParts(ROW), [SHEET]: latin }))).toBe('broken');
    for (const index of ['1', '-1', '1e3', '999999999999', 'x', '__proto__'])
      expect(await refusal(await workbookOf(`<row><c t="s"><v>${index}</v></c></row>`, { shared: '<si><t>a</t></si>' }))).toBe(
        'broken',
      );
  });

  it('is refused when two rows or two cells have one position, so that no content is lost', async () => {
    expect(await refusal(await workbookOf('<row r="2"><c><v>1</v></c></row><row r="2"><c><v>2</v></c></row>'))).toBe('broken');
    expect(await refusal(await workbookOf('<row><c r="A1"><v>1</v></c><c r="A1"><v>2</v></c></row>'))).toBe('broken');
  });

  it('is refused when its sheet is missing', async () => {
    const { [SHEET]: _, ...otherParts } = workbookParts(ROW);
    expect(await refusal(await zipOf(otherParts))).toBe('broken');
  });
});

describe('a malicious workbook', () => {
  it('is refused when its parts expand to more than 100 MB', async () => {
    expect(await refusal(await zipOf({ ...workbookParts(ROW), 'xl/media/a.bin': Buffer.alloc(LIMITS.inflated + 1) }))).toBe(
      'limit',
    );
  });

  it('is refused when it declares a wrong expanded size', async () => {
    const bomb = await zipOf({ ...workbookParts(ROW), [SHEET]: `<worksheet>${' '.repeat(30_000_000)}</worksheet>` });
    expect(await refusal(forgeEntry(bomb, SHEET, 24, (entry) => entry.writeUInt32LE(100)))).toBe('broken');
  });

  it('is refused for internal or external entities in any part', async () => {
    const laughs = '<!DOCTYPE worksheet [<!ENTITY a "ha"><!ENTITY b "&a;&a;&a;">]>';
    const outside = '<!DOCTYPE sst SYSTEM "file:///etc/passwd">';
    const parts = workbookParts(ROW, { shared: '<si><t>a</t></si>' });
    expect(await refusal(await zipOf({ ...parts, [SHEET]: laughs + parts[SHEET]! }))).toBe('broken');
    expect(await refusal(await zipOf({ ...parts, 'xl/sharedStrings.xml': outside + parts['xl/sharedStrings.xml']! }))).toBe(
      'broken',
    );
    expect(await refusal(await zipOf({ ...parts, [SHEET]: `${' '.repeat(65_529)}${laughs}${parts[SHEET]!}` }))).toBe('broken');
    expect(await refusal(await workbookOf('<row><c t="str"><v>&a;</v></c></row>'))).toBe('broken');
  });

  it('is refused for millions of shared strings, and for one long string in a thousand cells', async () => {
    expect(await refusal(await workbookOf(ROW, { shared: '<si><t>1</t></si>'.repeat(2_000_001) }))).toBe('limit');
    const long = `<si><t>${'很'.repeat(32_000)}</t></si>`;
    expect(await refusal(await workbookOf('<row><c t="s"><v>0</v></c></row>'.repeat(1000), { shared: long }))).toBe('limit');
  });

  it('is refused for an endless text, tag or comment', async () => {
    const endless = 'x'.repeat(LIMITS.run * 2);
    expect(await refusal(await workbookOf(`<row><c t="str"><v>${endless}</v></c></row>`))).toBe('limit');
    expect(await refusal(await workbookOf(`<row><c t="${endless}"/></row>`))).toBe('limit');
    expect(await refusal(await workbookOf(`<!-- ${endless} -->`))).toBe('limit');
    expect(await refusal(await workbookOf(`<row><c t="str"><v>${'x'.repeat(LIMITS.cell + 1)}</v></c></row>`))).toBe('limit');
  });

  it('is refused for a million columns, with or without cell references', async () => {
    expect(await refusal(await workbookOf(`<row>${'<c><v>1</v></c>'.repeat(1_000_000)}</row>`))).toBe('limit');
    expect(await refusal(await workbookOf('<row><c r="ZZZ1"><v>1</v></c></row>'))).toBe('limit');
    expect(await refusal(await workbookOf('<row><c r="AAAAAAAAAA1"><v>1</v></c></row>'))).toBe('broken');
  });

  it('is refused for too many rows, but rows with styles and without content do not count', async () => {
    expect(await refusal(await workbookOf('<row><c><v>1</v></c></row>'.repeat(LIMITS.rows + 2)))).toBe('limit');
    expect(await refusal(await workbookOf('<row r="1048576"><c><v>1</v></c></row>'))).toBe('limit');
    const styled = await workbookOf(`${ROW}${'<row><c s="1"/></row>'.repeat(50_000)}`);
    expect((await readWorkbook(styled, 'a.xlsx')).rows).toEqual([['王小明']]);
    expect(await refusal(Buffer.from('a\n'.repeat(LIMITS.rows + 2)), 'a.csv')).toBe('limit');
    expect(await refusal(Buffer.from(','.repeat(200) + 'a'), 'a.csv')).toBe('limit');
  });

  it('is refused for more than two hundred parts and for too many merged blocks', async () => {
    const extraParts = Object.fromEntries(Array.from({ length: 200 }, (_, i) => [`xl/media/${i}.png`, '']));
    expect(await refusal(await zipOf({ ...workbookParts(ROW), ...extraParts }))).toBe('limit');
    const after = `<mergeCells>${'<mergeCell ref="A1:A9"/>'.repeat(30_000)}</mergeCells>`;
    expect(await refusal(await workbookOf(ROW, { after }))).toBe('limit');
  });

  it('is refused for part names with ../ and for two parts of one name', async () => {
    const traversing = await zipOf({ ...workbookParts(ROW), 'xx/evil.xml': 'a' });
    expect(await refusal(Buffer.from(traversing.toString('latin1').replaceAll('xx/evil.xml', '../evil.xml'), 'latin1'))).toBe(
      'broken',
    );
    expect(await refusal(await zipOf({ ...workbookParts(ROW), 'XL/worksheets/Sheet1.xml': '<worksheet/>' }))).toBe('broken');
  });

  it('is refused when its sheet is at an external address', async () => {
    const parts = workbookParts(ROW);
    const rels = 'xl/_rels/workbook.xml.rels';
    const outside = parts[rels]!.replace(
      'Target="worksheets/sheet1.xml"',
      'Target="http://127.0.0.1:9/sheet1.xml" TargetMode="External"',
    );
    expect(await refusal(await zipOf({ ...parts, [rels]: outside }))).toBe('broken');
  });

  it('is refused when it has more than 10 MB, and the rest is not received', async () => {
    expect(await refusal(Buffer.alloc(LIMITS.bytes + 1))).toBe('size');
    let sentCount = 0;
    const endless = Readable.from(
      (function* () {
        for (;;) {
          sentCount += 65_536;
          yield Buffer.alloc(65_536);
        }
      })(),
    );
    expect(await refusal(endless)).toBe('size');
    expect(endless.destroyed).toBe(true);
    expect(sentCount).toBeLessThan(LIMITS.bytes * 2);
  });

  it('is stopped at its time limit', async () => {
    const slow = await workbookOf('<row><c><v>1</v></c></row>'.repeat(20_000));
    expect(await refusal(slow, 'a.xlsx', { milliseconds: 1 })).toBe('time');
  });

  it('does not affect the files read after it', async () => {
    const bad = await workbookOf(`<!-- ${'x'.repeat(LIMITS.run * 2)} -->`);
    const good = await workbookOf(ROW);
    const answers = await Promise.all(
      [bad, good, bad, good, bad, good].map((file) => readWorkbook(file, 'a.xlsx').catch((error: WorkbookRefused) => error.code)),
    );
    expect(answers).toEqual([
      'limit',
      { rows: [['王小明']], sheetname: '名单' },
      'limit',
      { rows: [['王小明']], sheetname: '名单' },
      'limit',
      { rows: [['王小明']], sheetname: '名单' },
    ]);
  });
});
