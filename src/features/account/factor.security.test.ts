import { expect, test } from 'vitest';
import { codeAt } from '#server/security/totp.ts';
import { resetSecondFactor } from '#features/org/user/user.contract.ts';
import * as factor from '#features/account/factor.contract.ts';
import * as session from '#features/session/session.contract.ts';
import { updateProfile } from '#features/account/profile.contract.ts';
import { startServer, type CallError } from '#testing/server.ts';
import { expireStepUp } from '#testing/factories.ts';
import { addColleague, md5, signIn } from '#testing/staff.ts';

type Server = Awaited<ReturnType<typeof startServer>>;
const password = 'Own-zhao-9!';

/** Creates 赵老师 with a second factor. The tests play an attacker who knows her password. */
async function createVictim() {
  const server = await startServer();
  const zhao = await addColleague(server, { sysusername: 'zhao' });
  const { manualkey } = await zhao.call(factor.beginSecondFactor, {});
  const { recoverycodes } = await zhao.call(factor.confirmSecondFactor, { code: codeAt(manualkey, server.clock.now) });
  server.clock.now = new Date(server.clock.now.getTime() + 30_000);
  return {
    ...server,
    zhao,
    recoverycodes,
    code: () => codeAt(manualkey, server.clock.now),
    wrongCodes: createWrongCodes(manualkey, server),
  };
}
/** Returns codes that are not valid around the current time. */
const createWrongCodes = (seed: string, { clock }: Server) => {
  const validCodes = new Set([-60, -30, 0, 30, 60].map((s) => codeAt(seed, new Date(clock.now.getTime() + s * 1000))));
  return Array.from({ length: 80 }, (_, n) => String(100_000 + n)).filter((text) => !validCodes.has(text));
};
const requestChallenge = async (server: Pick<Server, 'nobody'>): Promise<string> => {
  const error = await signIn(server as Server, 'zhao', password).then(
    () => undefined,
    (error: unknown) => error as CallError,
  );
  return (error?.data as { challenge: string }).challenge;
};
const errorCodeOf = (work: Promise<unknown>) =>
  work.then(
    () => 0,
    (error: unknown) => (error as CallError).code,
  );

test('sixty concurrent codes over several challenges count as five attempts', async () => {
  const { nobody, wrongCodes, code } = await createVictim();
  const challenges = await Promise.all([
    requestChallenge({ nobody }),
    requestChallenge({ nobody }),
    requestChallenge({ nobody }),
  ]);
  const answers = await Promise.all(
    wrongCodes
      .slice(0, 60)
      .map((text, n) => errorCodeOf(nobody(session.verifySecondFactor, { challenge: challenges[n % 3] as string, code: text }))),
  );
  expect(answers.filter((answer) => answer === 110012).length).toBeLessThanOrEqual(5);
  expect(answers.filter((answer) => answer === 110003).length).toBeGreaterThanOrEqual(55);
  // While the account is locked, the right code is refused, too.
  expect(await errorCodeOf(nobody(session.verifySecondFactor, { challenge: challenges[0], code: code() }))).toBe(110003);
});

test('a right password among thirty concurrent attempts does not bypass the lock', async () => {
  const { nobody } = await createVictim();
  const passwords = [...Array.from({ length: 30 }, (_, n) => `Guess-${n}`), password];
  const answers = await Promise.all(
    passwords.map((text) => errorCodeOf(nobody(session.login, { username: 'zhao', pwd: md5(text) }))),
  );
  expect(answers.at(-1)).toBe(110003);
});

test('codes for step-up and codes for sign-in share one attempt counter', async () => {
  const { nobody, zhao, wrongCodes, code } = await createVictim();
  const challenge = await requestChallenge({ nobody });
  for (const text of wrongCodes.slice(0, 3)) expect(await errorCodeOf(zhao.call(session.stepUp, { code: text }))).toBe(110012);
  for (const text of wrongCodes.slice(3, 5))
    expect(await errorCodeOf(nobody(session.verifySecondFactor, { challenge, code: text }))).toBe(110012);
  expect(await errorCodeOf(nobody(session.verifySecondFactor, { challenge, code: code() }))).toBe(110003);
  expect(await errorCodeOf(zhao.call(session.stepUp, { code: code() }))).toBe(110003);
});

test('a recovery code used twice at once opens one session', async () => {
  const { nobody, recoverycodes, sqlAsOwner, zhao } = await createVictim();
  const [recoveryCode = ''] = recoverycodes;
  const challenges = await Promise.all([requestChallenge({ nobody }), requestChallenge({ nobody })]);
  const before = await sqlAsOwner('select count(*)::int as n from auth.session where accountid = $1', [zhao.userid]);
  const answers = await Promise.all(
    challenges.map((challenge) => errorCodeOf(nobody(session.verifySecondFactor, { challenge, code: recoveryCode }))),
  );
  expect(answers.sort((a, b) => a - b)).toEqual([0, 110012]);
  const after = await sqlAsOwner<{ n: number }>('select count(*)::int as n from auth.session where accountid = $1', [
    zhao.userid,
  ]);
  expect(after[0]?.n).toBe((before[0] as { n: number }).n + 1);
});

test('recovery codes renewed in four windows at once are shown in one of them, and those codes work', async () => {
  const { zhao, sqlAsOwner, nobody, withToken, recoverycodes } = await createVictim();
  const answers = await Promise.allSettled(
    recoverycodes.slice(0, 4).map((code) => withToken(zhao.token())(factor.renewRecoveryCodes, { code })),
  );
  const shownCodes = answers.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value.recoverycodes : []));
  expect(shownCodes).toHaveLength(10);
  expect(await sqlAsOwner('select count(*)::int as n from auth.recovery where accountid = $1', [zhao.userid])).toEqual([
    { n: 10 },
  ]);
  await nobody(session.verifySecondFactor, { challenge: await requestChallenge({ nobody }), code: shownCodes[9] as string });
});

test('a sign-in challenge is void after a password change, a disabled account or a factor reset', async () => {
  const { nobody, as, sqlAsOwner, zhao, code, recoverycodes } = await createVictim();
  const challengeBeforePassword = await requestChallenge({ nobody });
  await sqlAsOwner("update auth.account set pwdtime = now() + interval '1 second' where accountid = $1", [zhao.userid]);
  expect(await errorCodeOf(nobody(session.verifySecondFactor, { challenge: challengeBeforePassword, code: code() }))).toBe(
    110013,
  );
  await sqlAsOwner('update auth.account set pwdtime = now() where accountid = $1', [zhao.userid]);
  const challengeBeforeDisabling = await requestChallenge({ nobody });
  await sqlAsOwner('update sysuser set enabled = 0 where userid = $1', [zhao.userid]);
  expect(await errorCodeOf(nobody(session.verifySecondFactor, { challenge: challengeBeforeDisabling, code: code() }))).toBe(
    110013,
  );
  await sqlAsOwner('update sysuser set enabled = 1 where userid = $1', [zhao.userid]);
  const challengeBeforeReset = await requestChallenge({ nobody });
  await as('ma')(resetSecondFactor, { userid: zhao.userid });
  for (const text of [code(), recoverycodes[3] as string])
    expect(await errorCodeOf(nobody(session.verifySecondFactor, { challenge: challengeBeforeReset, code: text }))).toBe(110012);
});

test('a stolen session cannot replace the second factor', async () => {
  const { zhao, sqlAsOwner } = await createVictim();
  expect(await errorCodeOf(zhao.call(factor.beginSecondFactor, {}))).toBe(140001);
  await expireStepUp({ sqlAsOwner }, zhao.userid);
  expect(await errorCodeOf(zhao.call(factor.beginSecondFactor, {}))).toBe(110007);
});

test('a password alone can neither disable the second factor nor renew recovery codes', async () => {
  const { zhao, nobody, wrongCodes, code, recoverycodes } = await createVictim();
  await zhao.call(session.stepUp, { pwd: md5(password) });
  for (const action of [factor.disableSecondFactor, factor.renewRecoveryCodes]) {
    expect(await errorCodeOf(zhao.call(action, {} as { code: string }))).toBe(120001);
    expect(await errorCodeOf(zhao.call(action, { code: wrongCodes[0] as string }))).toBe(110012);
  }
  expect(await zhao.call(factor.getSecondFactor, {})).toMatchObject({ enabled: true, recoveryleft: 10 });
  // These attempts count together with attempts at sign-in.
  for (const text of wrongCodes.slice(1, 4))
    expect(await errorCodeOf(zhao.call(factor.disableSecondFactor, { code: text }))).toBe(110012);
  expect(await errorCodeOf(zhao.call(factor.disableSecondFactor, { code: code() }))).toBe(110003);
  expect(
    await errorCodeOf(
      nobody(session.verifySecondFactor, { challenge: await requestChallenge({ nobody }), code: recoverycodes[0] as string }),
    ),
  ).toBe(110003);
});

test('a copied token is invalid after the user’s next step-up', async () => {
  const { zhao, withToken, code, clock, recoverycodes } = await createVictim();
  const steps = [
    () => zhao.call(session.stepUp, { pwd: md5(password) }),
    () => zhao.call(session.stepUp, { code: code() }),
    () => zhao.call(factor.renewRecoveryCodes, { code: recoverycodes[0] as string }),
    () => {
      clock.now = new Date(clock.now.getTime() + 30_000);
      return zhao.call(factor.disableSecondFactor, { code: code() });
    },
  ];
  for (const step of steps) {
    const copiedToken = zhao.token();
    await step();
    expect(await errorCodeOf(withToken(copiedToken)(session.getUserInfo, {}))).toBe(110000);
    expect(await zhao.call(session.getUserInfo, {})).toMatchObject({ sysusername: 'zhao' });
  }
});

test('two concurrent step-ups of one session leave one valid token', async () => {
  const { zhao, withToken, sqlAsOwner } = await createVictim();
  const copiedToken = zhao.token();
  const answers = await Promise.all(
    [1, 2, 3].map(() => errorCodeOf(withToken(copiedToken)(session.stepUp, { pwd: md5(password) }))),
  );
  expect(answers.sort((a, b) => a - b)).toEqual([0, 110000, 110000]);
  expect(await errorCodeOf(withToken(copiedToken)(session.getUserInfo, {}))).toBe(110000);
  const [before] = await sqlAsOwner<{ n: number }>('select count(*)::int as n from auth.session where accountid = $1', [
    zhao.userid,
  ]);
  expect(before?.n).toBe(2);
});

test('the user’s own profile accepts telephone and e-mail and no field that gives rights', async () => {
  const { zhao, sqlAsOwner, raw } = await createVictim();
  const row = () =>
    sqlAsOwner(
      "select to_jsonb(u) - array['phonenumber', 'updatetime', 'version', 'edits'] as facts from sysuser u where userid = $1",
      [zhao.userid],
    );
  const before = await row();
  for (const extraField of [
    { userid: 'U_MA' },
    { musercode: 'AS000001' },
    { realname: '马主任' },
    { enabled: 1 },
    { roleids: [1] },
    { __proto__: null, constructor: 1 },
  ])
    expect((await raw(updateProfile.name, zhao.token(), { phonenumber: '13800000000', ...extraField })).errorCode).toBe(120002);
  await zhao.call(updateProfile, { phonenumber: '13800000000' });
  expect(await row()).toEqual(before);
});
