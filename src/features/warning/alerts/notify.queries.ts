import { levelName } from '#domain/warning/levels.ts';
import { sql } from 'kysely';
import {
  findNoticeEvent,
  planNotices,
  type NodeAbove,
  type NoticeChannel,
  type NoticeInfo,
  type NoticePlan,
  type NoticeReason,
} from '#domain/warning/notices.ts';
import { isSuspectedGuardian } from '#domain/warning/suspect.ts';
import type { WarningLevelCode } from '#domain/warning/warningfacts.ts';
import type { Scope } from '#server/db/scope.ts';
import { formatNotice, type NoticeFacts } from '#features/warning/alerts/noticeTexts.ts';
import type { WarningStaff } from '#features/warning/duty/duty.queries.ts';
import type { WarningRecord } from '#features/warning/warning.queries.ts';
import { sealedJson, toSeal } from '#server/sealing/textSealer.ts';

/** A notice to one member of staff. */
export interface Note {
  musercode: string;
  userid: string;
  kind: 'warning' | 'overdue' | 'mention' | 'approval' | 'followup' | 'system';
  title: string;
  content: string;
  link: string;
  /** the database stores one notice for each key */
  dedupekey: string;
  createtime: Date;
  /** the case, for notices about one case */
  warningcode?: string;
  /** ②–⑤ of domain/warning/notices.ts */
  infokind?: number;
}

const isContent = (_: unknown, name: string) => name === 'content';

/** Adds notices and returns the number of new ones. A notice whose key already exists is not added again. */
export async function addNotices(scope: Scope, notes: readonly Note[]): Promise<number> {
  if (notes.length === 0) return 0;
  const { rows } = await sql<{ n: number }>`select access.add_notices(${sealedJson(notes, isContent)}::jsonb)::int as n`.execute(
    scope.db,
  );
  return rows[0]?.n ?? 0;
}

/** A notice to the accounts at a node above an institution. */
export interface NoteAbove {
  musercode: string;
  node: NodeAbove;
  kind: Note['kind'];
  title: string;
  content: string;
  link: string;
  key: string;
  time: Date;
  warningcode?: string;
  infokind?: number;
}

/** Notifies the provider's staff on duty of an institution in the caller's range, once for each key. */
export const notifyDutyAbove = (scope: Scope, note: Omit<NoteAbove, 'node'>) => notifyAbove(scope, { ...note, node: 'provider' });

/**
 * Notifies the accounts at a node above an institution, once for each key. Returns the number of new notices. A database function
 * does it: the caller cannot see them. A bureau gets no link, because it has no page of cases.
 */
export async function notifyAbove(scope: Scope, note: NoteAbove): Promise<number> {
  const { rows } = await sql<{ n: number }>`
    select access.notify_above(
      ${note.musercode}, ${note.node}, ${note.kind}, ${note.title}, ${toSeal(note.content)},
      ${note.node === 'authority' ? null : note.link}, ${note.key}, ${note.time}, ${note.warningcode ?? null},
      ${note.infokind ?? 5})::int as n`.execute(scope.db);
  return rows[0]?.n ?? 0;
}

/** The path of the page of a case. */
export const caseLink = (warningcode: string) => `/earlyWarning/case/${warningcode}`;

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
    .where('u.isdeleted', '=', 0)
    .execute();
  return rows.map((row) => row.userid);
}

/** A short message or a call to one member of staff; its text is always ①. */
export interface Message {
  userid: string;
  channel: NoticeChannel;
}

/** Puts the messages of an event into the outbox, in the transaction of the event. A job delivers them within a minute. */
export const addMessages = (
  scope: Scope,
  { musercode, warningcode, reason, level, messages, time }: MessageBatch & { messages: readonly Message[] },
) =>
  scope.db
    .insertInto('outbox')
    .values({
      musercode,
      kind: 'warning',
      refcode: warningcode,
      payload: JSON.stringify({ reason, level, messages }),
      createtime: time,
    })
    .execute();
interface MessageBatch {
  musercode: string;
  warningcode: string;
  reason: NoticeReason | 'unopened';
  level: number;
  time: Date;
}

/** The person of a case and the facts about the institution that notices need. */
export async function findNoticeSubject(scope: Scope, warningcode: string) {
  const { rows } = await sql<{
    username: string;
    address: string | null;
    sector: string;
    insname: string;
    belongs: string;
    suspectuserids: string[];
    suspectname: string;
    exemptground: number | null;
    guardians: { name: string; relation: string }[];
    localduties: { authorityhours?: number | null } | null;
  }>`
    select c.username, c.address, m.sector, m.insname, w.suspectuserids,
      coalesce(nullif(concat_ws(' ', a.gradename, a.classname), ''), a.unitname, '') as belongs,
      w.suspectname, w.exemptground,
      coalesce((select jsonb_agg(jsonb_build_object('name', g.name, 'relation', g.relation) order by g.guardianid)
        from guardian g where g.cuserid = c.cuserid and g.isdeleted = 0), '[]') as guardians,
      (select s.value from setting s where s.musercode = w.musercode and s.key = 'localduties') as localduties
    from warning w
      join cuser c on c.cuserid = w.cuserid
      join muser m on m.musercode = w.musercode
      left join cuserarchive a on a.cuserid = c.cuserid and a.appid = c.appid and a.iscurrent = 1
    where w.warningcode = ${warningcode}`.execute(scope.db);
  const subject = rows[0];
  if (!subject) throw new Error(`no person of case ${warningcode}`);
  const suspected = subject.guardians.filter((guardian) => isSuspectedGuardian(subject.suspectname, guardian));
  // Ground 1 of an exemption says that the guardians are suspected, without a name.
  const areAllSuspected = subject.exemptground === 1;
  return {
    ...subject,
    guardians: areAllSuspected
      ? []
      : subject.guardians.filter((guardian) => !suspected.includes(guardian)).map(({ name }) => name),
    isGuardianSuspect: areAllSuspected || suspected.length > 0,
    person: [subject.username, subject.belongs].filter(Boolean).join(' · '),
    // The local rule (地) may know no report to the authority.
    isAuthorityNotified: subject.localduties?.authorityhours !== null,
  };
}
export type NoticeSubjectRow = Awaited<ReturnType<typeof findNoticeSubject>>;

/** The events of a case that staff are notified of. */
export type CaseEvent = NoticeReason;

/** An event of a case, with the facts that its notices need. */
export interface CaseNotification {
  row: Pick<WarningRecord, 'warningcode' | 'cuserid' | 'musercode' | 'owneruserid' | 'reopencount'>;
  staff: readonly WarningStaff[];
  level: WarningLevelCode;
  /** the reasons as text; only psychologists and duty staff read them */
  triggers: string;
  due: Date | null;
  reason: CaseEvent;
  time: Date;
  /** the event is a self-harm answer: level 2 is then told like level 3 within the institution */
  itemtrigger?: boolean;
  /** guardians with their telephones, for `unreachable`; without them the text says where to find the telephones */
  contacts?: readonly string[];
}

/**
 * Notifies staff in the transaction of the event, so that no news exists without its notices. `planNotices` of
 * domain/warning/notices.ts chooses the recipients. Each event has its own keys: later news is never taken for earlier news.
 */
export async function notifyOfWarning(scope: Scope, notification: CaseNotification): Promise<void> {
  const { row, level, reason, time, itemtrigger = false } = notification;
  const { warningcode, musercode } = row;
  const subject = await findNoticeSubject(scope, warningcode);
  const facts = toNoticeFacts(notification, subject);
  const plan = planNotices({
    event: findNoticeEvent(reason, level, itemtrigger),
    level,
    owneruserid: row.owneruserid,
    staff: [...notification.staff, ...(await findOwnerAbove(scope, row, notification.staff, time))],
    teachers: await findTeamOwners(scope, row.cuserid),
    suspectuserids: subject.suspectuserids,
    isAuthorityNotified: subject.isAuthorityNotified,
  });
  const key = `warning:${warningcode}:${row.reopencount}:${reason}:${level}:${time.getTime()}`;
  await addPlannedNotices(scope, plan, { musercode, warningcode, kind: 'warning', key, time }, (info) =>
    formatNotice(info, facts),
  );
  const own = new Set(notification.staff.map((item) => item.userid));
  const messages = plan.staff.flatMap(({ userid, channel }) => (channel && own.has(userid) ? [{ userid, channel }] : []));
  await addMessages(scope, { musercode, warningcode, reason, level, messages, time });
}

/** The owner of a case who works for an institution above it; empty for other owners. Being above, they are not on duty here. */
async function findOwnerAbove(
  scope: Scope,
  { musercode, owneruserid }: CaseNotification['row'],
  staff: readonly WarningStaff[],
  time: Date,
) {
  if (!owneruserid || staff.some((item) => item.userid === owneruserid)) return [];
  const { rows } = await sql<{ userid: string }>`
    select userid from access.able_staff(${musercode}, ${time}) where userid = ${owneruserid}`.execute(scope.db);
  return rows.map(({ userid }) => ({ userid, roles: [], onduty: false, isAble: false }));
}

/** Adds the notices of a plan, in the institution and above it. No title above the institution comes from `info` 2–4. */
export async function addPlannedNotices(
  scope: Scope,
  plan: NoticePlan,
  { key, time, ...notice }: { musercode: string; warningcode: string; kind: Note['kind']; key: string; time: Date },
  format: (info: NoticeInfo) => { title: string; content: string },
): Promise<number> {
  const link = caseLink(notice.warningcode);
  let noticeCount = await addNotices(
    scope,
    plan.staff.map(({ userid, party, info }) => ({
      ...notice,
      ...format(info),
      link,
      userid,
      infokind: info,
      dedupekey: `${key}:${party}:${userid}`,
      createtime: time,
    })),
  );
  for (const { node, info } of plan.above) {
    const { title } = format(5);
    const { content } = format(info);
    noticeCount += await notifyAbove(scope, {
      ...notice,
      title,
      content,
      link,
      node,
      key: `${key}:${node}`,
      time,
      infokind: info,
    });
  }
  return noticeCount;
}

/** The step that staff must do next after an event. */
const NEXT_STEPS: Partial<Record<NoticeReason, string>> = { unreachable: '联系上本人', death: '核实消息并完成善后清单第一项' };

function toNoticeFacts(
  { row, level, triggers, due, reason, time, contacts }: CaseNotification,
  { person, insname, sector, guardians, isGuardianSuspect, address }: NoticeSubjectRow,
): NoticeFacts {
  const names = guardians.length > 0 ? `监护人 ${guardians.join('、')}（电话在个案页）` : '未登记监护人';
  const family = isGuardianSuspect
    ? `监护人疑似侵害人，勿联系${guardians.length > 0 ? `；其他${names}` : ''}`
    : contacts?.length
      ? `监护人 ${contacts.join('、')}`
      : names;
  return {
    warningcode: row.warningcode,
    reason,
    levelText: levelName(level, sector),
    person,
    insname,
    sector,
    step: NEXT_STEPS[reason] ?? '受理',
    due,
    triggers,
    card: reason === 'unreachable' ? `紧急联系：报警 110；${family}；住址 ${address || '未登记'}。` : '',
    time,
  };
}
