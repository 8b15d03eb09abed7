import { sql } from 'kysely';
import { addDays, fromShanghai, shanghaiDate, shanghaiTime } from '#domain/base/calendar.ts';
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
  /** the duty staff as last saved here; `sysuser.duty` decides */
  duty?: readonly string[];
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
  /** on duty at the time of the query; absent staff never are */
  onduty: boolean;
  /** may handle a case now: 预警处置, an account of their own, not absent */
  isAble: boolean;
  opencases: number;
}

/** The settings of an institution about warnings. */
export interface WarningSettings {
  trigger: TriggerContext;
  /** lowest level that opens a warning: 2, or 1 if the institution has chosen it */
  minlevel: 1 | 2;
  roster: DutyRoster;
}

/** The version of a setting; 0 before it is first saved. */
export const findSettingVersion = async (scope: Scope, musercode: string, key: string): Promise<number> =>
  (
    await scope.db
      .selectFrom('setting')
      .select('version')
      .where('musercode', '=', musercode)
      .where('key', '=', key)
      .executeTakeFirst()
  )?.version ?? 0;

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
 * The user ids that the roster names for a time; empty when it names nobody for that day. A shift lasts until 06:00 of the next day.
 */
function findRosteredUserids(roster: DutyRoster, time: Date): readonly string[] {
  const hour = Number(shanghaiTime(time).slice(11, 13));
  const date = shanghaiDate(hour < 6 ? addDays(time, -1) : time);
  const weekday = String(new Date(`${date}T00:00:00Z`).getUTCDay() || 7);
  const byDate = roster.dates?.[date];
  return byDate?.length ? byDate : (roster.weekdays?.[weekday] ?? []);
}

/**
 * The user ids on duty at a time: the able persons of the roster, otherwise the able duty staff. School breaks, weekends and
 * holidays are days like others. Empty: the duty passes to the provider.
 */
export function findOnDuty(
  staff: readonly Pick<WarningStaff, 'userid' | 'duty' | 'isAble'>[],
  roster: DutyRoster,
  time: Date,
): string[] {
  const able = staff.filter((item) => item.isAble);
  const rostered = findRosteredUserids(roster, time);
  const named = able.filter((item) => rostered.includes(item.userid));
  return (named.length > 0 ? named : able.filter((item) => item.duty)).map((item) => item.userid);
}

/** The dates among the next 14, today included, without a person on duty at noon. */
export async function findDutyGaps(
  scope: Scope,
  musercode: string,
  staff: readonly Pick<WarningStaff, 'userid' | 'duty'>[],
  roster: DutyRoster,
  now: Date,
): Promise<string[]> {
  const noons = Array.from({ length: 14 }, (_, index) => fromShanghai(`${shanghaiDate(addDays(now, index))} 12:00`));
  const { rows } = await sql<{ noon: Date; userid: string }>`
    select day.noon, able.userid
    from unnest(${noons}::timestamptz[]) day (noon) cross join access.able_staff(${musercode}, day.noon) able`.execute(scope.db);
  return noons
    .filter((noon) => {
      const able = new Set(rows.filter((row) => row.noon.getTime() === noon.getTime()).map((row) => row.userid));
      const staffThen = staff.map((item) => ({ ...item, isAble: able.has(item.userid) }));
      return findOnDuty(staffThen, roster, noon).length === 0;
    })
    .map(shanghaiDate);
}

/** The user ids of those who may handle cases, also the absent ones. */
export const findAbleOnceBack = async (scope: Scope, musercode: string): Promise<string[]> =>
  (
    await sql<{ userid: string }>`
      select able.userid from access.able_staff(${musercode}, 'infinity') able where able.musercode = ${musercode}`.execute(
      scope.db,
    )
  ).rows.map((row) => row.userid);

/** The staff of an institution with their roles, duty and open cases, by name. */
export async function findStaff(scope: Scope, musercode: string, roster: DutyRoster, time: Date): Promise<WarningStaff[]> {
  const { rows } = await sql<{
    userid: string;
    realname: string;
    phonenumber: string | null;
    post: string | null;
    roles: string[];
    duty: number;
    isAble: boolean;
    opencases: number;
  }>`
    select u.userid, u.realname, u.phonenumber, u.post, u.duty,
      u.userid in (select able.userid from access.able_staff(${musercode}, ${time}) able) as "isAble",
      coalesce((
        select array_agg(r.rolekey)
        from sysuserrole ur join role r on r.roleid = ur.roleid and r.enabled = 1 and r.isdeleted = 0
        where ur.userid = u.userid), '{}') as roles,
      coalesce(o.n, 0)::int as opencases
    from sysuser u
      left join access.open_case_counts(${musercode}) o on o.userid = u.userid
    where u.musercode = ${musercode} and u.enabled = 1 and u.isdeleted = 0
    order by u.realname, u.userid`.execute(scope.db);
  const staff = rows.map((row) => ({ ...row, duty: row.duty === 1 }));
  const onduty = findOnDuty(staff, roster, time);
  return staff.map((item) => ({ ...item, onduty: onduty.includes(item.userid) }));
}

/** Roles whose holders can own a case, in order of preference: psychologist or doctor, duty staff, administrator. */
const OWNER_ROLES = ['psychologist', 'warningduty', 'insadmin'] as const;

/**
 * The user id of the owner of a new case: a psychologist on duty with the fewest open cases, otherwise any psychologist, otherwise
 * duty staff, otherwise the administrator, otherwise anybody with 预警处置. null when nobody of the institution is able to handle it.
 * A suspected source of harm never owns the case.
 */
export function chooseOwner(staff: readonly WarningStaff[], suspectuserids: readonly string[] = []): string | null {
  const able = staff.filter((item) => item.isAble && !suspectuserids.includes(item.userid));
  for (const role of [...OWNER_ROLES, null]) {
    const candidates = able.filter((item) => role === null || item.roles.includes(role));
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

/** Saves parts of the duty roster of an institution; the others stay. */
export const saveRoster = (scope: Scope, musercode: string, roster: DutyRoster) =>
  scope.db
    .insertInto('setting')
    .values({ musercode, key: 'dutyroster', value: JSON.stringify(roster) })
    .onConflict((oc) =>
      oc.columns(['musercode', 'key']).doUpdateSet({ value: sql`setting.value || excluded.value`, updatetime: sql<Date>`now()` }),
    )
    .execute();

/** The name of the institution that takes over the duty of a day without a person on duty: the nearest provider, or the platform. */
export const findProviderName = async (scope: Scope, musercode: string): Promise<string | undefined> =>
  (
    await sql<{ insname: string }>`
      select above.insname
      from muser m
        join muser above on starts_with(m.orgpath, above.orgpath) and above.musercode <> m.musercode
          and above.musertype in ('001', '002')
      where m.musercode = ${musercode}
      order by length(above.orgpath) desc
      limit 1`.execute(scope.db)
  ).rows[0]?.insname;
