import { sql } from 'kysely';
import type { NoticeGroup } from '#domain/notice/noticeGroup.ts';
import { limitOffset, type Page } from '#server/db/pagination.ts';
import type { Scope } from '#server/db/scope.ts';
import type { MailSecurity } from '#server/messages/mail.ts';

/** The settings of a channel as the database stores them, without the secret. */
export interface MailConfig {
  host: string;
  port: number;
  security: MailSecurity;
  username: string;
  fromaddress: string;
  /** gets the messages of the institution's own account; '' without one */
  mailbox: string;
}
export interface WebhookConfig {
  url: string;
}
export interface ChannelConfigs {
  mail: MailConfig;
  webhook: WebhookConfig;
}
export type ChannelName = keyof ChannelConfigs;

/** A saved channel of an institution. */
export interface SavedChannel<C extends ChannelName = ChannelName> {
  channel: C;
  enabled: number;
  config: ChannelConfigs[C];
  secretsealed: string;
  updatetime: Date;
  version: number;
}

/** The context under which a channel's secret is encrypted. */
export const secretContext = (channel: ChannelName) => `noticechannel.${channel}`;

/** A saved channel of an institution, locked if it is about to change; undefined without one. */
export async function findChannel<C extends ChannelName>(
  scope: Scope,
  musercode: string,
  channel: C,
  lock = false,
): Promise<SavedChannel<C> | undefined> {
  const row = await scope.db
    .selectFrom('noticechannel')
    .select(['channel', 'enabled', 'config', 'secretsealed', 'updatetime', 'version'])
    .where('musercode', '=', musercode)
    .where('channel', '=', channel)
    .$if(lock, (query) => query.forUpdate())
    .executeTakeFirst();
  return row as SavedChannel<C> | undefined;
}

/** Saves a channel of an institution. A first row has the settings of `blank`, so that only the chosen values count as edits. */
export async function saveChannel<C extends ChannelName>(
  scope: Scope,
  musercode: string,
  { channel, config, ...saved }: Omit<SavedChannel<C>, 'version'>,
  blank: ChannelConfigs[C],
) {
  const values = { ...saved, config: JSON.stringify(config) };
  await scope.db
    .insertInto('noticechannel')
    .values({ musercode, channel, enabled: 1, config: JSON.stringify(blank), secretsealed: '' })
    .onConflict((oc) => oc.columns(['musercode', 'channel']).doNothing())
    .execute();
  await scope.db
    .updateTable('noticechannel')
    .set(values)
    .where('musercode', '=', musercode)
    .where('channel', '=', channel)
    .execute();
}

/** The number of enabled staff of an institution, and of those with a mail address. */
export const countStaffWithMail = (scope: Scope, musercode: string) =>
  scope.db
    .selectFrom('sysuser')
    .select([(eb) => eb.fn.countAll<number>().as('staff'), sql<number>`count(*) filter (where email <> '')`.as('staffwithmail')])
    .where('musercode', '=', musercode)
    .where('enabled', '=', 1)
    .where('isdeleted', '=', 0)
    .executeTakeFirstOrThrow();

/** The institution's name and the caller's own mail address, for a test message. */
export async function findTestTarget(scope: Scope, musercode: string, userid: string | null) {
  const { rows } = await sql<{ insname: string; email: string }>`
    select m.insname, coalesce((select u.email from sysuser u where u.userid = ${userid}), '') as email
    from muser m where m.musercode = ${musercode}`.execute(scope.db);
  return rows[0] ?? { insname: '', email: '' };
}

export type MessageStateCode = 'waiting' | 'retrying' | 'sent' | 'failed';
const stateOf = sql<MessageStateCode>`(case when s.donetime is not null then 'sent'
  when s.nexttime is null then 'failed' when s.attempts > 0 and s.lasterror <> '' then 'retrying' else 'waiting' end)`;

/** A page of the messages of the channels in the caller's range, the newest first. */
export async function findChannelMessages(
  scope: Scope,
  filters: { state?: string | undefined; channel?: string | undefined; keyword?: string | undefined } & Page,
) {
  const { state, channel, keyword } = filters;
  const { rows } = await sql<{
    total: number;
    messageid: number;
    insname: string;
    channel: ChannelName;
    group: NoticeGroup;
    count: number;
    realname: string | null;
    userid: string | null;
    url: string | null;
    state: MessageStateCode;
    attempts: number;
    lasterror: string;
    createtime: Date;
    nexttime: Date | null;
    donetime: Date | null;
  }>`
    select count(*) over ()::int as total, s.messageid, m.insname, s.channel, s.noticegroup as "group", s.noticecount as count,
      u.realname, s.userid, c.config->>'url' as url, ${stateOf} as state, s.attempts, s.lasterror, s.createtime, s.nexttime, s.donetime
    from channelmessage s
      join muser m on m.musercode = s.musercode
      left join sysuser u on u.userid = s.userid
      left join noticechannel c on c.musercode = s.musercode and c.channel = s.channel
    where ${sql.join(
      [
        sql`true`,
        ...(state ? [sql`${stateOf} = ${state}`] : []),
        ...(channel ? [sql`s.channel = ${channel}`] : []),
        ...(keyword ? [sql`m.insname like ${`%${keyword.replace(/[\\%_]/g, '\\$&')}%`}`] : []),
      ],
      sql` and `,
    )}
    order by s.createtime desc, s.messageid desc
    ${limitOffset(filters)}`.execute(scope.db);
  return { total: rows[0]?.total ?? 0, rows };
}

/** Puts a message that the server has given up back into the queue. Returns whether there was one in the caller's range. */
export const requeueMessage = async (scope: Scope, messageid: number, now: Date): Promise<boolean> =>
  (await scope.db
    .updateTable('channelmessage')
    .set({ attempts: 0, nexttime: now, lasterror: '' })
    .where('messageid', '=', messageid)
    .where('donetime', 'is', null)
    .where('nexttime', 'is', null)
    .returning('messageid')
    .executeTakeFirst()) !== undefined;
