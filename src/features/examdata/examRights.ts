import { codeOf } from '#contract/menu.ts';
import { problems } from '#contract/problem.ts';
import type { Staff } from '#server/dispatch/caller.ts';

/** Refuses class teachers and ward nurses: they see neither scores nor answers of their teams. */
export function assertReadsResults(caller: Staff) {
  if (caller.ownTeamsOnly) throw problems.notAllowed();
}
/** Whether the caller reads single answers. */
export const canReadAnswers = (caller: Staff): boolean => caller.codes.has(codeOf('exam.answers'));
