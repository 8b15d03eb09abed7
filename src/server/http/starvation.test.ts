import { expect, onTestFinished, test } from 'vitest';
import pg from 'pg';
import { isCommonPassword } from '#server/security/weakPassword.ts';
import { asOwner } from '#server/db/roles.ts';
import * as profile from '#features/account/profile.contract.ts';
import { getUserInfo, login } from '#features/session/session.contract.ts';
import { addColleague, md5 } from '#testing/staff.ts';
import { addClass, answerTask, screening, signInPupil } from '#testing/school.ts';
import { insertMUserExamPlan } from '#features/plan/plan.contract.ts';
import { insertAssessTask } from '#features/task/task.contract.ts';
import { startServer, type TestServer } from '#testing/server.ts';
import { sizeOf } from '#testing/size.ts';

/** 晨光中学 with 林小雨, who has a task to answer, and 王婷, who is about to sign in. */
async function school() {
  const server = await startServer();
  const { as } = server;
  await addColleague(server, { sysusername: 'wangting' });
  const { teamcode, pupils } = await addClass(server, { teamname: '初二(3)班', names: ['林小雨'] });
  const { plancode } = await as('chen')(insertMUserExamPlan, {
    appid: '000000002',
    planname: '普测',
    forms: [{ formcode: 'PHQ9' }, { formcode: 'GAD7' }],
  });
  await as('chen')(insertAssessTask, screening([teamcode], { plancode }));
  await isCommonPassword('');
  return { ...server, pupil: pupils[0] as (typeof pupils)[0] };
}

/** Locks a row of each person until `release`, so that every call that writes it waits with its connection. */
async function lockRows({ target }: TestServer, userids: readonly string[]) {
  const client = new pg.Client(asOwner(target));
  await client.connect();
  await client.query("begin; select set_config('app.session', encode(sha256('super'), 'hex'), true)");
  await client.query('select from sysuser where userid = any($1) for update', [userids]);
  let isReleased = false;
  const release = async () => {
    if (isReleased) return;
    isReleased = true;
    await client.query('rollback');
    await client.end();
  };
  onTestFinished(release);
  return release;
}

test('while slow calls of staff hold every connection, staff sign in and pupils sign in, answer and hand in', async () => {
  const server = await school();
  const { as, nobody, pupil } = server;
  const release = await lockRows(server, ['U_MA', 'U_CHEN', 'U_LU', 'U_WANG', 'U_DUTY', 'U_NOBODY']);
  let isOver = false;
  let ended = 0;
  onTestFinished(() => {
    isOver = true;
  });
  // Each attacker asks again at once, so that the queue for connections is never empty.
  const attackers = (['ma', 'chen', 'lu', 'wang', 'duty', 'nobody'] as const).flatMap((person) =>
    Array.from({ length: sizeOf(20, 100) }, async () => {
      while (!isOver) {
        await as(person)(profile.updateProfile, { phonenumber: '13800000000' }).catch(() => undefined);
        ended += 1;
      }
    }),
  );
  await expect.poll(() => server.services.pools.app.waitingCount).toBeGreaterThan(0);
  const { token } = await nobody(login, { username: 'wangting', pwd: md5('Own-wangting-9!') });
  expect(token).toBeTruthy();
  const call = await signInPupil(server, pupil);
  await answerTask(server, pupil, { call });
  // The attackers were waiting all the time; nobody had to wait for them.
  expect(ended).toBeLessThan(attackers.length);
  isOver = true;
  await release();
  await Promise.all(attackers);
  expect((await server.sqlAsOwner('select status from examrecord')).map((row) => row['status'])).toEqual([2]);
});

test('one session cannot hold the connections of its colleagues', async () => {
  const server = await school();
  const { as } = server;
  const release = await lockRows(server, ['U_MA']);
  let isOver = false;
  let ended = 0;
  onTestFinished(() => {
    isOver = true;
  });
  const attackers = Array.from({ length: sizeOf(60, 400) }, async () => {
    while (!isOver) {
      await as('ma')(profile.updateProfile, { phonenumber: '13800000000' }).catch(() => undefined);
      ended += 1;
    }
  });
  await expect.poll(() => server.services.pools.app.totalCount - server.services.pools.app.idleCount).toBeGreaterThan(3);
  for (const person of ['chen', 'lu', 'wang'] as const) expect((await as(person)(getUserInfo, {})).musercode).toBe('M_CHENGUANG');
  expect(ended).toBeLessThan(attackers.length);
  isOver = true;
  await release();
  await Promise.all(attackers);
  expect((await as('ma')(getUserInfo, {})).musercode).toBe('M_CHENGUANG');
});

test('a flood of wrong passwords keeps nobody out who is signed in', async () => {
  const server = await school();
  const { as, nobody } = server;
  let ended = 0;
  const guesses = Array.from({ length: sizeOf(80, 400) }, (_, n) =>
    nobody(login, { username: `guess-${n}`, pwd: md5(`Guess-${n}`) }).catch(() => (ended += 1)),
  );
  await expect.poll(() => server.services.pools.door.waitingCount).toBeGreaterThan(0);
  for (const person of ['chen', 'lu', 'wang'] as const) expect((await as(person)(getUserInfo, {})).musercode).toBe('M_CHENGUANG');
  expect(ended).toBeLessThan(guesses.length);
  await Promise.all(guesses);
});
