import { z } from 'zod';
import { CountKind } from '#domain/base/enums.ts';
import { NON_AUTHORITY_TYPES, defineAction, forTypes, OPERATOR_TYPES, staffOf } from '#contract/action.ts';
import { day } from '#contract/field.ts';

/** Wallets of institutions: their counts, and grants from institutions above. */

const code = z.string().min(1).max(20);
/** '*' stands for counts of any plan. */
export const anyPlan = '*';

export const walletRow = z.object({
  /** a plan, or '*' for any */
  plancode: z.string(),
  planname: z.string(),
  granted: z.number(),
  used: z.number(),
  frozen: z.number(),
  expired: z.number(),
  free: z.number(),
  /** the next last day of free counts (null: none), and the number that ends then */
  enddate: z.string().nullable(),
  ending: z.number(),
  /** 0 does not end soon · 1 ends within 30 days · 2 has ended */
  expiring: z.number(),
  /** 0 enough · 1 less than a tenth of the granted counts is free · 2 none is free */
  low: z.number(),
});
export type WalletRow = z.infer<typeof walletRow>;

/** The wallets of an institution within reach, the wallet for any plan first; by default the caller's institution. */
export const getMUserAssessCount = defineAction({
  name: 'as.m.exam.getMUserAssessCount',
  title: '查询机构次数',
  allow: forTypes(NON_AUTHORITY_TYPES, staffOf('grant.institutions', 'grant.persons', 'data.details', 'data.counts')),
  kind: 'read',
  request: z.strictObject({ musercode: code.optional() }),
  response: z.object({
    musercode: z.string(),
    insname: z.string(),
    /** the platform's own counts are unlimited */
    unlimited: z.boolean(),
    wallets: z.array(walletRow),
  }),
});

/** The kinds of movement between institutions: 01 发放, 06 收回 of free counts, 08 人工调整 by the platform, up or down. */
export const grantKinds = [CountKind.grant, CountKind.takeBack, CountKind.correction] as const;

/**
 * Grants counts to an institution below the caller, takes free ones back, or corrects its wallet. A provider pays with its own counts
 * and takes back only counts that it granted; the platform's counts are unlimited. Refuses 150001 with the free and the needed counts.
 */
export const grantMUserAssessCount = defineAction({
  name: 'as.m.exam.grantMUserAssessCount',
  title: '发放机构次数',
  allow: forTypes(OPERATOR_TYPES, staffOf('grant.institutions')),
  kind: 'write',
  request: z
    .strictObject({
      musercode: code.describe('机构'),
      plancode: z.string().min(1).max(20).default(anyPlan).describe('方案'),
      kind: z.enum(grantKinds, '请选择操作').default(CountKind.grant).describe('操作'),
      qty: z.coerce.number().int('次数应为整数').min(1, '次数应大于 0').max(1_000_000, '一次最多 1000000 次').describe('次数'),
      /** the direction of a correction */
      sign: z.enum(['+', '-']).default('+').describe('增减'),
      /**
       * The last day of the counts of this grant; null: none. Default: none for the platform, and for a provider the last days of the
       * counts that pay. A provider cannot grant counts that last longer than those that pay.
       */
      enddate: day.nullable().optional().describe('有效期至'),
      remark: z.string().trim().max(200).optional().describe('说明'),
    })
    .refine(({ kind, sign }) => kind === CountKind.correction || sign === '+', {
      message: '只有人工调整可以减少',
      path: ['sign'],
    })
    .refine(({ kind, remark }) => kind === CountKind.grant || Boolean(remark), {
      message: '收回和调整须填写说明',
      path: ['remark'],
    })
    .refine(({ kind, enddate }) => kind === CountKind.grant || enddate === undefined, {
      message: '收回和调整不改变有效期',
      path: ['enddate'],
    }),
  response: z.object({
    /** free counts in the institution's wallet afterwards */
    balance: z.number(),
    /** free counts in the provider's wallet afterwards; null when the platform grants */
    own: z.number().nullable(),
  }),
});
