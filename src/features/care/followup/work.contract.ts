import { z } from 'zod';
import { defineAction } from '#contract/action.ts';
import { readableBy } from '#contract/fieldAccess.ts';
import { flag, moment } from '#contract/field.ts';
import { bylevel, followUpReaders, followUpWriters, repeat } from '#features/care/care.contract.ts';

/** 随访管理 beside the list: its numbers, who can be responsible, the days of a series, a re-test, and the work of each colleague. */

/** The numbers of the quick views, in the caller's reach. They equal the totals of the list with the same filters. */
export const getFollowUpCount = defineAction({
  name: 'as.m.followup.getFollowUpCount',
  title: '查询随访数量',
  allow: followUpReaders,
  kind: 'read',
  request: z.strictObject({ mine: flag.optional().describe('我负责的') }),
  response: z.object({ today: z.number(), overdue: z.number(), all: z.number() }),
});

/** The colleagues who can be responsible for follow-ups: named accounts with the rights to record them. */
export const getFollowUpStaffList = defineAction({
  name: 'as.m.followup.getFollowUpStaffList',
  title: '查询随访责任人',
  allow: followUpReaders,
  kind: 'read',
  /** the institution of the person; default: the caller's own */
  request: z.strictObject({ musercode: z.string().max(20).optional() }),
  response: z.array(
    z.object({ userid: z.string(), realname: z.string(), absentuntil: z.string().nullable(), isself: z.number() }),
  ),
});

/** The days of a series before it is planned. A later day off moves to the next working day of the institution (`movedfrom`). */
export const getFollowUpDates = defineAction({
  name: 'as.m.followup.getFollowUpDates',
  title: '预览随访日期',
  allow: followUpWriters,
  kind: 'read',
  request: z.strictObject({
    cuserid: z.string().min(1).max(20),
    warningcode: z.string().max(20).optional(),
    duetime: moment,
    repeat: repeat.optional(),
    bylevel: bylevel.optional(),
  }),
  response: z.array(z.object({ duetime: z.string(), movedfrom: z.string().nullable() })),
});

/** Attaches a re-test to a waiting follow-up: the person may answer the plan once. Needs the right to authorize persons. */
export const insertFollowUpRetest = defineAction({
  name: 'as.m.followup.insertFollowUpRetest',
  title: '附加复测',
  allow: followUpWriters,
  kind: 'write',
  request: z.strictObject({
    followupid: z.number().int(),
    plancode: z.string().min(1, '请选择方案').max(20).describe('方案'),
  }),
  /** isgranted 1: one count was frozen; 0: the person had the right already */
  response: z.object({ plancode: z.string(), planname: z.string(), isgranted: z.number() }),
});

/**
 * 工作量: what each colleague of the caller's institution has open, in the caller's reach. The first row without `userid` holds what
 * nobody is responsible for.
 */
export const getWorkload = defineAction({
  name: 'as.m.followup.getWorkload',
  title: '查询工作量',
  allow: followUpReaders,
  kind: 'read',
  request: z.strictObject({}),
  response: z.array(
    z.object({
      userid: z.string().nullable(),
      realname: z.string(),
      absentuntil: z.string().nullable(),
      isself: z.number(),
      /** open cases of level 1 to 4 */
      cases: readableBy('cases', z.array(z.number()).length(4), [0, 0, 0, 0]),
      /** follow-ups due today or before */
      today: z.number(),
      overdue: z.number(),
      /** waiting follow-ups, also later ones */
      waiting: z.number(),
      /** bookings for consultations within 7 days */
      bookings: z.number(),
      /** persons whose record names the colleague */
      persons: z.number(),
    }),
  ),
});
