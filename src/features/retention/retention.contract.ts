import { z } from 'zod';
import { defineAction, forTypes, staffOf } from '#contract/action.ts';
import { ANONYMIZE_GUARDS } from '#features/anonymize/anonymize.contract.ts';

/** 数据保存期限: the terms of records with their legal grounds, what is due, and 保全 (a legal hold) of a person's records. */

const readers = forTypes(['004', '005'], staffOf('authority.audit'));
const keepers = forTypes(['004', '005'], staffOf(...ANONYMIZE_GUARDS));
const cuserid = z.string().max(20).describe('受测者');
const months = z.number().int().min(1).max(600);

/** The terms of the caller's institution, what is due next, the last runs of the job, and the number of holds. */
export const getRetention = defineAction({
  name: 'as.m.audit.getRetention',
  title: '查询数据保存期限',
  allow: readers,
  kind: 'read',
  request: z.strictObject({}),
  response: z.object({
    kinds: z.array(
      z.object({
        key: z.string(),
        name: z.string(),
        start: z.string(),
        /** months; null: `words` says the term */
        months: z.number().nullable(),
        least: z.number().nullable(),
        most: z.number().nullable(),
        words: z.string(),
        ground: z.string(),
        reason: z.string(),
        /** what happens at the end: anonymise, delete or keep */
        end: z.enum(['anonymise', 'delete', 'keep']),
        /** records whose term has ended and which the next runs erase; null: the kind has no such count */
        due: z.number().nullable(),
      }),
    ),
    runs: z.array(z.object({ time: z.string(), name: z.string(), affected: z.number() })),
    /** persons whose records a hold keeps */
    holds: z.number(),
  }),
});

/** Sets the term of one kind of record in months. Answers 120002 outside the limits of the law and for a kind without a number. */
export const saveRetention = defineAction({
  name: 'as.m.audit.saveRetention',
  title: '修改数据保存期限',
  allow: readers,
  kind: 'write',
  sensitive: true,
  request: z.strictObject({ key: z.string().max(20).describe('记录种类'), months: months.describe('保存月数') }),
  response: z.object({}),
});

/** Holds all records of a person: until the hold ends, nobody and no job erases them. Answers 140001 while one stands. */
export const insertLegalHold = defineAction({
  name: 'as.m.cuser.insertLegalHold',
  title: '保全受测者资料',
  allow: keepers,
  kind: 'write',
  sensitive: true,
  person: (request) => [request.cuserid],
  request: z.strictObject({
    cuserid,
    reason: z.string().trim().min(5, '请用至少 5 个字说明保全原因').max(200).describe('保全原因'),
  }),
  response: z.object({ holdid: z.number() }),
});

/** Ends the hold of a person. Answers 140001 without one. */
export const endLegalHold = defineAction({
  name: 'as.m.cuser.endLegalHold',
  title: '解除保全',
  allow: keepers,
  kind: 'write',
  sensitive: true,
  person: (request) => [request.cuserid],
  request: z.strictObject({
    cuserid,
    reason: z.string().trim().min(5, '请用至少 5 个字说明解除原因').max(200).describe('解除原因'),
  }),
  response: z.object({}),
});
