import { appendFile, mkdir, readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { isTagOf, type FieldCipher } from '#server/security/fieldCipher.ts';

/** A person whose data were erased: only the id and the time. */
export interface Erasure {
  cuserid: string;
  /** ISO 8601. A person whose record is younger is another one with the same id: a restored database gives ids again. */
  time: string;
}

/** The list of erased persons. It lies outside of the database, so that a restored backup does not bring them back. */
export const erasuresFileOf = (auditDir: string): string => join(auditDir, 'erasures.jsonl');

const textOf = ({ cuserid, time }: Erasure): string => JSON.stringify([cuserid, time]);

/**
 * Reads a list of erased persons; empty when there is no file. A line that was torn by a crash, or that the server did not write, is
 * skipped: nobody can have a person erased by a planted line.
 */
export async function readErasures(file: string, cipher: FieldCipher): Promise<Erasure[]> {
  const text = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return '';
    throw error;
  });
  const erasures: Erasure[] = [];
  for (const line of text.split('\n')) {
    const { tag, cuserid, time } = parseLine(line);
    if (!tag || !cuserid || !time) continue;
    // A line may be older than the current key.
    if (isTagOf(tag, cipher.hmacs('erasure', textOf({ cuserid, time })))) erasures.push({ cuserid, time });
  }
  return erasures;
}

/** Appends persons to the list and flushes it. The line break in front ends a line that a crash has torn. */
export async function appendErasures(file: string, cipher: FieldCipher, erasures: readonly Erasure[]): Promise<void> {
  if (erasures.length === 0) return;
  await mkdir(dirname(file), { recursive: true, mode: 0o700 });
  const lines = erasures.map((erasure) => JSON.stringify({ ...erasure, tag: cipher.hmac('erasure', textOf(erasure)) }));
  await appendFile(file, ['', ...lines, ''].join('\n'), { mode: 0o600, flush: true });
}

function parseLine(line: string): Partial<Erasure> & { tag?: string } {
  try {
    return JSON.parse(line) as Partial<Erasure> & { tag?: string };
  } catch {
    return {};
  }
}
