import { problems } from '#contract/problem.ts';
import type { Staff } from '#server/dispatch/caller.ts';
import type { Scope } from '#server/db/scope.ts';
import { markEdit } from '#server/dispatch/edits.ts';
import * as queries from '#features/app/app.queries.ts';

/**
 * Refuses unknown applications with 130001, and applications the provider lacks with 110004. The platform may grant all. A provider
 * without a list of its own may grant all, too.
 */
export async function requireAppsToGrant(scope: Scope, caller: Staff, appids: readonly string[]) {
  const existing = await queries.findExistingApps(scope, appids);
  if (appids.some((appid) => !existing.includes(appid))) throw problems.notFound({ what: '应用' });
  if (caller.musertype === '001') return;
  const own = await queries.findOwnApps(scope, caller.musercode);
  if (own.length && appids.some((appid) => !own.includes(appid))) throw problems.notAllowed(undefined, { field: 'appids' });
}

/** Sets the applications of an institution. `stagecodes` also sets the stages of an application. */
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
  await markEdit(scope, 'muser', 'musercode', musercode, 'apps');
}
