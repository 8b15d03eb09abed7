import { z } from 'zod';
import { anyStaff, defineAction, forTypes, NON_AUTHORITY_TYPES } from '#contract/action.ts';
import { moment } from '#contract/field.ts';
import { readableBy } from '#contract/fieldAccess.ts';

/** Hand-over of open cases when their owner is absent or leaves (clinical-rules.md A). */

/** The receiver of each open case. Every open case of the person who leaves needs one. */
export const handovers = z
  .array(z.strictObject({ warningcode: z.string().max(20), owneruserid: z.string().min(1, '请选择接收人').max(20) }))
  .max(1000)
  .default([])
  .describe('移交');

/** An open case that must be handed over. Only staff who read cases learn whose case it is. */
export const openCase = z.object({
  warningcode: z.string(),
  username: readableBy('cases', z.string(), ''),
  level: z.number(),
  levelname: z.string(),
  statename: z.string(),
  /** until when the case must be accepted; null when it is accepted */
  due: z.string().nullable(),
});

/** The open cases of a member of staff and those who can take them. Without `userid`: the caller's own. */
export const getHandover = defineAction({
  name: 'as.m.warning.getHandover',
  title: '查询待移交预警',
  allow: forTypes(NON_AUTHORITY_TYPES, anyStaff),
  kind: 'read',
  request: z.strictObject({ userid: z.string().max(20).optional().describe('用户') }),
  response: z.object({
    userid: z.string(),
    realname: z.string(),
    /** end of the absence; null: present */
    absentuntil: z.string().nullable(),
    cases: z.array(openCase),
    /** able staff of the institution first, then those of the institutions above */
    receivers: z.array(
      z.object({
        userid: z.string(),
        realname: z.string(),
        insname: z.string(),
        /** belongs to an institution above */
        isabove: z.boolean(),
        onduty: z.boolean(),
        opencases: z.number(),
      }),
    ),
  }),
});

/**
 * Sets until when a member of staff is absent, and hands over the open cases in the same call; null ends the absence. New cases pass
 * over absent staff. Everybody may set their own absence, staff with 用户管理 that of the users they manage.
 */
export const updateAbsence = defineAction({
  name: 'as.m.warning.updateAbsence',
  title: '登记外出',
  allow: forTypes(NON_AUTHORITY_TYPES, anyStaff),
  kind: 'write',
  request: z.strictObject({
    userid: z.string().max(20).optional().describe('用户'),
    absentuntil: moment.nullable().describe('外出至'),
    handovers,
  }),
  response: z.object({ handedover: z.number() }),
});
