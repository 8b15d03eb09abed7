import { sql } from 'kysely';
import { addDays, shanghaiDate } from '#domain/base/calendar.ts';
import type { WorkCalendar } from '#domain/base/calendar.ts';
import type { DeadlineOverrides } from '#domain/warning/deadline.ts';
import type { TriggerContext } from '#domain/warning/warningtrigger.ts';
import type { Scope } from '#server/db/scope.ts';

/**
 * Who is on duty: by date ('YYYY-MM-DD') where one is named (holidays, exchanges), else by ISO weekday ('1' Monday … '7'
 * Sunday), else everybody marked as duty staff. Stored as the setting `dutyroster`.
 */
export interface DutyRoster {
  weekdays?: Readonly<Record<string, readonly string[]>>;
  dates?: Readonly<Record<string, readonly string[]>>;
}

/** A member of staff as warnings see them: may they take cases, are they on duty now, how many do they hold. */
export interface WarningStaff {
  userid: string;
  realname: string;
  phonenumber: string | null;
  post: string | null;
  roles: string[];
  /** marked as duty staff */
  duty: boolean;
  /** on duty at the moment asked about */
  onduty: boolean;
  opencases: number;
}

export interface WarningSettings {
  trigger: TriggerContext;
  /** lowest level that opens a warning: 2, or 1 where the institution wants them all */
  minlevel: 1 | 2;
  roster: DutyRoster;
}

/** What an institution set about warnings. Missing settings are the product's. */
export async function warningSettings(scope: Scope, musercode: string): Promise<WarningSettings> {
  const rows = await scope.db
    .selectFrom('setting')
    .select(['key', 'value'])
    .where('musercode', '=', musercode)
    .where('key', 'in', ['workcalendar', 'warningdeadlines', 'warnlevelmin', 'dutyroster'])
    .execute();
  const of = <T>(key: string) => rows.find((row) => row.key === key)?.value as T | undefined;
  const calendar = of<WorkCalendar>('workcalendar');
  const overrides = of<DeadlineOverrides>('warningdeadlines');
  return {
    trigger: { ...(calendar && { calendar }), ...(overrides && { overrides }) },
    minlevel: Number(of('warnlevelmin')) === 1 ? 1 : 2,
    roster: of<DutyRoster>('dutyroster') ?? {},
  };
}

/**
 * The user ids the roster names for a moment; undefined when it names nobody for that day. The night until 06:00 belongs to the
 * duty of the evening before.
 */
function rostered(roster: DutyRoster, time: Date): readonly string[] | undefined {
  const hour = Number(new Date(time.getTime() + 8 * 3_600_000).toISOString().slice(11, 13));
  const day = hour < 6 ? addDays(time, -1) : time;
  const date = shanghaiDate(day);
  const weekday = String(new Date(`${date}T00:00:00Z`).getUTCDay() || 7);
  const named = roster.dates?.[date] ?? roster.weekdays?.[weekday];
  return named?.length ? named : undefined;
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
      coalesce((select array_agg(r.rolekey) from sysuserrole ur
      join role r on r.roleid = ur.roleid and r.enabled = 1 and r.isdeleted = 0 where ur.userid = u.userid), '{}') as roles,
      coalesce(o.n, 0)::int as opencases
    from sysuser u left join access.open_case_counts(${musercode}) o on o.userid = u.userid
    where u.musercode = ${musercode} and u.enabled = 1 and u.isdeleted = 0
    order by u.realname, u.userid`.execute(scope.db);
  const named = rostered(roster, time);
  return rows.map((row) => ({ ...row, duty: row.duty === 1, onduty: named ? named.includes(row.userid) : row.duty === 1 }));
}

/** Roles whose holders may take a case, nearest first: psychologist or doctor, duty staff, administrator. */
const takers = ['psychologist', 'warningduty', 'insadmin'] as const;

/**
 * Who owns a new case, so that somebody always stands on it: a psychologist on duty with the fewest open cases, else any
 * psychologist, else duty staff, else the administrator; null only where an institution has none of them.
 */
export function chooseOwner(staff: readonly WarningStaff[]): string | null {
  for (const role of takers) {
    const able = staff.filter((item) => item.roles.includes(role));
    const present = able.filter((item) => item.onduty);
    const [first] = (present.length > 0 ? present : able).sort(
      (a, b) => a.opencases - b.opencases || (a.userid < b.userid ? -1 : 1),
    );
    if (first) return first.userid;
  }
  return null;
}

/** Marks who does duty at all; everybody else no longer does. */
export const markDuty = (scope: Scope, musercode: string, userids: readonly string[]) =>
  scope.db
    .updateTable('sysuser')
    .set({ duty: sql<number>`case when userid = any(${[...userids]}::text[]) then 1 else 0 end` })
    .where('musercode', '=', musercode)
    .where('isdeleted', '=', 0)
    .execute();

export const saveRoster = (scope: Scope, musercode: string, roster: DutyRoster) =>
  scope.db
    .insertInto('setting')
    .values({ musercode, key: 'dutyroster', value: JSON.stringify(roster) })
    .onConflict((oc) =>
      oc.columns(['musercode', 'key']).doUpdateSet({ value: JSON.stringify(roster), updatetime: sql<Date>`now()` }),
    )
    .execute();
