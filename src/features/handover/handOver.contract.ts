import { z } from 'zod';
import { ConsultStatus, FollowMethod } from '#domain/base/enums.ts';
import { anyStaff, defineAction, forTypes, NON_AUTHORITY_TYPES } from '#contract/action.ts';
import { flag } from '#contract/field.ts';
import { personName, readableBy } from '#contract/fieldAccess.ts';
import { openCase } from '#features/warning/handover/handover.contract.ts';

/** 移交工作: everything open of a member of staff passes to colleagues (supplement-scales-operations.md section 5). */

/** What can be handed over. `bookings` are registrations that wait, are booked or were missed, with this counsellor. */
export const WORK_KINDS = ['cases', 'followups', 'bookings', 'persons', 'teams'] as const;
export type WorkKind = (typeof WORK_KINDS)[number];

const account = z.string().min(1, '请选择接收人').max(20);

/**
 * Who gets what: `touserid` gets all kinds, or the kinds and single rows of `items`. An item with ids counts before one without. An item
 * may name another receiver. null: without an owner; a booking then waits to be booked again, a follow-up belongs to the owner of its case.
 */
const workChoiceFields = {
  touserid: account.optional().describe('接收人'),
  items: z
    .array(
      z.strictObject({
        kind: z.enum(WORK_KINDS),
        ids: z.array(z.string().max(20)).max(1000).optional(),
        touserid: account.nullable().optional(),
      }),
    )
    .max(1000)
    .optional()
    .describe('移交内容'),
};
export const workChoice = z.strictObject(workChoiceFields).describe('移交');
export type WorkChoice = z.output<typeof workChoice>;

/** What happens to a row: who gets it, or why it stays. Both are empty for a row that was not chosen. */
const verdict = { touserid: z.string().nullable(), toname: z.string(), why: z.string() };
/** The rows of a kind. At most 200 rows; `total` counts all, `moved` those that move, `stays` the chosen ones that cannot. */
const kindOf = <T extends z.ZodRawShape>(fields: T) =>
  z.object({
    total: z.number(),
    moved: z.number(),
    stays: z.number(),
    rows: z.array(z.object({ id: z.string(), ...fields, ...verdict })),
  });

/**
 * Hands over the open work of a member of staff in one transaction; without `fromuserid` the caller's own. With `preview` it changes
 * nothing and answers what would happen. What a receiver cannot take stays, with the reason. The clocks of cases run on as
 * clinical-rules.md says; other dates stay. Persons and teams are handed over only by staff who see the whole institution.
 */
export const handOver = defineAction({
  name: 'as.m.user.handOver',
  title: '移交工作',
  allow: forTypes(NON_AUTHORITY_TYPES, anyStaff),
  kind: 'write',
  sensitive: ({ preview }) => preview !== 1,
  request: z
    .strictObject({
      fromuserid: z.string().max(20).optional().describe('移交人'),
      ...workChoiceFields,
      reason: z.string().trim().max(200, '最多 200 字').default('').describe('移交原因'),
      /** the weekly hours end today */
      endhours: flag.default(0).describe('结束排班'),
      preview: flag.default(0),
    })
    .refine(({ preview, reason }) => preview === 1 || reason.length >= 2, {
      path: ['reason'],
      message: '请填写移交原因，至少 2 个字',
    })
    .refine(({ preview, touserid, items }) => preview === 1 || touserid !== undefined || (items?.length ?? 0) > 0, {
      path: ['touserid'],
      message: '请选择接收人',
    }),
  response: z.object({
    from: z.object({ userid: z.string(), realname: z.string(), absentuntil: z.string().nullable() }),
    /** the colleagues who can take something, those who can take everything first */
    colleagues: z.array(
      z.object({
        userid: z.string(),
        realname: z.string(),
        insname: z.string(),
        isabove: z.boolean(),
        onduty: z.boolean(),
        absentuntil: z.string().nullable(),
        /** their own open work */
        opencases: z.number(),
        followups: z.number(),
        bookings: z.number(),
        able: z.array(z.enum(WORK_KINDS)),
      }),
    ),
    cases: kindOf(openCase.shape),
    followups: kindOf({
      username: readableBy('cases', z.string(), ''),
      duetime: z.string(),
      isoverdue: z.boolean(),
      method: z.enum(FollowMethod.codes),
    }),
    bookings: kindOf({
      username: readableBy('consults', z.string(), ''),
      status: z.enum(ConsultStatus.codes),
      slotbegin: z.string().nullable(),
      slotend: z.string().nullable(),
      /** one of a weekly series */
      isseries: z.boolean(),
    }),
    persons: kindOf({ username: personName(), belongs: z.string() }),
    teams: kindOf({ teamname: z.string(), membercount: z.number() }),
    /** weekly hours that have not ended */
    hours: z.number(),
  }),
});
