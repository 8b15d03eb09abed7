import { z } from 'zod';
import { Gender } from '#domain/base/enums.ts';
import { defineAction } from '#contract/action.ts';
import { personName, readableBy } from '#contract/fieldAccess.ts';
import { day } from '#contract/field.ts';
import { reportReaders } from '#features/report/report.contract.ts';

const code = z.string().max(20);

/** The scores of one form over time. The specification's name comes from the first form that had it. */
export const getPHQ9ChartsData = defineAction({
  name: 'as.m.exam.getPHQ9ChartsData',
  title: '查看得分趋势',
  allow: reportReaders,
  kind: 'reveal',
  person: ({ cuserid }) => [cuserid],
  request: z.strictObject({
    cuserid: code,
    /** absent: PHQ-9 if the person answered it, otherwise the form with most exams */
    formcode: code.optional().describe('量表'),
    /** one of the main scores of the form; absent: the first */
    scorecode: z.string().max(40).optional().describe('指标'),
    begindate: day.optional(),
    enddate: day.optional(),
  }),
  response: z.object({
    cuser: z.object({
      cuserid: z.string(),
      username: personName(),
      gender: z.enum(Gender.codes),
      age: z.number().nullable(),
      appid: z.string(),
      belongs: z.string(),
      insname: z.string(),
      riskflag: readableBy('cases', z.number(), 0),
      mentalstate: readableBy('results', z.number(), 0),
      warning: readableBy('cases', z.object({ warningcode: z.string(), level: z.number(), state: z.string() }).nullable()),
    }),
    formcode: z.string(),
    formname: z.string(),
    /** the reference period of the form */
    recall: z.string(),
    /** the note on adult cut-offs for a person below 18; '' without one */
    cutoffnote: z.string(),
    /** the main scores of the form, of which one is shown */
    scores: z.array(z.object({ scorecode: z.string(), scorename: z.string() })),
    scorecode: z.string(),
    scorename: z.string(),
    min: z.number().nullable(),
    max: z.number().nullable(),
    better: z.enum(['low', 'high']),
    /** all forms with a main score that the person has answered */
    forms: z.array(z.object({ formcode: z.string(), formname: z.string(), tests: z.number() })),
    points: z.array(
      z.object({
        examcode: z.string(),
        reportcode: z.string(),
        date: z.string(),
        score: z.number().nullable(),
        level: z.number().nullable(),
        levelname: z.string(),
        colour: z.string(),
        valid: z.number(),
        /** an alert of the form fired, e.g. PHQ-9 item 9 above 0 */
        ring: z.number(),
        /** score of the self-harm item: PHQ-9 item 9, EPDS item 10; null without the right 00035 */
        item9: readableBy('answers', z.number().nullable()),
        stagename: z.string(),
        planname: z.string(),
        formversion: z.string(),
        /** 1: the test before has another major version, so nothing joins the two */
        isbreak: z.number(),
        /** 1: the version was withdrawn, because it scores wrongly */
        iswithdrawn: z.number(),
      }),
    ),
    /** items × tests; empty without the right 00035 */
    items: readableBy(
      'answers',
      z.array(
        z.object({ no: z.number(), title: z.string(), max: z.number().nullable(), values: z.array(z.number().nullable()) }),
      ),
      [],
    ),
    bands: z.array(z.tuple([z.number().nullable(), z.number().nullable(), z.number(), z.string(), z.string()])),
    /**
     * the latest valid test compared with the one before. `reliablechange`: 1 when the change reaches a published value, 0 when it
     * does not, null where none is published.
     */
    change: z
      .object({
        from: z.number(),
        to: z.number(),
        delta: z.number(),
        direction: z.enum(['up', 'down', 'same']),
        meaning: z.enum(['better', 'worse', 'same']),
        reliablechange: z.number().nullable(),
        label: z.string(),
        /** 达到有临床意义的最小变化（MCID 5分，Löwe 2004） … 暂无公布界值 */
        changetext: z.string(),
        /** the published change values with their kind, size in points and reference */
        values: z.array(
          z.object({
            kind: z.enum(['RCI', 'SDC', 'MCID']),
            points: z.number(),
            isreached: z.number(),
            words: z.string(),
            source: z.string(),
            reference: z.string(),
          }),
        ),
      })
      .nullable(),
    /** interventions and referrals, oldest first */
    events: z.array(z.object({ time: z.string(), label: z.string() })),
    nextretest: z.string().nullable(),
  }),
});
