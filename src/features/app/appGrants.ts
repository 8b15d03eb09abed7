import { problems } from '#contract/problem.ts';
import type { Staff } from '#server/dispatch/caller.ts';
import type { Scope } from '#server/db/scope.ts';
import * as queries from '#features/app/app.queries.ts';

/**
 * Refuses applications there are not, and those a provider does not have itself. The platform gives all; a provider that was given
 * no list of its own sells them all.
 */
export async function requireAppsToGrant(scope: Scope, caller: Staff, appids: readonly string[]) {
  const knownApps = await queries.findKnownApps(scope, appids);
  if (appids.some((appid) => !knownApps.includes(appid))) throw problems.notFound({ what: '应用' });
  if (caller.musertype === '001') return;
  const own = await queries.findOwnApps(scope, caller.musercode);
  if (own.length && appids.some((appid) => !own.includes(appid))) throw problems.notAllowed(undefined, { field: 'appids' });
}

/** Makes the applications of an institution, and where given their stages, exactly these. */
export async function grantApps(
  scope: Scope,
  musercode: string,
  items: readonly queries.Choice[],
  window: { begindate?: string | null | undefined; enddate?: string | null | undefined },
) {
  await queries.replaceApps(
    scope,
    musercode,
    items.map((item) => item.appid),
    window,
  );
  for (const { appid, stagecodes } of items)
    if (stagecodes) await queries.replaceStages(scope, musercode, appid, [...new Set(stagecodes)]);
}
