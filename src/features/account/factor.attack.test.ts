import { expect, test } from 'vitest';
import { codeAt } from '#server/totp.ts';
import { resetSecondFactor } from '#features/org/user.contract.ts';
import * as factor from '#features/account/factor.contract.ts';
import * as session from '#features/session/session.contract.ts';
import { updateProfile } from '#features/account/profile.contract.ts';
import { startServer, type Refused } from '#testing/server.ts';
import { addColleague, md5, signIn } from '#testing/staff.ts';

type Server = Awaited<ReturnType<typeof startServer>>;
const word = 'Own-zhao-9!';

/** 赵老师 with a telephone, and somebody who knows her password. */
async function attacked() {
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
    wrong: wrongCodes(manualkey, server),
  };
}
/** Codes that are surely not good now. */
const wrongCodes = (seed: string, { clock }: Server) => {
  const good = new Set([-60, -30, 0, 30, 60].map((s) => codeAt(seed, new Date(clock.now.getTime() + s * 1000))));
  return Array.from({ length: 80 }, (_, n) => String(100_000 + n)).filter((one) => !good.has(one));
};
const challenged = async (server: Pick<Server, 'nobody'>): Promise<string> => {
  const refusal = await signIn(server as Server, 'zhao', word).then(() => undefined, (error: unknown) => error as Refused);
  return (refusal?.data as { challenge: string }).challenge;
}; // prettier-ignore
const codeOf = (work: Promise<unknown>) =>
  work.then(() => 0, (error: unknown) => (error as Refused).code); // prettier-ignore

test('sixty codes sent at the same moment over several challenges are five tries, not sixty', async () => {
  const { nobody, wrong, code } = await attacked();
  const challenges = await Promise.all([challenged({ nobody }), challenged({ nobody }), challenged({ nobody })]);
  const answers = await Promise.all(
    wrong
      .slice(0, 60)
      .map((each, n) => codeOf(nobody(session.verifySecondFactor, { challenge: challenges[n % 3] as string, code: each }))),
  );
  expect(answers.filter((answer) => answer === 110012).length).toBeLessThanOrEqual(5);
  expect(answers.filter((answer) => answer === 110003).length).toBeGreaterThanOrEqual(55);
  // Nor does the right one open while the account waits.
  expect(await codeOf(nobody(session.verifySecondFactor, { challenge: challenges[0], code: code() }))).toBe(110003);
});

test('of thirty passwords tried at the same moment the right one does not slip through behind the wrong ones', async () => {
  const { nobody } = await attacked();
  const words = [...Array.from({ length: 30 }, (_, n) => `Guess-${n}`), word];
  const answers = await Promise.all(words.map((each) => codeOf(nobody(session.login, { username: 'zhao', pwd: md5(each) }))));
  expect(answers.at(-1)).toBe(110003);
});

test('codes for proving again and codes for signing in are counted together', async () => {
  const { nobody, zhao, wrong, code } = await attacked();
  const challenge = await challenged({ nobody });
  for (const each of wrong.slice(0, 3)) expect(await codeOf(zhao.call(session.stepUp, { code: each }))).toBe(110012);
  for (const each of wrong.slice(3, 5))
    expect(await codeOf(nobody(session.verifySecondFactor, { challenge, code: each }))).toBe(110012);
  expect(await codeOf(nobody(session.verifySecondFactor, { challenge, code: code() }))).toBe(110003);
  expect(await codeOf(zhao.call(session.stepUp, { code: code() }))).toBe(110003);
});

test('a recovery code used twice at the same moment, in two challenges, opens one session', async () => {
  const { nobody, recoverycodes, behind, zhao } = await attacked();
  const [one = ''] = recoverycodes;
  const challenges = await Promise.all([challenged({ nobody }), challenged({ nobody })]);
  const before = await behind('select count(*)::int as n from auth.session where accountid = $1', [zhao.userid]);
  const answers = await Promise.all(challenges.map((challenge) => codeOf(nobody(session.verifySecondFactor, { challenge, code: one }))));
  expect(answers.sort((a, b) => a - b)).toEqual([0, 110012]);
  const after = await behind<{ n: number }>('select count(*)::int as n from auth.session where accountid = $1', [zhao.userid]);
  expect(after[0]?.n).toBe((before[0] as { n: number }).n + 1);
}); // prettier-ignore

test('recovery codes renewed in four windows at once: one of them is shown ten, and these are good', async () => {
  const { zhao, behind, nobody, withToken, recoverycodes } = await attacked();
  const answers = await Promise.allSettled(recoverycodes.slice(0, 4).map((code) => withToken(zhao.token())(factor.renewRecoveryCodes, { code })));
  const shown = answers.flatMap((one) => (one.status === 'fulfilled' ? one.value.recoverycodes : []));
  expect(shown).toHaveLength(10);
  expect(await behind('select count(*)::int as n from auth.recovery where accountid = $1', [zhao.userid])).toEqual([{ n: 10 }]);
  await nobody(session.verifySecondFactor, { challenge: await challenged({ nobody }), code: shown[9] as string });
}); // prettier-ignore

test('a challenge is void once the password was changed, the account closed or the telephone taken away', async () => {
  const { nobody, as, behind, zhao, code, recoverycodes } = await attacked();
  const first = await challenged({ nobody });
  await behind("update auth.account set pwdtime = now() + interval '1 second' where accountid = $1", [zhao.userid]);
  expect(await codeOf(nobody(session.verifySecondFactor, { challenge: first, code: code() }))).toBe(110013);
  await behind('update auth.account set pwdtime = now() where accountid = $1', [zhao.userid]);
  const second = await challenged({ nobody });
  await behind('update sysuser set enabled = 0 where userid = $1', [zhao.userid]);
  expect(await codeOf(nobody(session.verifySecondFactor, { challenge: second, code: code() }))).toBe(110013);
  await behind('update sysuser set enabled = 1 where userid = $1', [zhao.userid]);
  const third = await challenged({ nobody });
  await as('ma')(resetSecondFactor, { userid: zhao.userid });
  for (const each of [code(), recoverycodes[3] as string])
    expect(await codeOf(nobody(session.verifySecondFactor, { challenge: third, code: each }))).toBe(110012);
});

test('whoever took over a session cannot put their own telephone in the place of hers', async () => {
  const { zhao, behind } = await attacked();
  expect(await codeOf(zhao.call(factor.beginSecondFactor, {}))).toBe(140001);
  await behind("update auth.session set stepuptime = now() - interval '6 minutes' where accountid = $1", [zhao.userid]);
  expect(await codeOf(zhao.call(factor.beginSecondFactor, {}))).toBe(110007);
});

test('her password alone, just proven, neither switches the second step off nor makes codes that stand in for the telephone', async () => {
  const { zhao, nobody, wrong, code, recoverycodes } = await attacked();
  await zhao.call(session.stepUp, { pwd: md5(word) });
  for (const action of [factor.disableSecondFactor, factor.renewRecoveryCodes]) {
    expect(await codeOf(zhao.call(action, {} as { code: string }))).toBe(120001);
    expect(await codeOf(zhao.call(action, { code: wrong[0] as string }))).toBe(110012);
  }
  expect(await zhao.call(factor.getSecondFactor, {})).toMatchObject({ enabled: true, recoveryleft: 10 });
  // Guessing here is counted with guessing elsewhere.
  for (const each of wrong.slice(1, 4)) expect(await codeOf(zhao.call(factor.disableSecondFactor, { code: each }))).toBe(110012);
  expect(await codeOf(zhao.call(factor.disableSecondFactor, { code: code() }))).toBe(110003);
  expect(await codeOf(nobody(session.verifySecondFactor, { challenge: await challenged({ nobody }), code: recoverycodes[0] as string }))).toBe(110003);
}); // prettier-ignore

test('a token that somebody copied is dead once she has proven herself, by password or by code', async () => {
  const { zhao, withToken, code, clock, recoverycodes } = await attacked();
  const steps = [
    () => zhao.call(session.stepUp, { pwd: md5(word) }),
    () => zhao.call(session.stepUp, { code: code() }),
    () => zhao.call(factor.renewRecoveryCodes, { code: recoverycodes[0] as string }),
    () => {
      clock.now = new Date(clock.now.getTime() + 30_000);
      return zhao.call(factor.disableSecondFactor, { code: code() });
    },
  ];
  for (const step of steps) {
    const copied = zhao.token();
    await step();
    expect(await codeOf(withToken(copied)(session.getUserInfo, {}))).toBe(110000);
    expect(await zhao.call(session.getUserInfo, {})).toMatchObject({ sysusername: 'zhao' });
  }
});

test('two proofs of one session at the same moment: one goes on, and no second session comes of it', async () => {
  const { zhao, withToken, behind } = await attacked();
  const copied = zhao.token();
  const answers = await Promise.all([1, 2, 3].map(() => codeOf(withToken(copied)(session.stepUp, { pwd: md5(word) }))));
  expect(answers.sort((a, b) => a - b)).toEqual([0, 110000, 110000]);
  expect(await codeOf(withToken(copied)(session.getUserInfo, {}))).toBe(110000);
  const [before] = await behind<{ n: number }>('select count(*)::int as n from auth.session where accountid = $1', [zhao.userid]);
  expect(before?.n).toBe(2);
});

test('the own profile takes telephone and mail and nothing that gives rights', async () => {
  const { zhao, behind, raw } = await attacked();
  const row = () => behind('select to_jsonb(u) - array[\'phonenumber\', \'updatetime\'] as facts from sysuser u where userid = $1', [zhao.userid]);
  const before = await row();
  for (const more of [{ userid: 'U_MA' }, { musercode: 'AS000001' }, { realname: '马主任' }, { enabled: 1 }, { roleids: [1] }, { version: 9 }, { __proto__: null, constructor: 1 }])
    expect((await raw(updateProfile.name, zhao.token(), { phonenumber: '13800000000', ...more })).errorCode).toBe(120002);
  await zhao.call(updateProfile, { phonenumber: '13800000000' });
  expect(await row()).toEqual(before);
}); // prettier-ignore
