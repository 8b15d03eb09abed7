import { z } from 'zod';
import { CARE_TYPES, defineAction, forTypes, staffOf } from '#contract/action.ts';
import { personName } from '#contract/fieldAccess.ts';
import { pageOf, pageRequest } from '#contract/page.ts';

/** Calls of staff about the consent of guardians and about withdrawals. */

const readers = staffOf('group.teams', 'individual.persons');
const editors = forTypes(CARE_TYPES, staffOf('roster.edit', 'care.edit'));
const cuserid = z.string().max(20);

/** 01 the guardian must agree · 02 the guardian is informed */
export const guardianKinds = { '01': '需同意', '02': '需告知' } as const;
/** The states of a guardian's consent. */
export const guardianStates = { 0: '未核实', 1: '已核实', 2: '不同意', 3: '已到期或撤回' } as const;
/** How staff verify a consent; 01 is the code that the guardian says. */
export const guardianMethods = { '01': '验证码', '02': '纸质同意书', '03': '电话核实', '04': '家长在线同意' } as const;

export const guardianRow = z.object({
  cuserid,
  username: personName(),
  belongs: z.string(),
  musercode: z.string(),
  kind: z.enum(['01', '02']),
  status: z.number(),
  sincetime: z.string(),
  /** the day on which unverified answers are deleted; '' when nothing is deleted */
  erasedate: z.string(),
  /** 1: the answers were deleted, a safety case stays */
  iserased: z.number(),
  /** the roster has a telephone of a guardian */
  hasphone: z.number(),
  /** a code waits until staff read it to the guardian */
  hascode: z.number(),
  /** what the person typed about the guardian, to compare with the roster */
  claimedname: z.string(),
  method: z.string(),
  verifiedname: z.string(),
  verifiedtime: z.string(),
});
export type GuardianRow = z.infer<typeof guardianRow>;

/** Lists the consents of guardians; by default the open ones, the oldest first. */
export const getGuardianConsentPageList = defineAction({
  name: 'as.m.consent.getGuardianConsentPageList',
  title: '查询监护人同意',
  allow: readers,
  kind: 'read',
  request: pageRequest.extend({
    keyword: z.string().trim().max(60).optional(),
    kind: z.enum(['01', '02']).optional(),
    /** absent: the open ones */
    status: z.coerce.number().int().min(0).max(3).optional(),
    teamcode: z.string().max(20).optional(),
  }),
  response: pageOf(guardianRow),
});

/** The guardians of a class who must agree, by what they decided. `refused` pupils are exempt (免测). */
export const guardianClass = z.object({
  teamcode: z.string(),
  teamname: z.string(),
  /** pupils whose guardian must agree: under 14, of unknown age, or as the institution decides */
  needed: z.number(),
  signed: z.number(),
  refused: z.number(),
  pending: z.number(),
});

/** 按班级: counts how many guardians agreed, refused, or did not decide yet. Works before anybody has answered. */
export const getGuardianClassList = defineAction({
  name: 'as.m.consent.getGuardianClassList',
  title: '按班级查询监护人同意',
  allow: readers,
  kind: 'read',
  request: z.strictObject({ musercode: z.string().max(20).optional() }),
  response: z.object({ clientcode: z.string(), link: z.string(), classes: z.array(guardianClass) }),
});
export type GuardianClass = z.infer<typeof guardianClass>;

/** Lists the pupils of a class whose guardian must agree. */
export const getGuardianClassMembers = defineAction({
  name: 'as.m.consent.getGuardianClassMembers',
  title: '查询班级监护人同意名单',
  allow: readers,
  kind: 'read',
  request: z.strictObject({ teamcode: z.string().max(20) }),
  response: z.array(
    z.object({
      cuserid,
      /** the name, and the end of the number when the class has two of this name */
      label: z.string(),
      state: z.enum(['pending', 'signed', 'refused']),
      method: z.string(),
      verifiedtime: z.string(),
      hasphone: z.number(),
      /** the last part of the parents' link of this child */
      child: z.string(),
    }),
  ),
});

/** Returns the telephone of the roster's guardian and the code that waits, for the call of staff. The server audits each call. */
export const revealGuardianCode = defineAction({
  name: 'as.m.consent.revealGuardianCode',
  title: '查看监护人电话与验证码',
  allow: editors,
  kind: 'reveal',
  sensitive: true,
  person: (request) => [request.cuserid],
  request: z.strictObject({ cuserid }),
  response: z.object({ name: z.string(), relation: z.string(), phonenumber: z.string(), code: z.string() }),
});

/** Records the consent of guardians by signed paper or by a call; also before the persons sign in. */
export const verifyGuardianConsent = defineAction({
  name: 'as.m.consent.verifyGuardianConsent',
  title: '登记监护人同意',
  allow: editors,
  kind: 'write',
  person: ({ cuserids }) => cuserids,
  request: z.strictObject({
    cuserids: z.array(cuserid).min(1, '请选择人员').max(200, '一次最多 200 人').describe('人员'),
    method: z.enum(['02', '03'], '请选择核实方式').describe('核实方式'),
    remark: z.string().trim().min(2, '请写明同意书编号，或通话的对象和时间').max(200).describe('核实依据'),
    /** photographs or scans of the signed paper */
    fileids: z.array(z.uuid()).max(5).default([]).describe('同意书'),
  }),
  response: z.object({ verified: z.number() }),
});

/** Records that a guardian refuses. Use of the person's data ends as after a withdrawal. */
export const refuseGuardianConsent = defineAction({
  name: 'as.m.consent.refuseGuardianConsent',
  title: '登记监护人不同意',
  allow: editors,
  kind: 'write',
  person: (request) => [request.cuserid],
  request: z.strictObject({
    cuserid,
    remark: z.string().trim().min(2, '请写明通话的对象和时间').max(200).describe('依据'),
  }),
  response: z.object({}),
});

const receipt = z.object({
  time: z.string(),
  duedate: z.string(),
  deleted: z.array(z.string()),
  kept: z.array(z.string()),
});

/** Withdraws the consent for a person who asked staff to do so. */
export const withdrawForCUser = defineAction({
  name: 'as.m.consent.withdrawForCUser',
  title: '代为撤回同意',
  allow: editors,
  kind: 'write',
  person: (request) => [request.cuserid],
  request: z.strictObject({
    cuserid,
    reason: z.string().trim().min(2, '请写明谁提出、何时提出').max(200).describe('申请说明'),
  }),
  response: receipt,
});

/** Returns the consents of a person in short: own, guardian's, withdrawal. */
export const getCUserConsent = defineAction({
  name: 'as.m.consent.getCUserConsent',
  title: '查询受测者同意情况',
  allow: readers,
  kind: 'read',
  request: z.strictObject({ cuserid }),
  response: z.object({
    agreetime: z.string(),
    version: z.string(),
    /** the text that the person read; '' for consents before texts were stored */
    text: z.string(),
    guardian: z.object({ kind: z.enum(['01', '02']), status: z.number() }).nullable(),
    withdrawal: receipt.extend({ donetime: z.string() }).nullable(),
  }),
});
