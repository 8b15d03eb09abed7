import fc from 'fast-check';
import { expect, test } from 'vitest';
import { exportToFile } from '#features/muser/muser.contract.ts';
import { getLoginAsAccounts, leaveLoginAs, loginAs } from '#features/session/acting.contract.ts';
import { endMySession } from '#features/account/profile.contract.ts';
import { getUserInfo, logout, stepUp } from '#features/session/session.contract.ts';
import { setPermission } from '#testing/factories.ts';
import { CallError, startServer } from '#testing/server.ts';
import { addColleague, md5, signIn } from '#testing/staff.ts';

/**
 * Sessions against a model: whatever is done in whatever order, what a session may do at its next call is what the model says. 孙技术
 * looks after institutions at the provider and acts, at times, for the psychologist of a school.
 */

type Server = Awaited<ReturnType<typeof startServer>>;
interface Held {
  token: string;
  alive: boolean;
  proven: boolean;
  /** the session it was opened from, while it acts for somebody */
  parent?: Held;
}
interface Model {
  sessions: Held[];
  enabled: boolean;
  right: boolean;
}
type Step = (model: Model, real: Real) => Promise<void>;
interface Real {
  server: Server;
  userid: string;
  word: string;
}

const alive = (model: Model, heldHeld: Held): boolean =>
  heldHeld.alive && (!heldHeld.parent || (heldHeld.parent.alive && model.right));
const own = (model: Model) => model.sessions.filter((session) => session.alive && !session.parent);
const acting = (model: Model) => model.sessions.filter((session) => session.parent && alive(model, session));
const codeOf = (call: Promise<unknown>): Promise<number> =>
  call.then(
    () => 0,
    (error: unknown) => (error instanceof CallError ? error.code : 1),
  );
const end = (model: Model, which: (heldHeld: Held) => boolean) => {
  for (const session of model.sessions) if (which(session)) session.alive = false;
};
/** Ended sessions stay in the model: none may come back to life. */
const at = <T>(list: readonly T[], n: number): T | undefined => list[n % Math.max(1, list.length)];

const steps: Readonly<Record<string, (n: number) => Step>> = {
  signIn:
    () =>
    async (model, { server, word }) => {
      if (!model.enabled || own(model).length >= 5) return;
      const { token } = await signIn(server, 'sun', word);
      model.sessions.push({ token, alive: true, proven: true });
    },
  signOut:
    (n) =>
    async (model, { server }) => {
      const one = at(model.sessions, n);
      if (!one) return;
      await server.withToken(one.token)(logout, {});
      one.alive = false;
      if (one.parent) one.parent.alive = false;
    },
  endOthers:
    (n) =>
    async (model, { server }) => {
      const keep = at(own(model), n);
      if (!keep) return;
      await server.withToken(keep.token)(endMySession, {});
      end(model, (heldHeld) => heldHeld !== keep && !heldHeld.parent);
    },
  wait:
    () =>
    async (model, { server }) => {
      await server.sqlAsOwner("update auth.session set stepuptime = stepuptime - interval '6 minutes' where loginasby is null");
      for (const session of model.sessions) session.proven = false;
    },
  prove:
    (n) =>
    async (model, { server, word }) => {
      const one = at(own(model), n);
      if (!one) return;
      const before = one.token;
      one.token = (await server.withToken(before)(stepUp, { pwd: md5(word) })).token;
      one.proven = true;
      expect(await codeOf(server.withToken(before)(getUserInfo, {}))).toBe(110000);
    },
  disable:
    () =>
    async (model, { server, userid }) => {
      await server.sqlAsOwner('update sysuser set enabled = 0 where userid = $1', [userid]);
      model.enabled = false;
      end(model, () => true);
    },
  enable:
    () =>
    async (model, { server, userid }) => {
      await server.sqlAsOwner('update sysuser set enabled = 1 where userid = $1', [userid]);
      model.enabled = true;
    },
  takeRight:
    () =>
    async (model, { server, userid }) => {
      await setPermission(server, userid, '00024', 'deny');
      model.right = false;
    },
  giveRight:
    () =>
    async (model, { server, userid }) => {
      await server.sqlAsOwner("delete from sysuserpermission where userid = $1 and code = '00024'", [userid]);
      model.right = true;
    },
  act:
    (n) =>
    async (model, { server }) => {
      const from = at(own(model), n);
      if (!from) return;
      const request = { musercode: 'M_CHENGUANG', userid: 'U_CHEN', reason: '协助核对名册导入的问题' };
      if (!model.right || !from.proven) {
        expect(await codeOf(server.withToken(from.token)(loginAs, request))).toBe(model.right ? 110007 : 110004);
        return;
      }
      const { token } = await server.withToken(from.token)(loginAs, request);
      end(model, (heldHeld) => heldHeld.parent === from);
      model.sessions.push({ token, alive: true, proven: false, parent: from });
    },
  goBack:
    (n) =>
    async (model, { server }) => {
      const one = at(acting(model), n);
      if (!one?.parent) return;
      const { token } = await server.withToken(one.token)(leaveLoginAs, {});
      const { proven } = one.parent;
      one.alive = false;
      one.parent.alive = false;
      model.sessions.push({ token, alive: true, proven });
    },
};

/** What every session answers now: whether it lives, and whether it may take a file away. */
async function check(model: Model, { server }: Real) {
  for (const session of model.sessions) {
    const call = server.withToken(session.token);
    const lives = alive(model, session);
    const answers = [await codeOf(call(getUserInfo, {})), await codeOf(call(exportToFile, {}))];
    // Acting for a school's psychologist, institutions are none of their business in the first place.
    const file = !lives ? 110000 : session.parent ? 110004 : session.proven ? 0 : 110007;
    expect(answers).toEqual([lives ? 0 : 110000, file]);
    if (lives && !session.parent)
      expect(await codeOf(call(getLoginAsAccounts, { musercode: 'M_CHENGUANG' }))).toBe(model.right ? 0 : 110004);
  }
}

test('the next call respects any order of sign-ins, sign-outs, disabling, lost rights, step-ups and acting', async () => {
  const server = await startServer();
  const roles = await server.sqlAsOwner<{ roleid: string }>("select roleid from role where rolekey = 'provideradmin'");
  const sun = await addColleague(server, {
    sysusername: 'sun',
    who: 'fang',
    musercode: 'M_ANLAN',
    roleids: [Number(roles[0]?.roleid)],
  });
  const real: Real = { server, userid: sun.userid, word: 'Own-sun-9!' };
  const command = fc.record({ name: fc.constantFrom(...Object.keys(steps)), n: fc.nat(7) });
  await fc.assert(
    fc.asyncProperty(fc.array(command, { minLength: 3, maxLength: 10 }), async (commands) => {
      await server.sqlAsOwner('update sysuser set enabled = 1 where userid = $1', [sun.userid]);
      await server.sqlAsOwner('delete from sysuserpermission where userid = $1', [sun.userid]);
      await server.sqlAsOwner('update auth.session set revoked = now() where accountid = $1 or loginasby = $1', [sun.userid]);
      const model: Model = { sessions: [], enabled: true, right: true };
      await steps['signIn']?.(0)(model, real);
      for (const { name, n } of commands) {
        await steps[name]?.(n)(model, real);
        await check(model, real);
      }
    }),
    { numRuns: Number(process.env['SESSION_RUNS'] ?? 12) },
  );
});
