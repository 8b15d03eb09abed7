import { z } from 'zod';
import type { ExplainStep } from '#domain/scoring/explainScore.ts';
import type { FormResult, Scale } from '#domain/scoring/scale.ts';
import { FormType, LicenceTier } from '#domain/base/enums.ts';
import { NON_AUTHORITY_TYPES, andHolding, anyStaff, defineAction, forTypes, staffOf } from '#contract/action.ts';
import { day, flag } from '#contract/field.ts';
import { pageOf, pageRequest, sortedBy } from '#contract/page.ts';

/** The form library (量表库): the forms with their scoring rules and licence conditions, and trial scoring. */

export const formcode = z
  .string()
  .regex(/^[A-Z0-9_]{2,20}$/, '量表编码不正确')
  .describe('量表');

export const formRow = z.object({
  formcode: z.string(),
  formname: z.string(),
  formtype: z.enum(FormType.codes),
  tier: z.enum(LicenceTier.codes),
  /** populations of the form; empty: every population */
  appids: z.array(z.string()),
  itemcount: z.number(),
  minutes: z.number(),
  /** whole years, inclusive; null: no limit */
  agemin: z.number().nullable(),
  agemax: z.number().nullable(),
  recall: z.string(),
  introduce: z.string(),
  citation: z.string(),
  currentversion: z.string(),
  /** 0 draft · 1 published · 2 retired */
  status: z.number(),
  enabled: z.number(),
  /** 1: the caller's institution accepted the conditions of a tier-B form */
  licenceaccepted: z.number(),
  /** 1: the caller's institution may use the form now; otherwise `blockers` has the reasons */
  usable: z.number(),
  blockers: z.array(z.string()),
  /** 1: only trained staff administer the form; a self-service plan cannot contain it */
  staffonly: z.number(),
  musercode: z.string(),
  /** the form that this one was copied from; empty when it was not copied */
  copyfrom: z.string(),
  /** 1: the caller's institution owns the form and has a draft of it */
  hasdraft: z.number(),
  /** the saves of the draft; 0 without a draft (`updateForm`) */
  rowversion: z.number(),
  /** 1: the caller may change the form: the right `form.edit` in the institution that owns it */
  canedit: z.number(),
});
export type FormRow = z.infer<typeof formRow>;

/** Lists the forms that the caller sees. */
export const getFormPageList = defineAction({
  name: 'as.m.assess.forms.getFormPageList',
  title: '查询量表',
  allow: staffOf('plans.scales', 'plans.library', 'group.tasks'),
  kind: 'read',
  request: pageRequest.extend({
    orderby: sortedBy('formname', 'itemcount', 'minutes', 'tier'),
    formname: z.string().trim().max(50).optional(),
    formtype: z.enum(FormType.codes).optional(),
    appid: z.string().max(9).optional(),
    tier: z.enum(LicenceTier.codes).optional(),
    status: z.coerce.number().int().min(0).max(2).optional(),
    enabled: flag.optional(),
  }),
  response: pageOf(formRow),
});

export const quotaRow = z.object({
  /** `PHQ9.total` */
  quotacode: z.string(),
  formcode: z.string(),
  formname: z.string(),
  scorecode: z.string(),
  quotaname: z.string(),
  /** 01 total · 02 factor · 03 validity · 04 count */
  kind: z.string(),
  /** 01 depression · 02 anxiety … (`QuotaDomain` of domain/scoring/scale.ts) */
  domain: z.string(),
  isprimary: z.number(),
  minscore: z.number().nullable(),
  maxscore: z.number().nullable(),
  better: z.string(),
  ordernum: z.number(),
});

/**
 * Returns one version of a form with its definition, scores and licence. The version `draft` is visible to the owner's editors only; its
 * definition is as the author saved it.
 */
export const getFormDetail = defineAction({
  name: 'as.m.assess.forms.getFormDetail',
  title: '查看量表',
  allow: staffOf('plans.scales'),
  kind: 'read',
  request: z.strictObject({ formcode, version: z.string().max(20).optional() }),
  response: formRow.extend({
    /** the version of the response: that of the request, or the current one */
    version: z.string(),
    /** the definition, with the item texts that the institution uploaded */
    definition: z.custom<Scale>((value) => typeof value === 'object' && value !== null),
    quotas: z.array(quotaRow),
    /** the published versions, the newest first */
    versions: z.array(
      z.object({
        version: z.string(),
        /** 1 published · 2 superseded · 3 withdrawn */
        status: z.number(),
        publishtime: z.string(),
        /** who published it; empty for a version that came with the system, and for staff of an institution above */
        publishname: z.string(),
        changelog: z.string(),
        withdrawtime: z.string().nullable(),
        withdrawname: z.string(),
        withdrawreason: z.string(),
      }),
    ),
    licencetext: z.string(),
    licence: z.object({
      acceptname: z.string(),
      accepttime: z.string().nullable(),
      note: z.string(),
      expiredate: z.string().nullable(),
    }),
  }),
});

/** Answers by item code: an option code, several option codes, or a text or number. */
const answers = z.record(
  z.string().max(40),
  z.union([z.string().max(2000), z.number(), z.array(z.string().max(40)).max(60), z.null()]),
);

/** Scores answers to a form without saving them, and explains each step. */
export const previewScore = defineAction({
  name: 'as.m.assess.forms.previewScore',
  title: '试算得分',
  allow: staffOf('plans.scales'),
  kind: 'read',
  request: z.strictObject({
    formcode,
    version: z.string().max(20).optional(),
    answers,
    /** facts that norms and skip rules use: gender '01'|'02', age in whole years … */
    person: z.record(z.string().max(40), z.union([z.string().max(40), z.number(), z.boolean(), z.null()])).default({}),
  }),
  response: z.object({
    kind: z.enum(['scored', 'incomplete', 'invalid']),
    /** `invalid`: items whose answer is not an option of the form; `incomplete`: required items without an answer */
    items: z.array(z.string()),
    /** null when an answer is not an option of the form; the server then computes no score */
    result: z.custom<FormResult>().nullable(),
    steps: z.array(z.custom<ExplainStep>()),
    /** forms that would follow in the same exam */
    nextforms: z.array(z.string()),
  }),
});

/**
 * Accepts the licence conditions of a tier-B form for the caller's institution, or records its licence of a tier-C form: the proof and
 * the last day. A licence of tier C may be renewed.
 */
export const acceptFormLicence = defineAction({
  name: 'as.m.assess.forms.acceptFormLicence',
  title: '接受量表使用条件',
  // Only an administrator, who manages the staff of the institution, may accept conditions for it.
  allow: forTypes(NON_AUTHORITY_TYPES, andHolding(staffOf('organization.users'), 'form.edit')),
  kind: 'write',
  personal: true,
  request: z.strictObject({
    formcode,
    accepted: z.literal(1, '请勾选接受使用条件'),
    note: z.string().trim().min(2, '请说明用途').max(500).describe('用途说明'),
    /** tier C: an uploaded file of use `licence`; a renewal without one keeps the proof */
    prooffileid: z.uuid().optional().describe('授权证明'),
    /** tier C: the last day of the licence */
    expiredate: day.optional().describe('授权到期日'),
  }),
  /** the remaining reasons why the institution may not use the form; empty when it may */
  response: z.object({ missing: z.array(z.string()) }),
});

/** Returns the scores of one form or of all forms. */
export const getQuotaList = defineAction({
  name: 'as.m.assess.quota.getQuotaList',
  title: '查询指标',
  allow: staffOf('plans.scales', 'plans.comments'),
  kind: 'read',
  request: z.strictObject({ formcode: formcode.optional() }),
  response: z.array(quotaRow),
});

/** Returns the scores with their levels, as options of filters. */
export const getQuotaFilterConditions = defineAction({
  name: 'as.m.exam.getQuotaFilterConditions',
  title: '查询指标筛选条件',
  allow: anyStaff,
  kind: 'read',
  request: z.strictObject({ appid: z.string().max(9).optional(), plancode: z.string().max(20).optional() }),
  response: z.array(
    z.object({
      formcode: z.string(),
      formname: z.string(),
      quotas: z.array(
        z.object({
          quotacode: z.string(),
          quotaname: z.string(),
          options: z.array(z.object({ level: z.number(), levelname: z.string() })),
        }),
      ),
    }),
  ),
});
