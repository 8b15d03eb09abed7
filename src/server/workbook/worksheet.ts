import type { NumberKind } from './numberFormat.ts';
import { showNumber } from './numberFormat.ts';
import { LIMITS, WorkbookRefused } from './refused.ts';
import type { XmlEvents } from './xml.ts';
import { BROKEN, TOO_MUCH } from './xml.ts';
import type { Merge, RowSink } from './rows.ts';

/** The message for a file with too many rows. */
export const TOO_MANY_ROWS = `超过 ${LIMITS.rows} 行：请分成几个文件上传`;
/** The message for a file with too many columns. */
export const TOO_MANY_COLUMNS = `超过 ${LIMITS.columns} 列：请删去多余的列后再上传`;
const MERGE_LIMIT = 20_000;
/** The text for a formula without a stored result; `checkRows` then asks the user for a value. */
const UNCALCULATED = '#CALC!';

/**
 * Returns the XML events that turn a worksheet into rows of text. The sink gets no rows without text, but the others keep their
 * numbers. Cells keep their columns. A formula becomes the value that the program stored with it.
 */
export function readWorksheet(book: {
  shared: readonly string[];
  kinds: readonly NumberKind[];
  date1904: boolean;
  sink: RowSink;
}): {
  events: XmlEvents;
  finish: () => Merge[];
} {
  const merges: Merge[] = [];
  let row = 0;
  let texts: string[] = [];
  let column = -1;
  let type = 'n';
  let kind: NumberKind | undefined;
  let value: string | undefined;
  let inline = '';
  let isFormula = false;
  let openTag: 'v' | 't' | undefined;
  let isPhonetic = false;
  let isInData = false;
  let characters = 0;

  const startRow = (attributes: Readonly<Record<string, string>>): void => {
    const next = attributes['r'] === undefined ? row + 1 : Number(attributes['r']);
    if (!Number.isInteger(next) || next <= row) throw new WorkbookRefused('broken', BROKEN);
    row = next;
    texts = [];
    column = -1;
  };
  const startCell = (attributes: Readonly<Record<string, string>>): void => {
    const next = attributes['r'] === undefined ? column + 1 : columnOf(attributes['r']);
    if (next <= column) throw new WorkbookRefused('broken', BROKEN);
    column = next;
    type = attributes['t'] ?? 'n';
    kind = book.kinds[Number(attributes['s'] ?? 0)];
    value = undefined;
    inline = '';
    isFormula = false;
  };
  const endCell = (): void => {
    const text = cellText();
    if (text === '') return;
    if (column >= LIMITS.columns) throw new WorkbookRefused('limit', TOO_MANY_COLUMNS);
    if (text.length > LIMITS.cell) throw new WorkbookRefused('limit', TOO_MUCH);
    characters += text.length;
    if (characters > LIMITS.characters) throw new WorkbookRefused('limit', TOO_MUCH);
    while (texts.length < column) texts.push('');
    texts[column] = text;
  };
  const cellText = (): string => {
    if (type === 'inlineStr') return unescape(inline);
    if (value === undefined) return isFormula ? UNCALCULATED : '';
    if (type === 's') {
      const text = /^\d+$/.test(value.trim()) ? book.shared[Number(value)] : undefined;
      if (text === undefined) throw new WorkbookRefused('broken', BROKEN);
      return unescape(text);
    }
    if (type === 'b') return value.trim() === '1' || value.trim() === 'true' ? 'TRUE' : 'FALSE';
    if (type === 'n') return showNumber(value, kind ?? { is: 'number' }, book.date1904);
    return unescape(value);
  };

  return {
    events: {
      open: (name, attributes) => {
        if (name === 'sheetData') isInData = true;
        else if (name === 'mergeCell') addMerge(attributes['ref'] ?? '');
        if (!isInData) return;
        if (name === 'row') startRow(attributes);
        else if (name === 'c') startCell(attributes);
        else if (name === 'f') isFormula = true;
        else if (name === 'rPh') isPhonetic = true;
        else if (name === 'v') [openTag, value] = ['v', ''];
        else if (name === 't' && !isPhonetic) openTag = 't';
      },
      text: (text) => {
        if (openTag === 'v') value += text;
        else if (openTag === 't') inline += text;
        if (inline.length > LIMITS.run || (value?.length ?? 0) > LIMITS.run) throw new WorkbookRefused('limit', TOO_MUCH);
      },
      close: (name) => {
        if (name === 'sheetData') isInData = false;
        if (name === 'v' || name === 't') openTag = undefined;
        else if (name === 'rPh') isPhonetic = false;
        else if (name === 'c' && isInData) endCell();
        else if (name === 'row' && isInData && texts.length > 0) {
          if (row > LIMITS.rows + 1) throw new WorkbookRefused('limit', TOO_MANY_ROWS);
          book.sink(row, texts);
        }
      },
    },
    finish: () => merges,
  };

  function addMerge(ref: string): void {
    const [, from, first, to, last] = /^([A-Z]{1,3})(\d{1,7}):([A-Z]{1,3})(\d{1,7})$/.exec(ref) ?? [];
    if (!from || !to || Number(last) <= Number(first)) return;
    if (merges.length >= MERGE_LIMIT) throw new WorkbookRefused('limit', TOO_MUCH);
    merges.push({ column: columnOf(`${from}1`), first: Number(first), last: Math.min(Number(last), LIMITS.rows + 1) });
  }
}

/** Returns the index of the column of a reference such as `AB12`. */
function columnOf(ref: string): number {
  const name = /^([A-Z]{1,3})\d{1,7}$/.exec(ref)?.[1];
  if (!name) throw new WorkbookRefused('broken', BROKEN);
  return [...name].reduce((sum, c) => sum * 26 + c.charCodeAt(0) - 64, 0) - 1;
}

/** Returns the text with `_xHHHH_` replaced: Excel writes characters so that XML does not allow. */
function unescape(text: string): string {
  return text.includes('_x')
    ? text.replace(/_x([0-9A-Fa-f]{4})_/g, (_, hex: string) => String.fromCharCode(parseInt(hex, 16)))
    : text;
}
