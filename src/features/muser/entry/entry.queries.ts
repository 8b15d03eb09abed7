import { sql } from 'kysely';
import { CountKind } from '#domain/base/enums.ts';
import { problems } from '#contract/problem.ts';
import type { Scope } from '#server/db/scope.ts';
import { freeCounts, freezeIn, releaseCounts } from '#features/assesscount/movement.queries.ts';

export const findClient = (scope: Scope, by: { musercode: string } | { clientcode: string }) => {
  const query = scope.db
    .selectFrom('muserclient')
    .select([
      'clientcode',
      'musercode',
      'clienttitle',
      'welcome',
      'loginmode',
      'needguardian',
      'needsignature',
      'hotline',
      'themecolor',
      'showreport',
      'plancode',
      'stagecode',
      'enabled',
    ]);
  return (
    'musercode' in by ? query.where('musercode', '=', by.musercode) : query.where('clientcode', '=', by.clientcode)
  ).executeTakeFirst();
};

export interface ClientFields {
  clienttitle: string;
  loginmode: string;
  welcome: string | undefined;
  needguardian: number | undefined;
  needsignature: number | undefined;
  hotline: string | undefined;
  themecolor: string | undefined;
  showreport: number | undefined;
  plancode: string | null | undefined;
  stagecode: string | null | undefined;
}
/** Only what is given: a default of the table stands for what is not. A hotline that is emptied is the national one again, never none. */
const given = (fields: object) =>
  Object.fromEntries(
    Object.entries(fields)
      .filter(([, value]) => value !== undefined)
      .map(([name, value]) => [name, name === 'hotline' && value === '' ? sql`default` : (value as unknown)]),
  );

export const addClient = (scope: Scope, client: ClientFields & { clientcode: string; musercode: string }) => {
  const { clientcode, musercode, clienttitle, loginmode, ...rest } = client;
  return scope.db
    .insertInto('muserclient')
    .values({ clientcode, musercode, clienttitle, loginmode, ...given(rest) })
    .execute();
};
export const changeClient = (scope: Scope, clientcode: string, fields: object) =>
  scope.db
    .updateTable('muserclient')
    .set({ ...given(fields), updatetime: sql<Date>`now()` })
    .where('clientcode', '=', clientcode)
    .returning('clientcode')
    .executeTakeFirst();

/** A new link for the entry of an institution; the trigger of the table takes the old one away in the same transaction. */
export const renameClient = (scope: Scope, musercode: string, clientcode: string) =>
  scope.db
    .updateTable('muserclient')
    .set({ clientcode, updatetime: sql<Date>`now()` })
    .where('musercode', '=', musercode)
    .returning('clientcode')
    .executeTakeFirst();

/** Entries of institutions in the caller's reach, with the names that stand on them. */
/** How many of these institutions are within the caller's reach. */
export const countReached = async (scope: Scope, musercodes: readonly string[]): Promise<number> =>
  (
    await scope.db
      .selectFrom('muser')
      .select(({ fn }) => fn.countAll<number>().as('n'))
      .where('musercode', 'in', musercodes)
      .where('isdeleted', '=', 0)
      // Ancestors are visible by name, too: what is meant is the institution and what is below it.
      .where(sql<boolean>`orgpath >= (select access.path_from()) and orgpath < (select access.path_to())`)
      .executeTakeFirstOrThrow()
  ).n;

export const findClients = (scope: Scope, musercodes: readonly string[]) =>
  scope.db
    .selectFrom('muserclient as k')
    .innerJoin('muser as m', 'm.musercode', 'k.musercode')
    .select(['k.clientcode', 'm.musercode', 'm.insname'])
    .where('m.musercode', 'in', musercodes)
    .where('m.isdeleted', '=', 0)
    .orderBy('m.insname')
    .execute();

export interface Batch {
  musercode: string;
  batchno: string;
  appid: string;
  plancode: string;
  stagecode: string | null;
  expiredate: string | null;
  codes: readonly string[];
  operator: string;
  now: Date;
  today: string;
}

/** Freezes one count for each code, in the plan's wallet or else in the one for any plan, and writes the codes. Refuses 150001. */
export async function issueCodes(scope: Scope, batch: Batch) {
  const qty = batch.codes.length;
  for (const walletcode of [batch.plancode, '*']) {
    const balance = await freezeIn(scope, { musercode: batch.musercode, walletcode, qty, today: batch.today });
    if (balance === undefined) continue;
    await scope.db
      .insertInto('assesscountlog')
      .values({
        musercode: batch.musercode,
        plancode: walletcode,
        forplan: batch.plancode,
        kind: CountKind.freeze,
        qty: -qty,
        balance,
        operator: batch.operator,
        remark: `测评码 ${batch.batchno}`,
        time: batch.now,
      })
      .execute();
    const made =
      await sql`insert into assesscode (code, musercode, batchno, appid, plancode, stagecode, walletcode, expiredate, createby, createtime)
      select c, ${batch.musercode}, ${batch.batchno}, ${batch.appid}, ${batch.plancode}, ${batch.stagecode}::text,
        ${walletcode}, ${batch.expiredate}::date, ${batch.operator}, ${batch.now}::timestamptz
      from unnest(${[...batch.codes]}::text[]) c on conflict do nothing returning code`.execute(scope.db);
    // One of 40 random bits was in use already: rolled back whole, and tried again by whoever asked.
    if (made.rows.length !== qty) throw problems.serverBusy();
    return;
  }
  const { most } = await freeCounts(scope, batch.musercode, batch.plancode, batch.today);
  throw problems.countsShort({ free: most, need: qty }, { field: 'qty', data: { free: most, need: qty } });
}

/** Makes the unused codes of a batch void and gives back what they held; answers how many. */
export async function voidCodes(scope: Scope, batchno: string, about: { operator: string; now: Date }): Promise<number> {
  const { rows } = await sql<{ musercode: string; walletcode: string; plancode: string; qty: number }>`
    with gone as (update assesscode set status = 3 where batchno = ${batchno} and status = 0 returning musercode, walletcode, plancode)
    select musercode, walletcode, plancode, count(*)::int as qty from gone group by 1, 2, 3`.execute(scope.db);
  const grants = rows.map((row) => ({ ...row, cuserid: null }));
  return releaseCounts(scope, grants, { ...about, remark: `测评码 ${batchno} 作废` });
}

/** Batches of codes, the newest first. */
export const findBatches = async (scope: Scope, musercode: string) =>
  (
    await sql<{
      batchno: string;
      appid: string;
      plancode: string;
      planname: string;
      expiredate: string | null;
      createtime: Date;
      total: number;
      unused: number;
      bound: number;
      void: number;
    }>`
      select c.batchno, c.appid, c.plancode, p.planname, c.expiredate, min(c.createtime) as createtime, count(*) as total,
        count(*) filter (where c.status = 0) as unused, count(*) filter (where c.status = 1) as bound, count(*)
        filter (where c.status = 3) as void
      from assesscode c join plan p on p.plancode = c.plancode where c.musercode = ${musercode}
      group by c.batchno, c.appid, c.plancode, p.planname, c.expiredate order by min(c.createtime) desc limit 100`.execute(
      scope.db,
    )
  ).rows;
export const batchExists = async (scope: Scope, batchno: string) =>
  (await scope.db.selectFrom('assesscode').select('musercode').where('batchno', '=', batchno).limit(1).executeTakeFirst()) !==
  undefined;
