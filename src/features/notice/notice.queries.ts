import { sql, type RawBuilder } from 'kysely';
import { GROUP_OF_KIND, NOTICE_GROUPS, type NoticeGroup } from '#domain/notice/noticeGroup.ts';
import { DEFAULT_QUIET_HOURS, findQuietTime, type QuietHours } from '#domain/notice/quietHours.ts';
import { limitOffset, type Page } from '#server/db/pagination.ts';
import type { Scope } from '#server/db/scope.ts';
import type { Staff } from '#server/dispatch/caller.ts';
import { isNotSuspect } from '#server/security/suspect.ts';

type Account = Pick<Staff, 'musercode' | 'userid'>;

/** SQL condition: the message belongs to the account. Messages to the institution's own account have no userid. */
const isOf = ({ musercode, userid }: Account): RawBuilder<boolean> =>
  sql`(n.musercode = ${musercode} and n.userid is not distinct from ${userid}::text)`;

const kindsOf = (group: NoticeGroup) => Object.keys(GROUP_OF_KIND).filter((kind) => GROUP_OF_KIND[kind] === group);
/** SQL: the group of a message. */
const groupOf: RawBuilder<NoticeGroup> = sql`(case ${sql.join(
  NOTICE_GROUPS.filter((group) => group !== 'system').map(
    (group) => sql`when n.kind = any (${kindsOf(group)}::text[]) then ${group}`,
  ),
  sql` `,
)} else 'system' end)`;

/** SQL condition: the message waits for the end of the quiet time that contains now. `isUrgentNotice` has the rule. */
const isWaiting = (quietStart: Date | null): RawBuilder<boolean> =>
  quietStart === null
    ? sql`false`
    : sql`(n.readtime is null and coalesce(n.remindtime, n.createtime) >= ${quietStart}::timestamptz
        and (n.kind not in ('warning', 'overdue') or exists (
          select from warning w where w.warningcode = n.warningcode and w.level <= 2 and w.itemtrigger = 0)))`;

/** SQL: the caller's messages in lines. Messages of one group about one case are one line; a mention has its own. */
const lines = (caller: Account, quietStart: Date | null) => sql`
  select max(n.id) as id, n."group", n.warningcode, n.line,
    max(coalesce(n.remindtime, n.createtime)) as lasttime,
    count(*)::int as count,
    (count(*) filter (where n.readtime is null))::int as unread,
    bool_and(n.iswaiting) filter (where n.readtime is null) as iswaiting
  from (
    select n.*, ${groupOf} as "group",
      case when n.kind = 'mention' then '#' || n.id else coalesce(n.warningcode, '#' || n.id) end as line,
      ${isWaiting(quietStart)} as iswaiting
    from notification n
    where ${isOf(caller)}) n
  group by n."group", n.warningcode, n.line`;

/** The quiet hours of an account; the default until it has chosen others. */
export async function findQuietHours(scope: Scope, accountid: string): Promise<QuietHours & { version: number }> {
  const row = await scope.db.selectFrom('noticequiet').selectAll().where('accountid', '=', accountid).executeTakeFirst();
  return row
    ? { isOn: row.ison === 1, from: row.quietfrom, until: row.quietuntil, version: row.version }
    : { ...DEFAULT_QUIET_HOURS, version: 0 };
}

/** Saves the quiet hours of the caller's account. */
export async function saveQuietHours(
  scope: Scope,
  { accountid, musercode }: Staff,
  { isOn, from, until }: QuietHours,
  now: Date,
) {
  const values = { ison: isOn ? 1 : 0, quietfrom: from, quietuntil: until, updatetime: now };
  // A first row has the default, so that only the chosen values count as edits.
  const { isOn: defaultOn, from: quietfrom, until: quietuntil } = DEFAULT_QUIET_HOURS;
  await scope.db
    .insertInto('noticequiet')
    .values({ accountid, musercode, ison: defaultOn ? 1 : 0, quietfrom, quietuntil })
    .onConflict((oc) => oc.column('accountid').doNothing())
    .execute();
  await scope.db.updateTable('noticequiet').set(values).where('accountid', '=', accountid).execute();
}

/** The quiet time of the caller that contains now, or null. */
export const findQuietTimeOf = async (scope: Scope, { accountid }: Staff, now: Date) =>
  findQuietTime(await findQuietHours(scope, accountid), now);

interface NoticeLine {
  id: number;
  kind: string;
  group: NoticeGroup;
  title: string;
  content: string;
  link: string | null;
  createtime: Date;
  lastreadtime: Date | null;
  remindcount: number;
  warningcode: string | null;
  /** ②–⑤ of domain/warning/notices.ts */
  infokind: number | null;
  username: string | null;
  count: number;
  unread: number;
  iswaiting: boolean | null;
}

/** A page of the caller's lines with their newest words: the unread ones first, then by the time of the message or its reminder. */
export async function findNotices(
  scope: Scope,
  caller: Staff,
  { unread, group, ...page }: { unread?: string | undefined; group?: NoticeGroup | undefined } & Page,
  quietStart: Date | null,
) {
  const conditions = [
    ...(unread === '1' ? [sql`l.unread > 0`] : unread === '0' ? [sql`l.unread = 0`] : []),
    ...(group ? [sql`l."group" = ${group}`] : []),
    sql`true`,
  ];
  const { rows } = await sql<NoticeLine & { total: number }>`
    select l.*, n.kind, n.title, n.content, n.link, n.createtime, n.readtime as lastreadtime, n.remindcount, n.infokind, c.username
    from (
        select l.*, count(*) over ()::int as total from (${lines(caller, quietStart)}) l
        where ${sql.join(conditions, sql` and `)}
        order by l.unread = 0, l.lasttime desc, l.id desc
        ${limitOffset(page)}) l
      join notification n on n.id = l.id
      left join warning w on w.warningcode = l.warningcode and ${isNotSuspect}
      left join cuser c on c.cuserid = w.cuserid
    order by l.unread = 0, l.lasttime desc, l.id desc`.execute(scope.db);
  return { total: rows[0]?.total ?? 0, rows };
}

/** The unread lines of the caller by group. Lines that wait for the end of the quiet hours count apart. */
export async function countUnread(scope: Scope, caller: Staff, quietStart: Date | null) {
  const { rows } = await sql<{ group: NoticeGroup; count: number; waiting: number }>`
    select l."group", (count(*) filter (where not l.iswaiting))::int as count, (count(*) filter (where l.iswaiting))::int as waiting
    from (${lines(caller, quietStart)}) l
    where l.unread > 0
    group by l."group"`.execute(scope.db);
  const of = (group: NoticeGroup) => rows.find((row) => row.group === group)?.count ?? 0;
  return {
    count: rows.reduce((sum, row) => sum + row.count, 0),
    groups: { warning: of('warning'), task: of('task'), approval: of('approval'), system: of('system') },
    waiting: rows.reduce((sum, row) => sum + row.waiting, 0),
  };
}

/**
 * Marks the caller's messages as read: those with `ids`, those of a case, those of a group, or all of them. A message that is
 * already read keeps its time.
 */
export async function markRead(
  scope: Scope,
  caller: Staff,
  chosen: { ids?: readonly number[] | undefined; warningcode?: string | undefined; group?: NoticeGroup | undefined },
  now: Date,
) {
  const { ids, warningcode, group } = chosen;
  const conditions = [
    isOf(caller),
    sql`n.readtime is null`,
    ...(ids ? [sql`n.id = any (${[...ids]}::bigint[])`] : []),
    ...(warningcode ? [sql`n.warningcode = ${warningcode}`] : []),
    ...(group ? [sql`${groupOf} = ${group}`] : []),
  ];
  await sql`update notification n set readtime = ${now} where ${sql.join(conditions, sql` and `)}`.execute(scope.db);
}

/**
 * Sends a message about the security of an account to that account only. An institution's own account has no userid. The database
 * stores one message for each `dedupekey`.
 */
export const notifyAccount = (
  scope: Scope,
  { musercode, userid }: { musercode: string; userid: string | null },
  message: { title: string; content: string; link?: string; dedupekey?: string },
  createtime: Date,
) =>
  scope.db
    .insertInto('notification')
    .values({ musercode, userid, kind: 'system', ...message, createtime })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
