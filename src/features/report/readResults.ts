import { codeOf } from '#contract/menu.ts';
import { problems } from '#contract/problem.ts';
import type { Staff } from '#server/dispatch/caller.ts';

/** Refuses class teachers and ward nurses: they see the crisis screen of their own teams, never scores or answers. */
export function assertNotRestricted(caller: Staff) {
  if (caller.ownTeamsOnly) throw problems.notAllowed();
}
/** Whether a person of this age is a minor; the audit log marks reads of minors' data. */
export const isMinor = (age: number | null) => age !== null && age < 18;
/** Whether the caller reads single answers. */
export const canReadAnswers = (caller: Staff) => caller.codes.has(codeOf('exam.answers'));
