import { nextForms } from '#domain/scoring/scoring.ts';
import type { PersonFacts } from '#domain/scoring/scale.ts';
import type { Scope } from '#server/db/scope.ts';
import { withScales } from '#features/form/scaleCache.ts';
import type { RespondentForm } from '#features/respond/respond.contract.ts';
import type { ScaledForm } from '#features/respond/exam/answers.ts';
import type { Results } from '#features/respond/exam/raiseAlert.ts';
import { toSheet } from '#features/respond/exam/sitting.ts';
import { addForms } from '#features/respond/exam/submission.queries.ts';

/**
 * Adds the longer forms that a positive short form asks for (PHQ-2 → PHQ-9, GAD-2 → GAD-7 …) to the same exam, and returns their
 * sheets. It adds no form that the exam has already, or that age, population or licence exclude. The exam still uses one count.
 */
export async function addNextForms(
  scope: Scope,
  examcode: string,
  forms: readonly ScaledForm[],
  results: Results,
  { age, person, now }: { age: number | null; person: PersonFacts; now: Date },
): Promise<RespondentForm[]> {
  const present = new Set(forms.map(({ scale }) => scale.formcode));
  const wantedCodes = forms.flatMap(({ scale }) => {
    const outcome = results[scale.formcode];
    return outcome ? nextForms(scale, outcome.result, person) : [];
  });
  const formcodes = [...new Set(wantedCodes)].filter((formcode) => !present.has(formcode));
  if (formcodes.length === 0) return [];
  const added = await addForms(scope, examcode, formcodes, age, now);
  return (await withScales(scope, added)).map((form) => toSheet({ ...form, answers: {}, seqs: {} }));
}
