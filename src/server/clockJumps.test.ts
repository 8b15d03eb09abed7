import { expect, onTestFinished, test, vi } from 'vitest';
import { hashToken } from '#server/dispatch/caller.ts';
import { RateLimiter } from '#server/dispatch/rateLimiter.ts';
import { CallBudget } from '#server/nodes/callBudget.ts';
import { Leases } from '#server/nodes/leases.ts';
import { throttleByKey } from '#server/http/throttleByKey.ts';
import { codeAt } from '#server/security/totp.ts';
import * as factor from '#features/account/factor.contract.ts';
import * as session from '#features/session/session.contract.ts';
import { touchSession } from '#features/session/session.queries.ts';
import { escalateOverdue } from '#features/warning/alerts/escalate.ts';
import { insertWarning } from '#features/warning/handling/handling.contract.ts';
import { endDueTasks } from '#features/task/closing.server.ts';
import { runAsSystem } from '#server/db/systemSession.ts';
import { aStudent } from '#testing/factories.ts';
import { startServer, type CallError } from '#testing/server.ts';
import { addColleague, md5, signIn } from '#testing/staff.ts';

const password = 'Own-wangting-9!';
const codeOf = (work: Promise<unknown>) =>
  work.then(
    () => 0,
    (error: unknown) => (error as CallError).code,
  );
/** Sets the clock of the machine. Its monotonic clock goes on. */
function setClock(hours: number) {
  vi.setSystemTime(Date.now() + hours * 3_600_000);
  onTestFinished(() => void vi.useRealTimers());
}

/** 王婷 with a session. `shift` moves times of her rows, as if the clock had been ahead by these hours when they were written. */
async function createWangTing() {
  const server = await startServer();
  const wangTing = await addColleague(server, { sysusername: 'wangting' });
  const shift = (columns: readonly string[], hours: number) =>
    server.sqlAsOwner(
      `update auth.session set ${columns.map((column) => `${column} = ${column} + make_interval(hours => $2)`).join(', ')}
       where accountid = $1`,
      [wangTing.userid, hours],
    );
  return { ...server, wangTing, shift };
}

test('after the clock was put back by an hour, nobody waits for the limiter, and sessions in use are still recorded', () => {
  const limiter = new RateLimiter(10, 1_000);
  const written: string[] = [];
  const touch = throttleByKey((key) => written.push(key));
  limiter.take('wangting', 5);
  setClock(-1);
  expect(limiter.isSpent('wangting', 5)).toBe(false);
  limiter.take('wangting', 5);
  touch(hashToken('a'));
  setClock(-3);
  touch(hashToken('b'));
  expect(written).toEqual([hashToken('a'), hashToken('b')]);
  // Ahead by a year: a spent budget is not full again at once.
  const slow = new RateLimiter(10, 0.001);
  slow.take('wangting', 10);
  setClock(24 * 365);
  expect(slow.isSpent('wangting', 1)).toBe(true);
});

test('a session that was opened while the clock was ahead ends when the clock is put right', async () => {
  const { wangTing, shift } = await createWangTing();
  expect(await codeOf(wangTing.call(session.getUserInfo, {}))).toBe(0);
  await shift(['createtime', 'lastseen', 'expiretime', 'stepuptime'], 24);
  expect(await codeOf(wangTing.call(session.getUserInfo, {}))).toBe(110000);
  await shift(['createtime', 'lastseen', 'expiretime', 'stepuptime'], -24);
  expect(await codeOf(wangTing.call(session.getUserInfo, {}))).toBe(0);
});

test('a step-up of the time when the clock was ahead does not count, and a new one does', async () => {
  const { wangTing, shift } = await createWangTing();
  expect(await codeOf(wangTing.call(factor.beginSecondFactor, {}))).toBe(0);
  await shift(['stepuptime'], 24);
  expect(await codeOf(wangTing.call(factor.beginSecondFactor, {}))).toBe(110007);
  await wangTing.call(session.stepUp, { pwd: md5(password) });
  expect(await codeOf(wangTing.call(factor.beginSecondFactor, {}))).toBe(0);
});

test('a use of the time when the clock was ahead does not keep an idle session open after the next use', async () => {
  const { wangTing, shift, services, sqlAsOwner } = await createWangTing();
  await shift(['lastseen'], 6);
  await touchSession(services.pools.authn, hashToken(wangTing.token()));
  expect(
    await sqlAsOwner('select lastseen <= now() as isnow from auth.session where tokenhash = $1', [hashToken(wangTing.token())]),
  ).toEqual([{ isnow: true }]);
});

test('a lock of the time when the clock was ahead ends at once, and wrong passwords lock again', async () => {
  const server = await createWangTing();
  for (let n = 0; n < 5; n += 1) expect(await codeOf(signIn(server, 'wangting', `Wrong-${n}`))).toBe(110001);
  expect(await codeOf(signIn(server, 'wangting', password))).toBe(110003);
  await server.sqlAsOwner("update auth.throttle set until = until + interval '1 day', since = since + interval '1 day'");
  expect(await codeOf(signIn(server, 'wangting', 'Wrong-6'))).toBe(110001);
  expect(await codeOf(signIn(server, 'wangting', password))).toBe(110003);
  await server.sqlAsOwner("update auth.throttle set until = until + interval '1 day', since = since + interval '1 day'");
  expect(await codeOf(signIn(server, 'wangting', password))).toBe(0);
});

test('a password that was changed while the clock was ahead does not keep its owner out of the second step', async () => {
  const server = await createWangTing();
  const { wangTing, clock, nobody, sqlAsOwner } = server;
  const { manualkey } = await wangTing.call(factor.beginSecondFactor, {});
  await wangTing.call(factor.confirmSecondFactor, { code: codeAt(manualkey, clock.now) });
  clock.now = new Date(clock.now.getTime() + 60_000);
  await sqlAsOwner("update auth.account set pwdtime = now() + interval '1 day' where accountid = $1", [wangTing.userid]);
  const error = (await signIn(server, 'wangting', password).catch((reason: unknown) => reason)) as CallError;
  const { challenge } = error.data as { challenge: string };
  expect(await codeOf(nobody(session.verifySecondFactor, { challenge, code: codeAt(manualkey, clock.now) }))).toBe(0);
});

test('shared limits and leases of the time when the clock was ahead keep nobody and no job waiting', async () => {
  const { services, sqlAsOwner } = await startServer();
  const budget = new CallBudget(services.pools.authn, services.cipher);
  await budget.take('10.0.0.1', 1);
  await sqlAsOwner("update auth.callbudget set time = time + interval '1 day'");
  await budget.take('10.0.0.1', 1);
  const leases = new Leases(services.pools.authn);
  await leases.take('a job', 30);
  expect(await leases.take('a job', 30)).toBeUndefined();
  await sqlAsOwner("update auth.lease set expiretime = expiretime + interval '1 day'");
  expect(await leases.take('a job', 30)).toBeTruthy();
});

test('jobs that run while the clock jumps forth and back tell each case once and keep its deadlines', async () => {
  const run = async (hours: readonly number[]) => {
    const server = await startServer();
    const { as, services, clock, sqlAsOwner } = server;
    const student = await aStudent(server);
    await as('chen')(insertWarning, { cuserid: student.cuserid, level: 3, content: '同学反映其多次说不想活了' });
    const begin = clock.now.getTime();
    for (const hour of hours) {
      const now = new Date(begin + hour * 3_600_000);
      await escalateOverdue(services, now);
      await runAsSystem(services.pools, 'AS000001', (scope) => endDueTasks(scope, now));
    }
    const [warning] = await sqlAsOwner('select * from warning');
    const due = Object.entries(warning ?? {}).filter(([name]) => /due|level|status/.test(name));
    const [notices] = await sqlAsOwner('select count(*)::int as n from notification');
    expect(server.errors).toEqual([]);
    return { due: JSON.stringify(due), notices };
  };
  const steady = await run([0, 1, 2, 3, 30]);
  const jumping = await run([0, 1, 2, -48, 1, 3, 0, 30, -200, 30]);
  expect(jumping).toEqual(steady);
});
