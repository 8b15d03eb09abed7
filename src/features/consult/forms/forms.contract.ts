import { z } from 'zod';
import { FormPurpose } from '#domain/base/enums.ts';
import { defineAction } from '#contract/action.ts';
import { flag } from '#contract/field.ts';
import { consultReaders, consultWriters } from '#features/consult/register/register.contract.ts';

/** 登记表设置: the registration forms of an institution, and whether persons choose a time themselves. */

/** The registration forms that the institution can use, enabled or not, and who applies by them. */
export const getConsultFormList = defineAction({
  name: 'as.m.consult.getConsultFormList',
  title: '查询登记表',
  allow: consultReaders,
  kind: 'read',
  /** with a person: only the forms that staff can fill in for that person, as the person's institution offers them */
  request: z.strictObject({ cuserid: z.string().max(20).optional() }),
  response: z.object({
    /** 1: persons may choose a free time themselves */
    selfbook: z.number(),
    rows: z.array(
      z.object({
        formcode: z.string(),
        formname: z.string(),
        formversion: z.string(),
        title: z.string(),
        purpose: z.enum(FormPurpose.codes),
        /** the populations that it is for; empty: all */
        appids: z.array(z.string()),
        isown: z.number(),
        enabled: z.number(),
        ordernum: z.number(),
        /** registrations with it */
        uses: z.number(),
      }),
    ),
  }),
});

/** Enables a registration form for the institution, with its title and place; or switches self-booking. */
export const updateConsultForm = defineAction({
  name: 'as.m.consult.updateConsultForm',
  title: '设置登记表',
  allow: consultWriters,
  kind: 'write',
  request: z.strictObject({
    formcode: z.string().max(20).optional().describe('登记表'),
    title: z.string().trim().max(50).optional().describe('显示名称'),
    enabled: flag.optional().describe('启用'),
    ordernum: z.coerce.number().int().min(0).max(999).optional().describe('排序'),
    selfbook: flag.optional().describe('本人自选时间'),
  }),
  response: z.object({}),
});

/** A form as staff fill it in for a person. */
export const getConsultForm = defineAction({
  name: 'as.m.consult.getConsultForm',
  title: '读取登记表',
  allow: consultReaders,
  kind: 'read',
  /** `cuserid`: the person that it is filled in for; without one the caller's own institution decides the form */
  request: z.strictObject({ formcode: z.string().max(20), cuserid: z.string().max(20).optional() }),
  response: z.object({
    formcode: z.string(),
    formversion: z.string(),
    title: z.string(),
    /** the questionnaire (`Questionnaire` of domain/exam/questionFlow), without its alerts and scores */
    definition: z.unknown(),
    /** facts about the person for the conditions of `showif` */
    person: z.record(z.string(), z.union([z.string(), z.number(), z.null()])),
  }),
});
