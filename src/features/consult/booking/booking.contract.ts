import { z } from 'zod';
import { ConsultAttendance, ConsultOutcome } from '#domain/base/enums.ts';
import { SERIES_LIMIT } from '#domain/consult/consult.ts';
import { defineAction } from '#contract/action.ts';
import { readableBy } from '#contract/fieldAccess.ts';
import { day, flag, moment } from '#contract/field.ts';
import { consulttype, consultWriters, summary } from '#features/consult/register/register.contract.ts';

/** What happens with a registration after it was made: booked, moved, missed, finished, cancelled. `consultSteps` says when. */

const consultid = z.number().int();

/**
 * Books a waiting or missed registration, or moves a booking. With `warningcode` it books for a case in one step: the person's waiting
 * registration, or a new one of source 03. A counsellor, a person and a room have one booking at a time (140001).
 * With `weeks` it books the same time of the following weeks too, all or none; the refusal names the week that is taken.
 */
export const appointConsult = defineAction({
  name: 'as.m.consult.appointConsult',
  title: '预约咨询',
  allow: consultWriters,
  kind: 'write',
  request: z
    .strictObject({
      consultid: consultid.optional(),
      warningcode: z.string().max(20).optional(),
      counsellor: z.string().min(1, '请选择咨询师').max(20).describe('咨询师'),
      slotbegin: moment.describe('开始时间'),
      slotend: moment.describe('结束时间'),
      room: z.string().trim().max(30).default('').describe('咨询室'),
      consulttype: consulttype.optional(),
      weeks: z.coerce.number().int().min(1).max(SERIES_LIMIT).default(1).describe('每周一次，共'),
      /** joins the group session of this registration: the same counsellor, room and time */
      groupid: z.number().int().optional().describe('团体场次'),
    })
    .refine((request) => (request.consultid === undefined) !== (request.warningcode === undefined), {
      path: ['consultid'],
      message: '请选择要预约的登记或个案',
    }),
  response: z.object({ consultids: z.array(z.number()) }),
});

/** The person did not come (爽约), from 15 minutes after the begin on. With a case of level 3 or 4 it is a failed contact there. */
export const missConsult = defineAction({
  name: 'as.m.consult.missConsult',
  title: '登记爽约',
  allow: consultWriters,
  kind: 'write',
  request: z.strictObject({ consultid, content: z.string().trim().max(500).default('').describe('说明') }),
  response: z.object({}),
});

/**
 * Finishes a consultation with its shared summary. With an open case it writes the intervention there. 转预警 opens or joins a case, and so
 * does a state of level 3 or 4 of a person without one. 继续 makes a waiting registration; 结束 cancels the later bookings of the series.
 */
export const finishConsult = defineAction({
  name: 'as.m.consult.finishConsult',
  title: '完成咨询',
  allow: consultWriters,
  kind: 'write',
  request: z
    .strictObject({
      consultid,
      attendance: z.enum(ConsultAttendance.codes).default('01').describe('到访'),
      currentlevel: z.coerce.number().int().min(0).max(4, '请选择当前状态').describe('当前状态'),
      outcome: z.enum(ConsultOutcome.codes, '请选择结果').describe('结果'),
      nextdate: day.optional().describe('下次日期'),
      summary,
      /** the level of the warning for 转预警 */
      warninglevel: z.coerce.number().int().min(1).max(4).optional().describe('预警等级'),
    })
    .refine(({ outcome, nextdate }) => outcome !== '01' || nextdate !== undefined, {
      path: ['nextdate'],
      message: '继续咨询时请填写下次日期',
    })
    .refine(({ outcome, warninglevel }) => outcome !== '04' || warninglevel !== undefined, {
      path: ['warninglevel'],
      message: '请选择预警等级',
    })
    .refine(({ outcome, warninglevel = 4, currentlevel }) => outcome !== '04' || warninglevel >= currentlevel, {
      path: ['warninglevel'],
      message: '预警等级不能低于当前状态',
    }),
  response: z.object({
    consultid: z.number(),
    /** the case that it belongs to now */
    warningcode: readableBy('cases', z.string().nullable()),
    /** the new waiting registration for 继续; null when a later booking exists */
    nextconsultid: z.number().nullable(),
    /** later bookings of the series that 结束 cancelled */
    cancelled: z.number(),
    /** 1 for 转介 with a case: the letter is to be issued there */
    needsreferral: z.number(),
  }),
});

/** Adds an addendum to a finished consultation. */
export const appendConsult = defineAction({
  name: 'as.m.consult.appendConsult',
  title: '补记咨询',
  allow: consultWriters,
  kind: 'write',
  request: z.strictObject({
    consultid,
    content: z.string().trim().min(1, '请填写补记内容').max(2000).describe('补记内容'),
  }),
  response: z.object({}),
});

/** Cancels a registration or a booking with a reason; with `series` also the later bookings of its series. */
export const cancelConsult = defineAction({
  name: 'as.m.consult.cancelConsult',
  title: '取消咨询',
  allow: consultWriters,
  kind: 'write',
  request: z.strictObject({
    consultid,
    reason: z.string().trim().min(1, '请填写取消原因').max(500).describe('取消原因'),
    series: flag.default(0),
  }),
  response: z.object({ cancelled: z.number() }),
});
