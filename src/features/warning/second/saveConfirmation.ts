import type { ConfirmSubject } from '#domain/warning/warningfacts.ts';
import { actorId, findActor, type StaffContext } from '#features/warning/handling/transition.ts';
import { confirmConclusions } from '#features/warning/interview/confirmConclusions.ts';
import { addConfirmation, findCaseKeys } from '#features/warning/special/special.queries.ts';

/** Stores the caller's confirmation as the second person. The step of the case has checked the caller before. */
export async function saveConfirmation(
  ctx: StaffContext,
  warningcode: string,
  { subject, content, objectid }: { subject: ConfirmSubject; content: string; objectid?: string | undefined },
): Promise<void> {
  await addConfirmation(ctx.scope, {
    ...(await findCaseKeys(ctx.scope, warningcode)),
    warningcode,
    subject,
    objectid: objectid ?? null,
    userid: actorId(ctx.caller),
    username: ctx.caller.name,
    humankeys: await findActor(ctx),
    content,
    time: ctx.now,
  });
  if (subject === 'conclusion') await confirmConclusions(ctx, warningcode);
}
