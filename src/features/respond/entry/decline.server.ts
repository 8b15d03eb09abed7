import { handle } from '#server/dispatch/handle.ts';
import { runAsSystem } from '#server/db/systemSession.ts';
import { notifyOfDecline } from '#features/consent/notifyOfDecline.ts';
import * as contract from '#features/respond/respond.contract.ts';
import { declineOpenTasks } from '#features/respond/entry/decline.queries.ts';

/** 这次不参加: ends the chase of the person and tells the psychologist. It runs in the server's session, which writes notices. */
export const declineTasks = handle(contract.declineTasks, async (_, { pools, caller, now }) => {
  const { cuserid, musercode } = caller;
  const declined = await runAsSystem(pools, musercode, async (scope) => {
    const rows = await declineOpenTasks(scope, cuserid);
    for (const row of rows) await notifyOfDecline(scope, { ...row, cuserid, now });
    return rows.length;
  });
  return { declined };
});
