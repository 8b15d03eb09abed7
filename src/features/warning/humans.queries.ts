import { sql } from 'kysely';
import type { Scope } from '#server/db/scope.ts';

/** SQL condition: two accounts of staff have one telephone (its last 11 digits) or one certificate, so they are one human. */
export const isSameHumanSql = (a: string, b: string) =>
  sql.raw(`(nullif(right(regexp_replace(${a}.phonenumber, '\\D', '', 'g'), 11), '')
      = right(regexp_replace(${b}.phonenumber, '\\D', '', 'g'), 11) or nullif(upper(${a}.certno), '') = upper(${b}.certno))`);

/**
 * The keys of the human behind a staff account: account, phone, certificate. None for an institution's main account and for an
 * account that several people share, because nobody stands behind them.
 */
export async function findHumanKeys(scope: Scope, userid: string | null): Promise<string[]> {
  if (userid === null) return [];
  const row = await scope.db
    .selectFrom('sysuser')
    .select(['phonenumber', 'certno', 'isshared'])
    .where('userid', '=', userid)
    .executeTakeFirst();
  if (row?.isshared === 1) return [];
  const keys = [`u:${userid}`];
  // The same telephone may be written with or without dashes and country code.
  const digits = row?.phonenumber?.replace(/\D/g, '').slice(-11);
  if (digits) keys.push(`p:${digits}`);
  if (row?.certno) keys.push(`c:${row.certno.toUpperCase()}`);
  return keys;
}
