import { z } from 'zod';
import type { Questionnaire } from '#domain/exam/questionFlow.ts';
import { CARE_TYPES, defineAction, forTypes, staffOf } from '#contract/action.ts';
import { readableBy } from '#contract/fieldAccess.ts';
import { day, flag } from '#contract/field.ts';

/**
 * 录入结果: staff type in what they observed (01 他评), the scores of a licensed paper scale (02 分数) or the answers of a paper sheet
 * (03 纸质). A class teacher observes pupils of the own teams and learns no result (supplement-people-statistics.md, sections 1 and 4).
 */

/** The rights to type in all ways. `team.shortcut` alone only observes pupils of the own teams. */
export const fullEntryRights = [
  'individual.maternity',
  'individual.students',
  'individual.workers',
  'individual.elders',
  'individual.persons',
  'warning.handle',
] as const;
const recorders = forTypes(CARE_TYPES, staffOf(...fullEntryRights, 'team.shortcut'));
export const ENTRY_WAYS = ['01', '02', '03'] as const;
export type EntryWay = (typeof ENTRY_WAYS)[number];
const way = z.enum(ENTRY_WAYS).describe('录入方式');
const cuserid = z.string().min(1).max(20).describe('受测者');
const code = z.string().max(20);
/** What is typed in: a questionnaire alone, or a plan with its stage, or the plan of a task. */
const target = {
  cuserid,
  way,
  formcode: code.optional().describe('量表'),
  plancode: code.optional().describe('方案'),
  taskcode: code.optional().describe('任务'),
  stagecode: code.nullish().describe('阶段'),
};
const isTarget = ({ formcode, plancode }: { formcode?: string | undefined; plancode?: string | undefined }) =>
  Boolean(formcode) !== Boolean(plancode);
const TARGET_FAULT = { path: ['plancode'], message: '请选择要录入的量表或方案' };

/** Lists what the caller may type in for a person, and why nothing may be typed in. */
export const getStaffExamOptions = defineAction({
  name: 'as.m.exam.getStaffExamOptions',
  title: '查询可录入的量表',
  allow: recorders,
  kind: 'read',
  request: z.strictObject({ cuserid }),
  response: z.object({
    /** why the person's results must not be typed in; '' when they may */
    refusal: z.string(),
    /** 1: the person, or the guardian, has not agreed yet: the report waits, alarms do not */
    waits: z.number(),
    /** tells the person from others whose masked names look alike */
    person: z.object({
      gender: z.string(),
      age: z.number().nullable(),
      insname: z.string(),
      /** class or unit */
      belongs: z.string(),
      /** 建册号, 学号 or 工号, else 档案号 */
      numbername: z.string(),
      number: z.string(),
    }),
    options: z.array(
      z.object({
        way,
        formcode: z.string(),
        plancode: z.string(),
        taskcode: z.string(),
        name: z.string(),
        stages: z.array(z.object({ stagecode: z.string(), stagename: z.string() })),
      }),
    ),
  }),
});

export const entrySheet = z.object({
  formcode: z.string(),
  formname: z.string(),
  /** the questions; for scores only those that can raise an alert */
  questionnaire: z.custom<Questionnaire>((value) => typeof value === 'object' && value !== null),
  /** the totals and factors to type in; empty for answers */
  scores: z.array(
    z.object({
      c: z.string(),
      n: z.string(),
      min: z.number(),
      max: z.number(),
      isWhole: z.boolean(),
      isRequired: z.boolean(),
    }),
  ),
});

/** Returns the questionnaires to type in. It creates nothing and uses no count. */
export const getStaffExam = defineAction({
  name: 'as.m.exam.getStaffExam',
  title: '查看录入用的量表',
  allow: recorders,
  kind: 'read',
  request: z.strictObject(target).refine(isTarget, TARGET_FAULT),
  response: z.object({
    name: z.string(),
    sheets: z.array(entrySheet),
    /** facts about the person for questions that depend on them */
    person: z.record(z.string(), z.union([z.string(), z.number(), z.boolean(), z.null()])),
  }),
});

/**
 * Opens the sheet that the caller types in, and freezes a count when the person has no live authorization. A repeated call returns the
 * same sheet. Answers 140001 while the person is answering, and 150005 after a refusal or a withdrawn consent.
 */
export const insertStaffExam = defineAction({
  name: 'as.m.exam.insertStaffExam',
  title: '新建录入答卷',
  allow: recorders,
  kind: 'write',
  person: (request) => [request.cuserid],
  request: z.strictObject(target).refine(isTarget, TARGET_FAULT),
  response: z.object({ examcode: z.string() }),
});

const typedSheet = z.strictObject({
  formcode: code,
  answers: z
    .record(z.string().max(40), z.union([z.string().max(2000), z.number(), z.array(z.string().max(20)).max(50), z.null()]))
    .default({}),
  scores: z.record(z.string().max(40), z.number()).default({}),
});

/**
 * Hands in a sheet that the caller has typed in: the hand-in of respondents, with the same alarms, report and use of a count. With
 * `second`, the sheet was typed in twice; the two must be equal (120002, `data.differences`). Unanswered questions return `done` 0 with
 * their codes and change nothing, unless `allowmissing` says that the paper has none.
 */
export const submitStaffExam = defineAction({
  name: 'as.m.exam.submitStaffExam',
  title: '提交录入答卷',
  allow: recorders,
  kind: 'write',
  request: z.strictObject({
    examcode: code.min(1).describe('答卷'),
    /** identifies the hand-in: a repeated call gets the same answer */
    submitkey: z.uuid(),
    testdate: day.describe('测评日期'),
    sheets: z.array(typedSheet).min(1).max(20).describe('录入内容'),
    second: z.array(typedSheet).max(20).optional().describe('第二次录入'),
    allowmissing: flag.optional().describe('纸质答卷上没有作答'),
  }),
  response: z.object({
    done: z.number(),
    missing: z.array(z.object({ formcode: z.string(), c: z.string() })),
    /** 1: scores and report wait for a consent */
    waits: z.number(),
    result: readableBy(
      'results',
      z
        .object({
          reportcode: z.string(),
          valid: z.number(),
          invalidreason: z.string(),
          overalllevel: z.number().nullable(),
          forms: z.array(
            z.object({
              formname: z.string(),
              scores: z.array(
                z.object({ name: z.string(), score: z.number().nullable(), level: z.number().nullable(), levelname: z.string() }),
              ),
            }),
          ),
          /** longer forms that a positive short form asks for */
          next: z.array(z.string()),
          /** the day of a planned re-test */
          retestdate: z.string().nullable(),
        })
        .nullable(),
    ),
    /** the case that the sheet opened or joined; null without one, and when it suspects the caller of harm */
    warning: readableBy('cases', z.object({ warningcode: z.string(), level: z.number(), iscreated: z.number() }).nullable()),
  }),
});
