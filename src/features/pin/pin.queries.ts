import { sql } from 'kysely';
import type { Scope } from '#server/db/scope.ts';
import type { Staff } from '#server/dispatch/caller.ts';
import { isNotSuspect } from '#server/security/suspect.ts';
import type { PinKind } from '#features/pin/pin.contract.ts';

type Account = Pick<Staff, 'accountid' | 'musercode'>;

/** A pinned thing with its facts of now. Columns that its kind does not have are null. */
export interface PinRow {
  kind: PinKind;
  refcode: string;
  /** the name of a person, a task or a team; of a case, its person */
  name: string;
  appid: string | null;
  level: number | null;
  state: string | null;
  sector: string | null;
  note: string | null;
}

/** Things of each kind that the caller sees, by their codes. */
const things = sql`
  select 'case' as kind, w.warningcode as refcode, c.username as name, w.appid, w.level, w.state, m.sector, null as note
    from warning w join cuser c on c.cuserid = w.cuserid join muser m on m.musercode = w.musercode
    where w.isdeleted = 0 and ${isNotSuspect}
  union all select 'person', c.cuserid, c.username, c.appid, null, null, null, m.insname
    from cuser c join muser m on m.musercode = c.musercode where c.isdeleted = 0
  union all select 'task', k.taskcode, k.taskname, null, null, null, null,
      to_char(k.endtime at time zone 'Asia/Shanghai', 'YYYY-MM-DD') from assesstask k where k.isdeleted = 0
  union all select 'team', t.teamcode, t.teamname, null, null, null, null, t.year from assessteam t where t.isdeleted = 0`;

/** Returns the pinned things of the account that it sees, the newest first. */
export async function findPins({ db }: Scope, { accountid }: Account): Promise<PinRow[]> {
  const { rows } = await sql<PinRow>`
    select thing.* from pin p join (${things}) thing on thing.kind = p.kind and thing.refcode = p.refcode
    where p.accountid = ${accountid} order by p.createtime desc, p.refcode`.execute(db);
  return rows;
}

/** Whether the caller sees the thing. */
export async function isSeen({ db }: Scope, kind: PinKind, refcode: string): Promise<boolean> {
  const { rows } = await sql`select from (${things}) thing where thing.kind = ${kind} and thing.refcode = ${refcode}`.execute(db);
  return rows.length > 0;
}

/** The number of things that the account has pinned. */
export const countPins = async ({ db }: Scope, { accountid }: Account): Promise<number> =>
  (await sql<{ count: number }>`select count(*)::int as count from pin where accountid = ${accountid}`.execute(db)).rows[0]
    ?.count ?? 0;

/** Pins a thing; pinned already, it stays where it is. */
export const addPin = ({ db }: Scope, { accountid, musercode }: Account, kind: PinKind, refcode: string, now: Date) =>
  db
    .insertInto('pin')
    .values({ accountid, musercode, kind, refcode, createtime: now })
    .onConflict((conflict) => conflict.doNothing())
    .execute();

/** Ends a pin. */
export const removePin = ({ db }: Scope, { accountid }: Account, kind: PinKind, refcode: string) =>
  db.deleteFrom('pin').where('accountid', '=', accountid).where('kind', '=', kind).where('refcode', '=', refcode).execute();
