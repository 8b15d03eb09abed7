import { ApiError } from '#contract/apiError.ts';
import type { FieldChange } from '#contract/problem.ts';

/** `problems.changedMeanwhile` of contract/problem.ts. */
export const CHANGED_MEANWHILE = 140002;

/** What 140002 says when the server knows the fields: who changed them, when, to which value, and the present version. */
export interface Conflict {
  changes: FieldChange[];
  version: number;
}

/** Returns the conflict of a refusal; undefined for every other error. */
export function conflictOf(error: unknown): Conflict | undefined {
  if (!(error instanceof ApiError) || error.code !== CHANGED_MEANWHILE) return undefined;
  const data = error.data as Partial<Conflict> | undefined;
  return data?.changes ? (data as Conflict) : undefined;
}
