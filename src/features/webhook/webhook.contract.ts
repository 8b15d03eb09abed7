import { z } from 'zod';
import { defineAction, staffOf, type ResponseOf } from '#contract/action.ts';
import { editVersion, newVersion } from '#contract/field.ts';
import { pageOf, pageRequest } from '#contract/page.ts';

/**
 * 事件推送: signed events of an institution for its own systems, by the Standard Webhooks specification. An event carries ids and the
 * level of a case, never a name, a score, a contact or a text (docs/webhooks.md).
 */

const allow = staffOf('organization.users');

/** The events that an address may ask for. */
export const WEBHOOK_EVENTS = {
  'sheet.submitted': '答卷提交',
  'case.opened': '预警产生',
  'case.closed': '预警结案',
} as const;
const EVENT_NAMES = ['sheet.submitted', 'case.opened', 'case.closed'] as const;
export type WebhookEvent = (typeof EVENT_NAMES)[number];
/** The titles of everything that an address may get. */
export const SENT_EVENTS: Readonly<Record<string, string>> = { ...WEBHOOK_EVENTS, ping: '测试' };

/** Why an address gets nothing. */
export const DISABLED_WHY = { '': '', staff: '已停用', gone: '对方已关闭（410）', failing: '连续失败 3 天' } as const;

/** Most addresses of an institution. */
export const MOST_WEBHOOKS = 10;

const webhookid = z.coerce.number().int().min(1).describe('推送地址');
const url = z
  .string()
  .trim()
  .max(500)
  .regex(/^https?:\/\/[^\s/@]+(\/\S*)?$/, '接收地址应以 https:// 开头，不含账号')
  .describe('接收地址');
const events = z.array(z.enum(EVENT_NAMES)).min(1, '请至少选择一种事件').max(EVENT_NAMES.length).describe('事件');

/** The addresses of the caller's institution, without their secrets. */
export const getWebhooks = defineAction({
  name: 'as.m.webhook.getWebhooks',
  title: '查询推送地址',
  allow,
  kind: 'read',
  request: z.strictObject({}),
  response: z.object({
    webhooks: z.array(
      z.object({
        webhookid: z.number().int(),
        url: z.string(),
        events: z.array(z.enum(EVENT_NAMES)),
        enabled: z.number().int(),
        disabledwhy: z.enum(['', 'staff', 'gone', 'failing']),
        createtime: z.string(),
        /** the last attempt that succeeded; null without one */
        successtime: z.string().nullable(),
        /** since when every attempt has failed; null while they succeed */
        failingsince: z.string().nullable(),
        /** until when the earlier secret signs too; null without one */
        oldsecretuntil: z.string().nullable(),
        /** deliveries that wait for an attempt */
        waiting: z.number().int(),
        version: z.number(),
      }),
    ),
  }),
});

/** An address as its list shows it. */
export type WebhookRow = ResponseOf<typeof getWebhooks>['webhooks'][number];

/** Registers an address and returns its secret, which is never shown again. Answers 140001 when the institution has ten. */
export const insertWebhook = defineAction({
  name: 'as.m.webhook.insertWebhook',
  title: '新增推送地址',
  allow,
  kind: 'write',
  sensitive: true,
  request: z.strictObject({ url, events }),
  response: z.object({ webhookid: z.number().int(), secret: z.string() }),
});

/** Changes an address, or switches it on or off. A missing field stays. What waits when it is switched off is not sent. */
export const updateWebhook = defineAction({
  name: 'as.m.webhook.updateWebhook',
  title: '修改推送地址',
  allow,
  kind: 'write',
  edits: { table: 'webhook', key: 'webhookid' },
  sensitive: true,
  request: z.strictObject({
    webhookid,
    url: url.optional(),
    events: events.optional(),
    enabled: z.coerce.number().int().min(0).max(1).optional().describe('启用'),
    version: editVersion,
  }),
  response: z.object(newVersion),
});

/** Deletes an address and its deliveries. */
export const deleteWebhook = defineAction({
  name: 'as.m.webhook.deleteWebhook',
  title: '删除推送地址',
  allow,
  kind: 'write',
  sensitive: true,
  request: z.strictObject({ webhookid }),
  response: z.object({}),
});

/** Gives an address a new secret and returns it. The earlier one signs too for 24 hours. */
export const renewWebhookSecret = defineAction({
  name: 'as.m.webhook.renewWebhookSecret',
  title: '更换推送密钥',
  allow,
  kind: 'write',
  sensitive: true,
  request: z.strictObject({ webhookid }),
  response: z.object({ secret: z.string(), oldsecretuntil: z.string() }),
});

/** Sends the event `ping` to an address at once, also to one that is switched off. */
export const sendTestEvent = defineAction({
  name: 'as.m.webhook.sendTestEvent',
  title: '发送测试事件',
  allow,
  kind: 'write',
  cost: 20,
  sensitive: true,
  request: z.strictObject({ webhookid }),
  /** the status of the answer, null without one; and what was wrong, '' if nothing */
  response: z.object({ answer: z.number().int().nullable(), lasterror: z.string() }),
});

/** The state of a delivery. */
export const DeliveryState = { waiting: '待发送', retrying: '重试中', sent: '已送达', failed: '发送失败' } as const;
const deliveryState = z.enum(['waiting', 'retrying', 'sent', 'failed']);

/** The deliveries of the caller's institution of the last 30 days, the newest first. */
export const getWebhookDeliveryPageList = defineAction({
  name: 'as.m.webhook.getWebhookDeliveryPageList',
  title: '查询推送记录',
  allow,
  kind: 'read',
  request: pageRequest.extend({
    state: deliveryState.optional().describe('状态'),
    event: z
      .enum([...EVENT_NAMES, 'ping'])
      .optional()
      .describe('事件'),
    webhookid: webhookid.optional(),
  }),
  response: pageOf(
    z.object({
      deliveryid: z.number().int(),
      /** the same in every attempt */
      eventid: z.string(),
      event: z.enum([...EVENT_NAMES, 'ping']),
      eventtime: z.string(),
      webhookid: z.number().int(),
      url: z.string(),
      state: deliveryState,
      attempts: z.number().int(),
      answer: z.number().int().nullable(),
      lasterror: z.string(),
      nexttime: z.string().nullable(),
      donetime: z.string().nullable(),
    }),
  ),
});

/** Sends a delivery again under its id: one that failed, or one that arrived and was lost by the receiver. */
export const resendWebhookDelivery = defineAction({
  name: 'as.m.webhook.resendWebhookDelivery',
  title: '重新推送',
  allow,
  kind: 'write',
  request: z.strictObject({ deliveryid: z.coerce.number().int().min(1).describe('推送记录') }),
  response: z.object({}),
});
