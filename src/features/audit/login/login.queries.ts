import { sql } from 'kysely';
import { addDays, fromShanghai } from '#domain/base/calendar.ts';
import type { Page } from '#server/db/pagination.ts';
import type { Scope } from '#server/db/scope.ts';

interface LoginFilters {
  keyword?: string | undefined;
  result?: '0' | '1' | undefined;
  begindate?: string | undefined;
  enddate?: string | undefined;
}
interface LoginRow {
  id: number;
  time: Date;
  accountid: string;
  loginname: string;
  realname: string;
  ok: number;
  reason: string;
  ip: string | null;
  useragent: string | null;
}

/** Returns a page of the sign-ins of an institution and their total. Another institution than those of the caller has none. */
export async function findLogins(
  scope: Scope,
  musercode: string,
  { keyword, result, begindate, enddate }: LoginFilters,
  { page, pageSize }: Page,
): Promise<{ total: number; rows: LoginRow[] }> {
  const who = keyword ? `%${keyword.replace(/[\\%_]/g, '\\$&')}%` : null;
  const begin = begindate ? fromShanghai(`${begindate} 00:00:00`) : null;
  const end = enddate ? addDays(fromShanghai(`${enddate} 00:00:00`), 1) : null;
  const read = async (size: number, start: number) =>
    (
      await sql<LoginRow & { total: number }>`
      select * from auth.sign_ins(${musercode}, ${who}, ${result === undefined ? null : Number(result)}::int, ${begin}, ${end},
        ${size}, ${start})`.execute(scope.db)
    ).rows;
  const rows = await read(pageSize, (page - 1) * pageSize);
  // A page after the last one has no row that carries the total.
  const counted = rows.length > 0 || page === 1 ? rows : await read(1, 0);
  return { total: counted[0]?.total ?? 0, rows };
}
