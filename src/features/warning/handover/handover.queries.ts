import { sql } from 'kysely';
import type { Scope } from '#server/db/scope.ts';
import { sealedJson } from '#server/sealing/textSealer.ts';
import { isNotSuspect } from '#server/security/suspect.ts';
import { findStaff, findWarningSettings } from '#features/warning/duty/duty.queries.ts';
import type { WarningRecord } from '#features/warning/warning.queries.ts';
import type { AbleMember } from '#features/warning/handover/receiver.ts';

/** The able staff of an institution and of the institutions above it, who can be handed its cases. */
export async function findAbleStaff(scope: Scope, musercode: string, now: Date): Promise<AbleMember[]> {
  const { roster } = await findWarningSettings(scope, musercode);
  const staff = await findStaff(scope, musercode, roster, now);
  const { rows } = await sql<{
    userid: string;
    realname: string;
    musercode: string;
    insname: string;
    orgpath: string;
    roles: string[];
    opencases: number;
  }>`
    select a.userid, a.realname, a.musercode, a.insname, a.orgpath, a.rolekeys as roles, coalesce(o.n, 0)::int as opencases
    from access.able_staff(${musercode}, ${now}) a
      left join access.open_case_counts(${musercode}) o on o.userid = a.userid
    order by a.orgpath desc, a.realname, a.userid`.execute(scope.db);
  const onDutyIds = new Set(staff.filter((item) => item.onduty).map((item) => item.userid));
  return rows.map((row) => ({ ...row, onduty: onDutyIds.has(row.userid) }));
}

/** The owners of open cases of an institution who may not handle cases, also after a return from an absence. */
export const findUnableOwners = async (scope: Scope, musercode: string): Promise<string[]> =>
  (
    await sql<{ owneruserid: string }>`
      select distinct w.owneruserid from warning w
      where w.musercode = ${musercode} and w.state not in ('07', '08') and w.isdeleted = 0 and w.owneruserid is not null
        and w.owneruserid not in (select able.userid from access.able_staff(${musercode}, 'infinity') able)`.execute(scope.db)
  ).rows.map((row) => row.owneruserid);

/** The owner, or the institution, of the open cases to find. */
export type CaseFilter = { owneruserid: string } | { musercode: string };

const selectOpenCases = (scope: Scope, filter: CaseFilter) => {
  const query = scope.db.selectFrom('warning').selectAll().where('state', 'not in', ['07', '08']).where('isdeleted', '=', 0);
  return (
    'owneruserid' in filter
      ? query.where('owneruserid', '=', filter.owneruserid)
      : query.where('musercode', '=', filter.musercode)
  ).orderBy('warningcode');
};
/** The open cases of one owner, or of one institution. */
export const findOpenCases = (scope: Scope, filter: CaseFilter): Promise<WarningRecord[]> =>
  selectOpenCases(scope, filter).execute();
/** The names of persons in the reach of the caller, by code. */
export async function findPersonNames(scope: Scope, cuserids: readonly string[]): Promise<Map<string, string>> {
  const rows = await scope.db
    .selectFrom('cuser')
    .select(['cuserid', 'username'])
    .where('cuserid', 'in', ['', ...cuserids])
    .execute();
  return new Map(rows.map((row) => [row.cuserid, row.username]));
}
/** Those of the cases that suspect the human behind the session. */
export async function findHiddenCases(scope: Scope, { owneruserid }: { owneruserid: string }): Promise<Set<string>> {
  const rows = await scope.db
    .selectFrom('warning as w')
    .select('w.warningcode')
    .where('w.owneruserid', '=', owneruserid)
    .where(sql<boolean>`not ${isNotSuspect}`)
    .execute();
  return new Set(rows.map((row) => row.warningcode));
}
/** The same cases, locked until the transaction ends. */
export const lockOpenCases = (scope: Scope, filter: CaseFilter): Promise<WarningRecord[]> =>
  selectOpenCases(scope, filter).forUpdate().execute();

/** The open cases of persons who left teams, with the team. */
export async function findCasesOfMembers(scope: Scope, leaves: readonly { teamcode: string; cuserid: string }[]) {
  const { rows } = await sql<
    Pick<WarningRecord, 'warningcode' | 'cuserid' | 'musercode' | 'owneruserid' | 'suspectuserids'> & {
      teamcode: string;
      teamname: string;
    }
  >`
    select w.warningcode, w.cuserid, w.musercode, w.owneruserid, w.suspectuserids, t.teamcode, t.teamname
    from jsonb_to_recordset(${JSON.stringify(leaves)}::jsonb) n (teamcode text, cuserid text)
      join warning w on w.cuserid = n.cuserid and w.state not in ('07', '08') and w.isdeleted = 0
      join assessteam t on t.teamcode = n.teamcode
    order by w.warningcode, t.teamcode`.execute(scope.db);
  return rows;
}

/** A message to one account; `userid` null is the institution's own account. */
export interface AccountNote {
  musercode: string;
  userid: string | null;
  kind: 'warning' | 'overdue' | 'system';
  title: string;
  content: string;
  link: string;
  /** the database stores one message for each key */
  dedupekey: string;
  time: Date;
  /** the case, for messages about one case; `infokind` as in domain/warning/notices.ts */
  warningcode?: string;
  infokind?: number;
}

const isContent = (_: string, name: string) => name === 'content';

/** Notifies accounts of the caller's range and of the institutions above it, once for each key. */
export const notifyAccounts = (scope: Scope, notes: readonly AccountNote[]) =>
  sql`select access.add_notices(${sealedJson(
    notes.map(({ time, ...note }) => ({ ...note, createtime: time })),
    isContent,
  )}::jsonb)`.execute(scope.db);

/** The own account and the administrators and duty staff of the nearest provider above an institution, as far as the caller sees them. */
export async function findProviderAccounts(
  scope: Scope,
  musercode: string,
): Promise<{ musercode: string; userid: string | null }[]> {
  const { rows } = await sql<{ musercode: string; userid: string | null }>`
    with provider as (
      select p.musercode from muser i join muser p on starts_with(i.orgpath, p.orgpath) and p.musercode <> i.musercode
      where i.musercode = ${musercode} and p.musertype in ('001', '002') and p.isdeleted = 0
      order by p.orgpath desc limit 1)
    select p.musercode, null as userid from provider p
    union
    select u.musercode, u.userid from sysuser u join provider p on p.musercode = u.musercode
      join sysuserrole ur on ur.userid = u.userid
      join role r on r.roleid = ur.roleid and r.enabled = 1 and r.isdeleted = 0
    where u.enabled = 1 and u.isdeleted = 0 and r.rolekey in ('platformadmin', 'provideradmin', 'warningduty')`.execute(scope.db);
  return rows;
}

/** Sets until when a member of staff is absent; null: present. */
export const setAbsence = (scope: Scope, userid: string, absentuntil: Date | null) =>
  scope.db
    .updateTable('sysuser')
    .set({ absentuntil, updatetime: sql<Date>`now()` })
    .where('userid', '=', userid)
    .execute();

/** A member of staff of one institution who is not deleted, or undefined. */
export const findMember = (scope: Scope, userid: string) =>
  scope.db
    .selectFrom('sysuser')
    .select(['userid', 'musercode', 'realname', 'enabled', 'absentuntil'])
    .where('userid', '=', userid)
    .where('isdeleted', '=', 0)
    .executeTakeFirst();
