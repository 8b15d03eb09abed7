import { appendFile, mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { FieldCipher } from '#server/security/fieldCipher.ts';

/** A line of the file of heads: the number and the seal of the last sealed row at a time. */
export interface Head {
  /** start: the first; head: sealed rows; adopt: the operator accepted the present state. */
  kind: 'start' | 'head' | 'adopt';
  seq: number;
  seal: string;
  /** ISO 8601 */
  time: string;
  /** start, adopt: rows up to this id are from before the chain with a key. */
  lastid?: number;
  /** start: the last hash of the chain before; adopt: who and why. */
  note?: string;
  /** adopt: heads of earlier lines count up to this number only. */
  from?: number;
}

/** The heads that count, in order. `forged` lines have no valid tag. `start` is absent when there is no file. */
export interface Heads {
  start: Head | undefined;
  heads: Head[];
  forged: number;
}

/** The file of the heads. The database cannot reach it, so rows cannot be cut off unseen. */
export const headsFileOf = (auditDir: string): string => join(auditDir, 'heads.jsonl');

const PURPOSE = 'audit-head';
const tagOf = (cipher: FieldCipher, head: Head): string => cipher.hmac(PURPOSE, JSON.stringify(head));

/** Above this size the file is thinned: the last head of each day and the last 1,000 lines stay. */
const MAX_BYTES = 2_000_000;

/** Reads the heads of a folder. A line that was torn by a crash is skipped. */
export async function readHeads(auditDir: string, cipher: FieldCipher): Promise<Heads> {
  const result: Heads = { start: undefined, heads: [], forged: 0 };
  let newest = { age: 0, seq: 0 };
  for (const line of await linesOf(auditDir)) {
    const { tag, ...head } = parseLine(line) ?? {};
    if (tag === undefined) continue;
    const { kind, seq, from = 0 } = head as Head;
    const age = cipher.ageOf(PURPOSE, JSON.stringify(head), tag);
    // After a line of a later key a stolen earlier one makes no line. Of two servers with one file, one may be late with a head.
    const isLate = age !== undefined && age < newest.age && !(kind === 'head' && seq <= newest.seq);
    if (age === undefined || isLate) {
      result.forged += 1;
      continue;
    }
    if (age > newest.age) newest = { age, seq };
    if (kind !== 'head') result.start = head as Head;
    if (kind === 'adopt') result.heads = result.heads.filter(({ seq }) => seq <= from);
    result.heads.push(head as Head);
  }
  return result;
}

/** Appends a head to the file of a folder and creates both when they are missing. */
export async function appendHead(auditDir: string, cipher: FieldCipher, head: Head): Promise<void> {
  await mkdir(auditDir, { recursive: true, mode: 0o700 });
  const lines = await linesOf(auditDir);
  const line = JSON.stringify({ ...head, tag: tagOf(cipher, head) });
  const file = headsFileOf(auditDir);
  const size = lines.reduce((sum, { length }) => sum + length, 0);
  // The line break in front ends a line that a crash has torn.
  if (size < MAX_BYTES) return appendFile(file, `\n${line}\n`, { mode: 0o600, flush: true });
  await writeFile(`${file}.new`, [...thin(lines), line, ''].join('\n'), { mode: 0o600, flush: true });
  await rename(`${file}.new`, file);
}

async function linesOf(auditDir: string): Promise<string[]> {
  try {
    return (await readFile(headsFileOf(auditDir), 'utf8')).split('\n').filter((line) => line !== '');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw error;
  }
}

type Line = Head & { tag: string };

function parseLine(line: string): Line | undefined {
  try {
    return JSON.parse(line) as Line;
  } catch {
    return undefined;
  }
}

function thin(lines: readonly string[]): string[] {
  const latest = lines.length - 1000;
  return lines.filter((line, index) => {
    const head = parseLine(line);
    const next = parseLine(lines[index + 1] ?? '');
    return index >= latest || head?.kind !== 'head' || next?.time.slice(0, 10) !== head.time.slice(0, 10);
  });
}
