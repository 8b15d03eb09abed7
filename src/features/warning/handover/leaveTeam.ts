import type { Scope } from '#server/db/scope.ts';
import type { Staff } from '#server/dispatch/caller.ts';
import { caseLink } from '#features/warning/alerts/notify.queries.ts';
import { operatorOf } from '#features/warning/handling/transition.ts';
import { findAbleStaff, findCasesOfMembers, notifyAccounts } from '#features/warning/handover/handover.queries.ts';
import { chooseReceiver } from '#features/warning/handover/receiver.ts';
import { addLog } from '#features/warning/warning.queries.ts';

/**
 * Tells the owners of open cases that a person left a team. The case and its deadlines go on. A case without an owner tells the next
 * able person. Writes a line in the log of each case.
 */
export async function tellOwnersOfLeaving(
  { scope, caller, now }: { scope: Scope; caller: Staff; now: Date },
  leaves: readonly { teamcode: string; cuserid: string }[],
): Promise<void> {
  if (leaves.length === 0) return;
  for (const row of await findCasesOfMembers(scope, leaves)) {
    const { warningcode, musercode, teamname } = row;
    await addLog(scope, row, {
      action: '名册变动',
      time: now,
      content: `本人已不在“${teamname}”，预警与时限不变`,
      ...operatorOf(caller),
    });
    const staff = row.owneruserid ? [] : await findAbleStaff(scope, musercode, now);
    const able = chooseReceiver(
      staff.filter((item) => !row.suspectuserids.includes(item.userid)),
      musercode,
    );
    const userid = row.owneruserid ?? able?.userid;
    if (userid)
      await notifyAccounts(scope, [
        {
          kind: 'warning',
          musercode: able?.musercode ?? musercode,
          userid,
          title: `本人已离开“${teamname}”`,
          content: `${caller.name}调整了名册。预警与时限不变，请确认联系方式，并告知新的班主任或负责人。`,
          warningcode,
          link: caseLink(warningcode),
          dedupekey: `leaving:${warningcode}:${row.teamcode}:${now.getTime()}`,
          time: now,
        },
      ]);
  }
}
