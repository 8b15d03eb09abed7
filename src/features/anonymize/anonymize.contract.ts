import { z } from 'zod';
import { andHolding, defineAction, forTypes, staffOf } from '#contract/action.ts';
import { flag } from '#contract/field.ts';
import { file } from '#contract/file.ts';

/**
 * 匿名化 of persons: what remains for a person with exams, who cannot be deleted. Nobody can undo it, so one member of staff asks and a
 * second human answers (supplement-people-statistics.md, section 5).
 */

/** The screens whose staff may ask for an 匿名化 and answer. */
export const ANONYMIZE_GUARDS = [
  'individual.persons',
  'archives.all',
  'archives.maternity',
  'archives.students',
  'archives.workers',
  'archives.elders',
] as const;
const keepers = forTypes(['004', '005'], staffOf(...ANONYMIZE_GUARDS));
const cuserid = z.string().max(20).describe('受测者');
const anonymizationid = z.number().int();

const receipt = z.object({
  erased: z.array(z.object({ name: z.string(), count: z.number() })),
  /** `until`: the last day of the term; '' when the product does not delete the records */
  kept: z.array(z.object({ name: z.string(), count: z.number(), until: z.string(), ground: z.string() })),
});

/** The receipt of a 匿名化 that is done: numbers without a name, to print for the person. 130001 without one. */
export const getAnonymizationReceipt = defineAction({
  name: 'as.m.cuser.getAnonymizationReceipt',
  title: '查看匿名化回执',
  allow: keepers,
  kind: 'read',
  request: z.strictObject({ cuserid }),
  response: z.object({ anonymizationid: z.number(), insname: z.string(), asktime: z.string(), donetime: z.string(), receipt }),
});

/** What 匿名化 would replace, what stays and until when, whether it is possible, and the request that waits. */
export const getAnonymization = defineAction({
  name: 'as.m.cuser.getAnonymization',
  title: '查看匿名化范围',
  allow: keepers,
  kind: 'read',
  request: z.strictObject({ cuserid }),
  response: z.object({
    /** the text that the person who asks must type */
    confirmtext: z.string(),
    /** what would be erased, and what stays */
    receipt,
    /** the open case that forbids it; null without one */
    warningcode: z.string().nullable(),
    /** closed cases whose record the law keeps, each with the end of its term */
    cases: z.array(z.object({ warningcode: z.string(), keepuntil: z.string() })),
    /** why it is not possible now; '' when it is */
    refusal: z.string(),
    /** 保全 that stands; null without one */
    hold: z.object({ reason: z.string(), beginname: z.string(), begintime: z.string() }).nullable(),
    /** the request that waits for a second person; null without one */
    waiting: z
      .object({
        anonymizationid: z.number(),
        reason: z.string(),
        askname: z.string(),
        asktime: z.string(),
        /** afterwards nobody can agree any more */
        duetime: z.string(),
        /** 1: the caller may agree or return it */
        cananswer: z.number(),
        /** 1: the caller asked and may withdraw it */
        canwithdraw: z.number(),
      })
      .nullable(),
  }),
});

/**
 * Asks a second person to agree to the 匿名化 of a person. Nothing changes until the answer. Answers 130003 with an open case, 140001
 * with anything else that is not finished, and 120002 unless the caller typed `confirmtext` of `getAnonymization`.
 */
export const anonymizeCUser = defineAction({
  name: 'as.m.cuser.anonymizeCUser',
  title: '申请匿名化受测者',
  allow: keepers,
  kind: 'write',
  sensitive: true,
  person: (request) => [request.cuserid],
  request: z.strictObject({
    cuserid,
    confirmtext: z.string().trim().max(50).describe('确认文字'),
    reason: z.string().trim().min(5, '请用至少 5 个字说明原因').max(200).describe('匿名化原因'),
  }),
  response: z.object({ anonymizationid: z.number(), duetime: z.string() }),
});

/**
 * A second person agrees, and the server erases names, numbers, contacts, guardians, answers and texts of the person and of the records
 * merged into it, without a way back; or returns the request. The reason stands in the audit log.
 */
export const answerAnonymization = defineAction({
  name: 'as.m.cuser.answerAnonymization',
  title: '复核匿名化',
  allow: keepers,
  kind: 'write',
  sensitive: true,
  request: z
    .strictObject({
      anonymizationid,
      agreed: flag.describe('结论'),
      content: z.string().trim().max(200).default('').describe('说明'),
    })
    .refine(({ agreed, content }) => agreed === 1 || content.length >= 5, {
      path: ['content'],
      message: '请用至少 5 个字说明退回原因',
    }),
  response: z.object({ status: z.enum(['02', '03']) }),
});

/** Withdraws a waiting request of the caller. */
export const withdrawAnonymization = defineAction({
  name: 'as.m.cuser.withdrawAnonymization',
  title: '撤回匿名化申请',
  allow: keepers,
  kind: 'write',
  request: z.strictObject({ anonymizationid }),
  response: z.object({}),
});

/** Who asked for the copy. A guardian's copy has no case and no consultation that the person did not open to guardians. */
const COPY_APPLICANTS = ['01', '02'] as const;

/**
 * Makes 本人资料副本: what the product holds about one person, for the person or the guardian (个人信息保护法 45). It needs every right
 * that reads one of its parts, so that no copy is silently short. Answers 130001 for an unknown person and when a case of the person
 * suspects the caller, and 140001 after 匿名化.
 */
export const exportPersonCopy = defineAction({
  name: 'as.m.cuser.exportPersonCopy',
  title: '生成本人资料副本',
  allow: forTypes(
    ['004', '005'],
    andHolding(staffOf(...ANONYMIZE_GUARDS), 'person.unmasked', 'exam.export', 'exam.answers', 'care.edit', 'warning.crisis'),
  ),
  kind: 'export',
  person: (request) => [request.cuserid],
  request: z.strictObject({
    cuserid,
    /** 01 the person, 02 a guardian */
    applicant: z.enum(COPY_APPLICANTS).describe('申请人'),
    /** how the applicant's identity was checked; stands in the audit log */
    checked: z.string().trim().min(4, '请写明如何核实了申请人的身份').max(100).describe('身份核实方式'),
  }),
  response: file,
});
