import { posix } from 'node:path';
import type { Entry, ZipFile } from 'yauzl';
import { fromBufferPromise } from 'yauzl';
import type { NumberKind } from './numberFormat.ts';
import { numberKind } from './numberFormat.ts';
import { LIMITS, WorkbookRefused } from './refused.ts';
import type { Merge, RowSink } from './rows.ts';
import { BROKEN, parseXml, TOO_MUCH } from './xml.ts';
import { readWorksheet } from './worksheet.ts';

const NOT_A_SHEET = '这不是 Excel 工作簿：请上传 .xlsx 或 .csv 文件';

/** The parts of a workbook, listed from the central directory before anything is inflated. */
class Parts {
  readonly #zip: ZipFile;
  readonly #entries: ReadonlyMap<string, Entry>;
  private constructor(zip: ZipFile, entries: ReadonlyMap<string, Entry>) {
    this.#zip = zip;
    this.#entries = entries;
  }

  static async open(bytes: Buffer): Promise<Parts> {
    const zip = await fromBufferPromise(bytes, { autoClose: false, strictFileNames: true, validateEntrySizes: true });
    if (zip.entryCount > LIMITS.entries) throw new WorkbookRefused('limit', TOO_MUCH);
    const entries = new Map<string, Entry>();
    let inflated = 0;
    for await (const entry of zip.eachEntry()) {
      if (entry.isEncrypted()) throw new WorkbookRefused('encrypted', '文件有密码保护：请取消密码，另存为 .xlsx 后再上传');
      inflated += entry.uncompressedSize;
      if (inflated > LIMITS.inflated) throw new WorkbookRefused('limit', TOO_MUCH);
      const name = entry.fileName.toLowerCase();
      if (entries.has(name)) throw new WorkbookRefused('broken', BROKEN);
      entries.set(name, entry);
    }
    return new Parts(zip, entries);
  }

  has(path: string): boolean {
    return this.#entries.has(path.toLowerCase());
  }

  /** Streams a part through the parser. yauzl stops it at the size the directory declares, so the sum above is a true bound. */
  async parse(path: string, events: Parameters<typeof parseXml>[1]): Promise<void> {
    const entry = this.#entries.get(path.toLowerCase());
    if (!entry) throw new WorkbookRefused('broken', BROKEN);
    await parseXml(await this.#zip.openReadStreamPromise(entry), events);
  }
}

/**
 * Reads the first visible sheet of a workbook.
 * Throws WorkbookRefused, or whatever the zip, inflate or XML code throws on damaged input.
 */
export async function readXlsx(bytes: Buffer, sink: RowSink): Promise<{ sheetname: string; merges: Merge[] }> {
  const parts = await Parts.open(bytes);
  const main = await findWorkbook(parts);
  const { name, rid, date1904 } = await readWorkbook(parts, main);
  const targets = await readRelations(
    parts,
    posix.join(posix.dirname(main), '_rels', `${posix.basename(main)}.rels`),
    posix.dirname(main),
  );
  const sheet = targets.find((target) => target.id === rid);
  if (!sheet) throw new WorkbookRefused('broken', BROKEN);
  const strings = targets.find((target) => target.type === 'sharedStrings');
  const styles = targets.find((target) => target.type === 'styles');
  const shared = strings && parts.has(strings.path) ? await readStrings(parts, strings.path) : [];
  const kinds = styles && parts.has(styles.path) ? await readStyles(parts, styles.path) : [];
  const worksheet = readWorksheet({ shared, kinds, date1904, sink });
  await parts.parse(sheet.path, worksheet.events);
  return { sheetname: name, merges: worksheet.finish() };
}

async function findWorkbook(parts: Parts): Promise<string> {
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

async function readRelations(parts: Parts, path: string, base: string): Promise<{ id: string; type: string; path: string }[]> {
  const found: { id: string; type: string; path: string }[] = [];
  await parts.parse(path, {
    open: (name, { Id, Type, Target, TargetMode }) => {
      // A part outside the file is never fetched.
      if (name !== 'Relationship' || !Id || !Type || !Target || TargetMode === 'External') return;
      const at = Target.startsWith('/') ? Target.slice(1) : posix.join(base, Target);
      found.push({ id: Id, type: Type.slice(Type.lastIndexOf('/') + 1), path: at });
    },
  });
  return found;
}

async function readWorkbook(parts: Parts, path: string): Promise<{ name: string; rid: string; date1904: boolean }> {
  const sheets: { name: string; rid: string; visible: boolean }[] = [];
  let date1904 = false;
  await parts.parse(path, {
    open: (name, attributes) => {
      if (name === 'workbookPr') date1904 = /^(?:1|true)$/.test(attributes['date1904'] ?? '');
      if (name !== 'sheet') return;
      const rid = Object.entries(attributes).find(([key]) => key.endsWith(':id'))?.[1] ?? '';
      sheets.push({ name: attributes['name'] ?? '', rid, visible: (attributes['state'] ?? 'visible') === 'visible' });
    },
  });
  const first = sheets.find((sheet) => sheet.visible) ?? sheets[0];
  if (!first) throw new WorkbookRefused('broken', BROKEN);
  return { name: first.name, rid: first.rid, date1904 };
}

/** The shared strings in order; the parts of a rich text joined, its reading aids (phonetics) left out. */
async function readStrings(parts: Parts, path: string): Promise<string[]> {
  const strings: string[] = [];
  let stringText = '';
  let within = false;
  let aside = false;
  await parts.parse(path, {
    open: (name) => {
      if (name === 'si') stringText = '';
      if (name === 'rPh') aside = true;
      within = name === 't' && !aside;
    },
    text: (text) => {
      if (within) stringText += text;
      if (stringText.length > LIMITS.cell) throw new WorkbookRefused('limit', TOO_MUCH);
    },
    close: (name) => {
      within = false;
      if (name === 'rPh') aside = false;
      if (name !== 'si') return;
      strings.push(stringText);
      if (strings.length > LIMITS.rows * LIMITS.columns) throw new WorkbookRefused('limit', TOO_MUCH);
    },
  });
  return strings;
}

/** The kind of number of each cell format, by index. */
async function readStyles(parts: Parts, path: string): Promise<NumberKind[]> {
  const codes = new Map<number, string>();
  const kinds: NumberKind[] = [];
  let within = false;
  await parts.parse(path, {
    open: (name, { numFmtId, formatCode }) => {
      if (name === 'numFmt') codes.set(Number(numFmtId), formatCode ?? '');
      if (name === 'cellXfs') within = true;
      if (name === 'xf' && within) kinds.push(numberKind(Number(numFmtId ?? 0), codes.get(Number(numFmtId ?? 0))));
      if (kinds.length > 100_000 || codes.size > 100_000) throw new WorkbookRefused('limit', TOO_MUCH);
    },
    close: (name) => {
      if (name === 'cellXfs') within = false;
    },
  });
  return kinds;
}
