import { z } from 'zod';
import { NON_AUTHORITY_TYPES, defineAction, forTypes, staffOf } from '#contract/action.ts';
import { personName, readableBy } from '#contract/fieldAccess.ts';
import { customCond } from '#features/warning/rules/rule.contract.ts';

/**
 * The sandbox: a rule, a set of bands or a new version is replayed over the past before it is switched on. It changes nothing but an
 * audit row and the trial, whose hash switching on asks for.
 */

const code = z.string().max(20);
const age = z.number().int().min(0).max(120).nullable().default(null);
const number = z.number().min(-100_000).max(100_000);

const ruleContent = z.strictObject({
  /** the rule that changes; absent: a new one */
  rulecode: code.optional().describe('规则'),
  cond: customCond,
  warninglevel: z.coerce.number().int().min(1).max(3).describe('预警等级'),
  appid: code.nullish().describe('适用人群'),
  plancode: code.nullish().describe('方案'),
});
export type RuleContent = z.output<typeof ruleContent>;

const bandsContent = z.strictObject({
  quotacode: z.string().max(41).describe('指标'),
  appid: code.nullable().default(null).describe('适用人群'),
  gender: z.enum(['01', '02']).nullable().default(null).describe('性别'),
  agemin: age.describe('最小年龄'),
  agemax: age.describe('最大年龄'),
  options: z
    .array(
      z.strictObject({
        minscore: number.nullable(),
        maxscore: number.nullable(),
        level: z.number().int().min(0).max(4),
        levelname: z.string().max(20).default(''),
      }),
    )
    .min(1)
    .max(20)
    .describe('分级'),
});
export type BandsContent = z.output<typeof bandsContent>;

/** The stored draft of the form. */
const versionContent = z.strictObject({ formcode: z.string().max(20).describe('量表') });
export type VersionContent = z.output<typeof versionContent>;

export const contents = { rule: ruleContent, bands: bandsContent, version: versionContent } as const;

/** Below this number a cell about several institutions is hidden: null. */
export const LEAST_CELL = 5;
const cell = z.number().nullable();
const pair = z.object({ before: z.number(), after: z.number() });

/** Replays the past of the caller's institution with a change. Providers get sums over the institutions below, without names. */
export const replayChange = defineAction({
  name: 'as.m.warning.replayChange',
  title: '回放既往答卷',
  allow: forTypes(NON_AUTHORITY_TYPES, staffOf('warning.rules', 'form.edit')),
  kind: 'write',
  cost: 10,
  request: z.strictObject({
    kind: z.enum(['rule', 'bands', 'version']).describe('改动'),
    /** the change, in the shape of its kind */
    content: z.union([ruleContent, bandsContent, versionContent]).describe('内容'),
    days: z.coerce.number().int().min(1).max(366).default(180).describe('天数'),
    /** only sittings of this population, or of this lineage of plans */
    appid: code.nullish().describe('人群'),
    plancode: code.nullish().describe('方案'),
  }),
  response: z.object({
    trialid: z.number(),
    /** sittings that were replayed; the newest 20,000 when `iscut` is true */
    sittings: z.number(),
    iscut: z.boolean(),
    unjudged: z.number(),
    before: cell,
    after: cell,
    added: cell,
    removed: cell,
    raised: cell,
    lowered: cell,
    levels: z.array(z.object({ before: cell, after: cell })),
    casesperweek: pair.nullable(),
    hoursperweek: pair.nullable(),
    /** persons whose level would differ, at most 100; only for staff who see the crisis list */
    persons: z.array(
      z.object({
        cuserid: z.string(),
        examcode: z.string(),
        username: personName(),
        belongs: z.string(),
        submittime: z.string(),
        before: readableBy('cases', z.number(), 0),
        after: readableBy('cases', z.number(), 0),
      }),
    ),
  }),
});
