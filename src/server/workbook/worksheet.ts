import type { NumberKind } from './numberFormat.ts';
import { showNumber } from './numberFormat.ts';
import { LIMITS, WorkbookRefused } from './refused.ts';
import type { XmlEvents } from './xml.ts';
import { BROKEN, TOO_MUCH } from './xml.ts';
import type { Merge, RowSink } from './rows.ts';

export const TOO_MANY_ROWS = `超过 ${LIMITS.rows} 行：请分成几个文件上传`;
export const TOO_MANY_COLUMNS = `超过 ${LIMITS.columns} 列：请删去多余的列后再上传`;
const MERGES = 20_000;
/** What Excel shows for a formula without a result; the check asks for content in its place. */
const UNCALCULATED = '#CALC!';

/**
 * Turns the tags of a worksheet into rows of text. Rows without any text are not handed on, but keep their number; cells keep
 * their column. Formulas give the value the program stored with them.
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
  let formula = false;
  let inside: 'v' | 't' | undefined;
  let aside = false;
  let inData = false;
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
    formula = false;
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
    if (value === undefined) return formula ? UNCALCULATED : '';
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
        if (name === 'sheetData') inData = true;
        else if (name === 'mergeCell') addMerge(attributes['ref'] ?? '');
        if (!inData) return;
        if (name === 'row') startRow(attributes);
        else if (name === 'c') startCell(attributes);
        else if (name === 'f') formula = true;
        else if (name === 'rPh') aside = true;
        else if (name === 'v') [inside, value] = ['v', ''];
        else if (name === 't' && !aside) inside = 't';
      },
      text: (text) => {
        if (inside === 'v') value += text;
        else if (inside === 't') inline += text;
        if (inline.length > LIMITS.run || (value?.length ?? 0) > LIMITS.run) throw new WorkbookRefused('limit', TOO_MUCH);
      },
      close: (name) => {
        if (name === 'sheetData') inData = false;
        if (name === 'v' || name === 't') inside = undefined;
        else if (name === 'rPh') aside = false;
        else if (name === 'c' && inData) endCell();
        else if (name === 'row' && inData && texts.length > 0) {
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
    if (merges.length >= MERGES) throw new WorkbookRefused('limit', TOO_MUCH);
    merges.push({ column: columnOf(`${from}1`), first: Number(first), last: Math.min(Number(last), LIMITS.rows + 1) });
  }
}

/** Index of the column of a reference such as `AB12`. */
function columnOf(ref: string): number {
  const name = /^([A-Z]{1,3})\d{1,7}$/.exec(ref)?.[1];
  if (!name) throw new WorkbookRefused('broken', BROKEN);
  return [...name].reduce((sum, c) => sum * 26 + c.charCodeAt(0) - 64, 0) - 1;
}

/** Characters XML cannot hold are kept as `_xHHHH_`. */
function unescape(text: string): string {
  return text.includes('_x')
    ? text.replace(/_x([0-9A-Fa-f]{4})_/g, (_, hex: string) => String.fromCharCode(parseInt(hex, 16)))
    : text;
}
