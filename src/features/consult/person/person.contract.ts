import { z } from 'zod';
import { ConsultStatus, ConsultType } from '#domain/base/enums.ts';
import { defineAction, respondent } from '#contract/action.ts';
import { day, moment } from '#contract/field.ts';
import { consultAnswers } from '#features/consult/register/register.contract.ts';
import { sheetItem } from '#features/respond/respond.contract.ts';

/** The person's side of consultations: apply, choose a time, cancel. Sessions of anonymous entries are refused (110004). */

/** The forms that the institution offers for applications, with their questions. */
export const getApplyForms = defineAction({
  name: 'as.c.consult.getFormList',
  title: '查询可填的登记表',
  allow: respondent,
  kind: 'read',
  request: z.strictObject({}),
  response: z.object({
    /** the person may choose a time */
    selfbook: z.boolean(),
    forms: z.array(
      z.object({
        formcode: z.string(),
        title: z.string(),
        instruction: z.string(),
        items: z.array(sheetItem),
        derive: z.unknown().optional(),
      }),
    ),
    /** facts about the person for the conditions of `showif` */
    person: z.record(z.string(), z.union([z.string(), z.number(), z.boolean(), z.null()])),
  }),
});

/**
 * Applies for a consultation. One waiting application at a time (140001). Minors apply without the consent of a guardian. An answer that
 * alarms opens or joins a case; then `support` says that the page shows the support card.
 */
export const applyConsult = defineAction({
  name: 'as.c.consult.applyConsult',
  title: '申请咨询',
  allow: respondent,
  kind: 'write',
  request: z.strictObject({
    formcode: z.string().max(20),
    consulttype: z.enum(ConsultType.codes).default('01').describe('咨询方式'),
    answers: consultAnswers,
  }),
  response: z.object({
    consultid: z.number(),
    /** the support card of a submission */
    support: z.object({ show: z.boolean(), hotline: z.string(), text: z.string() }),
  }),
});

/** The person's own registrations, the latest first. */
export const getOwnConsults = defineAction({
  name: 'as.c.consult.getConsultList',
  title: '查询我的咨询',
  allow: respondent,
  kind: 'read',
  request: z.strictObject({}),
  response: z.array(
    z.object({
      consultid: z.number(),
      title: z.string(),
      status: z.enum(ConsultStatus.codes),
      consulttype: z.enum(ConsultType.codes),
      applytime: z.string(),
      slotbegin: z.string().nullable(),
      slotend: z.string().nullable(),
      counsellorname: z.string(),
      room: z.string(),
      cancancel: z.boolean(),
      /** a time can be chosen */
      canbook: z.boolean(),
    }),
  ),
});

/** The free times of the next 14 days, where the institution allows self-booking. */
export const getFreeSlots = defineAction({
  name: 'as.c.consult.getSlotList',
  title: '查询可约时间',
  allow: respondent,
  kind: 'read',
  request: z.strictObject({ begindate: day.optional(), enddate: day.optional() }),
  response: z.array(
    z.object({
      counsellor: z.string(),
      counsellorname: z.string(),
      slotbegin: z.string(),
      slotend: z.string(),
      room: z.string(),
      /** the person could still cancel or move this booking: it begins in two hours or later */
      cancancel: z.boolean(),
    }),
  ),
});

/** Books a free time for an own waiting registration, or moves an own booking. */
export const bookSlot = defineAction({
  name: 'as.c.consult.bookSlot',
  title: '选择咨询时间',
  allow: respondent,
  kind: 'write',
  request: z.strictObject({ consultid: z.number().int(), counsellor: z.string().max(20), slotbegin: moment }),
  response: z.object({}),
});

/** Cancels an own registration; a booking until two hours before. */
export const cancelOwnConsult = defineAction({
  name: 'as.c.consult.cancelConsult',
  title: '取消我的咨询',
  allow: respondent,
  kind: 'write',
  request: z.strictObject({ consultid: z.number().int(), reason: z.string().trim().max(200).default('').describe('原因') }),
  response: z.object({}),
});
