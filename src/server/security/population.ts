import { populationsOf } from '#contract/population.ts';
import { problems } from '#contract/problem.ts';
import type { Staff } from '#server/dispatch/caller.ts';

/** The populations that the caller sees; null means all. Asking for another one answers 110004. */
export function permittedPopulations(caller: Staff, appid?: string): readonly string[] | null {
  const appids = populationsOf(caller.codes);
  if (appid && appids && !appids.includes(appid)) throw problems.notAllowed();
  return appids;
}
