import { sql } from 'kysely';
import { CountKind } from '#domain/base/enums.ts';
import { problems } from '#contract/problem.ts';
import type { Scope } from '#server/db/scope.ts';
import { freeCounts, freezeIn, releaseCounts, findPayingWallets } from '#features/assesscount/movement.queries.ts';

/** Returns the entry of an institution, or the entry with a code. */
export const findClient = (scope: Scope, by: { musercode: string } | { clientcode: string }) => {
  const query = scope.db
    .selectFrom('muserclient')
    .select([
      'clientcode',
      'version',
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
/** Returns the fields without undefined ones. An empty hotline becomes the default of the table: the national hotline. */
const toColumns = (fields: object) =>
  Object.fromEntries(
    Object.entries(fields)
      .filter(([, value]) => value !== undefined)
      .map(([name, value]) => [name, name === 'hotline' && value === '' ? sql`default` : (value as unknown)]),
  );

/** Inserts an entry. */
export const addClient = (scope: Scope, client: ClientFields & { clientcode: string; musercode: string }) => {
  const { clientcode, musercode, clienttitle, loginmode, ...rest } = client;
  return scope.db
    .insertInto('muserclient')
    .values({ clientcode, musercode, clienttitle, loginmode, ...toColumns(rest) })
    .execute();
};

/** Changes an entry; returns undefined if it does not exist. */
export const changeClient = (scope: Scope, clientcode: string, fields: object) =>
  scope.db
    .updateTable('muserclient')
    .set({ ...toColumns(fields), updatetime: sql<Date>`now()` })
    .where('clientcode', '=', clientcode)
    .returning('clientcode')
    .executeTakeFirst();

/** Sets a new code for the entry of an institution. The trigger of the table disables the old code in the same transaction. */
export const renameClient = (scope: Scope, musercode: string, clientcode: string) =>
  scope.db
    .updateTable('muserclient')
    .set({ clientcode, updatetime: sql<Date>`now()` })
    .where('musercode', '=', musercode)
    .returning('clientcode')
    .executeTakeFirst();

/** Returns how many of these institutions are within the caller's reach. */
export const countReached = async (scope: Scope, musercodes: readonly string[]): Promise<number> =>
  (
    await scope.db
      .selectFrom('muser')
      .select(({ fn }) => fn.countAll<number>().as('n'))
      .where('musercode', 'in', musercodes)
      .where('isdeleted', '=', 0)
      // Row-level security also shows the institutions above: count only the caller's institution and those below.
      .where(sql<boolean>`orgpath >= (select access.path_from()) and orgpath < (select access.path_to())`)
      .executeTakeFirstOrThrow()
  ).n;

/** Returns the entries of institutions with the institution's name. */
export const findClients = (scope: Scope, musercodes: readonly string[]) =>
  scope.db
    .selectFrom('muserclient as k')
    .innerJoin('muser as m', 'm.musercode', 'k.musercode')
    .select(['k.clientcode', 'm.musercode', 'm.insname'])
    .where('m.musercode', 'in', musercodes)
    .where('m.isdeleted', '=', 0)
    .orderBy('m.sortname')
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

/** Freezes one count for each code and inserts the codes. Tries the wallet of the plan, then of any plan; else 150001. */
export async function issueCodes(scope: Scope, batch: Batch) {
  const qty = batch.codes.length;
  for (const walletcode of await findPayingWallets(scope, batch.plancode)) {
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
    const { rows } = await sql`
      insert into assesscode
        (code, musercode, batchno, appid, plancode, stagecode, walletcode, expiredate, createby, createtime)
      select c, ${batch.musercode}, ${batch.batchno}, ${batch.appid}, ${batch.plancode}, ${batch.stagecode}::text,
        ${walletcode}, ${batch.expiredate}::date, ${batch.operator}, ${batch.now}::timestamptz
      from unnest(${[...batch.codes]}::text[]) c
      on conflict do nothing
      returning code`.execute(scope.db);
    // A code has 40 random bits and may be in use already. Then the transaction rolls back, and the client tries again.
    if (rows.length !== qty) throw problems.serverBusy();
    return;
  }
  const { most } = await freeCounts(scope, batch.musercode, batch.plancode, batch.today);
  throw problems.countsShort({ free: most, need: qty }, { field: 'qty', data: { free: most, need: qty } });
}

/** Voids the unused codes of a batch, releases their counts and returns how many. */
export async function voidCodes(scope: Scope, batchno: string, movement: { operator: string; now: Date }): Promise<number> {
  const { rows } = await sql<{ musercode: string; walletcode: string; plancode: string; qty: number }>`
    with voided as (
      update assesscode set status = 3 where batchno = ${batchno} and status = 0
      returning musercode, walletcode, plancode)
    select musercode, walletcode, plancode, count(*)::int as qty from voided group by 1, 2, 3`.execute(scope.db);
  const frozenCounts = rows.map((row) => ({ ...row, cuserid: null }));
  return releaseCounts(scope, frozenCounts, { ...movement, remark: `测评码 ${batchno} 作废` });
}

/** Returns the last 100 batches of codes, the newest first. */
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
      select c.batchno, c.appid, c.plancode, p.planname, c.expiredate, min(c.createtime) as createtime,
        count(*) as total,
        count(*) filter (where c.status = 0) as unused,
        count(*) filter (where c.status = 1) as bound,
        count(*) filter (where c.status = 3) as void
      from assesscode c join plan p on p.plancode = c.plancode
      where c.musercode = ${musercode}
      group by c.batchno, c.appid, c.plancode, p.planname, c.expiredate
      order by min(c.createtime) desc
      limit 100`.execute(scope.db)
  ).rows;

/** Returns whether a batch exists within the caller's reach. */
export const hasBatch = async (scope: Scope, batchno: string) =>
  (await scope.db.selectFrom('assesscode').select('musercode').where('batchno', '=', batchno).limit(1).executeTakeFirst()) !==
  undefined;
