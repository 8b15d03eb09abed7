import type { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { ZipFile } from 'yazl';
import { kindOf } from '../read.ts';
import { WorkbookRefused } from '../refused.ts';
import { findWorkbook, Parts, readRelations, readSheets, relationsPathOf } from '../xlsx.ts';
import { BROKEN } from '../xml.ts';
import { attributeOf, readXmlText, tagsOf } from './tokens.ts';
import { readSpans } from './sheet.ts';

/** The limits of a template: bytes of the file, bytes of all its parts. */
export const TEMPLATE_LIMITS = { bytes: 1024 * 1024, inflated: 16 * 1024 * 1024 } as const;

/** A part of a workbook with its place in the file. */
interface BookPart {
  content: Buffer;
  mtime: Date;
  isCompressed: boolean;
}

/** A workbook that serves as a template. Only `setPart` changes it; the other parts stay byte for byte. */
export interface Book {
  /** the file as it was opened */
  source: Parts;
  parts: Map<string, BookPart>;
  /** the path of the workbook part */
  main: string;
  /** the visible worksheets in order */
  sheets: { name: string; path: string }[];
}

const refuse = (message: string): never => {
  throw new WorkbookRefused('type', message);
};

// Parts that run code, or that fetch or contain other files.
const REFUSED_PARTS: readonly [RegExp, string][] = [
  [/vbaProject|vbaData|\/(?:macrosheets|dialogsheets|intlmacrosheets)\//i, '文件里有宏：请另存为不含宏的 .xlsx 后再上传'],
  [/\/externalLinks\//i, '文件链接了别的工作簿：请在“数据 → 编辑链接”中断开链接，另存后再上传'],
  [/\/(?:connections\.xml|queryTables\/|customData|model\/)/i, '文件连接了外部数据：请删去数据连接，另存后再上传'],
  [/\/(?:embeddings|activeX|ctrlProps)\//i, '文件里有嵌入的对象或控件：请删去后另存，再上传'],
];
// Functions that fetch data or call other programs, and DDE (=cmd|' /C calc'!A0).
const REFUSED_FORMULA =
  /\b(?:WEBSERVICE|FILTERXML|RTD|CALL|REGISTER(?:\.ID)?|EVALUATE|IMPORT(?:XML|DATA|HTML|FEED|RANGE)|DDE|IMAGE|STOCKHISTORY|CUBE\w+)\s*\(/i;
const DDE = /\|[^!]*!/;
// A reference to another file, such as [1]Sheet1!A1. A table reference, such as [@列], has no "!" after the bracket.
const OTHER_FILE = /\[[^\]]*\][^\][!,()+*\-/]*!/;

/**
 * Opens a template and refuses what a template must not contain: macros, links to other files, data connections, objects,
 * document type declarations, too many bytes.
 * Throws WorkbookRefused with a message for the user.
 */
export async function openBook(bytes: Buffer, filename: string): Promise<Book> {
  if (bytes.length > TEMPLATE_LIMITS.bytes)
    throw new WorkbookRefused('size', '模板不能超过 1 MB：请删去图片和无关的工作表，另存后再上传');
  if (kindOf(bytes, filename) !== 'xlsx') refuse('模板只能是 .xlsx 文件：请在 Excel 或 WPS 中另存为 .xlsx 后再上传');
  try {
    return await readBook(bytes);
  } catch (error) {
    throw error instanceof WorkbookRefused ? error : new WorkbookRefused('broken', BROKEN);
  }
}

async function readBook(bytes: Buffer): Promise<Book> {
  const zip = await Parts.open(bytes, TEMPLATE_LIMITS.inflated);
  for (const [pattern, message] of REFUSED_PARTS) if (zip.names.some((name) => pattern.test(`/${name}`))) refuse(message);
  const main = await findWorkbook(zip);
  const parts = new Map<string, BookPart>();
  for (const name of zip.names) parts.set(name, await zip.read(name));
  for (const [name, { content }] of parts) {
    if (!/\.(?:xml|rels)$/i.test(name)) continue;
    const text = await readXmlText(content);
    if (/\.rels$/i.test(name)) assertInside(text);
    if (name === '[Content_Types].xml' && /macroEnabled|vbaProject/i.test(text)) refuse(REFUSED_PARTS[0]![1]);
    if (name.toLowerCase() === main.toLowerCase()) assertNames(text);
  }
  const relations = await readRelations(zip, relationsPathOf(main), main);
  const { sheets } = await readSheets(zip, main);
  const nameOf = new Map([...parts.keys()].map((name) => [name.toLowerCase(), name]));
  const worksheets = sheets.flatMap(({ name, rid }) => {
    const relation = relations.find((candidate) => candidate.id === rid && candidate.type === 'worksheet');
    const path = relation && nameOf.get(relation.path.toLowerCase());
    return path ? [{ name, path }] : [];
  });
  if (worksheets.length === 0) throw new WorkbookRefused('broken', '文件里没有可见的工作表：请检查后再上传');
  const book = { source: zip, parts, main: nameOf.get(main.toLowerCase()) ?? main, sheets: worksheets };
  for (const relation of relations)
    if (relation.type === 'worksheet') assertFormulas(book, nameOf.get(relation.path.toLowerCase()));
  return book;
}

/** Refuses relations that lead outside the file. A link that a person clicks is allowed. */
function assertInside(rels: string): void {
  for (const { name, raw } of tagsOf(rels)) {
    if (name !== 'Relationship' || !/^external$/i.test(attributeOf(raw, 'TargetMode') ?? '')) continue;
    const isHyperlink = attributeOf(raw, 'Type')?.endsWith('/hyperlink');
    if (!isHyperlink || !/^(?:https?:|mailto:)/i.test(attributeOf(raw, 'Target') ?? ''))
      refuse('文件引用了外部文件或网络数据：请断开链接，另存后再上传');
  }
}

const assertFormula = (formula: string, where: string): void => {
  const code = formula.replace(/"[^"]*"/g, '""');
  if (REFUSED_FORMULA.test(code) || DDE.test(code) || OTHER_FILE.test(code))
    refuse(`${where}的公式会读取外部数据：请改为普通公式或删去后再上传`);
};

function assertNames(workbook: string): void {
  for (const match of workbook.matchAll(/<(?:[^\s:/>]+:)?definedName\s([^>]*)>([^<]*)</g))
    assertFormula(match[2] ?? '', `名称“${attributeOf(match[1] ?? '', 'name') ?? ''}”`);
}

function assertFormulas(book: Book, path: string | undefined): void {
  if (!path) return;
  const { rows } = readSpans(partText(book, path));
  for (const { cells } of rows)
    for (const { formula, column, row } of cells) if (formula) assertFormula(formula, `第 ${row} 行第 ${column + 1} 列`);
}

/** Returns the text of a part; its bytes were checked when the book was opened. */
export function partText(book: Book, path: string): string {
  return new TextDecoder('utf-8', { ignoreBOM: true }).decode(book.parts.get(path)!.content);
}

/** Replaces the content of a part, or adds one. */
export function setPart(book: Book, path: string, text: string): void {
  const part = book.parts.get(path);
  const content = Buffer.from(text, 'utf8');
  book.parts.set(path, part ? { ...part, content } : { content, mtime: new Date('2020-01-01T00:00:00Z'), isCompressed: true });
}

/** Returns the file of a workbook, its parts in their order. */
export async function writeBook(book: Book): Promise<Buffer> {
  const zip = new ZipFile();
  for (const [name, { content, mtime, isCompressed }] of book.parts)
    zip.addBuffer(content, name, { mtime, compress: isCompressed });
  zip.end();
  return buffer(zip.outputStream as Readable);
}
