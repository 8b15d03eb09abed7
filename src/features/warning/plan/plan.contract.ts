import { z } from 'zod';
import { CARE_TYPES, defineAction, forTypes, staffOf } from '#contract/action.ts';
import { changed, onCase } from '#features/warning/handling/handling.contract.ts';
import { safetyPlanFields, safetyPlanView } from '#features/warning/plan/planFields.contract.ts';

const handlers = forTypes(CARE_TYPES, staffOf('warning.handle'));

/** Saves a new version of the safety plan (安全计划). An incomplete plan is saved too, and the answer names the missing parts. */
export const insertSafetyPlan = defineAction({
  name: 'as.m.warning.insertSafetyPlan',
  title: '填写安全计划',
  allow: handlers,
  kind: 'write',
  request: onCase.extend(safetyPlanFields.shape),
  response: changed.extend({ planid: z.number(), planversion: z.number(), gaps: z.array(z.string()) }),
});

/** One version of a safety plan for its printed sheet, with the contact of the institution. The read is audited. */
export const getSafetyPlan = defineAction({
  name: 'as.m.warning.getSafetyPlan',
  title: '查看安全计划',
  allow: handlers,
  kind: 'reveal',
  // The request names no person: the handler reads the person of the plan and records it.
  person: () => [],
  request: z.strictObject({ planid: z.coerce.number().int() }),
  response: safetyPlanView.extend({
    warningcode: z.string(),
    insname: z.string(),
    contactname: z.string(),
    contactphone: z.string(),
  }),
});
