import type { FieldCipher } from '#server/security/fieldCipher.ts';

/** A row of audit.log as the seal covers it: numbers and times as text, so that nothing is rounded. */
export interface SealedRow {
  id: number;
  xid: string;
  /** microseconds since 1970 */
  time: string;
  musercode: string | null;
  /** the path when the row was sealed */
  sealedpath: string | null;
  accountid: string | null;
  loginasby: string | null;
  loginasname: string | null;
  action: string;
  title: string;
  kind: string;
  cuserids: string[];
  minors: number;
  objectid: string | null;
  /** the JSON as PostgreSQL writes it */
  detail: string;
  ip: string | null;
  result: number;
  origin: string | null;
}

/** The columns of a `SealedRow` from `audit.log l`, without the path. */
export const sealColumns = `l.id, l.xid::text as xid, (extract(epoch from l.time) * 1000000)::bigint::text as time, l.musercode,
  l.accountid, l.loginasby, l.loginasname, l.action, l.title, l.kind, l.cuserids, l.minors, l.objectid, l.detail::text as detail,
  l.ip, l.result, l.origin`;

const PURPOSE = 'audit-row';

/** Returns the seal of a row: the HMAC of its number, the seal before and all its columns. */
export const sealOf = (cipher: FieldCipher, seq: number, before: string, row: SealedRow): string =>
  cipher.hmac(PURPOSE, textOf(seq, before, row));

/** Returns which key sealed a row, oldest first; undefined when the seal does not fit. */
export const ageOfSeal = (
  cipher: FieldCipher,
  before: string,
  row: SealedRow & { seq: number; hmac: string },
): number | undefined => cipher.ageOf(PURPOSE, textOf(row.seq, before, row), row.hmac);

const textOf = (seq: number, before: string, row: SealedRow): string =>
  JSON.stringify([
    seq,
    before,
    row.id,
    row.xid,
    row.time,
    row.musercode,
    row.sealedpath,
    row.accountid,
    row.loginasby,
    row.loginasname,
    row.action,
    row.title,
    row.kind,
    row.cuserids,
    row.minors,
    row.objectid,
    row.detail,
    row.ip,
    row.result,
    row.origin,
  ]);
