import { expect, test } from 'vitest';
import * as authorize from '#features/count/authorize.contract.ts';
import * as wallet from '#features/count/wallet.contract.ts';
import * as respond from '#features/respond/respond.contract.ts';
import { disagreements } from '#testing/counts.ts';
import { addClass, enter } from '#testing/school.ts';
import { startServer, type Refused } from '#testing/server.ts';

const school = 'M_CHENGUANG';
const codeOf = (work: Promise<unknown>) =>
  work.then(() => 0, (error: unknown) => (error as Refused).code); // prettier-ignore

test('quantities that are negative, broken, written otherwise or beyond what a wallet can hold move nothing', async () => {
  const server = await startServer();
  const { raw, as, behind, errors } = server;
  for (const qty of [-1, 0, 1.5, '1e9', '-5', 1_000_001, '0x10000000', null, [], 'NaN', Number.MAX_SAFE_INTEGER])
    expect([qty, (await raw(wallet.grantMUserAssessCount.name, 'super', { musercode: school, qty })).errorCode]).toEqual([qty, expect.toSatisfy((code) => code === 120001 || code === 120002)]);
  await behind("update assesscount set granted = 2147483000 where musercode = 'M_CHENGUANG'");
  expect(await codeOf(as('super')(wallet.grantMUserAssessCount, { musercode: school, qty: 1000 }))).toBe(120002);
  expect(errors).toEqual([]);
}); // prettier-ignore

test('a provider that holds ten gives ten, however many ask at once, to however many institutions', async () => {
  const server = await startServer();
  const { as, behind } = server;
  await as('super')(wallet.grantMUserAssessCount, { musercode: 'M_ANLAN', qty: 10 });
  const to = ['M_CHENGUANG', 'M_DONGSHAN', 'M_RENAI'];
  const answers = await Promise.all(
    Array.from({ length: 24 }, (_, n) =>
      codeOf(as('fang')(wallet.grantMUserAssessCount, { musercode: to[n % 3] as string, qty: 3 })),
    ),
  );
  expect(answers.filter((answer) => answer === 0)).toHaveLength(3);
  expect(await behind("select granted from assesscount where musercode = 'M_ANLAN'")).toEqual([{ granted: 1 }]);
  // What it never gave it cannot fetch, not even in many small pieces at once.
  const back = await Promise.all(
    Array.from({ length: 12 }, () =>
      codeOf(as('fang')(wallet.grantMUserAssessCount, { musercode: school, kind: '06', qty: 1, remark: '收回' })),
    ),
  );
  expect(back.filter((answer) => answer === 0).length).toBeLessThanOrEqual(3);
  expect(await disagreements(server)).toEqual([]);
});

test('an authorisation deleted and cleared while the pupil opens it gives its count back once, and nothing breaks', async () => {
  const server = await startServer();
  const { as, behind, errors } = server;
  const { pupils } = await addClass(server, { teamname: '初二3班', names: ['甲', '乙', '丙', '丁', '戊', '己'] });
  await as('chen')(authorize.authorizeCUserPlan, { cuserids: pupils.map((each) => each.cuserid), plancode: 'P900002' });
  for (const pupil of pupils) {
    const own = await enter(server, pupil);
    const cuserplanid = (await own(respond.getTasks, {}))[0]?.cuserplanid as number;
    const codes = await Promise.all([
      codeOf(own(respond.startExam, { cuserplanid })),
      codeOf(as('chen')(authorize.deleteCUserPlan, { cuserplanids: [cuserplanid] })),
      codeOf(as('chen')(authorize.clearCUserAssessCount, { cuserid: pupil.cuserid, reason: '已转学' })),
      codeOf(as('lu')(authorize.deleteCUserPlan, { cuserplanids: [cuserplanid] })),
    ]);
    expect(codes).not.toContain(900000);
  }
  expect(errors).toEqual([]);
  expect(await behind("select frozen, granted - used - frozen as free from assesscount where musercode = 'M_CHENGUANG'")).toEqual([{ frozen: 0, free: 10_000 }]);
  expect(await disagreements(server)).toEqual([]);
}); // prettier-ignore

test('answers to questions the form does not have are refused and kept nowhere', async () => {
  const server = await startServer();
  const { pupils } = await addClass(server, { teamname: '初二3班', names: ['林小雨'] });
  const pupil = pupils[0]!;
  await server.as('chen')(authorize.authorizeCUserPlan, { cuserids: [pupil.cuserid], plancode: 'P900002' });
  const own = await enter(server, pupil);
  const { examcode, sheets } = await own(respond.startExam, {
    cuserplanid: (await own(respond.getTasks, {}))[0]?.cuserplanid as number,
  });
  const { examformid } = sheets[0]!;
  for (const c of ['zzz', '__proto__', 'constructor', ''])
    await codeOf(own(respond.saveAnswer, { examcode, answers: [{ examformid, c, value: '0', clientseq: 1 }] }));
  expect(await server.behind('select questionc from examanswer')).toEqual([]);
});
