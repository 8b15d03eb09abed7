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

export interface Note {
  musercode: string;
  userid: string;
  kind: 'warning' | 'overdue';
  title: string;
  content: string;
  link: string;
  /** sent once per key */
  dedupekey: string;
  createtime: Date;
}

/** Leaves notes; one that was left before under the same key stays alone. Answers how many are new. */
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

/** Tells the night staff of the institutions above, whom the caller cannot see; once per key. */
export const notifyDutyAbove = (
  scope: Scope,
  note: { kind: Note['kind']; title: string; content: string; link: string; key: string; at: Date },
) =>
  sql`select access.notify_oncall_above(${note.kind}, ${note.title}, ${note.content}, ${note.link}, ${note.key}, ${note.at})`.execute(
    scope.db,
  );

export const caseLink = (warningcode: string) => `/earlyWarning/case/${warningcode}`;

/** How a level is called to staff: 一级（预警）, in hospitals 重度/高危. */
export function levelText(level: WarningLevelCode, sector: string): string {
  const own = levelName(level, sector as CodeOf<typeof Sector>);
  const word = WarningLevel.label(level);
  return own === word ? word : `${own}（${word}）`;
}

/** The people responsible for the teams a person belongs to: class teachers, heads of units. */
export async function teamOwners(scope: Scope, cuserid: string): Promise<string[]> {
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

export interface Occasion {
  row: Pick<WarningRecord, 'warningcode' | 'cuserid' | 'musercode' | 'owneruserid' | 'reopencount'>;
  staff: readonly WarningStaff[];
  level: WarningLevelCode;
  /** what raised it, in words; read by psychologists and duty staff only */
  triggers: string;
  due: Date | null;
  reason: 'opened' | 'raised' | 'joined';
  at: Date;
}

/**
 * Tells who has to know, in the transaction that raised the warning, so that neither exists without the other. The owner
 * always; psychologists and duty staff from level 2; administrators and the provider's night staff from level 3. A class
 * teacher reads only that somebody needs attention and whom to ask: no level, no score, no reason. No title holds a name.
 */
export async function notifyOfWarning(scope: Scope, { row, staff, level, triggers, due, reason, at }: Occasion): Promise<void> {
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
  const grade = levelText(level, subject.sector);
  const until = due ? `，请在 ${shanghaiTime(due).slice(0, 16)} 前受理` : '';
  const title = {
    opened: `新预警 ${warningcode}：${grade}，待受理`,
    raised: `预警 ${warningcode} 升为${grade}，待受理`,
    joined: `预警 ${warningcode} 有新的触发`,
  }[reason];
  const person = [subject.username, subject.belongs].filter(Boolean).join(' · ');
  const occasion = `${warningcode}:${row.reopencount}:${reason}:${reason === 'joined' ? at.getTime() : level}`;
  const note = (userid: string, role: string, text: { title: string; content: string }): Note => ({
    musercode,
    userid,
    kind: 'warning',
    ...text,
    link: caseLink(warningcode),
    dedupekey: `warning:${occasion}:${role}:${userid}`,
    createtime: at,
  });

  const professional = staff.filter(
    (item) =>
      item.userid === row.owneruserid ||
      (reason !== 'joined' && level >= 2 && (item.roles.includes('psychologist') || item.onduty)),
  );
  const notified = new Set(professional.map((item) => item.userid));
  const notes = professional.map((item) => note(item.userid, 'staff', { title, content: `${person}${until}。${triggers}` }));
  if (reason !== 'joined' && level >= 3) {
    const leaders = staff.filter((item) => item.roles.includes('insadmin') && !notified.has(item.userid));
    for (const leader of leaders) notified.add(leader.userid);
    notes.push(
      ...leaders.map((leader) =>
        note(leader.userid, 'leader', {
          title,
          content: `${subject.belongs || subject.insname}${until}。处置由心理老师负责，请督办。`,
        }),
      ),
    );
  }
  if (reason === 'opened') {
    const teachers = (await teamOwners(scope, row.cuserid)).filter((userid) => !notified.has(userid));
    notes.push(
      ...teachers.map((userid) =>
        note(userid, 'teacher', {
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
      content: `${subject.insname}有一条${grade}${until}。`,
      link: caseLink(warningcode),
      key: `warning:${occasion}:above`,
      at,
    });
  await scope.db
    .insertInto('outbox')
    .values({ musercode, kind: 'warning', refcode: warningcode, payload: JSON.stringify({ reason, level }), createtime: at })
    .execute();
}
