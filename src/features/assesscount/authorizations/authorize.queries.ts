import { sql } from 'kysely';
import type { Scope } from '#server/db/scope.ts';
import { versionsOf } from '#features/plan/lineage/planRoot.queries.ts';

/** The persons within the caller's reach, by code. A person who is missing is out of reach or deleted. */
export const findPeople = (scope: Scope, cuserids: readonly string[]) =>
  scope.db
    .selectFrom('cuser as c')
    .innerJoin('muser as m', 'm.musercode', 'c.musercode')
    .select(['c.cuserid', 'c.username', 'c.birthday', 'c.musercode', 'c.appid', 'c.enabled', 'm.orgpath'])
    .select(sql<string>`''`.as('teamname'))
    .where('c.cuserid', 'in', [...cuserids])
    .where('c.isdeleted', '=', 0)
    .orderBy('c.cuserid')
    .execute();

/** The columns that new authorizations of several persons share. */
export interface NewAuthorizations {
  musercode: string;
  plancode: string;
  appid: string;
  stagecode: string | null;
  total: number;
  begindate: string | null;
  enddate: string | null;
  grantby: string;
  now: Date;
}
/**
 * Creates one live authorization for each person without one of this plan and stage, and returns these persons. Call it before the
 * charge of the wallet. It writes in the order of persons, because every movement takes its locks in this order.
 */
export const insertAuthorizations = async (scope: Scope, authorization: NewAuthorizations, cuserids: readonly string[]) =>
  (
    await sql<{ cuserid: string }>`
      insert into cuserplan (cuserid, musercode, plancode, appid, stagecode, total, frozen, begindate, enddate, grantby, createtime)
      select x, ${authorization.musercode}, ${authorization.plancode}, ${authorization.appid}, ${authorization.stagecode},
        ${authorization.total}::int, ${authorization.total}::int, ${authorization.begindate}::date,
        ${authorization.enddate}::date, ${authorization.grantby}, ${authorization.now}::timestamptz
      from unnest(${[...cuserids].sort()}::text[]) x order by x
      on conflict (orgpath, cuserid, plancode, coalesce(stagecode, '')) where taskcode is null and status = 1 do nothing
      returning cuserid`.execute(scope.db)
  ).rows.map((row) => row.cuserid);

/** Stores the wallet that paid for new authorizations. */
export const setWallet = (scope: Scope, authorization: NewAuthorizations, cuserids: readonly string[], walletcode: string) =>
  sql`update cuserplan set walletcode = ${walletcode}
    where cuserid = any(${[...cuserids]}::text[]) and plancode = ${authorization.plancode}
      and coalesce(stagecode, '') = ${authorization.stagecode ?? ''} and taskcode is null and status = 1`.execute(scope.db);

/** An authorization with its names. */
export interface AuthorizationRow {
  cuserplanid: number;
  plancode: string;
  planname: string | null;
  stagecode: string | null;
  stagename: string | null;
  total: number;
  used: number;
  frozen: number;
  begindate: string | null;
  enddate: string | null;
  status: number;
  taskname: string | null;
  unused: boolean;
  grantname: string | null;
  createtime: Date;
}
/** The authorizations of a person, the newest first, at most 500. */
export const findAuthorizations = async (
  scope: Scope,
  options: { cuserid: string; appid?: string | undefined; status?: number | undefined },
): Promise<AuthorizationRow[]> =>
  (
    await sql<AuthorizationRow>`
      select g.cuserplanid, g.plancode, p.planname, g.stagecode, s.stagename, g.total, g.used, g.frozen, g.begindate,
        g.enddate, g.status, t.taskname,
        g.taskcode is null and g.used = 0 and g.status = 1
          and not exists (select from examrecord e where e.cuserplanid = g.cuserplanid) as unused,
        coalesce(u.realname, m.insname) as grantname, g.createtime
      from cuserplan g left join plan p on p.plancode = g.plancode
        left join lateral (select min(s.stagename) as stagename from examstage s
          where s.appid = g.appid and s.stagecode = g.stagecode) s on true
        left join assesstask t on t.taskcode = g.taskcode
        left join sysuser u on u.userid = g.grantby left join muser m on m.musercode = g.grantby
      where g.cuserid = ${options.cuserid}
        and (${options.appid ?? null}::text is null or g.appid = ${options.appid ?? null})
        and (${options.status ?? null}::int is null or g.status = ${options.status ?? null}::int)
      order by g.createtime desc, g.cuserplanid desc limit 500`.execute(scope.db)
  ).rows;

export interface StageCount {
  stagecode: string;
  stagename: string | null;
  plancode: string;
  planname: string | null;
  total: number;
  used: number;
  frozen: number;
  left: number;
  lastexamtime: Date | null;
}
/** The counts of a person by plan and stage. A withdrawn or expired authorization adds only its used counts. */
export const findStageCounts = async (
  scope: Scope,
  options: { cuserid: string; appid?: string | undefined },
): Promise<StageCount[]> =>
  (
    await sql<StageCount>`
      select coalesce(g.stagecode, '') as stagecode,
        (select min(s.stagename) from examstage s where s.appid = min(g.appid) and s.stagecode = g.stagecode) as stagename,
        g.plancode, p.planname,
        sum(case when g.status in (3, 4) then g.used else g.total end)::int as total,
        sum(g.used)::int as used, sum(g.frozen)::int as frozen,
        sum(g.frozen)::int as "left", max(e.submittime) as lastexamtime
      from cuserplan g left join plan p on p.plancode = g.plancode
        left join lateral (select max(e.submittime) as submittime from examrecord e
        where e.cuserplanid = g.cuserplanid and e.status = 2) e on true
      where g.cuserid = ${options.cuserid} and (${options.appid ?? null}::text is null or g.appid = ${options.appid ?? null})
      group by g.stagecode, g.plancode, p.planname order by max(g.createtime) desc, g.plancode`.execute(scope.db)
  ).rows;

/** The frozen counts of an authorization that was emptied. */
export interface ReturnedCounts {
  cuserid: string;
  musercode: string;
  plancode: string;
  walletcode: string;
  qty: number;
}
/** Deletes authorizations that are not started; returns their frozen counts. */
export const deleteAuthorizations = async (scope: Scope, cuserplanids: readonly number[]): Promise<ReturnedCounts[]> =>
  (
    await sql<ReturnedCounts>`
      with locked as (
        select cuserplanid, frozen from cuserplan g
        where cuserplanid = any(${[...cuserplanids]}::bigint[]) and taskcode is null and used = 0 and status = 1
          and not exists (select from examrecord e where e.cuserplanid = g.cuserplanid)
        order by cuserplanid for update)
      delete from cuserplan g using locked h where g.cuserplanid = h.cuserplanid
      returning g.cuserid, g.musercode, g.plancode, g.walletcode, h.frozen as qty`.execute(scope.db)
  ).rows;

/** The person of each authorization within the caller's reach. */
export const findOwners = (scope: Scope, cuserplanids: readonly number[]) =>
  scope.db
    .selectFrom('cuserplan')
    .select(['cuserplanid', 'cuserid'])
    .where('cuserplanid', 'in', [...cuserplanids])
    .execute();

/** Withdraws a person's live authorizations outside tasks; returns their frozen counts. */
export const withdrawAuthorizations = async (
  scope: Scope,
  options: { cuserid: string; plancode?: string | undefined; stagecode?: string | undefined },
): Promise<ReturnedCounts[]> =>
  (
    await sql<ReturnedCounts>`
      with locked as (
        select cuserplanid, frozen from cuserplan
        where cuserid = ${options.cuserid} and taskcode is null and status = 1
          and ${options.plancode === undefined ? sql`true` : sql`plancode in ${versionsOf(options.plancode)}`}
          and (${options.stagecode ?? null}::text is null or stagecode = ${options.stagecode ?? null})
        order by cuserplanid for update)
      update cuserplan g set status = 3, frozen = 0 from locked h where g.cuserplanid = h.cuserplanid
      returning g.cuserid, g.musercode, g.plancode, g.walletcode, h.frozen as qty`.execute(scope.db)
  ).rows;

/** Withdraws all live authorizations of deleted persons, also those of tasks; returns their frozen counts. */
export const withdrawAllAuthorizations = async (
  scope: Scope,
  cuserids: readonly string[],
  appid?: string,
): Promise<ReturnedCounts[]> =>
  (
    await sql<ReturnedCounts>`
      with locked as (
        select cuserplanid, frozen from cuserplan where cuserid = any(${[...cuserids]}::text[]) and status = 1
            and (${appid ?? null}::text is null or appid = ${appid ?? null})
          order by cuserplanid for update)
      update cuserplan g set status = 3, frozen = 0 from locked h where g.cuserplanid = h.cuserplanid
      returning g.cuserid, g.musercode, g.plancode, g.walletcode, h.frozen as qty`.execute(scope.db)
  ).rows;

/** Tells whether the person exists within the caller's reach. */
export const personExists = async (scope: Scope, cuserid: string) =>
  (await scope.db
    .selectFrom('cuser')
    .select('cuserid')
    .where('cuserid', '=', cuserid)
    .where('isdeleted', '=', 0)
    .executeTakeFirst()) !== undefined;
