import { sql } from 'kysely';
import type { Pools } from '#server/db/pools.ts';
import type { Scope } from '#server/db/scope.ts';
import { isNotSuspect } from '#server/security/suspect.ts';

/** All institutions that may have cases, disabled and expired ones too, in a stable order. */
export async function findInstitutions(pools: Pick<Pools, 'authn'>): Promise<string[]> {
  const { rows } = await pools.authn.query<{ musercode: string }>(
    `select musercode from auth.tenant where musertype in ('002', '004', '005') order by musercode`,
  );
  return rows.map((row) => row.musercode);
}

/** The end of the last successful passes of each institution; null before the first. */
export async function findLastRuns(
  scope: Scope,
): Promise<Map<string, { last: Date | null; nightly: Date | null; createtime: Date; insname: string; sector: string }>> {
  const { rows } = await sql<{
    musercode: string;
    insname: string;
    sector: string;
    createtime: Date;
    last: Date | null;
    nightly: Date | null;
  }>`
    select m.musercode, m.insname, m.sector, m.createtime,
      (select max(r.totime) from reconcilerun r where r.musercode = m.musercode) as last,
      (select max(r.totime) from reconcilerun r where r.musercode = m.musercode and r.kind = 'nightly') as nightly
    from muser m
    where m.musertype in ('002', '004', '005')`.execute(scope.db);
  return new Map(rows.map(({ musercode, ...run }) => [musercode, run]));
}

/** The last comparison of an institution and of each one below it; null values before the first. */
export async function findLastRunsBelow(scope: Scope, musercode: string) {
  const { rows } = await sql<{
    createtime: Date;
    fromtime: Date | null;
    totime: Date | null;
    sheets: number | null;
    cases: number | null;
    differences: number | null;
  }>`
    select m.createtime, r.fromtime, r.totime, r.sheets, r.cases, r.differences
    from muser own
      join muser m on starts_with(m.orgpath, own.orgpath) and m.musertype in ('002', '004', '005') and m.isdeleted = 0
      left join lateral (
        select l.* from reconcilerun l where l.musercode = m.musercode order by l.totime desc limit 1) r on true
    where own.musercode = ${musercode}`.execute(scope.db);
  return rows;
}

/** Claims an hour for the alarms of silent institutions. Returns those that no server has claimed before. */
export async function claimSilenceHour(scope: Scope, musercodes: readonly string[], hour: number): Promise<Set<string>> {
  if (musercodes.length === 0) return new Set();
  const rows = await scope.db
    .insertInto('setting')
    .values(musercodes.map((musercode) => ({ musercode, key: 'reconcilesilence', value: JSON.stringify(hour) })))
    .onConflict((oc) =>
      oc
        .columns(['musercode', 'key'])
        .doUpdateSet({ value: JSON.stringify(hour), updatetime: sql<Date>`now()` })
        .where(sql<boolean>`setting.value is distinct from excluded.value`),
    )
    .returning('musercode')
    .execute();
  return new Set(rows.map((row) => row.musercode));
}

/** The name of an institution. */
export const findInstitution = (
  scope: Scope,
  musercode: string,
): Promise<{ musercode: string; insname: string; sector: string }> =>
  scope.db
    .selectFrom('muser')
    .select(['musercode', 'insname', 'sector'])
    .where('musercode', '=', musercode)
    .executeTakeFirstOrThrow();

/** One comparison as it is stored. */
export interface RunRow {
  musercode: string;
  kind: 'hourly' | 'nightly';
  fromtime: Date;
  totime: Date;
  sheets: number;
  cases: number;
  differences: number;
  difflist: readonly string[];
  tablehash: string;
}

/** Saves a comparison. Nightly ones and those with differences stay for 90 days, the others for 7. */
export async function saveRun(scope: Scope, run: RunRow): Promise<void> {
  await scope.db
    .insertInto('reconcilerun')
    .values({ ...run, difflist: JSON.stringify(run.difflist) })
    .onConflict((oc) => oc.doNothing())
    .execute();
  await sql`
    delete from reconcilerun
    where musercode = ${run.musercode} and (totime < ${run.totime}::timestamptz - interval '90 days'
      or totime < ${run.totime}::timestamptz - interval '7 days' and kind = 'hourly' and differences = 0)`.execute(scope.db);
}

/** The latest comparisons of an institution, the newest first. */
export const findRuns = (scope: Scope, musercode: string, limit: number) =>
  scope.db
    .selectFrom('reconcilerun')
    .selectAll()
    .where('musercode', '=', musercode)
    .orderBy('totime', 'desc')
    .limit(limit)
    .execute();

/** A difference as it is stored. */
export interface DifferenceRow {
  musercode: string;
  diffkey: string;
  kind: string;
  warningcode: string | null;
  examcode: string | null;
  cuserid: string | null;
  level: number | null;
  content: string;
  foundtime: Date;
}

/** Adds a difference. Returns whether it is new; a second server waits here for the first. */
export const addDifference = async (scope: Scope, row: DifferenceRow): Promise<boolean> =>
  (
    await scope.db
      .insertInto('reconcilediff')
      .values(row)
      .onConflict((oc) => oc.doNothing())
      .returning('diffkey')
      .execute()
  ).length > 0;

/** Notes the case that was opened or raised for a difference. */
export const markRaised = (scope: Scope, musercode: string, diffkey: string, raisedcode: string) =>
  scope.db
    .updateTable('reconcilediff')
    .set({ raisedcode })
    .where('musercode', '=', musercode)
    .where('diffkey', '=', diffkey)
    .execute();

/** The keys of the differences that staff have settled. */
export async function findSettledKeys(scope: Scope, musercode: string): Promise<Set<string>> {
  const rows = await scope.db
    .selectFrom('reconcilediff')
    .select('diffkey')
    .where('musercode', '=', musercode)
    .where('settletime', 'is not', null)
    .execute();
  return new Set(rows.map((row) => row.diffkey));
}

/** The differences of an institution without those of cases that suspect the caller: unsettled ones first, then the newest. */
export const findDifferences = (scope: Scope, musercode: string) =>
  scope.db
    .selectFrom('reconcilediff')
    .selectAll()
    .where('musercode', '=', musercode)
    .where(
      sql<boolean>`not exists (
        select from warning w where w.warningcode in (reconcilediff.warningcode, reconcilediff.raisedcode) and not ${isNotSuspect})`,
    )
    .orderBy(sql`settletime is not null`)
    .orderBy('foundtime', 'desc')
    .limit(100)
    .execute();

/** Settles a difference with a note; false when it does not exist or is settled already. */
export const settleDifference = async (
  scope: Scope,
  {
    musercode,
    diffkey,
    by,
    byname,
    note,
    time,
  }: Record<'musercode' | 'diffkey' | 'by' | 'byname' | 'note', string> & { time: Date },
): Promise<boolean> =>
  (
    await scope.db
      .updateTable('reconcilediff')
      .set({ settletime: time, settleby: by, settlebyname: byname, settlenote: note })
      .where('musercode', '=', musercode)
      .where('diffkey', '=', diffkey)
      .where('settletime', 'is', null)
      .returning('diffkey')
      .execute()
  ).length > 0;

/** Marks the unsettled differences of an institution that are older than `before` as reported to the authority. Returns them. */
export const claimForAuthority = (scope: Scope, musercode: string, before: Date, time: Date) =>
  scope.db
    .updateTable('reconcilediff')
    .set({ authoritytime: time })
    .where('musercode', '=', musercode)
    .where('settletime', 'is', null)
    .where('authoritytime', 'is', null)
    .where('foundtime', '<', before)
    .returning(['diffkey', 'kind', 'warningcode', 'level', 'foundtime'])
    .execute();

/** The accounts that get an institution's notices at a node above it: those that `access.notify_above` notifies. */
export async function findAccountsAbove(
  scope: Scope,
  musercode: string,
  target: 'provider' | 'authority',
  now: Date,
): Promise<{ musercode: string; userid: string | null }[]> {
  const { rows } = await sql<{ musercode: string; userid: string | null }>`
    select musercode, userid from access.receivers_above(${musercode}, ${target}, ${now})`.execute(scope.db);
  return rows;
}
