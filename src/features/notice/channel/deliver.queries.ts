import { sql } from 'kysely';
import type { NoticeGroup } from '#domain/notice/noticeGroup.ts';
import { SAME_DAY_KEY } from '#domain/notice/quietHours.ts';
import type { Scope } from '#server/db/scope.ts';
import type { ChannelName, MailConfig, WebhookConfig } from '#features/notice/channel/channel.queries.ts';

/** A new notice that no channel has taken yet, with what decides when it leaves. */
export interface NewNotice {
  id: number;
  musercode: string;
  userid: string | null;
  kind: string;
  title: string;
  warningcode: string | null;
  readtime: Date | null;
  /** about something of the same day */
  issameday: boolean;
  /** of the case */
  level: number | null;
  itemtrigger: number | null;
  ison: number | null;
  quietfrom: string | null;
  quietuntil: string | null;
  channels: ChannelName[];
  /** the address of the recipient; '' without one */
  email: string;
}

/** The new notices whose time has come, oldest first, locked; other servers skip them. */
export const takeNewNotices = async (scope: Scope, now: Date, limit: number): Promise<NewNotice[]> =>
  (
    await sql<NewNotice>`
      select n.id, n.musercode, n.userid, n.kind, n.title, n.warningcode, n.readtime, w.level::int as level,
        coalesce(starts_with(n.dedupekey, ${SAME_DAY_KEY}), false) as issameday,
        w.itemtrigger::int as itemtrigger, q.ison::int as ison, q.quietfrom, q.quietuntil,
        array(select c.channel from noticechannel c where c.musercode = n.musercode and c.enabled = 1 order by 1) as channels,
        coalesce(case when n.userid is null
          then (select c.config->>'mailbox' from noticechannel c where c.musercode = n.musercode and c.channel = 'mail')
          else (select u.email from sysuser u where u.userid = n.userid and u.enabled = 1 and u.isdeleted = 0) end, '') as email
      from notification n
        left join warning w on w.warningcode = n.warningcode
        left join noticequiet q on q.accountid = coalesce(n.userid, n.musercode)
      where n.sendtime <= ${now}::timestamptz
      order by n.id
      limit ${limit}
      for update of n skip locked`.execute(scope.db)
  ).rows;

/** Sets when the channels may take notices; null: they have been taken. */
export const setSendTime = (scope: Scope, ids: readonly number[], sendtime: Date | null) =>
  ids.length === 0
    ? Promise.resolve([])
    : scope.db
        .updateTable('notification')
        .set({ sendtime })
        .where('id', 'in', [...ids])
        .execute();

/** A message of a channel that waits to be sent. */
export interface NewMessage {
  musercode: string;
  channel: ChannelName;
  userid: string | null;
  noticegroup: NoticeGroup;
  noticecount: number;
}

/** Adds messages to the queue of the channels. */
export const addChannelMessages = (scope: Scope, messages: readonly NewMessage[], now: Date) =>
  messages.length === 0
    ? Promise.resolve([])
    : scope.db
        .insertInto('channelmessage')
        .values(messages.map((message) => ({ ...message, createtime: now, nexttime: now })))
        .execute();

/** A message whose next attempt a server makes, with the present settings of its channel. */
export interface DueMessage extends NewMessage {
  messageid: number;
  createtime: Date;
  attempts: number;
  insname: string;
  /** null: the channel has been switched off */
  config: MailConfig | WebhookConfig | null;
  secretsealed: string | null;
  email: string;
}

/**
 * Takes the messages whose time has come and counts the attempt. Until `leaseEnd` no other server takes them; afterwards they are
 * sent again, because the server that took them has died.
 */
export const takeDueMessages = async (scope: Scope, now: Date, leaseEnd: Date, limit: number): Promise<DueMessage[]> =>
  (
    await sql<DueMessage>`
      with taken as (
        update channelmessage set attempts = attempts + 1, nexttime = ${leaseEnd}::timestamptz
        where messageid in (
          select messageid from channelmessage where nexttime <= ${now}::timestamptz
          order by nexttime, messageid limit ${limit} for update skip locked)
        returning *)
      select t.*, m.insname, c.config, c.secretsealed,
        coalesce(case when t.userid is null then c.config->>'mailbox'
          else (select u.email from sysuser u where u.userid = t.userid and u.enabled = 1 and u.isdeleted = 0) end, '') as email
      from taken t
        join muser m on m.musercode = t.musercode
        left join noticechannel c on c.musercode = t.musercode and c.channel = t.channel and c.enabled = 1
      order by t.messageid`.execute(scope.db)
  ).rows;

/** Records the end of an attempt: `donetime` when it was sent, otherwise the next attempt (null: none) and the reason. */
export const recordAttempt = (
  scope: Scope,
  messageid: number,
  result: { donetime: Date | null; nexttime: Date | null; lasterror: string },
) => scope.db.updateTable('channelmessage').set(result).where('messageid', '=', messageid).execute();

/** Deletes finished messages older than `before`. */
export const deleteOldMessages = (scope: Scope, before: Date) =>
  scope.db.deleteFrom('channelmessage').where('nexttime', 'is', null).where('createtime', '<', before).execute();
