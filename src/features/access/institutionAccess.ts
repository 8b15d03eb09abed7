import { codeOf } from '#contract/menu.ts';
import { problems } from '#contract/problem.ts';
import type { Staff } from '#server/dispatch/caller.ts';
import type { Scope } from '#server/db/scope.ts';
import { findPlace } from '#features/access/institutionAccess.queries.ts';

/** Returns whether the caller manages this type: schools and hospitals by 机构管理, providers and authorities by 服务商管理. */
export function canManageType(caller: Staff, musertype: string): boolean {
  if (musertype === '004' || musertype === '005') return caller.codes.has(codeOf('service.institutions'));
  return caller.musertype === '001' && caller.codes.has(codeOf('service.providers'));
}

/**
 * Returns an institution strictly below the caller that the caller manages. Refuses institutions out of reach with 130001, whether
 * they exist or not. Refuses the caller's own institution, and types the caller does not manage, with 110004.
 */
export async function requireBelow(scope: Scope, caller: Staff, musercode: string) {
  const place = await findPlace(scope, musercode);
  if (!place) throw problems.notFound({ what: '机构' });
  if (musercode === caller.musercode || !canManageType(caller, place.musertype)) throw problems.notAllowed();
  return place;
}

/** Returns the caller's institution or one below it; refuses any other with 130001. */
export async function requireReach(scope: Scope, musercode: string) {
  const place = await findPlace(scope, musercode);
  if (!place) throw problems.notFound({ what: '机构' });
  return place;
}
