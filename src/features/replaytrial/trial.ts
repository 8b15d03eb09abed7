import { createHash } from 'node:crypto';
import { addDays } from '#domain/base/calendar.ts';
import { problems } from '#contract/problem.ts';
import type { Context } from '#server/dispatch/handle.ts';
import * as queries from '#features/replaytrial/trial.queries.ts';

/** What a trial is about: only the parts that decide a level. Names and texts may change afterwards. */
export type Tried =
  | {
      kind: 'rule';
      cond: unknown;
      warninglevel: number;
      appid: string | null;
      plancode: string | null;
    }
  | {
      kind: 'bands';
      quotacode: string;
      appid: string | null;
      gender: string | null;
      agemin: number | null;
      agemax: number | null;
      options: readonly { minscore: number | null; maxscore: number | null; level: number }[];
    }
  | { kind: 'version'; formcode: string; definitionhash: string };

/** The value with the keys of its objects in order, so that equal contents have one text. */
const inKeyOrder = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(inKeyOrder);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([, member]) => member !== undefined)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([key, member]) => [key, inKeyOrder(member)]),
  );
};

/** The hash of a content. */
export const hashOf = (tried: Tried): string =>
  createHash('sha256')
    .update(JSON.stringify(inKeyOrder(tried)))
    .digest('hex');

const TRIAL_HOURS = 24;
const PAST_DAYS = 366;
const HOUR = 3_600_000;

/**
 * Refuses (140001) to switch on a rule, a set of bands or a new version that nobody replayed in the last 24 hours. An institution
 * without any sitting of the last year has nothing to replay.
 */
export async function requireTrial(ctx: Pick<Context<'staff'>, 'scope' | 'caller' | 'now'>, tried: Tried): Promise<void> {
  const { scope, caller, now } = ctx;
  const formcode = tried.kind === 'rule' ? undefined : tried.kind === 'version' ? tried.formcode : tried.quotacode.split('.')[0];
  const musercode = caller.musertype === '004' || caller.musertype === '005' ? caller.musercode : undefined;
  if (!(await queries.hasSittings(scope, { musercode, formcode, since: addDays(now, -PAST_DAYS) }))) return;
  const since = new Date(now.getTime() - TRIAL_HOURS * HOUR);
  if (await queries.hasTrial(scope, caller.musercode, hashOf(tried), since)) return;
  throw problems.wrongState(
    { why: '启用前请先用既往答卷回放一次，看清会多提示或少提示哪些人；回放后 24 小时内可以启用' },
    { data: { trial: tried.kind } },
  );
}
