import { z } from 'zod';
import { NOTICE_GROUPS } from '#domain/notice/noticeGroup.ts';
import { defineAction, staffOf } from '#contract/action.ts';
import { editVersion, newVersion } from '#contract/field.ts';
import { pageOf, pageRequest } from '#contract/page.ts';

/**
 * 通知通道: mail and webhook of an institution. What leaves the console names the institution, the group of messages, their number
 * and a link, never a person, a score or a level.
 */

const allow = staffOf('organization.users');
export const CHANNELS = { mail: '邮件', webhook: '系统推送' } as const;
export type Channel = keyof typeof CHANNELS;
const channel = z.enum(['mail', 'webhook']);

export const mailSecurities = [
  { value: 'tls', label: 'SSL/TLS（常用 465 端口）' },
  { value: 'starttls', label: 'STARTTLS（常用 587 端口）' },
  { value: 'none', label: '不加密（仅内网）' },
] as const;

const enabled = z.coerce.number().int().min(0).max(1).describe('启用');
/** '' or absent keeps the saved secret; another address asks for it anew */
const secret = (title: string) => z.string().max(200).optional().describe(title);

/** The channels of the caller's institution, without their secrets; `issecretsaved` says whether one is saved. */
export const getChannels = defineAction({
  name: 'as.m.notice.getChannels',
  title: '查询通知通道',
  allow,
  kind: 'read',
  request: z.strictObject({}),
  response: z.object({
    mail: z.object({
      enabled: z.number().int(),
      host: z.string(),
      port: z.number().int(),
      security: z.enum(['tls', 'starttls', 'none']),
      username: z.string(),
      fromaddress: z.string(),
      mailbox: z.string(),
      issecretsaved: z.boolean(),
      /** 0 before the first change */
      version: z.number(),
    }),
    webhook: z.object({ enabled: z.number().int(), url: z.string(), issecretsaved: z.boolean(), version: z.number() }),
    /** staff of the institution with a mail address, and all of its staff */
    staffwithmail: z.number().int(),
    staff: z.number().int(),
  }),
});

/** The row of a channel; its fields are members of `config`, and the secret is never shown. */
const editsOf = (name: Channel, fields: readonly string[], secretField: string) => ({
  table: 'noticechannel',
  key: { own: 'institution' as const, column: 'musercode' },
  only: { column: 'channel', value: name },
  marks: { ...Object.fromEntries(fields.map((field) => [field, `config.${field}`])), [secretField]: 'secretsealed' },
});

/** Changes the mail channel of the caller's institution. A missing field stays as it is. */
export const updateMailChannel = defineAction({
  name: 'as.m.notice.updateMailChannel',
  title: '修改邮件通道',
  allow,
  kind: 'write',
  edits: editsOf('mail', ['host', 'port', 'security', 'username', 'fromaddress', 'mailbox'], 'password'),
  sensitive: true,
  request: z.strictObject({
    enabled: enabled.optional(),
    host: z
      .string()
      .trim()
      .min(1)
      .max(200)
      .regex(/^[\w.:[\]-]+$/, '发信服务器应为主机名，例如 smtp.example.com')
      .optional()
      .describe('发信服务器'),
    port: z.coerce.number('请填写端口').int().min(1, '端口为 1–65535').max(65_535, '端口为 1–65535').optional().describe('端口'),
    security: z.enum(['tls', 'starttls', 'none'], '请选择加密方式').optional().describe('加密方式'),
    username: z.string().trim().max(200).optional().describe('邮箱账号'),
    password: secret('密码或授权码'),
    fromaddress: z.email('发件邮箱不正确').max(200).optional().describe('发件邮箱'),
    mailbox: z
      .union([z.literal(''), z.email('机构公共邮箱不正确').max(200)])
      .optional()
      .describe('机构公共邮箱'),
    version: editVersion,
  }),
  response: z.object(newVersion),
});

/** Changes the webhook of the caller's institution. A missing field stays as it is. */
export const updateWebhookChannel = defineAction({
  name: 'as.m.notice.updateWebhookChannel',
  title: '修改系统推送通道',
  allow,
  kind: 'write',
  edits: editsOf('webhook', ['url'], 'secret'),
  sensitive: true,
  request: z.strictObject({
    enabled: enabled.optional(),
    url: z
      .string()
      .trim()
      .max(500)
      .regex(/^https?:\/\/[^\s/@]+(\/\S*)?$/, '接收地址应以 https:// 开头，不含账号')
      .optional()
      .describe('接收地址'),
    secret: z
      .union([z.literal(''), z.string().min(16, '签名密钥至少 16 个字符').max(200)])
      .optional()
      .describe('签名密钥'),
    version: editVersion,
  }),
  response: z.object(newVersion),
});

/** Sends a test message by a saved channel: a mail to the caller's own address, or a webhook. */
export const sendTestMessage = defineAction({
  name: 'as.m.notice.sendTestMessage',
  title: '发送测试消息',
  allow,
  kind: 'write',
  sensitive: true,
  cost: 20,
  request: z.strictObject({ channel: channel.describe('通道') }),
  /** where the message went */
  response: z.object({ target: z.string() }),
});

/** The state of a message of a channel. */
export const MessageState = { waiting: '待发送', retrying: '重试中', sent: '已发送', failed: '发送失败' } as const;
const messageState = z.enum(['waiting', 'retrying', 'sent', 'failed']);

/** The messages that left, or should leave, the institutions in the caller's range; the newest first. */
export const getChannelMessagePageList = defineAction({
  name: 'as.m.notice.getChannelMessagePageList',
  title: '查询通道发送记录',
  allow,
  kind: 'read',
  request: pageRequest.extend({
    state: messageState.optional().describe('状态'),
    channel: channel.optional().describe('通道'),
    keyword: z.string().trim().max(50).optional().describe('机构名称'),
  }),
  response: pageOf(
    z.object({
      messageid: z.string(),
      insname: z.string(),
      channel,
      group: z.enum(NOTICE_GROUPS),
      count: z.number().int(),
      /** the recipient's name, 机构公共邮箱, or the host of the webhook */
      target: z.string(),
      state: messageState,
      attempts: z.number().int(),
      lasterror: z.string(),
      createtime: z.string(),
      /** the next attempt; null without one */
      nexttime: z.string().nullable(),
      donetime: z.string().nullable(),
    }),
  ),
});

/** Sends a failed message again: it starts with its first attempt. */
export const retryChannelMessage = defineAction({
  name: 'as.m.notice.retryChannelMessage',
  title: '重新发送通道消息',
  allow,
  kind: 'write',
  request: z.strictObject({
    messageid: z.string().max(40).describe('消息'),
  }),
  response: z.object({}),
});
