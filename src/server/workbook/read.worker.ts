import { parentPort, workerData } from 'node:worker_threads';
import { readCsv } from './csv.ts';
import { WorkbookRefused } from './refused.ts';
import type { ProblemCode } from './refused.ts';
import type { ReadSheet } from './rows.ts';
import { readXlsx } from './xlsx.ts';
import { BROKEN } from './xml.ts';

/** The input of the thread. */
export interface Job {
  bytes: Uint8Array;
  kind: 'xlsx' | 'csv';
}

/** A message of the thread: batches of rows while it reads, then one end or one refusal. */
export type Report =
  | { rows: (readonly [row: number, texts: string[], sheet: number])[] }
  | { end: ReadSheet[] }
  | { refused: { code: ProblemCode; message: string } };

const BATCH = 500;

async function run(job: Job, send: (report: Report) => void): Promise<void> {
  let batch: (readonly [number, string[], number])[] = [];
  const flush = (): void => {
    if (batch.length) send({ rows: batch });
    batch = [];
  };
  const sink = (row: number, texts: string[], sheet = 0): void => {
    if (batch.push([row, texts, sheet]) >= BATCH) flush();
  };
  try {
    const bytes = Buffer.from(job.bytes.buffer, job.bytes.byteOffset, job.bytes.byteLength);
    let end: ReadSheet[] = [{ sheetname: '', merges: [] }];
    if (job.kind === 'xlsx') end = await readXlsx(bytes, sink);
    else readCsv(bytes, sink);
    flush();
    send({ end });
  } catch (error) {
    // All errors of the zip, inflate and XML code mean the same to the user: the file is damaged.
    const refused = error instanceof WorkbookRefused ? error : new WorkbookRefused('broken', BROKEN);
    send({ refused: { code: refused.code, message: refused.message } });
  }
}

const port = parentPort;
if (port) await run(workerData as Job, (report) => port.postMessage(report));
