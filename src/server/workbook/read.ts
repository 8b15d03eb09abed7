import type { Readable } from 'node:stream';
import { Worker } from 'node:worker_threads';
import type { Job, Report } from './read.worker.ts';
import { LIMITS, WorkbookRefused } from './refused.ts';
import type { Merge, ReadSheet } from './rows.ts';
import { TOO_MUCH } from './xml.ts';

/** A worksheet of a file as texts. `rows[0]` is row 1; rows may differ in length. A CSV file has no sheet name. */
export interface SheetContent {
  rows: string[][];
  sheetname: string;
  /** the limits ended its reading */
  isTooLarge?: true;
}
/** The first visible worksheet of a file, and the other ones with content. */
export interface WorkbookContent extends SheetContent {
  others?: SheetContent[];
}

/**
 * Reads an uploaded file (`.xlsx`, or CSV in UTF-8, UTF-16 or GB 18030) in a separate thread with limited memory and time.
 * So a hostile file causes an error for its sender and does not affect other requests.
 * @param bounds.milliseconds a shorter limit than the usual 20 s
 * Throws WorkbookRefused with a message for the user; other errors are errors of the stream.
 */
export async function readWorkbook(
  input: Uint8Array | Readable,
  filename: string,
  bounds: { milliseconds?: number } = {},
): Promise<WorkbookContent> {
  const bytes = await collect(input);
  const kind = kindOf(bytes, filename);
  const release = await acquireWorker();
  try {
    return await inWorker({ bytes, kind }, Math.min(bounds.milliseconds ?? Infinity, LIMITS.milliseconds));
  } finally {
    release();
  }
}

async function collect(input: Uint8Array | Readable): Promise<Uint8Array<ArrayBuffer>> {
  const tooLarge = (): WorkbookRefused =>
    new WorkbookRefused('size', `文件超过 ${LIMITS.bytes / 1024 / 1024} MB：请删去图片等无关内容，或分成几个文件上传`);
  if (input instanceof Uint8Array) {
    if (input.length > LIMITS.bytes) throw tooLarge();
    // Copy the bytes: the thread takes over the memory, and a Buffer may share its memory with other Buffers.
    return new Uint8Array(input);
  }
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of input) {
    length += (chunk as Buffer).length;
    // Leaving the loop destroys the stream, so the rest is not received.
    if (length > LIMITS.bytes) throw tooLarge();
    chunks.push(chunk as Buffer);
  }
  const content = new Uint8Array(length);
  let offset = 0;
  for (const chunk of chunks) {
    content.set(chunk, offset);
    offset += chunk.length;
  }
  return content;
}

const startsWith = (bytes: Uint8Array, ...head: number[]): boolean => head.every((byte, i) => bytes[i] === byte);

/** Returns the kind of a file by its content. The file name only decides whether a text is CSV. */
export function kindOf(bytes: Uint8Array, filename: string): Job['kind'] {
  const type = /\.([a-z0-9]{1,8})$/i.exec(filename)?.[1]?.toLowerCase() ?? '';
  if (bytes.length === 0) throw new WorkbookRefused('broken', '文件是空的：请选择有内容的 .xlsx 或 .csv 文件');
  if (startsWith(bytes, 0x50, 0x4b, 0x03, 0x04)) return 'xlsx';
  if (startsWith(bytes, 0xd0, 0xcf, 0x11, 0xe0)) {
    // Office stores a workbook with a password in the container of the old formats.
    if (Buffer.from(bytes).includes(Buffer.from('EncryptedPackage', 'utf16le')))
      throw new WorkbookRefused('encrypted', '文件有密码保护：请取消密码，另存为 .xlsx 后再上传');
    throw new WorkbookRefused('type', '这是旧版 .xls 文件：请在 Excel 或 WPS 中另存为 .xlsx 后再上传');
  }
  if (type === 'csv' || type === 'txt') {
    if (
      startsWith(bytes, 0x25, 0x50, 0x44, 0x46) ||
      startsWith(bytes, 0x89, 0x50, 0x4e, 0x47) ||
      startsWith(bytes, 0xff, 0xd8, 0xff)
    )
      throw new WorkbookRefused('type', '文件内容不是表格：请上传 .xlsx 或 .csv 文件');
    return 'csv';
  }
  if (type === 'xls' || type === 'xlsx')
    throw new WorkbookRefused(
      'type',
      `文件名以 .${type} 结尾，内容却不是 Excel 工作簿：请用 Excel 或 WPS 打开后另存为 .xlsx 再上传`,
    );
  throw new WorkbookRefused('type', '只能上传 .xlsx 或 .csv 文件');
}

let busyWorkers = 0;
const queue: (() => void)[] = [];

/** Waits until a thread may start and returns its release. Each thread may use its full memory, so only a few run at once. */
async function acquireWorker(): Promise<() => void> {
  if (busyWorkers >= LIMITS.workers) await new Promise<void>((resolve) => queue.push(resolve));
  else busyWorkers++;
  return () => {
    const next = queue.shift();
    if (next) next();
    else busyWorkers--;
  };
}

function inWorker(job: Job & { bytes: Uint8Array<ArrayBuffer> }, milliseconds: number): Promise<WorkbookContent> {
  return new Promise((resolve, reject) => {
    const worker = new Worker(new URL('./read.worker.ts', import.meta.url), {
      workerData: job,
      transferList: [job.bytes.buffer],
      resourceLimits: { maxOldGenerationSizeMb: LIMITS.heapMb, maxYoungGenerationSizeMb: 16, stackSizeMb: 4 },
      env: {},
      execArgv: [],
    });
    const sheets: string[][][] = [];
    const end = (settle: () => void): void => {
      clearTimeout(timer);
      void worker.terminate();
      settle();
    };
    const timer = setTimeout(
      () => end(() => reject(new WorkbookRefused('time', '文件读取时间过长，已停止：请删去无关内容，或分成几个文件上传'))),
      milliseconds,
    );
    worker.on('message', (report: Report) => {
      if ('rows' in report)
        for (const [row, texts, sheet] of report.rows) {
          const rows = (sheets[sheet] ??= []);
          while (rows.length < row) rows.push([]);
          rows[row - 1] = texts;
        }
      else if ('refused' in report) end(() => reject(new WorkbookRefused(report.refused.code, report.refused.message)));
      else end(() => resolve(toContent(report.end, sheets)));
    });
    worker.on('error', (error: NodeJS.ErrnoException) =>
      end(() => reject(error.code === 'ERR_WORKER_OUT_OF_MEMORY' ? new WorkbookRefused('limit', TOO_MUCH) : error)),
    );
    worker.on('exit', () => end(() => reject(new Error('the reading thread ended without an answer'))));
  });
}

function toContent(read: readonly ReadSheet[], sheets: readonly string[][][]): WorkbookContent {
  const [first = { sheetname: '', rows: [] }, ...rest] = read.map(({ merges, ...sheet }, index) => ({
    ...sheet,
    rows: fillMerged(sheets[index] ?? [], merges),
  }));
  const others = rest.filter((sheet) => sheet.rows.length > 0 || sheet.isTooLarge);
  return { rows: first.rows, sheetname: first.sheetname, ...(others.length ? { others } : {}) };
}

/**
 * Copies the text of a vertically merged cell into each row of the block that has content.
 * A class that is written once beside its thirty students applies to all of them.
 */
function fillMerged(rows: string[][], merges: readonly Merge[]): string[][] {
  const hasContent = rows.map((row) => row.length > 0);
  for (const { column, first, last } of merges) {
    const text = rows[first - 1]?.[column];
    if (!text || column >= LIMITS.columns) continue;
    for (let index = first; index < Math.min(last, rows.length); index++) {
      const row = rows[index]!;
      if (!hasContent[index] || row[column]) continue;
      while (row.length < column) row.push('');
      row[column] = text;
    }
  }
  return rows;
}
