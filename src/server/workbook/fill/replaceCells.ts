import { escapeXml, letters, looksLikeFormula } from '../parts.ts';
import type { CellSpan, RowSpan, SheetSpans } from './sheet.ts';
import { attributeOf, withoutAttribute } from './tokens.ts';

/** The new values of cells by reference, such as `B5`. A text stays a text. */
export type NewValues = ReadonlyMap<string, number | string>;

/** Returns the reference of a cell, such as `B5`. */
export const refOf = ({ column, row }: { column: number; row: number }): string => letters(column) + row;

/** A replacement in a text; `start` = `end` inserts. */
interface Patch {
  start: number;
  end: number;
  text: string;
}

/**
 * Returns the XML of a worksheet with new values of cells. Style and place of a cell stay. Cells and rows that the sheet does not
 * have yet are added in their place. Stored results of formulas are left out, so that no program shows an old one.
 */
export function replaceCells(sheet: SheetSpans, values: NewValues): string {
  const patches: Patch[] = [];
  const missing = new Map(values);
  for (const { cells } of sheet.rows)
    for (const cell of cells) {
      const ref = refOf(cell);
      const value = values.get(ref);
      missing.delete(ref);
      if (value !== undefined)
        patches.push({ start: cell.start, end: cell.end, text: cellXml(cell.prefix, keptAttributes(cell.raw), value) });
      else if (cell.isFormula) patches.push(...dropResult(sheet.xml, cell));
    }
  patches.push(...addCells(sheet, missing));
  return applyPatches(sheet.xml, patches);
}

/** The attributes without the type, and without the numbers of metadata that belong to the old value. */
const keptAttributes = (raw: string): string =>
  ['t', 'cm', 'vm'].reduce((kept, name) => withoutAttribute(kept, name), raw).trimEnd();

function cellXml(prefix: string, attributes: string, value: number | string): string {
  if (typeof value === 'number') return `<${prefix}c${attributes}><${prefix}v>${value}</${prefix}v></${prefix}c>`;
  // A spreadsheet program could take the text for a formula when somebody edits the cell.
  const text = looksLikeFormula(value) ? `'${value}` : value;
  const space = /^\s|\s$|\n/.test(text) ? ' xml:space="preserve"' : '';
  return (
    `<${prefix}c${attributes} t="inlineStr"><${prefix}is><${prefix}t${space}>${escapeXml(text)}` +
    `</${prefix}t></${prefix}is></${prefix}c>`
  );
}

function dropResult(xml: string, cell: CellSpan): Patch[] {
  const content = xml.slice(cell.start, cell.end);
  const match = /<(?:[^\s:/>]+:)?v(?:\s[^>]*)?(?:\/>|>[\s\S]*?<\/(?:[^\s:/>]+:)?v\s*>)/.exec(content);
  if (!match) return [];
  const start = cell.start + match.index;
  return [{ start, end: start + match[0].length, text: '' }];
}

function addCells(sheet: SheetSpans, missing: ReadonlyMap<string, number | string>): Patch[] {
  const byRow = new Map<number, { column: number; ref: string; value: number | string }[]>();
  for (const [ref, value] of missing) {
    const [, name = '', digits = ''] = /^([A-Z]+)(\d+)$/.exec(ref) ?? [];
    const column = [...name].reduce((sum, letter) => sum * 26 + letter.charCodeAt(0) - 64, 0) - 1;
    byRow.set(Number(digits), [...(byRow.get(Number(digits)) ?? []), { column, ref, value }]);
  }
  const { prefix: p } = sheet;
  const patches: Patch[] = [];
  const rowsAtEnd: string[] = [];
  for (const [number, added] of [...byRow].sort(([a], [b]) => a - b)) {
    added.sort((a, b) => a.column - b.column);
    const row = sheet.rows.find((candidate) => candidate.row >= number);
    const xmlOf = (cell: (typeof added)[number]): string => {
      const style = styleOf(sheet, row?.row === number ? row : undefined, cell.column);
      return cellXml(p, ` r="${cell.ref}"${style ? ` s="${style}"` : ''}`, cell.value);
    };
    if (row?.row === number)
      patches.push(
        ...addToRow(
          row,
          added.map((cell) => ({ column: cell.column, xml: xmlOf(cell) })),
        ),
      );
    else {
      const text = `<${p}row r="${number}">${added.map(xmlOf).join('')}</${p}row>`;
      if (row) patches.push({ start: row.open.start, end: row.open.start, text });
      else rowsAtEnd.push(text);
    }
  }
  if (rowsAtEnd.length === 0) return patches;
  const { data, dataEnd } = sheet;
  const text = rowsAtEnd.join('');
  if (dataEnd !== undefined) return [...patches, { start: dataEnd, end: dataEnd, text }];
  return [...patches, { start: data.start, end: data.end, text: `<${p}sheetData${data.raw}>${text}</${p}sheetData>` }];
}

function addToRow(row: RowSpan, cells: readonly { column: number; xml: string }[]): Patch[] {
  const { open } = row;
  // `spans` only helps a program to reserve space, and it would be wrong with the new cells.
  const raw = withoutAttribute(open.raw, 'spans');
  if (row.contentEnd === undefined) {
    const text = cells.map(({ xml }) => xml).join('');
    return [{ start: open.start, end: open.end, text: `<${open.prefix}row${raw}>${text}</${open.prefix}row>` }];
  }
  const end = row.contentEnd;
  const patches = cells.map(({ column, xml }) => {
    const start = row.cells.find((cell) => cell.column > column)?.start ?? end;
    return { start, end: start, text: xml };
  });
  return raw === open.raw ? patches : [{ start: open.start, end: open.end, text: `<${open.prefix}row${raw}>` }, ...patches];
}

/** The style that an empty place of a sheet has: that of its row, else that of its column. */
function styleOf(sheet: SheetSpans, row: RowSpan | undefined, column: number): string | undefined {
  const hasRowStyle = row && /^(?:1|true)$/.test(attributeOf(row.open.raw, 'customFormat') ?? '');
  if (hasRowStyle) return attributeOf(row.open.raw, 's');
  return sheet.columns.find(({ first, last }) => first <= column && column <= last)?.style;
}

/** Applies replacements that do not overlap. Those at one place keep their order. */
function applyPatches(xml: string, patches: readonly Patch[]): string {
  let text = '';
  let position = 0;
  for (const patch of patches.toSorted((a, b) => a.start - b.start)) {
    text += xml.slice(position, patch.start) + patch.text;
    position = Math.max(position, patch.end);
  }
  return text + xml.slice(position);
}
