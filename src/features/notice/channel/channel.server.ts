import { randomUUID } from 'node:crypto';
import { shanghaiTime } from '#domain/base/calendar.ts';
import { problems } from '#contract/problem.ts';
import { handle, type Context } from '#server/dispatch/handle.ts';
import { toSendError } from '#server/messages/outgoing.ts';
import * as contract from '#features/notice/channel/channel.contract.ts';
import * as queries from '#features/notice/channel/channel.queries.ts';
import { sendByChannel } from '#features/notice/channel/deliver.ts';

/** The channels before their first change. */
const BLANK: queries.ChannelConfigs = {
  mail: { host: '', port: 465, security: 'tls', username: '', fromaddress: '', mailbox: '' },
  webhook: { url: '' },
};

const getChannels = handle(contract.getChannels, async (_, { scope, caller }) => {
  const mail = await queries.findChannel(scope, caller.musercode, 'mail');
  const webhook = await queries.findChannel(scope, caller.musercode, 'webhook');
  return {
    mail: {
      ...BLANK.mail,
      ...mail?.config,
      enabled: mail?.enabled ?? 0,
      issecretsaved: mail !== undefined,
      version: mail?.version ?? 0,
    },
    webhook: {
      url: webhook?.config.url ?? '',
      enabled: webhook?.enabled ?? 0,
      issecretsaved: webhook !== undefined,
      version: webhook?.version ?? 0,
    },
    ...(await queries.countStaffWithMail(scope, caller.musercode)),
  };
});

/** Saves a channel. A new address needs the secret anew: otherwise a saved secret could be sent to a stranger's server. */
async function save<C extends queries.ChannelName>(
  { scope, caller, cipher, now, audit }: Context<'staff'>,
  channel: C,
  saved: queries.SavedChannel<C> | undefined,
  { enabled = saved?.enabled ?? 1, config }: { enabled: number | undefined; config: queries.ChannelConfigs[C] },
  secret: { field: string; title: string; value: string | undefined; isOptional: boolean },
  hasSameTarget: (saved: queries.ChannelConfigs[C]) => boolean,
) {
  const { musercode } = caller;
  const isKept = !secret.value && saved !== undefined && hasSameTarget(saved.config);
  if (!secret.value && !isKept && !secret.isOptional)
    throw problems.invalid(
      { message: saved ? `更换地址后请重新填写${secret.title}` : `${secret.title}不能为空` },
      { field: secret.field },
    );
  const secretsealed = isKept
    ? saved.secretsealed
    : cipher.encrypt(musercode, queries.secretContext(channel), secret.value ?? '');
  await queries.saveChannel(scope, musercode, { channel, enabled, config, secretsealed, updatetime: now }, BLANK[channel]);
  audit({ detail: { channel, enabled, ...config, [secret.field]: isKept ? '未修改' : '已修改' } });
  return {};
}

/** Returns the settings with the sent fields; a missing field keeps its value. */
const merge = <T extends object>(config: T, fields: { [K in keyof T]?: T[K] | undefined }): T => ({
  ...config,
  ...Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)),
});
/** A refusal shows no secret of another person's change: an empty field keeps the saved secret. */
const withoutSecret = (field: string) => ({ current: () => Promise.resolve({ [field]: '' }) });

const updateMailChannel = handle(
  contract.updateMailChannel,
  async ({ enabled, password, version: _, ...fields }, ctx) => {
    const saved = await queries.findChannel(ctx.scope, ctx.caller.musercode, 'mail', true);
    const config = merge(saved?.config ?? BLANK.mail, fields);
    const { host, port, security, username } = config;
    if (!host) throw problems.missing({ title: '发信服务器' }, { field: 'host' });
    if (!config.fromaddress) throw problems.missing({ title: '发件邮箱' }, { field: 'fromaddress' });
    if (security === 'none' && !ctx.isPrivateTargetAllowed)
      throw problems.invalid({ message: '邮件须加密发送，请选择 SSL/TLS 或 STARTTLS' }, { field: 'security' });
    return save(
      ctx,
      'mail',
      saved,
      { enabled, config },
      { field: 'password', title: '密码或授权码', value: password, isOptional: username === '' },
      (old) => old.host === host && old.port === port && old.username === username && old.security === security,
    );
  },
  withoutSecret('password'),
);

const updateWebhookChannel = handle(
  contract.updateWebhookChannel,
  async ({ enabled, secret, version: _, ...fields }, ctx) => {
    const saved = await queries.findChannel(ctx.scope, ctx.caller.musercode, 'webhook', true);
    const config = merge(saved?.config ?? BLANK.webhook, fields);
    const { url } = config;
    if (!url) throw problems.missing({ title: '接收地址' }, { field: 'url' });
    if (!url.startsWith('https://') && !ctx.isPrivateTargetAllowed)
      throw problems.invalid({ message: '接收地址须以 https:// 开头' }, { field: 'url' });
    return save(
      ctx,
      'webhook',
      saved,
      { enabled, config },
      { field: 'secret', title: '签名密钥', value: secret, isOptional: false },
      (old) => old.url === url,
    );
  },
  withoutSecret('secret'),
);

const sendTestMessage = handle(contract.sendTestMessage, async ({ channel }, ctx) => {
  const { scope, caller, cipher, now, publicUrl, isPrivateTargetAllowed = false } = ctx;
  const saved = await queries.findChannel(scope, caller.musercode, channel);
  if (!saved) throw problems.wrongState({ why: '请先保存通道设置' });
  const { insname, email } = await queries.findTestTarget(scope, caller.musercode, caller.userid);
  const { config } = saved;
  const to = email || ('mailbox' in config ? config.mailbox : '');
  if (channel === 'mail' && !to) throw problems.wrongState({ why: '请先在个人资料中填写您的邮箱，或填写机构公共邮箱' });
  const secret = cipher.decrypt(caller.musercode, queries.secretContext(channel), saved.secretsealed);
  const message = {
    id: `test-${randomUUID()}`,
    insname,
    group: 'system' as const,
    groupname: '测试',
    count: 1,
    text: `${insname}：这是一条测试消息，通知通道可以使用。`,
    link: `${publicUrl}/notices`,
    time: now,
  };
  await sendByChannel({ channel, config, secret, to }, message, isPrivateTargetAllowed).catch((error: unknown) => {
    throw problems.wrongState({ why: `发送失败：${toSendError(error).message}` });
  });
  ctx.audit({ detail: { channel } });
  return { target: 'url' in config ? new URL(config.url).host : to };
});

const getChannelMessagePageList = handle(contract.getChannelMessagePageList, async (filters, { scope }) => {
  const { total, rows } = await queries.findChannelMessages(scope, filters);
  return {
    total,
    rows: rows.map(({ realname, userid, url, ...row }) => ({
      ...row,
      messageid: String(row.messageid),
      target:
        row.channel === 'webhook'
          ? (url && new URL(url).host) || ''
          : userid === null
            ? '机构公共邮箱'
            : (realname ?? '已删除的用户'),
      createtime: shanghaiTime(row.createtime),
      nexttime: row.nexttime && shanghaiTime(row.nexttime),
      donetime: row.donetime && shanghaiTime(row.donetime),
    })),
  };
});

const retryChannelMessage = handle(contract.retryChannelMessage, async ({ messageid }, { scope, now, audit }) => {
  const id = Number(messageid);
  if (!Number.isSafeInteger(id) || !(await queries.requeueMessage(scope, id, now)))
    throw problems.notFound({ what: '发送失败的消息' });
  audit({ objectid: messageid });
  return {};
});

export const channelHandlers = [
  getChannels,
  updateMailChannel,
  updateWebhookChannel,
  sendTestMessage,
  getChannelMessagePageList,
  retryChannelMessage,
];
