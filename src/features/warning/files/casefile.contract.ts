import { z } from 'zod';
import { CARE_TYPES, defineAction, forTypes, staffOf } from '#contract/action.ts';
import { day, flag } from '#contract/field.ts';
import { onCase, changed } from '#features/warning/handling/handling.contract.ts';

/**
 * Attachments of a case, and the assessment before a person returns (复学评估). The client uploads a file first (`updateToOSS`, use
 * `case`) and names it here. The file stays private; the audit log records who opened it and the person of the case.
 */

const handlers = forTypes(CARE_TYPES, staffOf('warning.handle'));
const reason = z.string().trim().min(1, '请填写原因').max(500, '原因不超过 500 个字').describe('原因');

export const caseFileKinds = { '01': '告知回执', '02': '转介单', '03': '就诊资料', '04': '复学评估', '09': '其他' } as const;
export type CaseFileKind = keyof typeof caseFileKinds;
const kind = z.enum(['01', '02', '03', '04', '09'], '请选择附件类型').describe('附件类型');
/** The uploaded files that a request attaches. */
export const fileids = z.array(z.uuid()).max(6, '一次最多 6 个附件').describe('附件');

/** Attaches uploaded files to a case. */
export const attachCaseFile = defineAction({
  name: 'as.m.warning.attachCaseFile',
  title: '上传个案附件',
  allow: handlers,
  kind: 'write',
  request: onCase.extend({ kind, fileids: fileids.min(1, '请先上传附件') }),
  response: changed,
});

/** A link to one attachment, valid for ten minutes. The call is audited. */
export const openCaseFile = defineAction({
  name: 'as.m.warning.openCaseFile',
  title: '查看个案附件',
  allow: handlers,
  kind: 'reveal',
  // The request names no person: the handler reads the person of the attachment and records it.
  person: () => [],
  request: z.strictObject({ warningcode: z.string().max(20), fileid: z.uuid() }),
  response: z.object({ url: z.string(), filename: z.string(), mime: z.string() }),
});

/** Deletes an attachment of an open case and logs the reason. */
export const deleteCaseFile = defineAction({
  name: 'as.m.warning.deleteCaseFile',
  title: '删除个案附件',
  allow: handlers,
  kind: 'write',
  request: onCase.extend({ fileid: z.uuid(), reason }),
  response: changed,
});

export const returnConclusions = { '01': '可以复学', '02': '附条件复学', '03': '暂缓复学' } as const;
/** 复学评估: adds the hospital's documents, the decision of the institution and its conditions. */
export const insertReturnAssess = defineAction({
  name: 'as.m.warning.insertReturnAssess',
  title: '登记复学评估',
  allow: handlers,
  kind: 'write',
  request: onCase.extend({
    assessdate: day.describe('评估日期'),
    hospital: z.string().trim().max(100).default('').describe('出具资料的医院'),
    conclusion: z.enum(['01', '02', '03'], '请选择评估结论').describe('评估结论'),
    conditions: z.string().trim().max(1000).default('').describe('复学条件'),
    supportplan: z.string().trim().max(2000).default('').describe('返校支持计划'),
    guardianagreed: flag.default(0).describe('监护人同意'),
    returndate: day.or(z.literal('')).optional().describe('返校日期'),
    fileids: fileids.min(1, '请上传医院出具的复学资料'),
  }),
  response: changed.extend({ returnid: z.number() }),
});
