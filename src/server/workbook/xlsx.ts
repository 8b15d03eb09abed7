import { posix } from 'node:path';
import { buffer } from 'node:stream/consumers';
import type { Entry, ZipFile } from 'yauzl';
import { fromBufferPromise } from 'yauzl';
import type { NumberKind } from './numberFormat.ts';
import { numberKind } from './numberFormat.ts';
import { LIMITS, WorkbookRefused } from './refused.ts';
import type { ReadSheet, RowSink } from './rows.ts';
import { BROKEN, parseXml, TOO_MUCH } from './xml.ts';
import { readWorksheet } from './worksheet.ts';

const NOT_A_SHEET = '这不是 Excel 工作簿：请上传 .xlsx 或 .csv 文件';

/** The parts of a workbook. `open` reads their list from the central directory and decompresses no part. */
export class Parts {
  readonly #zip: ZipFile;
  readonly #entries: ReadonlyMap<string, Entry>;
  private constructor(zip: ZipFile, entries: ReadonlyMap<string, Entry>) {
    this.#zip = zip;
    this.#entries = entries;
  }

  static async open(bytes: Buffer, maxInflated: number = LIMITS.inflated): Promise<Parts> {
    const zip = await fromBufferPromise(bytes, { autoClose: false, strictFileNames: true, validateEntrySizes: true });
    if (zip.entryCount > LIMITS.entries) throw new WorkbookRefused('limit', TOO_MUCH);
    const entries = new Map<string, Entry>();
    let inflated = 0;
    for await (const entry of zip.eachEntry()) {
      if (entry.isEncrypted()) throw new WorkbookRefused('encrypted', '文件有密码保护：请取消密码，另存为 .xlsx 后再上传');
      inflated += entry.uncompressedSize;
      if (inflated > maxInflated) throw new WorkbookRefused('limit', TOO_MUCH);
      const name = entry.fileName.toLowerCase();
      if (entries.has(name)) throw new WorkbookRefused('broken', BROKEN);
      entries.set(name, entry);
    }
    return new Parts(zip, entries);
  }

  /** The names of the parts, in the order of the file. */
  get names(): string[] {
    return [...this.#entries.values()].map((entry) => entry.fileName).filter((name) => !name.endsWith('/'));
  }

  /** Returns a part with its time and whether the file compresses it. */
  async read(path: string): Promise<{ content: Buffer; mtime: Date; isCompressed: boolean }> {
    const entry = this.#entries.get(path.toLowerCase());
    if (!entry) throw new WorkbookRefused('broken', BROKEN);
    const content = await buffer(await this.#zip.openReadStreamPromise(entry));
    return { content, mtime: entry.getLastModDate(), isCompressed: entry.compressionMethod !== 0 };
  }

  has(path: string): boolean {
    return this.#entries.has(path.toLowerCase());
  }

  /** Streams a part through the parser. yauzl stops at the size that the directory declares, so the limit in `open` is reliable. */
  async parse(path: string, events: Parameters<typeof parseXml>[1]): Promise<void> {
    const entry = this.#entries.get(path.toLowerCase());
    if (!entry) throw new WorkbookRefused('broken', BROKEN);
    await parseXml(await this.#zip.openReadStreamPromise(entry), events);
  }
}

/**
 * Reads the visible sheets of a workbook, at most `LIMITS.sheets`. The limits refuse the file in the first sheet; a later sheet that
 * exceeds them is left out.
 * Throws WorkbookRefused, or an error of the zip, inflate or XML code for damaged input.
 */
export async function readXlsx(bytes: Buffer, sink: RowSink): Promise<ReadSheet[]> {
  const parts = await Parts.open(bytes);
  const main = await findWorkbook(parts);
  const { sheets, date1904 } = await readSheets(parts, main);
  const targets = await readRelations(parts, relationsPathOf(main), main);
  const strings = targets.find((target) => target.type === 'sharedStrings');
  const styles = targets.find((target) => target.type === 'styles');
  const shared = strings && parts.has(strings.path) ? await readStrings(parts, strings.path) : [];
  const kinds = styles && parts.has(styles.path) ? await readStyles(parts, styles.path) : [];
  const read: ReadSheet[] = [];
  let rows = 0;
  let characters = 0;
  for (const { name, rid } of sheets.slice(0, LIMITS.sheets)) {
    const target = targets.find((candidate) => candidate.id === rid);
    const isWorksheet = target?.type === 'worksheet';
    if (read.length > 0 && !isWorksheet) continue;
    if (!target) throw new WorkbookRefused('broken', BROKEN);
    const countedSink: RowSink = (row, texts) => {
      rows++;
      for (const text of texts) characters += text.length;
      if (read.length > 0 && (rows > LIMITS.rows || characters > LIMITS.characters)) throw new WorkbookRefused('limit', TOO_MUCH);
      sink(row, texts, read.length);
    };
    const worksheet = readWorksheet({ shared, kinds, date1904, sink: countedSink });
    try {
      await parts.parse(target.path, worksheet.events);
      read.push({ sheetname: name, merges: worksheet.finish() });
    } catch (error) {
      if (read.length === 0 || !(error instanceof WorkbookRefused) || error.code !== 'limit') throw error;
      read.push({ sheetname: name, merges: [], isTooLarge: true });
    }
  }
  return read;
}

/** Returns the path of the workbook part. Refuses other kinds of files. */
export async function findWorkbook(parts: Parts): Promise<string> {
  if (!parts.has('[Content_Types].xml') || !parts.has('_rels/.rels')) throw new WorkbookRefused('type', NOT_A_SHEET);
  const main = (await readRelations(parts, '_rels/.rels', '')).find((relation) => relation.type === 'officeDocument')?.path;
  let type: string | undefined;
  await parts.parse('[Content_Types].xml', {
    open: (name, { PartName, ContentType }) => {
      if (name === 'Override' && PartName?.toLowerCase() === `/${main ?? ''}`.toLowerCase()) type = ContentType;
    },
  });
  if (main && /ms-excel\.sheet\.binary/.test(type ?? ''))
    throw new WorkbookRefused('type', '不支持 .xlsb 文件：请另存为 .xlsx 后再上传');
  if (
    !main ||
    !parts.has(main) ||
    !/spreadsheetml\.(?:sheet|template)\.main\+xml|ms-excel\.(?:sheet|template)\.macroEnabled\.main\+xml/.test(type ?? '')
  )
    throw new WorkbookRefused('type', NOT_A_SHEET);
  return main;
}

/** Returns the path of the part that names the relations of a part. */
export const relationsPathOf = (path: string): string => posix.join(posix.dirname(path), '_rels', `${posix.basename(path)}.rels`);

/** Returns the parts that a part refers to, without those outside the file. `type` is the last word of the kind of relation. */
export async function readRelations(
  parts: Parts,
  path: string,
  from: string,
): Promise<{ id: string; type: string; path: string }[]> {
  const relations: { id: string; type: string; path: string }[] = [];
  await parts.parse(path, {
    open: (name, { Id, Type, Target, TargetMode }) => {
      // The reader never fetches a part outside the file.
      if (name !== 'Relationship' || !Id || !Type || !Target || TargetMode === 'External') return;
      const targetPath = Target.startsWith('/') ? Target.slice(1) : posix.join(posix.dirname(from), Target);
      relations.push({ id: Id, type: Type.slice(Type.lastIndexOf('/') + 1), path: targetPath });
    },
  });
  return relations;
}

/** Returns the visible sheets, or the first sheet, and how the workbook counts days. */
export async function readSheets(
  parts: Parts,
  path: string,
): Promise<{ sheets: { name: string; rid: string }[]; date1904: boolean }> {
  const sheets: { name: string; rid: string; isVisible: boolean }[] = [];
  let date1904 = false;
  await parts.parse(path, {
    open: (name, attributes) => {
      if (name === 'workbookPr') date1904 = /^(?:1|true)$/.test(attributes['date1904'] ?? '');
      if (name !== 'sheet') return;
      const rid = Object.entries(attributes).find(([key]) => key.endsWith(':id'))?.[1] ?? '';
      sheets.push({ name: attributes['name'] ?? '', rid, isVisible: (attributes['state'] ?? 'visible') === 'visible' });
    },
  });
  const visible = sheets.filter((sheet) => sheet.isVisible);
  const chosen = visible.length ? visible : sheets.slice(0, 1);
  if (!chosen.length) throw new WorkbookRefused('broken', BROKEN);
  return { sheets: chosen, date1904 };
}

/** Returns the shared strings in order. It joins the parts of rich text and leaves the phonetic text out. */
export async function readStrings(parts: Parts, path: string): Promise<string[]> {
  const strings: string[] = [];
  let current = '';
  let isInText = false;
  let isPhonetic = false;
  await parts.parse(path, {
    open: (name) => {
      if (name === 'si') current = '';
      if (name === 'rPh') isPhonetic = true;
      isInText = name === 't' && !isPhonetic;
    },
    text: (text) => {
      if (isInText) current += text;
      if (current.length > LIMITS.cell) throw new WorkbookRefused('limit', TOO_MUCH);
    },
    close: (name) => {
      isInText = false;
      if (name === 'rPh') isPhonetic = false;
      if (name !== 'si') return;
      strings.push(current);
      if (strings.length > LIMITS.rows * LIMITS.columns) throw new WorkbookRefused('limit', TOO_MUCH);
    },
  });
  return strings;
}

/** Returns the number kind of each cell format, by index. */
export async function readStyles(parts: Parts, path: string): Promise<NumberKind[]> {
  const codes = new Map<number, string>();
  const kinds: NumberKind[] = [];
  let isInCellFormats = false;
  await parts.parse(path, {
    open: (name, { numFmtId, formatCode }) => {
      if (name === 'numFmt') codes.set(Number(numFmtId), formatCode ?? '');
      if (name === 'cellXfs') isInCellFormats = true;
      if (name === 'xf' && isInCellFormats) kinds.push(numberKind(Number(numFmtId ?? 0), codes.get(Number(numFmtId ?? 0))));
      if (kinds.length > 100_000 || codes.size > 100_000) throw new WorkbookRefused('limit', TOO_MUCH);
    },
    close: (name) => {
      if (name === 'cellXfs') isInCellFormats = false;
    },
  });
  return kinds;
}
