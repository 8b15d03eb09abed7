import { isSameHuman } from '#domain/warning/decision/secondPerson.ts';
import { problems } from '#contract/problem.ts';
import { actorId, findActor, type StaffContext } from '#features/warning/handling/transition.ts';
import { findPendingConclusions, saveConfirmation } from '#features/warning/interview/interview.queries.ts';
import { findHumanKeys } from '#features/warning/humans.queries.ts';

/**
 * Marks the low conclusions since the last news as confirmed by the caller, so that they count with their own level. The step of
 * the case has checked the caller before. Refuses (140001) a caller who did one of these interviews.
 */
export async function confirmConclusions(ctx: StaffContext, warningcode: string): Promise<void> {
  const { scope, caller, now } = ctx;
  const rows = await findPendingConclusions(scope, warningcode);
  const human = await findActor(ctx);
  for (const assessor of new Set(rows.map((row) => row.assessor)))
    if (isSameHuman(human, await findHumanKeys(scope, assessor))) throw problems.wrongState({ why: '复核人不能是访谈人' });
  await saveConfirmation(
    scope,
    rows.map(({ assessid }) => assessid),
    { confirmedby: actorId(caller), confirmedname: caller.name, confirmtime: now },
  );
}
