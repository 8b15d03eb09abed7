import { escapeXml, letters } from '../parts.ts';
import { WorkbookRefused } from '../refused.ts';
import { relationsPathOf } from '../xlsx.ts';
import { BROKEN } from '../xml.ts';
import { partText, setPart, writeBook, type Book } from './openBook.ts';
import { replaceCells, type NewValues } from './replaceCells.ts';
import { readSpans } from './sheet.ts';
import { attributeOf, tagsOf, withAttribute, type Tag } from './tokens.ts';

/** A sheet of text and numbers that is added behind the others. */
export interface AddedSheet {
  name: string;
  widths: readonly number[];
  rows: readonly (readonly (string | number)[])[];
}

/**
 * Returns the file of a template with new values, by the path of a worksheet and the reference of a cell, and one sheet more.
 * The program that opens it calculates all formulas. Parts that need no change stay byte for byte (decision 0073).
 */
export async function fillBook(book: Book, values: ReadonlyMap<string, NewValues>, added: AddedSheet): Promise<Buffer> {
  for (const path of worksheetPaths(book)) {
    const xml = partText(book, path);
    const filled = replaceCells(readSpans(xml), values.get(path) ?? new Map());
    if (filled !== xml) setPart(book, path, filled);
  }
  setPart(book, book.main, requestCalculation(partText(book, book.main)));
  addSheet(book, added);
  return writeBook(book);
}

const worksheetPaths = (book: Book): string[] => {
  const types = partText(book, '[Content_Types].xml');
  const paths = new Set(book.sheets.map(({ path }) => path));
  for (const { name, raw } of tagsOf(types))
    if (name === 'Override' && attributeOf(raw, 'ContentType')?.endsWith('.worksheet+xml')) {
      const path = attributeOf(raw, 'PartName')?.replace(/^\//, '') ?? '';
      if (book.parts.has(path)) paths.add(path);
    }
  return [...paths];
};

const findTag = (xml: string, test: (tag: Tag) => boolean): Tag | undefined => {
  for (const tag of tagsOf(xml)) if (test(tag)) return tag;
  return undefined;
};
const splice = (xml: string, start: number, end: number, text: string): string => xml.slice(0, start) + text + xml.slice(end);

/** Asks the program to calculate everything when it opens the file. */
function requestCalculation(workbook: string): string {
  const calc = findTag(workbook, ({ name, kind }) => name === 'calcPr' && kind !== 'close');
  if (calc) {
    const close = calc.kind === 'empty' ? '/>' : '>';
    const text = `<${calc.prefix}calcPr${withAttribute(calc.raw, 'fullCalcOnLoad', '1')}${close}`;
    return splice(workbook, calc.start, calc.end, text);
  }
  // The schema has an order: calcPr stands behind these.
  let place: Tag | undefined;
  for (const tag of tagsOf(workbook))
    if (['sheets', 'functionGroups', 'externalReferences', 'definedNames'].includes(tag.name) && tag.kind !== 'open') place = tag;
  if (!place) throw new WorkbookRefused('broken', BROKEN);
  return splice(workbook, place.end, place.end, `<${place.prefix}calcPr fullCalcOnLoad="1"/>`);
}

/** Adds a sheet: a new part, and one element each in the workbook, its relations and the list of types. */
function addSheet(book: Book, added: AddedSheet): void {
  const workbook = partText(book, book.main);
  const sheets = [...tagsOf(workbook)].filter(({ name, kind }) => name === 'sheet' && kind !== 'close');
  const end = findTag(workbook, ({ name, kind }) => name === 'sheets' && kind === 'close');
  const relsPath = [...book.parts.keys()].find((name) => name.toLowerCase() === relationsPathOf(book.main).toLowerCase());
  if (!end || !relsPath || sheets.length === 0) throw new WorkbookRefused('broken', BROKEN);
  const folder = book.main.slice(0, book.main.lastIndexOf('/') + 1);
  const path = firstFree((n) => `${folder}worksheets/source${n}.xml`, new Set(book.parts.keys()));

  const rels = partText(book, relsPath);
  const relations = [...tagsOf(rels)].filter(({ name }) => name === 'Relationship');
  const id = firstFree((n) => `rIdSource${n}`, new Set(relations.map(({ raw }) => attributeOf(raw, 'Id') ?? '')));
  const type = relations.map(({ raw }) => attributeOf(raw, 'Type') ?? '').find((value) => value.endsWith('/worksheet')) ?? '';
  const relsEnd = findTag(rels, ({ name, kind }) => name === 'Relationships' && kind === 'close');

  const types = partText(book, '[Content_Types].xml');
  const typesEnd = findTag(types, ({ name, kind }) => name === 'Types' && kind === 'close');
  if (!relsEnd || !typesEnd || !type) throw new WorkbookRefused('broken', BROKEN);

  const names = new Set(sheets.map(({ raw }) => (attributeOf(raw, 'name') ?? '').toLowerCase()));
  const name = firstFree((n) => (n === 1 ? added.name : `${added.name}${n}`), names);
  const sheetId = Math.max(...sheets.map(({ raw }) => Number(attributeOf(raw, 'sheetId')) || 0)) + 1;
  const idAttribute = /\s([^\s=]+:id)\s*=/.exec(sheets[0]!.raw)?.[1] ?? 'r:id';
  const element = `<${end.prefix}sheet name="${escapeXml(name)}" sheetId="${sheetId}" ${idAttribute}="${id}"/>`;
  setPart(book, book.main, splice(workbook, end.start, end.start, element));
  const target = `worksheets/${path.slice(path.lastIndexOf('/') + 1)}`;
  const relation = `<${relsEnd.prefix}Relationship Id="${id}" Type="${type}" Target="${target}"/>`;
  setPart(book, relsPath, splice(rels, relsEnd.start, relsEnd.start, relation));
  const contentType = 'application/vnd.openxmlformats-officedocument.spreadsheetml.worksheet+xml';
  const override = `<${typesEnd.prefix}Override PartName="/${path}" ContentType="${contentType}"/>`;
  setPart(book, '[Content_Types].xml', splice(types, typesEnd.start, typesEnd.start, override));
  setPart(book, path, sheetXml(added, namespaceOf(workbook)));
}

function firstFree(nameOf: (n: number) => string, taken: ReadonlySet<string>): string {
  let n = 1;
  while (taken.has(nameOf(n))) n++;
  return nameOf(n);
}

/** The namespace of the workbook's elements: the transitional or the strict one. */
function namespaceOf(workbook: string): string {
  const root = findTag(workbook, ({ name }) => name === 'workbook');
  const attribute = root?.prefix ? `xmlns:${root.prefix.slice(0, -1)}` : 'xmlns';
  return attributeOf(root?.raw ?? '', attribute) ?? 'http://schemas.openxmlformats.org/spreadsheetml/2006/main';
}

function sheetXml({ widths, rows }: AddedSheet, namespace: string): string {
  const cols = widths.map((width, i) => `<col min="${i + 1}" max="${i + 1}" width="${width}" customWidth="1"/>`).join('');
  const cell = (value: string | number, ref: string): string => {
    if (value === '') return '';
    return typeof value === 'number'
      ? `<c r="${ref}"><v>${value}</v></c>`
      : `<c r="${ref}" t="inlineStr"><is><t xml:space="preserve">${escapeXml(value)}</t></is></c>`;
  };
  const body = rows.map(
    (row, i) => `<row r="${i + 1}">${row.map((value, column) => cell(value, letters(column) + String(i + 1))).join('')}</row>`,
  );
  return (
    '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n' +
    `<worksheet xmlns="${namespace}"><cols>${cols}</cols><sheetData>${body.join('')}</sheetData></worksheet>`
  );
}
