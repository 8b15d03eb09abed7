import { sql } from 'kysely';
import { shanghaiTime } from '#domain/base/calendar.ts';
import type { CodeOf } from '#domain/base/enum.ts';
import type { Sector } from '#domain/base/enums.ts';
import { WarningLevel } from '#domain/base/enums.ts';
import { levelName } from '#domain/warning/warning.ts';
import type { WarningLevelCode } from '#domain/warning/warningfacts.ts';
import type { Scope } from '#server/db/scope.ts';
import type { WarningStaff } from '#features/warning/duty/duty.queries.ts';
import type { WarningRecord } from '#features/warning/warning.queries.ts';

/** A notice to one member of staff. */
export interface Note {
  musercode: string;
  userid: string;
  kind: 'warning' | 'overdue';
  title: string;
  content: string;
  link: string;
  /** the database stores one notice for each key */
  dedupekey: string;
  createtime: Date;
}

/** Adds notices and returns the number of new ones. A notice whose key already exists is not added again. */
export async function addNotices(scope: Scope, notes: readonly Note[]): Promise<number> {
  if (notes.length === 0) return 0;
  const rows = await scope.db
    .insertInto('notification')
    .values([...notes])
    .onConflict((oc) => oc.doNothing())
    .returning('id')
    .execute();
  return rows.length;
}

/** Notifies the staff on duty of the institutions above, once for each key. A database function does it: the caller cannot see them. */
export const notifyDutyAbove = (
  scope: Scope,
  note: { kind: Note['kind']; title: string; content: string; link: string; key: string; time: Date },
) =>
  sql`
    select access.notify_oncall_above(
      ${note.kind}, ${note.title}, ${note.content}, ${note.link}, ${note.key}, ${note.time})`.execute(scope.db);

/** The path of the page of a case. */
export const caseLink = (warningcode: string) => `/earlyWarning/case/${warningcode}`;

/** The name of a level for staff, for example 一级（预警）; in hospitals 重度/高危. */
export function formatLevel(level: WarningLevelCode, sector: string): string {
  const sectorName = levelName(level, sector as CodeOf<typeof Sector>);
  const platformName = WarningLevel.label(level);
  return sectorName === platformName ? platformName : `${sectorName}（${platformName}）`;
}

/** The user ids of the owners of a person's teams: class teachers, heads of units. */
export async function findTeamOwners(scope: Scope, cuserid: string): Promise<string[]> {
  const rows = await scope.db
    .selectFrom('teamroster as r')
    .innerJoin('assessteam as t', 't.teamcode', 'r.teamcode')
    .innerJoin('sysuser as u', 'u.userid', 't.owneruserid')
    .select('u.userid')
    .distinct()
    .where('r.cuserid', '=', cuserid)
    .where('r.status', '=', 1)
    .where('t.isdeleted', '=', 0)
    .where('u.enabled', '=', 1)
    .execute();
  return rows.map((row) => row.userid);
}

/** The events of a case that staff are told about. */
export type CaseEvent = 'opened' | 'raised' | 'news' | 'reopened' | 'joined' | 'unreachable' | 'handedover' | 'overdue' | 'death';

/** An event of a case, with the facts that its notices need. */
export interface CaseNotification {
  row: Pick<WarningRecord, 'warningcode' | 'cuserid' | 'musercode' | 'owneruserid' | 'reopencount'>;
  staff: readonly WarningStaff[];
  level: WarningLevelCode;
  /** the reasons as text; only psychologists and duty staff read them */
  triggers: string;
  due: Date | null;
  reason: CaseEvent;
  /** a self-harm answer is part of it */
  itemtrigger?: boolean;
  time: Date;
}

/**
 * Notifies staff in the transaction of the case, so that no case exists without its notices. Recipients: always the owner; from
 * level 2 psychologists and duty staff; from level 3 administrators and the provider's night staff. A class teacher reads only that
 * the person needs attention and which profession to contact: no level, score or reason. No title contains a name.
 */
export async function notifyOfWarning(
  scope: Scope,
  { row, staff, level, triggers, due, reason, time }: CaseNotification,
): Promise<void> {
  const { warningcode, musercode } = row;
  const subject = await scope.db
    .selectFrom('cuser as c')
    .innerJoin('muser as m', 'm.musercode', 'c.musercode')
    .leftJoin('cuserarchive as a', (join) => join.onRef('a.cuserid', '=', 'c.cuserid').onRef('a.appid', '=', 'c.appid'))
    .select([
      'c.username',
      'm.sector',
      'm.insname',
      sql<string>`coalesce(nullif(concat_ws(' ', a.gradename, a.classname), ''), a.unitname, '')`.as('belongs'),
    ])
    .where('c.cuserid', '=', row.cuserid)
    .executeTakeFirstOrThrow();
  const levelText = formatLevel(level, subject.sector);
  const acceptBy = due ? `，请在 ${shanghaiTime(due).slice(0, 16)} 前受理` : '';
  const title = {
    opened: `新预警 ${warningcode}：${levelText}，待受理`,
    raised: `预警 ${warningcode} 升为${levelText}，待受理`,
    news: `预警 ${warningcode} 有新情况：${levelText}，待受理`,
    reopened: `预警 ${warningcode} 已重开：${levelText}，待受理`,
    joined: `预警 ${warningcode} 有新的触发`,
    unreachable: `预警 ${warningcode}：${levelText}，联系不上本人`,
    handedover: `预警 ${warningcode} 已移交给您：${levelText}，待受理`,
    overdue: `预警 ${warningcode}：${levelText}，已超时`,
    death: `预警 ${warningcode}：已登记死亡，请启动善后`,
  }[reason];
  const person = [subject.username, subject.belongs].filter(Boolean).join(' · ');
  const eventKey = `${warningcode}:${row.reopencount}:${reason}:${reason === 'opened' ? level : time.getTime()}`;
  const toNote = (userid: string, role: string, text: { title: string; content: string }): Note => ({
    musercode,
    userid,
    kind: 'warning',
    ...text,
    link: caseLink(warningcode),
    dedupekey: `warning:${eventKey}:${role}:${userid}`,
    createtime: time,
  });

  const handlers = staff.filter(
    (item) =>
      item.userid === row.owneruserid ||
      (reason !== 'joined' && level >= 2 && (item.roles.includes('psychologist') || item.onduty)),
  );
  const notified = new Set(handlers.map((item) => item.userid));
  const notes = handlers.map((item) => toNote(item.userid, 'staff', { title, content: `${person}${acceptBy}。${triggers}` }));
  if (reason !== 'joined' && level >= 3) {
    const leaders = staff.filter((item) => item.roles.includes('insadmin') && !notified.has(item.userid));
    for (const leader of leaders) notified.add(leader.userid);
    notes.push(
      ...leaders.map((leader) =>
        toNote(leader.userid, 'leader', {
          title,
          content: `${subject.belongs || subject.insname}${acceptBy}。处置由心理老师负责，请督办。`,
        }),
      ),
    );
  }
  if (reason === 'opened') {
    const teachers = (await findTeamOwners(scope, row.cuserid)).filter((userid) => !notified.has(userid));
    notes.push(
      ...teachers.map((userid) =>
        toNote(userid, 'teacher', {
          title: subject.sector === 'edu' ? '有一名学生需要您关注' : '有一名受测者需要您关注',
          content: `${person}：请关注，尽快与${subject.sector === 'edu' ? '心理教师' : '心理医生'}联系。`,
        }),
      ),
    );
  }
  await addNotices(scope, notes);
  if (reason !== 'joined' && level >= 3)
    await notifyDutyAbove(scope, {
      kind: 'warning',
      title: `${subject.insname}：${title}`,
      content: `${subject.insname}有一条${levelText}${acceptBy}。`,
      link: caseLink(warningcode),
      key: `warning:${eventKey}:above`,
      time,
    });
  await scope.db
    .insertInto('outbox')
    .values({ musercode, kind: 'warning', refcode: warningcode, payload: JSON.stringify({ reason, level }), createtime: time })
    .execute();
}
