import { sql } from 'kysely';
import { addDays, shanghaiDate } from '#domain/base/calendar.ts';
import type { WorkCalendar } from '#domain/base/calendar.ts';
import { DEFAULT_LOCAL_DUTIES, type LocalDuties } from '#domain/warning/clock/caseduty.ts';
import type { DeadlineOverrides } from '#domain/warning/deadline.ts';
import type { TriggerContext } from '#domain/warning/warningtrigger.ts';
import type { Scope } from '#server/db/scope.ts';

/**
 * The duty roster: user ids by date ('YYYY-MM-DD', for holidays and exchanged shifts), otherwise by ISO weekday ('1' Monday … '7'
 * Sunday). On other days all duty staff are on duty. Stored as the setting `dutyroster`.
 */
export interface DutyRoster {
  weekdays?: Readonly<Record<string, readonly string[]>>;
  dates?: Readonly<Record<string, readonly string[]>>;
}

/** A member of staff with roles, duty and the number of open cases. */
export interface WarningStaff {
  userid: string;
  realname: string;
  phonenumber: string | null;
  post: string | null;
  roles: string[];
  /** marked as duty staff */
  duty: boolean;
  /** on duty at the time of the query */
  onduty: boolean;
  opencases: number;
}

/** The settings of an institution about warnings. */
export interface WarningSettings {
  trigger: TriggerContext;
  /** lowest level that opens a warning: 2, or 1 if the institution has chosen it */
  minlevel: 1 | 2;
  roster: DutyRoster;
}

/** The settings of an institution about warnings. The product's defaults replace missing settings. */
export async function findWarningSettings(scope: Scope, musercode: string): Promise<WarningSettings> {
  const rows = await scope.db
    .selectFrom('setting')
    .select(['key', 'value'])
    .where('musercode', '=', musercode)
    .where('key', 'in', ['workcalendar', 'warningdeadlines', 'warnlevelmin', 'dutyroster', 'localduties'])
    .execute();
  const valueOf = <T>(key: string) => rows.find((row) => row.key === key)?.value as T | undefined;
  const calendar = valueOf<WorkCalendar>('workcalendar');
  const overrides = valueOf<DeadlineOverrides>('warningdeadlines');
  return {
    trigger: {
      ...(calendar && { calendar }),
      ...(overrides && { overrides }),
      local: { ...DEFAULT_LOCAL_DUTIES, ...valueOf<Partial<LocalDuties>>('localduties') },
    },
    minlevel: Number(valueOf('warnlevelmin')) === 1 ? 1 : 2,
    roster: valueOf<DutyRoster>('dutyroster') ?? {},
  };
}

/**
 * The user ids that the roster names for a time; undefined when it names nobody for that day. A shift lasts until 06:00 of the next
 * day.
 */
function findRosteredUserids(roster: DutyRoster, time: Date): readonly string[] | undefined {
  const hour = Number(new Date(time.getTime() + 8 * 3_600_000).toISOString().slice(11, 13));
  const day = hour < 6 ? addDays(time, -1) : time;
  const date = shanghaiDate(day);
  const weekday = String(new Date(`${date}T00:00:00Z`).getUTCDay() || 7);
  const userids = roster.dates?.[date] ?? roster.weekdays?.[weekday];
  return userids?.length ? userids : undefined;
}

/** The staff of an institution with their roles, duty and open cases, by name. */
export async function findStaff(scope: Scope, musercode: string, roster: DutyRoster, time: Date): Promise<WarningStaff[]> {
  const { rows } = await sql<{
    userid: string;
    realname: string;
    phonenumber: string | null;
    post: string | null;
    roles: string[];
    duty: number;
    opencases: number;
  }>`
    select u.userid, u.realname, u.phonenumber, u.post, u.duty,
      coalesce((
        select array_agg(r.rolekey)
        from sysuserrole ur join role r on r.roleid = ur.roleid and r.enabled = 1 and r.isdeleted = 0
        where ur.userid = u.userid), '{}') as roles,
      coalesce(o.n, 0)::int as opencases
    from sysuser u
      left join access.open_case_counts(${musercode}) o on o.userid = u.userid
    where u.musercode = ${musercode} and u.enabled = 1 and u.isdeleted = 0
    order by u.realname, u.userid`.execute(scope.db);
  const rosteredUserids = findRosteredUserids(roster, time);
  return rows.map((row) => ({
    ...row,
    duty: row.duty === 1,
    onduty: rosteredUserids ? rosteredUserids.includes(row.userid) : row.duty === 1,
  }));
}

/** Roles whose holders can own a case, in order of preference: psychologist or doctor, duty staff, administrator. */
const OWNER_ROLES = ['psychologist', 'warningduty', 'insadmin'] as const;

/**
 * The user id of the owner of a new case: a psychologist on duty with the fewest open cases, otherwise any psychologist, otherwise
 * duty staff, otherwise the administrator. null when the institution has none of them.
 */
export function chooseOwner(staff: readonly WarningStaff[]): string | null {
  for (const role of OWNER_ROLES) {
    const candidates = staff.filter((item) => item.roles.includes(role));
    const onDuty = candidates.filter((item) => item.onduty);
    const [first] = (onDuty.length > 0 ? onDuty : candidates).sort(
      (a, b) => a.opencases - b.opencases || (a.userid < b.userid ? -1 : 1),
    );
    if (first) return first.userid;
  }
  return null;
}

/** Marks these staff of an institution as duty staff and unmarks all others. */
export const markDuty = (scope: Scope, musercode: string, userids: readonly string[]) =>
  scope.db
    .updateTable('sysuser')
    .set({ duty: sql<number>`case when userid = any(${[...userids]}::text[]) then 1 else 0 end` })
    .where('musercode', '=', musercode)
    .where('isdeleted', '=', 0)
    .execute();

/** Saves the duty roster of an institution. */
export const saveRoster = (scope: Scope, musercode: string, roster: DutyRoster) =>
  scope.db
    .insertInto('setting')
    .values({ musercode, key: 'dutyroster', value: JSON.stringify(roster) })
    .onConflict((oc) =>
      oc.columns(['musercode', 'key']).doUpdateSet({ value: JSON.stringify(roster), updatetime: sql<Date>`now()` }),
    )
    .execute();
