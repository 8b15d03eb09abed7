import { z } from 'zod';
import { CountKind } from '#domain/base/enums.ts';
import { NON_AUTHORITY_TYPES, defineAction, forTypes, OPERATOR_TYPES, staffOf } from '#contract/action.ts';
import { day } from '#contract/field.ts';

/** Wallets of institutions: what they hold, and counts given to them from above. */

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
  /** the next last day of something free (null: none of it ends), and how many counts end then */
  enddate: z.string().nullable(),
  ending: z.number(),
  /** 0 no end in sight · 1 within 30 days · 2 over */
  expiring: z.number(),
  /** 0 enough · 1 below a tenth of what was granted · 2 nothing left */
  low: z.number(),
});
export type WalletRow = z.infer<typeof walletRow>;

/** The wallets of an institution within reach, the one for any plan first; the caller's own when none is named. */
export const getMUserAssessCount = defineAction({
  name: 'as.m.exam.getMUserAssessCount',
  title: '查询机构次数',
  allow: forTypes(NON_AUTHORITY_TYPES, staffOf('grant.institutions', 'grant.persons', 'data.details', 'data.counts')),
  kind: 'read',
  request: z.strictObject({ musercode: code.optional() }),
  response: z.object({
    musercode: z.string(),
    insname: z.string(),
    /** counts without end: the platform’s own */
    unlimited: z.boolean(),
    wallets: z.array(walletRow),
  }),
});

/** What a grant between institutions can be: 01 发放, 06 收回 of what is free, 08 人工调整 by the platform, up or down. */
export const grantKinds = [CountKind.grant, CountKind.takeBack, CountKind.correction] as const;

/**
 * Gives an institution below the caller counts, takes free ones back, or corrects its wallet. A provider spends its own and can
 * take back what it gave itself; the platform's have no end. Refuses 150001 with what is free and what is needed.
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
      /** which way a correction goes */
      sign: z.enum(['+', '-']).default('+').describe('增减'),
      /**
       * the last day of the counts given now, of no others; null: no end. Left out: none when the platform gives, else that of the counts
       * a provider pays with. A provider cannot give what lasts longer than what it pays with.
       */
      enddate: day.nullable().optional().describe('有效期至'),
      remark: z.string().trim().max(200).optional().describe('说明'),
    })
    .refine((of) => of.kind === CountKind.correction || of.sign === '+', { message: '只有人工调整可以减少', path: ['sign'] })
    .refine((of) => of.kind === CountKind.grant || Boolean(of.remark), { message: '收回和调整须填写说明', path: ['remark'] })
    .refine((of) => of.kind === CountKind.grant || of.enddate === undefined, {
      message: '收回和调整不改变有效期',
      path: ['enddate'],
    }),
  response: z.object({
    /** free in the institution's wallet afterwards */
    balance: z.number(),
    /** free in the provider's wallet it came from or went to; null when the platform gave */
    own: z.number().nullable(),
  }),
});
