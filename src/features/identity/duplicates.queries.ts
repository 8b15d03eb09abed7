import { sql } from 'kysely';
import { limitOffset } from '#server/db/pagination.ts';
import type { Scope } from '#server/db/scope.ts';

/** A person of a pair. */
export interface CandidateRow {
  cuserid: string;
  username: string;
  gender: string;
  birthday: string | null;
  phonesealed: string | null;
  musercode: string;
  appid: string;
  archiveno: string | null;
  studentno: string;
  belongs: string;
  examcount: number;
  lastexamtime: Date | null;
  opendate: string | null;
}
export interface PairRow {
  cuserid: string;
  othercuserid: string;
  samebirthday: boolean;
  samephone: boolean;
  sameclass: boolean;
}

/** A page of the pairs of an institution; `appids` limits them to populations, null means all. */
export async function findPairs(
  scope: Scope,
  filters: { musercode: string; appids: readonly string[] | null; page: number; pageSize: number },
): Promise<{ total: number; rows: PairRow[] }> {
  const { musercode, appids } = filters;
  const { rows } = await sql<PairRow & { total: number }>`
    with person as materialized (
      select c.cuserid, c.username, c.pinyin, c.birthday, c.phonehash, a.gradename, a.classname
      from cuser c left join cuserarchive a on a.cuserid = c.cuserid and a.appid = c.appid and a.iscurrent = 1
      where c.musercode = ${musercode} and c.isdeleted = 0 and c.anonymizedtime is null and c.deathtime is null and c.pinyin <> ''
        and (${appids === null}::boolean or c.appid = any (${[...(appids ?? [])]}::text[]))),
    pair as (
      select a.cuserid, b.cuserid as othercuserid, a.username = b.username as samename,
        coalesce(a.birthday = b.birthday, false) as samebirthday, coalesce(a.phonehash = b.phonehash, false) as samephone,
        coalesce(a.classname = b.classname and a.gradename is not distinct from b.gradename, false) as sameclass
      from person a join person b on b.pinyin = a.pinyin and a.cuserid < b.cuserid)
    select p.cuserid, p.othercuserid, p.samebirthday, p.samephone, p.sameclass, count(*) over ()::int as total
    from pair p
    where (p.samename and (p.samebirthday or p.samephone) or p.sameclass)
      and not exists (select from cuserdistinct d where d.cuserid = p.cuserid and d.othercuserid = p.othercuserid)
    order by (p.samebirthday::int + p.samephone::int + p.sameclass::int) desc, p.othercuserid desc, p.cuserid
    ${limitOffset(filters)}`.execute(scope.db);
  return { total: rows[0]?.total ?? 0, rows };
}

/** The persons of these pairs with what tells them apart. */
export const findCandidates = async (scope: Scope, cuserids: readonly string[]): Promise<CandidateRow[]> =>
  (
    await sql<CandidateRow>`
      select c.cuserid, c.username, c.gender, c.birthday, c.phonesealed, c.musercode, c.appid, a.archiveno,
        coalesce(a.studentno, a.employeeno, a.checkupno, '') as studentno,
        coalesce(nullif(concat_ws(' ', a.gradename, a.classname), ''), a.unitname, '') as belongs,
        c.examcount, c.lastexamtime, a.opendate
      from cuser c left join cuserarchive a on a.cuserid = c.cuserid and a.appid = c.appid and a.iscurrent = 1
      where c.cuserid = any (${[...cuserids]}::text[])`.execute(scope.db)
  ).rows;

/** Remembers that two persons of an institution are different. */
export const addDistinct = (
  scope: Scope,
  [one, other]: readonly [string, string],
  row: { musercode: string; operator: string; operatorname: string; time: Date },
) =>
  scope.db
    .insertInto('cuserdistinct')
    .values({ cuserid: one < other ? one : other, othercuserid: one < other ? other : one, ...row })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
