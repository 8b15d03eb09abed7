import { expect, test } from 'vitest';
import { codeAt } from '#server/security/totp.ts';
import * as factor from '#features/account/factor.contract.ts';
import { resetSecondFactor } from '#features/org/user/user.contract.ts';
import * as session from '#features/session/session.contract.ts';
import { startServer, type CallError } from '#testing/server.ts';
import { sizeOf } from '#testing/size.ts';
import { addColleague, signIn } from '#testing/staff.ts';

const password = 'Own-wangting-9!';
const codeOf = (work: Promise<unknown>) =>
  work.then(
    () => 0,
    (error: unknown) => (error as CallError).code,
  );

/** 王婷 has a second factor. An attacker knows her password and reads her codes over her shoulder. */
async function createWangTing() {
  const server = await startServer();
  const { clock, nobody } = server;
  const wangTing = await addColleague(server, { sysusername: 'wangting' });
  const { manualkey } = await wangTing.call(factor.beginSecondFactor, {});
  const firstCode = codeAt(manualkey, clock.now);
  const { recoverycodes } = await wangTing.call(factor.confirmSecondFactor, { code: firstCode });
  const later = (seconds: number) => {
    clock.now = new Date(clock.now.getTime() + seconds * 1_000);
  };
  const code = (seconds = 0) => codeAt(manualkey, new Date(clock.now.getTime() + seconds * 1_000));
  const challenge = async (): Promise<string> => {
    const error = await signIn(server, 'wangting', password).catch((reason: unknown) => reason as CallError);
    return ((error as CallError).data as { challenge: string }).challenge;
  };
  const enter = async (text: string) => codeOf(nobody(session.verifySecondFactor, { challenge: await challenge(), code: text }));
  const sessions = async () =>
    (
      await server.sqlAsOwner<{ n: number }>(
        'select count(*)::int as n from auth.session where accountid = $1 and revoked is null',
        [wangTing.userid],
      )
    )[0]?.n as number;
  return { ...server, wangTing, firstCode, recoverycodes, later, code, challenge, enter, sessions };
}

test('a code that has been used opens nothing again: no sign-in, no step-up, no new recovery codes, no switching off', async () => {
  const { wangTing, firstCode, later, code, enter } = await createWangTing();
  // The code that confirmed the telephone is used, too.
  expect(await enter(firstCode)).toBe(110012);
  later(30);
  const used = code();
  expect(await enter(used)).toBe(0);
  expect(await enter(used)).toBe(110012);
  expect(await codeOf(wangTing.call(session.stepUp, { code: used }))).toBe(110012);
  expect(await codeOf(wangTing.call(factor.renewRecoveryCodes, { code: used }))).toBe(110012);
  later(60);
  const next = code();
  expect(await codeOf(wangTing.call(session.stepUp, { code: next }))).toBe(0);
  expect(await enter(next)).toBe(110012);
  expect(await codeOf(wangTing.call(factor.disableSecondFactor, { code: next }))).toBe(110012);
});

test('after a code, the codes of the half minutes before it are void, also unused ones', async () => {
  const { later, code, enter } = await createWangTing();
  later(300);
  const before = code(-30);
  expect(await enter(code(30))).toBe(0);
  expect(await enter(before)).toBe(110012);
  expect(await enter(code())).toBe(110012);
  later(60);
  expect(await enter(code())).toBe(0);
});

test('of many sign-ins at once with the same code one opens a session', async () => {
  const { nobody, later, code, challenge, sessions } = await createWangTing();
  for (let round = 0; round < sizeOf(4, 40); round += 1) {
    later(3_600);
    const before = await sessions();
    const challenges: string[] = [];
    for (let n = 0; n < 4; n += 1) challenges.push(await challenge());
    const text = code();
    const answers = await Promise.all(
      challenges.map((name) => codeOf(nobody(session.verifySecondFactor, { challenge: name, code: text }))),
    );
    expect(answers.filter((answer) => answer === 0)).toHaveLength(1);
    // An account has at most five sessions; the oldest ends.
    expect(await sessions()).toBe(Math.min(5, before + 1));
  }
});

test('one challenge with two right codes at once opens one session', async () => {
  const { nobody, later, code, challenge, sessions } = await createWangTing();
  later(300);
  const before = await sessions();
  const name = await challenge();
  const answers = await Promise.all(
    [code(), code(30)].map((text) => codeOf(nobody(session.verifySecondFactor, { challenge: name, code: text }))),
  );
  expect(answers.filter((answer) => answer === 0)).toHaveLength(1);
  expect(await sessions()).toBe(before + 1);
});

test('sign-in and step-up at once with the same code: one of them succeeds', async () => {
  const { nobody, wangTing, later, code, challenge } = await createWangTing();
  for (let round = 0; round < sizeOf(3, 20); round += 1) {
    later(3_600);
    const name = await challenge();
    const text = code();
    const answers = await Promise.all([
      codeOf(nobody(session.verifySecondFactor, { challenge: name, code: text })),
      codeOf(wangTing.call(session.stepUp, { code: text })),
    ]);
    expect(answers.filter((answer) => answer === 0)).toHaveLength(1);
  }
});

test('a reset ends sessions, open challenges, codes of the old telephone and recovery codes, also when they race with it', async () => {
  const { as, nobody, wangTing, recoverycodes, later, code, challenge, sessions } = await createWangTing();
  later(300);
  const names = [await challenge(), await challenge(), await challenge()];
  const racing = await Promise.all([
    codeOf(as('ma')(resetSecondFactor, { userid: wangTing.userid })),
    codeOf(nobody(session.verifySecondFactor, { challenge: names[0] as string, code: code() })),
  ]);
  expect(racing[0]).toBe(0);
  // A sign-in that came first was ended by the reset, or it came too late.
  expect(await sessions()).toBe(0);
  for (const text of [code(30), recoverycodes[0] as string])
    expect(await codeOf(nobody(session.verifySecondFactor, { challenge: names[1] as string, code: text }))).not.toBe(0);
  expect(await codeOf(wangTing.call(session.getUserInfo, {}))).toBe(110000);
});

test('a clock that goes back opens no used code again, and a recovery code opens the account meanwhile', async () => {
  const { recoverycodes, later, code, enter } = await createWangTing();
  // The clock of the server was a day ahead.
  later(86_400);
  expect(await enter(code())).toBe(0);
  later(-86_400 + 60);
  // The code is right for this minute, but a later one was used. Refusing is safe; the second way stays open.
  expect(await enter(code())).toBe(110012);
  expect(await enter(recoverycodes[0] as string)).toBe(0);
  later(86_400);
  expect(await enter(code())).toBe(0);
});
