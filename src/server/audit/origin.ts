import { randomBytes } from 'node:crypto';
import type { FieldCipher } from '#server/security/fieldCipher.ts';

/** What the server says in an audit row. The database adds id, time, path and transaction; the seal covers these. */
export interface AuditEntry {
  musercode?: string | null;
  accountid?: string | null;
  loginasby?: string | null;
  loginasname?: string | null;
  action: string;
  title: string;
  kind: string;
  cuserids: readonly string[];
  minors: number;
  objectid?: string | null;
  detail: unknown;
  ip?: string | null;
}

/**
 * Returns an entry with the proof that the server wrote it: a random number and an HMAC of both. A row that somebody plants with SQL has
 * none, and a copy of a row has the number of another row.
 */
export function signOrigin<T extends AuditEntry>(cipher: FieldCipher, entry: T): T & { origin: string } {
  const number = randomBytes(12).toString('base64url');
  return { ...entry, origin: `${number}.${cipher.hmac(PURPOSE, textOf(number, entry))}` };
}

/** Returns with which key the server wrote a row, oldest first; undefined when the server did not write it. */
export function ageOfOrigin(cipher: FieldCipher, entry: AuditEntry, origin: string | null): number | undefined {
  const [number = '', tag = ''] = (origin ?? '').split('.');
  return cipher.ageOf(PURPOSE, textOf(number, entry), tag);
}

const PURPOSE = 'audit-origin';
const textOf = (number: string, entry: AuditEntry): string =>
  canonical([
    number,
    entry.musercode ?? null,
    entry.accountid ?? null,
    entry.loginasby ?? null,
    entry.loginasname ?? null,
    entry.action,
    entry.title,
    entry.kind,
    entry.cuserids,
    entry.minors,
    entry.objectid ?? null,
    entry.detail,
    entry.ip ?? null,
  ]);

/** The JSON of a value with sorted keys: PostgreSQL keeps the keys of jsonb in its own order. */
const canonical = (value: unknown): string => JSON.stringify(sorted(JSON.parse(JSON.stringify(value))));

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null) return value;
  const keys = Object.keys(value).sort();
  // As pairs: an object would put keys that look like numbers first, but both sides in the same way.
  return keys.map((key) => [key, sorted((value as Record<string, unknown>)[key])]);
}
