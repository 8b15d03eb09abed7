import { z } from 'zod';
import { CARE_TYPES, defineAction, forTypes, staffOf } from '#contract/action.ts';

/** 零漏报对账: the last comparison, its history, and the differences that staff look into. */

/** The last successful comparison as the duty bar shows it. */
export const reconcileState = z.object({
  /** empty before the first comparison */
  from: z.string(),
  to: z.string(),
  sheets: z.number(),
  cases: z.number(),
  differences: z.number(),
  /** 1: the last success is older than two hours */
  silent: z.number(),
});
export type ReconcileState = z.infer<typeof reconcileState>;

/** The comparisons of the last 90 days and the differences of the caller's institution. */
export const getReconcileReport = defineAction({
  name: 'as.m.warning.getReconcileReport',
  title: '查询对账记录',
  allow: forTypes(CARE_TYPES, staffOf('warning.handle')),
  kind: 'read',
  request: z.strictObject({}),
  response: z.object({
    runs: z.array(
      z.object({
        /** hourly or nightly */
        kind: z.string(),
        from: z.string(),
        to: z.string(),
        sheets: z.number(),
        cases: z.number(),
        differences: z.number(),
        /** the differences in words */
        list: z.array(z.string()),
        /** SHA-256 of the table that judged the answers */
        checksum: z.string(),
      }),
    ),
    differences: z.array(
      z.object({
        diffkey: z.string(),
        content: z.string(),
        foundtime: z.string(),
        warningcode: z.string().nullable(),
        /** the case that was opened or raised for it */
        raisedcode: z.string().nullable(),
        settletime: z.string().nullable(),
        settlebyname: z.string().nullable(),
        settlenote: z.string(),
      }),
    ),
  }),
});

/** Settles a difference: staff have looked into it and say with a note why it arose. */
export const settleReconcileDiff = defineAction({
  name: 'as.m.warning.settleReconcileDiff',
  title: '核实对账差异',
  allow: forTypes(CARE_TYPES, staffOf('warning.handle')),
  kind: 'write',
  request: z.strictObject({
    diffkey: z.string().max(120).describe('差异'),
    note: z.string().trim().min(10, '请用至少 10 个字说明核实结果').max(500).describe('核实结果'),
  }),
  response: z.object({}),
});
