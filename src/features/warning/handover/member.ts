import { codeOf } from '#contract/menu.ts';
import { problems } from '#contract/problem.ts';
import type { ReadContext } from '#server/dispatch/handle.ts';
import { assertMayManageRights } from '#server/dispatch/rights.ts';
import { findMember } from '#features/warning/handover/handover.queries.ts';

/**
 * Returns the caller, or a member of staff of the caller's institution for callers with 用户管理. Refuses an institution's own account,
 * which owns no case.
 */
export async function requireMember(
  { scope, caller }: Pick<ReadContext<'staff'>, 'scope' | 'caller'>,
  userid: string | undefined,
) {
  const id = userid ?? caller.userid;
  if (id === null) throw problems.notFound({ what: '用户' });
  if (id !== caller.userid) {
    if (!caller.codes.has(codeOf('organization.users'))) throw problems.notAllowed();
    assertMayManageRights(caller);
  }
  const member = await findMember(scope, id);
  if (!member || member.musercode !== caller.musercode) throw problems.notFound({ what: '用户' });
  return member;
}
