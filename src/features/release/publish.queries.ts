import { sql } from 'kysely';
import type { Group, Outcome } from '#domain/release/measures.ts';
import type { Scope } from '#server/db/scope.ts';
import { insertMany } from '#server/db/insertMany.ts';
import type { Effort, Institution, Unit } from '#features/release/count.queries.ts';

/** What the nightly job reads and writes of the published tables. */

/** The time of the last nightly count; null before the first. */
export const findLastRun = async ({ db }: Scope): Promise<Date | null> =>
  (await sql<{ release: Date | null }>`select release from rollup.watermark`.execute(db)).rows[0]?.release ?? null;
export const saveLastRun = ({ db }: Scope, now: Date) => sql`update rollup.watermark set release = ${now}`.execute(db);

/** Waits until no other node publishes, for this transaction. */
export const lockRelease = ({ db }: Scope) => sql`select pg_advisory_xact_lock(hashtext('xinli release'))`.execute(db);

const ofUnit = ({ appid, year, term }: Unit) => sql`appid = ${appid} and year = ${year} and term = ${term}`;

/** Whether the period was counted at this time or later. */
export const isCountedSince = async ({ db }: Scope, unit: Unit, since: Date): Promise<boolean> =>
  (
    await sql<{ iscounted: boolean }>`
      select exists (select from publishedunit where ${ofUnit(unit)} and datatime >= ${since}) as iscounted`.execute(db)
  ).rows[0]?.iscounted ?? false;

export const findCountedUnits = async ({ db }: Scope, unit: Unit) =>
  (
    await sql<{ musercode: string; releasetime: Date | null }>`
      select musercode, releasetime from publishedunit where ${ofUnit(unit)}`.execute(db)
  ).rows;

/** The sector and region of a closed system. */
export type System = Pick<Institution, 'sector' | 'provincecode' | 'citycode' | 'districtcode'>;

export const findReleasedSystems = async ({ db }: Scope, unit: Unit): Promise<System[]> =>
  (
    await sql<System>`
      select distinct sector, provincecode, citycode, districtcode from publishedregion where ${ofUnit(unit)}`.execute(db)
  ).rows;

/** Replaces what is published of institutions whose outcome is not released: the region, the last task, the effort. */
export async function replaceUnits(
  scope: Scope,
  unit: Unit,
  institutions: readonly Institution[],
  efforts: readonly (Effort & { musercode: string; gradecode: string })[],
  now: Date,
): Promise<void> {
  const { db } = scope;
  const musercodes = institutions.map(({ musercode }) => musercode);
  await sql`delete from publishedeffort where ${ofUnit(unit)} and musercode = any(${musercodes}::text[])`.execute(db);
  await sql`delete from publishedunit where ${ofUnit(unit)} and musercode = any(${musercodes}::text[])`.execute(db);
  await insertMany(
    scope,
    'publishedunit',
    institutions.map(({ isactive: _isactive, ...institution }) => ({ ...unit, ...institution, datatime: now })),
  );
  await insertMany(
    scope,
    'publishedeffort',
    efforts.map((effort) => ({ ...unit, ...effort })),
  );
}

/** Marks the institutions with a case whose duty is overdue, in all periods. */
export const markOverdue = ({ db }: Scope, now: Date) =>
  sql`update publishedunit p set hasoverdue = o.hasoverdue
    from (
      select u.musercode, u.appid, exists (
        select from warning w
        where w.musercode = u.musercode and w.appid = u.appid and w.isdeleted = 0 and w.nextdue < ${now}) as hasoverdue
      from publishedunit u group by u.musercode, u.appid
    ) o
    where o.musercode = p.musercode and o.appid = p.appid and o.hasoverdue <> p.hasoverdue`.execute(db);

/** The institutions with a case whose duty is overdue. */
export const findOverdue = async ({ db }: Scope, { appid }: Unit, now: Date): Promise<Set<string>> => {
  const { rows } = await sql<{ musercode: string }>`
    select distinct musercode from warning where appid = ${appid} and isdeleted = 0 and nextdue < ${now}`.execute(db);
  return new Set(rows.map(({ musercode }) => musercode));
};

/** A group with its outcome as it is published. */
export type PublishedGroup = Pick<Group, 'musercode' | 'kind' | 'code'> & { outcome: Outcome };

const whole = (counts: readonly (number | null)[]) => (counts.includes(null) ? null : (counts as number[]));
const toRow = (unit: Unit, { kind, code, outcome }: PublishedGroup) => ({
  ...{ appid: unit.appid, year: unit.year, term: unit.term, groupkind: kind, groupcode: code },
  ...{ valid: outcome.valid, abnormal: outcome.abnormal, alert: outcome.alert },
  ...{ levels: whole(outcome.levels), depressed: whole(outcome.depressed), anxious: whole(outcome.anxious) },
  ...{ opened: outcome.opened, settled: outcome.settled, closed: outcome.closed },
});

/** Releases the outcome of a closed system. The database refuses to change it afterwards. */
export async function insertOutcome(
  scope: Scope,
  { unit, system, platform, now }: { unit: Unit; system: System; platform: string; now: Date },
  groups: readonly PublishedGroup[],
  musercodes: readonly string[],
): Promise<void> {
  await insertMany(
    scope,
    'publishedregion',
    groups
      .filter(({ musercode }) => musercode === '')
      .map((group) => ({ ...toRow(unit, group), ...system, musercode: platform, datatime: now })),
  );
  await insertMany(
    scope,
    'publishedcount',
    groups.filter(({ musercode }) => musercode !== '').map((group) => ({ ...toRow(unit, group), musercode: group.musercode })),
  );
  await sql`update publishedunit set releasetime = ${now} where ${ofUnit(unit)} and musercode = any(${[...musercodes]}::text[])`.execute(
    scope.db,
  );
}
