import { z } from 'zod';
import { anyStaff, CARE_TYPES, defineAction, forTypes, staffOf, NON_AUTHORITY_TYPES } from '#contract/action.ts';
import { editVersion, newVersion } from '#contract/field.ts';
import { reconcileState } from '#features/warning/reconcile/reconcile.contract.ts';

/** The duty roster and the staff who can own a case. */

const member = z.object({
  userid: z.string(),
  realname: z.string(),
  phonenumber: z.string(),
  post: z.string(),
  duty: z.number(),
  onduty: z.number(),
  opencases: z.number(),
});

/** Staff of the institution of a case (or the caller's own) who may own it, those on duty first. */
export const getWarningStaffList = defineAction({
  name: 'as.m.warning.getWarningStaffList',
  title: '查询可分派人员',
  allow: forTypes(CARE_TYPES, staffOf('warning.handle')),
  kind: 'read',
  request: z.strictObject({ warningcode: z.string().max(20).optional() }),
  response: z.array(member),
});

const people = z.array(z.string().max(20)).max(20);
/** Today's staff on duty, the hotline, the last reconciliation and, for those who may change it, the roster. */
export const getDutyList = defineAction({
  name: 'as.m.warning.getDutyList',
  title: '查询值班安排',
  allow: forTypes(NON_AUTHORITY_TYPES, anyStaff),
  kind: 'read',
  request: z.strictObject({}),
  response: z.object({
    today: z.array(z.object({ userid: z.string(), realname: z.string(), phonenumber: z.string() })),
    /** the institution that takes over the duty while nobody here is on duty; '' while somebody is */
    standin: z.string(),
    /** colleagues on the call list; 0 for staff who do not see it */
    calls: z.number().int(),
    hotline: z.string(),
    /** the lines in the order in which to try them now, with their hours in words */
    hotlines: z.array(z.object({ number: z.string(), name: z.string(), hours: z.string() })),
    /** the last comparison of answers, log and cases; null for staff who may not read cases */
    reconcile: reconcileState.nullable(),
    /** null for staff who may not change the roster */
    roster: z
      .object({
        version: z.number(),
        weekdays: z.record(z.string(), people),
        dates: z.record(z.string(), people),
        /** staff who can be on duty, and staff of the roster who no longer can */
        staff: z.array(member.extend({ canhandle: z.boolean() })),
        /** dates among the next 14 without a person on duty */
        gaps: z.array(z.string()),
      })
      .nullable(),
  }),
});
/** Saves the duty roster of the caller's institution; absent parts stay. */
export const updateDuty = defineAction({
  name: 'as.m.warning.updateDuty',
  title: '修改值班安排',
  allow: forTypes(CARE_TYPES, staffOf('warning.rules')),
  kind: 'write',
  edits: { table: 'setting', key: { own: 'institution' }, setting: 'dutyroster' },
  request: z.strictObject({
    version: editVersion,
    /** the duty staff: they are on duty on days for which the roster names nobody */
    duty: people.optional().describe('值班人员'),
    /** by ISO weekday, '1' Monday … '7' Sunday */
    weekdays: z
      .record(z.string().regex(/^[1-7]$/), people)
      .optional()
      .describe('每周值班'),
    /** by date, for holidays and exchanged shifts; a date goes before its weekday */
    dates: z
      .record(z.string().regex(/^\d{4}-\d{2}-\d{2}$/), people)
      .optional()
      .describe('指定日期'),
  }),
  response: z.object(newVersion),
});
