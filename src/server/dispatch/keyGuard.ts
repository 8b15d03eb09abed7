import type { Action } from '#contract/action.ts';
import { isOpenToKey } from '#contract/apikey/openToKeys.ts';
import { problems, type Problem } from '#contract/problem.ts';
import { withScope } from '#server/db/scope.ts';
import { writeAudit } from '#server/dispatch/audit.ts';
import { actorOfKey, hashToken, type Staff } from '#server/dispatch/caller.ts';
import { RateLimiter } from '#server/dispatch/rateLimiter.ts';
import type { Services } from '#server/dispatch/services.ts';
import { KEY_TOKEN } from '#server/security/tokenStart.ts';

const MINUTE = 60_000;
const REFUSALS: readonly number[] = [
  problems.identityInvalid().code,
  problems.notAllowed().code,
  problems.notWhileActing().code,
  problems.notOpenToKeys().code,
];

/** The checks of calls with an API key. */
export function keyGuard({ pools, cipher }: Pick<Services, 'pools' | 'cipher'>) {
  /** when each key made its calls of the last minute; of a key at rest, of its last minute */
  const calls = new Map<string, readonly number[]>();
  const refusals = new RateLimiter(1, 1 / 60);
  return {
    /**
     * Refuses more calls than the key may make in any 60 seconds (190001), and calls that are not open to keys or outside of the groups
     * of the key (110017).
     */
    check({ name }: Action, { scopes, permin }: NonNullable<Staff['apikey']>, session: string): void {
      const now = performance.now();
      const recent = (calls.get(session) ?? []).filter((time) => time > now - MINUTE);
      if (recent.length >= permin) throw problems.tooManyRequests();
      calls.set(session, [...recent, now]);
      if (!isOpenToKey(name, scopes)) throw problems.notOpenToKeys();
    },

    /** Records a refused call of a key that exists, valid or not, in the audit log: at most one a minute for each key. */
    async recordRefusal(action: Action | undefined, { token, ip }: { token: string; ip: string }, { code, message }: Problem) {
      if (!action || !token.startsWith(KEY_TOKEN) || !REFUSALS.includes(code)) return;
      const session = hashToken(token);
      if (refusals.isSpent(session, 1)) return;
      refusals.take(session, 1);
      const { rows } = await pools.authn.query<{ musercode: string; keyid: string; keyname: string }>(
        `select s.musercode, left(tokenhash, 16) as keyid, k.keyname from auth.apikey k join auth.session s using (tokenhash)
         where tokenhash = $1`,
        [session],
      );
      const [key] = rows;
      if (!key) return;
      const { musercode, keyid, keyname } = key;
      const caller = { kind: 'staff' as const, musercode, accountid: musercode, ...actorOfKey(keyid, keyname) };
      await withScope(pools.app, { session: '' }, (scope) =>
        writeAudit({ scope, cipher }, action, caller, { detail: { refusal: message } }, ip),
      );
    },
  };
}
