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
 * Compares sessions with a model. After any order of steps, the next call of each session must behave as the model predicts.
 * 孙技术 manages institutions at the provider and sometimes acts for the psychologist of a school.
 */

type Server = Awaited<ReturnType<typeof startServer>>;
interface ModelSession {
  token: string;
  isAlive: boolean;
  hasStepUp: boolean;
  /** the session from which an acting session was opened */
  parent?: ModelSession;
}
interface Model {
  sessions: ModelSession[];
  isEnabled: boolean;
  hasRight: boolean;
}
type Step = (model: Model, real: Real) => Promise<void>;
interface Real {
  server: Server;
  userid: string;
  password: string;
}

const isUsable = (model: Model, session: ModelSession): boolean =>
  session.isAlive && (!session.parent || (session.parent.isAlive && model.hasRight));
const own = (model: Model) => model.sessions.filter((session) => session.isAlive && !session.parent);
const acting = (model: Model) => model.sessions.filter((session) => session.parent && isUsable(model, session));
const codeOf = (call: Promise<unknown>): Promise<number> =>
  call.then(
    () => 0,
    (error: unknown) => (error instanceof CallError ? error.code : 1),
  );
const end = (model: Model, matches: (session: ModelSession) => boolean) => {
  for (const session of model.sessions) if (matches(session)) session.isAlive = false;
};
// Ended sessions stay in the model, because none may become valid again.
const pick = <T>(list: readonly T[], n: number): T | undefined => list[n % Math.max(1, list.length)];

const steps: Readonly<Record<string, (n: number) => Step>> = {
  signIn:
    () =>
    async (model, { server, password }) => {
      if (!model.isEnabled || own(model).length >= 5) return;
      const { token } = await signIn(server, 'sun', password);
      model.sessions.push({ token, isAlive: true, hasStepUp: true });
    },
  signOut:
    (n) =>
    async (model, { server }) => {
      const session = pick(model.sessions, n);
      if (!session) return;
      await server.withToken(session.token)(logout, {});
      session.isAlive = false;
      if (session.parent) session.parent.isAlive = false;
    },
  endOthers:
    (n) =>
    async (model, { server }) => {
      const currentSession = pick(own(model), n);
      if (!currentSession) return;
      await server.withToken(currentSession.token)(endMySession, {});
      end(model, (session) => session !== currentSession && !session.parent);
    },
  wait:
    () =>
    async (model, { server }) => {
      await server.sqlAsOwner("update auth.session set stepuptime = stepuptime - interval '16 minutes' where loginasby is null");
      for (const session of model.sessions) session.hasStepUp = false;
    },
  stepUp:
    (n) =>
    async (model, { server, password }) => {
      const session = pick(own(model), n);
      if (!session) return;
      const before = session.token;
      session.token = (await server.withToken(before)(stepUp, { pwd: md5(password) })).token;
      session.hasStepUp = true;
      expect(await codeOf(server.withToken(before)(getUserInfo, {}))).toBe(110000);
    },
  disable:
    () =>
    async (model, { server, userid }) => {
      await server.sqlAsOwner('update sysuser set enabled = 0 where userid = $1', [userid]);
      model.isEnabled = false;
      end(model, () => true);
    },
  enable:
    () =>
    async (model, { server, userid }) => {
      await server.sqlAsOwner('update sysuser set enabled = 1 where userid = $1', [userid]);
      model.isEnabled = true;
    },
  denyRight:
    () =>
    async (model, { server, userid }) => {
      await setPermission(server, userid, '00024', 'deny');
      model.hasRight = false;
    },
  allowRight:
    () =>
    async (model, { server, userid }) => {
      await server.sqlAsOwner("delete from sysuserpermission where userid = $1 and code = '00024'", [userid]);
      model.hasRight = true;
    },
  act:
    (n) =>
    async (model, { server }) => {
      const parent = pick(own(model), n);
      if (!parent) return;
      const request = { musercode: 'M_CHENGUANG', userid: 'U_CHEN', reason: '协助核对名册导入的问题' };
      if (!model.hasRight || !parent.hasStepUp) {
        expect(await codeOf(server.withToken(parent.token)(loginAs, request))).toBe(model.hasRight ? 110007 : 110004);
        return;
      }
      const { token } = await server.withToken(parent.token)(loginAs, request);
      end(model, (session) => session.parent === parent);
      model.sessions.push({ token, isAlive: true, hasStepUp: false, parent });
    },
  goBack:
    (n) =>
    async (model, { server }) => {
      const session = pick(acting(model), n);
      if (!session?.parent) return;
      const { token } = await server.withToken(session.token)(leaveLoginAs, {});
      const { hasStepUp } = session.parent;
      session.isAlive = false;
      session.parent.isAlive = false;
      model.sessions.push({ token, isAlive: true, hasStepUp });
    },
};

/** Compares each session with the model by two calls: reading the own record, and an export. */
async function check(model: Model, { server }: Real) {
  for (const session of model.sessions) {
    const call = server.withToken(session.token);
    const isValid = isUsable(model, session);
    const answers = [await codeOf(call(getUserInfo, {})), await codeOf(call(exportToFile, {}))];
    // The psychologist of a school has no right to export institutions.
    const exportCode = !isValid ? 110000 : session.parent ? 110004 : session.hasStepUp ? 0 : 110007;
    expect(answers).toEqual([isValid ? 0 : 110000, exportCode]);
    if (isValid && !session.parent)
      expect(await codeOf(call(getLoginAsAccounts, { musercode: 'M_CHENGUANG' }))).toBe(model.hasRight ? 0 : 110004);
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
  const real: Real = { server, userid: sun.userid, password: 'Own-sun-9!' };
  const command = fc.record({ name: fc.constantFrom(...Object.keys(steps)), n: fc.nat(7) });
  await fc.assert(
    fc.asyncProperty(fc.array(command, { minLength: 3, maxLength: 10 }), async (commands) => {
      await server.sqlAsOwner('update sysuser set enabled = 1 where userid = $1', [sun.userid]);
      await server.sqlAsOwner('delete from sysuserpermission where userid = $1', [sun.userid]);
      await server.sqlAsOwner('update auth.session set revoked = now() where accountid = $1 or loginasby = $1', [sun.userid]);
      const model: Model = { sessions: [], isEnabled: true, hasRight: true };
      await steps['signIn']?.(0)(model, real);
      for (const { name, n } of commands) {
        await steps[name]?.(n)(model, real);
        await check(model, real);
      }
    }),
    { numRuns: Number(process.env['SESSION_RUNS'] ?? 12) },
  );
});
