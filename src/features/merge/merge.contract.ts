import { z } from 'zod';
import { Gender } from '#domain/base/enums.ts';
import { CARE_TYPES, defineAction, forTypes, staffOf } from '#contract/action.ts';
import { personName, personPhone, readableBy } from '#contract/fieldAccess.ts';
import { flag } from '#contract/field.ts';

/** 合并档案: two records of one person become one, for 30 days with an undo (supplement-people-statistics.md, section 5). */

const mergers = forTypes(CARE_TYPES, staffOf('roster.edit', 'report.edit'));
const cuserid = z.string().max(20);
const pair = { cuserid: cuserid.describe('并入的档案'), tocuserid: cuserid.describe('保留的档案') };
const reason = z.string().trim().min(5, '请用至少 5 个字说明依据').max(200);

/** One of the two records, with what helps to decide which one stays. */
const mergeRecord = z.object({
  cuserid: z.string(),
  username: personName(),
  gender: z.enum(Gender.codes),
  birthday: z.string().nullable(),
  phonenumber: personPhone(),
  appid: z.string(),
  archiveno: z.string(),
  /** student, employee or booking number */
  studentno: z.string(),
  belongs: z.string(),
  examcount: z.number(),
  createtime: z.string(),
});

/** Says what a merge would do, before the step-up: rows that move, tasks with both records, cases, and why it is not possible. */
export const getMergePreview = defineAction({
  name: 'as.m.cuser.getMergePreview',
  title: '查看合并内容',
  allow: mergers,
  kind: 'read',
  request: z.strictObject(pair),
  response: z.object({
    goes: mergeRecord,
    stays: mergeRecord,
    /** rows of the record that goes */
    moves: z.object({
      exams: z.number(),
      archives: z.number(),
      guardians: z.number(),
      grants: z.number(),
      followups: z.number(),
    }),
    /** fields that the record that stays does not have and gets */
    fills: z.array(z.string()),
    /** tasks in which both records stand; `kept` says which record's place stays */
    tasks: z.array(z.object({ taskname: z.string(), kept: z.enum(['stays', 'goes']) })),
    /** the open cases; with two, `kept` goes on and the other one closes as 并案 */
    cases: readableBy('cases', z.array(z.object({ warningcode: z.string(), level: z.number(), kept: z.number() }))),
    /** 1: a second person must agree */
    needssecond: z.number(),
    /** why the records cannot be merged; '' when they can */
    refusal: z.string(),
  }),
});

/**
 * Merges a record into another record of the same person. With an open case it waits for a second person. Answers 140001 when the records
 * cannot be merged.
 */
export const mergeCUser = defineAction({
  name: 'as.m.cuser.mergeCUser',
  title: '合并档案',
  allow: mergers,
  kind: 'write',
  sensitive: true,
  person: (request) => [request.cuserid, request.tocuserid],
  request: z.strictObject({ ...pair, reason: reason.describe('合并依据') }),
  response: z.object({
    mergeid: z.number(),
    /** 1: a second person must agree first, because a case is open */
    waits: z.number(),
  }),
});

/** A second person agrees to a merge, which is then done, or returns it. */
export const answerMergeCUser = defineAction({
  name: 'as.m.cuser.answerMergeCUser',
  title: '复核合并档案',
  allow: mergers,
  kind: 'write',
  sensitive: true,
  request: z
    .strictObject({
      mergeid: z.number().int(),
      agreed: flag.describe('结论'),
      content: z.string().trim().max(200).default('').describe('说明'),
    })
    .refine(({ agreed, content }) => agreed === 1 || content.length >= 5, {
      path: ['content'],
      message: '请用至少 5 个字说明退回原因',
    }),
  response: z.object({ status: z.enum(['02', '03']) }),
});

/** Undoes a merge within 30 days: every row returns, and a case that was closed as 并案 opens again with fresh clocks. */
export const undoMergeCUser = defineAction({
  name: 'as.m.cuser.undoMergeCUser',
  title: '撤销合并',
  allow: mergers,
  kind: 'write',
  sensitive: true,
  request: z.strictObject({ mergeid: z.number().int(), reason: reason.describe('撤销依据') }),
  response: z.object({
    /** the record that stands by itself again */
    cuserid: z.string(),
    appid: z.string(),
  }),
});

/** Lists the merges of a record, the newest first: those that wait, those that can be undone, and the older ones. */
export const getMergeList = defineAction({
  name: 'as.m.cuser.getMergeList',
  title: '查看合并记录',
  allow: mergers,
  kind: 'read',
  request: z.strictObject({ cuserid: cuserid.describe('受测者') }),
  response: z.array(
    z.object({
      mergeid: z.number(),
      /** 01 waits for a second person, 02 done, 03 returned, 04 undone */
      status: z.enum(['01', '02', '03', '04']),
      cuserid: z.string(),
      tocuserid: z.string(),
      fromname: personName(),
      toname: personName(),
      archiveno: z.string(),
      reason: z.string(),
      askname: z.string(),
      asktime: z.string(),
      answername: z.string(),
      answer: z.string(),
      mergetime: z.string().nullable(),
      undotime: z.string().nullable(),
      undoname: z.string(),
      /** the last day of the undo */
      undountil: z.string().nullable(),
      canundo: z.number(),
      /** 1: the caller may agree or return it */
      cananswer: z.number(),
    }),
  ),
});
