import { shanghaiTime } from '#domain/base/calendar.ts';
import { problems } from '#contract/problem.ts';
import { findFollowUpStaff, findInstitutionOf } from '#features/care/followup/work.queries.ts';
import { addNotices } from '#features/warning/alerts/notify.queries.ts';
import type { StaffContext } from '#features/warning/handling/transition.ts';

/** Who is responsible for a follow-up: `followup.owneruserid`, else the owner of its case. */

/**
 * Refuses (120002) an owner who may not record follow-ups of the institution, or is suspected of harm in the case. Staff of a provider may
 * take a follow-up over themselves.
 */
export async function requireOwner(
  { scope, caller }: StaffContext,
  owneruserid: string,
  { musercode, suspects }: { musercode: string; suspects: readonly string[] },
): Promise<void> {
  const refuse = () => problems.invalid({ message: '该同事不能负责此次随访，请另选' }, { field: 'owneruserid' });
  if (suspects.includes(owneruserid)) throw refuse();
  if (owneruserid === caller.userid) return;
  const staff = await findFollowUpStaff(scope, musercode);
  if (!staff.some(({ userid }) => userid === owneruserid)) throw refuse();
}

/** Tells a colleague of follow-ups that somebody else gave over: one message a minute, and no name of a person in it. */
export async function notifyOwner({ scope, caller, now }: StaffContext, owneruserid: string, duetime: Date): Promise<void> {
  if (owneruserid === caller.userid) return;
  const musercode = await findInstitutionOf(scope, owneruserid);
  if (musercode === undefined) return;
  const minute = shanghaiTime(now).slice(0, 16);
  await addNotices(scope, [
    {
      musercode,
      userid: owneruserid,
      kind: 'followup',
      title: '有随访交给您负责',
      content: `${caller.name}把随访交给您负责，应于 ${shanghaiTime(duetime).slice(0, 16)} 随访。`,
      link: '/registration/followUpManagement?mine=1',
      dedupekey: `followupowner:${owneruserid}:${caller.accountid}:${minute}`,
      createtime: now,
    },
  ]);
}
