import { z } from 'zod';
import { andHolding, CARE_TYPES, defineAction, forTypes, staffOf } from '#contract/action.ts';
import { flag } from '#contract/field.ts';
import { file } from '#contract/file.ts';

/** FHIR: a person or a task as resources that other systems read (design: fhir.md). */

/** The resources that a bundle may hold. */
export const FHIR_TYPES = [
  'Organization',
  'Practitioner',
  'Patient',
  'RelatedPerson',
  'Consent',
  'Questionnaire',
  'QuestionnaireResponse',
  'Observation',
  'DiagnosticReport',
  'RiskAssessment',
  'Flag',
  'CarePlan',
  'Appointment',
] as const;
export type FhirType = (typeof FHIR_TYPES)[number];

const code = z.string().max(20);

/**
 * Exports one person, or the persons of a task, as a Bundle of FHIR R4 (type collection). It holds what the caller may read: cases need
 * the right to cases, consultations the right to them, and answers the right to answers. 120002 unless exactly one of `cuserid` and
 * `taskcode` is given, 130001 for an unknown one; minors and answers need an approval (140003).
 */
export const exportBundle = defineAction({
  name: 'as.m.fhir.exportBundle',
  title: '导出 FHIR 数据',
  allow: forTypes(CARE_TYPES, andHolding(staffOf('exam.export'), 'person.unmasked')),
  kind: 'export',
  request: z
    .strictObject({
      cuserid: code.optional().describe('受测者'),
      taskcode: code.optional().describe('任务'),
      /** which resources; absent: all */
      resources: z.array(z.enum(FHIR_TYPES)).min(1).max(FHIR_TYPES.length).optional().describe('资源'),
      /** 1: the sheets have their answers */
      answers: flag.default(0).describe('含逐题作答'),
      approvalid: z.coerce.number().int().optional().describe('审批'),
    })
    .refine(({ cuserid, taskcode }) => (cuserid === undefined) !== (taskcode === undefined), {
      error: '请选择一名受测者或一个任务',
      path: ['cuserid'],
    }),
  response: file,
});
