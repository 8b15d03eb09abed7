import type { z } from 'zod';
import { DEFAULT_SERVICES } from '#domain/warning/safetyPlan.ts';
import type { safetyPlanFields, SafetyPlanView } from '#features/warning/plan/planFields.contract.ts';

/** A safety plan in its form. */
export type SafetyPlanDraft = z.input<typeof safetyPlanFields>;

/** The names of the fields, in the order of the form. */
export const DRAFT_KEYS = [
  'warningsigns',
  'coping',
  'distractions',
  'helpers',
  'services',
  'means',
  'importantthings',
  'copies',
  'reviewdate',
] as const satisfies readonly (keyof SafetyPlanDraft)[];

const EMPTY_HELPER = { name: '', relation: '', phonenumber: '', isadult: 1, issuspect: 0 };

/** The draft with which the form begins: the newest version, or an empty plan with the hotlines. */
export function toSafetyPlanDraft(plan: SafetyPlanView | null): SafetyPlanDraft {
  if (!plan)
    return {
      planversion: 0,
      warningsigns: '',
      coping: '',
      distractions: '',
      helpers: [{ ...EMPTY_HELPER }],
      services: DEFAULT_SERVICES.map((service) => ({ ...service })),
      means: [],
      importantthings: '',
      copies: '',
      reviewdate: '',
    };
  const { warningsigns, coping, distractions, helpers, services, means, importantthings, copies, reviewdate } = plan;
  return {
    planversion: plan.version,
    warningsigns,
    coping,
    distractions,
    helpers: helpers.length > 0 ? helpers : [{ ...EMPTY_HELPER }],
    services,
    means,
    importantthings,
    copies,
    reviewdate: reviewdate ?? '',
  };
}
