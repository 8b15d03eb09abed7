import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { inflateRawSync } from 'node:zlib';
import { parse } from 'csv-parse/sync';

/** Reads the first worksheet of each workbook with an independent program. Returns the rows as text, formulas calculated. */
export type ReadBooks = (books: ReadonlyMap<string, Uint8Array>) => Promise<Map<string, string[][]>>;

/** Returns LibreOffice if it is installed, otherwise a reader that shares no code with the product. The test prints the name. */
export function referenceReader(): { name: string; read: ReadBooks } {
  const soffice =
    process.env['SOFFICE_PATH'] ||
    (process.env['PATH'] ?? '')
      .split(delimiter)
      .flatMap((folder) => [join(folder, 'soffice'), join(folder, 'libreoffice')])
      .find(existsSync);
  return soffice
    ? { name: soffice, read: (books) => readByLibreOffice(soffice, books) }
    : { name: 'src/testing/files/referenceReader.ts', read: readByPattern };
}

async function readByLibreOffice(soffice: string, books: ReadonlyMap<string, Uint8Array>) {
  const dir = await mkdtemp(join(tmpdir(), 'xinli-office-'));
  try {
    const files = [...books.keys()].map((name) => join(dir, `${name}.xlsx`));
    for (const [name, content] of books) await writeFile(join(dir, `${name}.xlsx`), content);
    await mkdir(join(dir, 'out'));
    // Comma, quote, UTF-8, all texts quoted, values and not formulas.
    const filter = 'csv:Text - txt - csv (StarCalc):44,34,76,1,,0,true,false,false,false';
    const args = [
      '--headless',
      '--norestore',
      `-env:UserInstallation=${pathToFileURL(join(dir, 'profile')).href}`,
      '--convert-to',
      filter,
      '--outdir',
      join(dir, 'out'),
      ...files,
    ];
    const { code, output } = await run(soffice, args, { ...process.env, HOME: dir });
    const rowsByName = new Map<string, string[][]>();
    for (const name of books.keys()) {
      const text = await readFile(join(dir, 'out', `${name}.csv`), 'utf8').catch(() => {
        throw new Error(`LibreOffice did not read ${name} (${code}): ${output}`);
      });
      rowsByName.set(name, parse(text, { relax_column_count: true, bom: true }) as string[][]);
    }
    return rowsByName;
  } finally {
    await rm(dir, { recursive: true, force: true });
  }
}

function run(program: string, args: string[], env: NodeJS.ProcessEnv) {
  return new Promise<{ code: number | null; output: string }>((resolve, reject) => {
    const child = spawn(program, args, { env, stdio: ['ignore', 'pipe', 'pipe'] });
    let output = '';
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (text: Buffer) => (output += text.toString()));
    child.once('error', reject).once('close', (code) => resolve({ code, output }));
  });
}

/** Reads the parts of ZIP and SpreadsheetML that the product's workbooks use: central directory, inflate, cells by pattern. */
async function readByPattern(books: ReadonlyMap<string, Uint8Array>) {
  const rowsByName = new Map<string, string[][]>();
  for (const [name, content] of books) {
    const xml = partOf(Buffer.from(content), 'xl/worksheets/sheet1.xml');
    if (/<f[ >]/.test(xml)) throw new Error(`${name} holds a formula`);
    const rows: string[][] = [];
    for (const [, row, cells = ''] of xml.matchAll(/<row r="(\d+)"[^>]*>(.*?)<\/row>/gs)) {
      const line: string[] = [];
      for (const [, column = '', kind = ''] of cells.matchAll(/<c r="([A-Z]+)\d+"[^>]*?(?:\/>|>(.*?)<\/c>)/gs)) {
        const index = [...column].reduce((sum, letter) => sum * 26 + letter.charCodeAt(0) - 64, 0) - 1;
        const value = /<(?:v|t)[^>]*>(.*?)<\/(?:v|t)>/s.exec(kind)?.[1] ?? '';
        while (line.length < index) line.push('');
        line[index] = value.replace(
          /&(lt|gt|amp|quot|apos);|_x([0-9A-F]{4})_|&#(?:x([0-9a-fA-F]+)|(\d+));/g,
          (_, word: string, mark: string, hex: string, number: string) => {
            const entities: Record<string, string> = { lt: '<', gt: '>', amp: '&', quot: '"', apos: "'" };
            return word
              ? (entities[word] as string)
              : String.fromCodePoint(mark ? parseInt(mark, 16) : hex ? parseInt(hex, 16) : Number(number));
          },
        );
      }
      while (rows.length < Number(row) - 1) rows.push([]);
      rows.push(line);
    }
    rowsByName.set(name, rows);
  }
  return rowsByName;
}

/** Returns the text of a part of a ZIP file. */
function partOf(zip: Buffer, path: string): string {
  let index = zip.readUInt32LE(zip.lastIndexOf(Buffer.from('PK\x05\x06', 'latin1')) + 16);
  while (zip.readUInt32LE(index) === 0x02014b50) {
    const [names, extra, comment] = [28, 30, 32].map((offset) => zip.readUInt16LE(index + offset)) as [number, number, number];
    if (zip.toString('utf8', index + 46, index + 46 + names) === path) {
      const local = zip.readUInt32LE(index + 42);
      const start = local + 30 + zip.readUInt16LE(local + 26) + zip.readUInt16LE(local + 28);
      const compressed = zip.subarray(start, start + zip.readUInt32LE(index + 20));
      return (zip.readUInt16LE(index + 10) === 0 ? compressed : inflateRawSync(compressed)).toString('utf8');
    }
    index += 46 + names + extra + comment;
  }
  throw new Error(`no ${path}`);
}
