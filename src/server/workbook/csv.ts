import { parse } from 'csv-parse/sync';
import { LIMITS, WorkbookRefused } from './refused.ts';
import { TOO_MUCH } from './xml.ts';
import type { RowSink } from './rows.ts';
import { TOO_MANY_COLUMNS, TOO_MANY_ROWS } from './worksheet.ts';

const UNREADABLE = '无法识别文件的文字编码：请用 Excel 打开后另存为 .xlsx 再上传';

/**
 * Returns the text of a CSV file. A byte order mark decides between UTF-16 and UTF-8.
 * Without one the text is UTF-8 if that is valid, otherwise GB 18030, which Excel in Chinese writes.
 */
function decodeText(bytes: Buffer): string {
  const utf16 =
    bytes[0] === 0xff && bytes[1] === 0xfe ? 'utf-16le' : bytes[0] === 0xfe && bytes[1] === 0xff ? 'utf-16be' : undefined;
  const hasUtf8Mark = bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf;
  for (const encoding of utf16 ? [utf16] : hasUtf8Mark ? ['utf-8'] : ['utf-8', 'gb18030']) {
    try {
      const text = new TextDecoder(encoding, { fatal: true }).decode(bytes);
      if (!text.includes('\0')) return text;
    } catch {
      // It is not this encoding; try the next.
    }
  }
  throw new WorkbookRefused('broken', UNREADABLE);
}

/** Reads a CSV file. The separator is the most frequent one of comma, tab and semicolon in the first line. */
export function readCsv(bytes: Buffer, sink: RowSink): void {
  const text = decodeText(bytes);
  const line = /^[^\r\n]*/.exec(text)![0];
  const count = (mark: string): number => line.split(mark).length;
  const delimiter = [',', '\t', ';'].reduce((best, mark) => (count(mark) > count(best) ? mark : best));
  let row = 0;
  let characters = 0;
  try {
    parse(text, {
      delimiter,
      record_delimiter: ['\r\n', '\n', '\r'],
      relax_column_count: true,
      relax_quotes: true,
      max_record_size: LIMITS.columns * LIMITS.cell,
      on_record: (cells: string[]) => {
        row++;
        // People write ="00123" to keep leading zeros in a CSV file.
        const texts = cells.map((cell) => /^="([^"]*)"$/.exec(cell)?.[1] ?? cell);
        while (texts.at(-1) === '') texts.pop();
        if (texts.length === 0) return null;
        if (row > LIMITS.rows + 1) throw new WorkbookRefused('limit', TOO_MANY_ROWS);
        if (texts.length > LIMITS.columns) throw new WorkbookRefused('limit', TOO_MANY_COLUMNS);
        for (const cell of texts) {
          characters += cell.length;
          if (cell.length > LIMITS.cell || characters > LIMITS.characters) throw new WorkbookRefused('limit', TOO_MUCH);
        }
        sink(row, texts);
        return null;
      },
    });
  } catch (error) {
    if (error instanceof WorkbookRefused) throw error;
    throw new WorkbookRefused('broken', `第 ${row + 1} 行附近的引号不成对，无法读取：请用 Excel 打开后另存为 .xlsx 再上传`);
  }
}
