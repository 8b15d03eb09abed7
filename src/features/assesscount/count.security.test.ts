import { expect, test } from 'vitest';
import * as authorize from '#features/assesscount/authorizations/authorize.contract.ts';
import { expireCounts } from '#features/assesscount/expiry/expireCounts.ts';
import * as ledger from '#features/assesscount/ledger.contract.ts';
import * as wallet from '#features/assesscount/wallet.contract.ts';
import * as respond from '#features/respond/respond.contract.ts';
import { findDisagreements } from '#testing/counts.ts';
import { addClass, signInPupil } from '#testing/school.ts';
import { startServer, type CallError } from '#testing/server.ts';

const school = 'M_CHENGUANG';
const codeOf = (call: Promise<unknown>) =>
  call.then(
    () => 0,
    (error: unknown) => (error as CallError).code,
  );

test('a negative, fractional, non-numeric or too large quantity is refused and changes no wallet', async () => {
  const server = await startServer();
  const { raw, as, sqlAsOwner, errors } = server;
  for (const qty of [-1, 0, 1.5, '1e9', '-5', 1_000_001, '0x10000000', null, [], 'NaN', Number.MAX_SAFE_INTEGER])
    expect([qty, (await raw(wallet.grantMUserAssessCount.name, 'super', { musercode: school, qty })).errorCode]).toEqual([
      qty,
      expect.toSatisfy((code) => code === 120001 || code === 120002),
    ]);
  await sqlAsOwner("update assesscount set granted = 2147483000 where musercode = 'M_CHENGUANG'");
  expect(await codeOf(as('super')(wallet.grantMUserAssessCount, { musercode: school, qty: 1000 }))).toBe(120002);
  expect(errors).toEqual([]);
});

test('concurrent grants of a provider never exceed the counts it holds', async () => {
  const server = await startServer();
  const { as, sqlAsOwner } = server;
  await as('super')(wallet.grantMUserAssessCount, { musercode: 'M_ANLAN', qty: 10 });
  const receivers = ['M_CHENGUANG', 'M_DONGSHAN', 'M_RENAI'];
  const codes = await Promise.all(
    Array.from({ length: 24 }, (_, index) =>
      codeOf(as('fang')(wallet.grantMUserAssessCount, { musercode: receivers[index % 3] as string, qty: 3 })),
    ),
  );
  expect(codes.filter((code) => code === 0)).toHaveLength(3);
  expect(await sqlAsOwner("select granted from assesscount where musercode = 'M_ANLAN'")).toEqual([{ granted: 1 }]);
  // The provider takes back only counts that it granted, also with many small concurrent calls. Chance decides who got the three grants.
  const grantedQty = 3 * codes.filter((code, index) => code === 0 && receivers[index % 3] === school).length;
  const takeBackCodes = await Promise.all(
    Array.from({ length: 12 }, () =>
      codeOf(as('fang')(wallet.grantMUserAssessCount, { musercode: school, kind: '06', qty: 1, remark: '收回' })),
    ),
  );
  expect(takeBackCodes.filter((code) => code === 0)).toHaveLength(grantedQty);
  expect(await findDisagreements(server)).toEqual([]);
});

test('a provider cannot extend the expiry of counts by granting, taking back or choosing a later date', async () => {
  const server = await startServer();
  const { as, clock } = server;
  const fang = as('fang');
  const findLastDays = async (musercode: string) =>
    (await as('super')(ledger.getPlanAuthorizeDetails, { musercode, pageSize: 50 })).rows
      .flatMap((row) => (row.enddate ? [`${row.kind} ${row.qty} ${row.enddate}`] : []))
      .reverse();
  await as('super')(wallet.grantMUserAssessCount, { musercode: 'M_ANLAN', qty: 50, enddate: '2025-10-20' });
  await as('super')(wallet.grantMUserAssessCount, { musercode: 'M_ANLAN', qty: 10, enddate: '2026-01-31' });
  await fang(wallet.grantMUserAssessCount, { musercode: 'M_DONGSHAN', qty: 20, enddate: '2025-10-20' });
  for (const enddate of ['2026-02-01', null])
    await expect(fang(wallet.grantMUserAssessCount, { musercode: 'M_DONGSHAN', qty: 1, enddate })).rejects.toMatchObject({
      code: 120002,
      message: expect.stringContaining('有效期足够长的次数只有 0 次') as string,
    });
  await expect(
    fang(wallet.grantMUserAssessCount, { musercode: 'M_DONGSHAN', qty: 11, enddate: '2025-12-31' }),
  ).rejects.toMatchObject({ code: 120002 });
  await fang(wallet.grantMUserAssessCount, { musercode: 'M_DONGSHAN', qty: 1, enddate: '2025-12-31' });
  // Without its own last day a grant ends with the counts that pay for it, the soonest first.
  await fang(wallet.grantMUserAssessCount, { musercode: 'M_DONGSHAN', qty: 32 });
  expect(await findLastDays('M_DONGSHAN')).toEqual([
    '01 20 2025-10-20',
    '01 1 2025-12-31',
    '01 30 2025-10-20',
    '01 2 2026-01-31',
  ]);
  // Counts that are taken back have their former last days again.
  await fang(wallet.grantMUserAssessCount, { musercode: 'M_DONGSHAN', qty: 52, kind: '06', remark: '多发' });
  expect((await findLastDays('M_ANLAN')).slice(-2)).toEqual(['06 3 2026-01-31', '06 49 2025-10-20']);
  expect((await as('super')(wallet.getMUserAssessCount, { musercode: 'M_ANLAN' })).wallets).toMatchObject([
    { free: 59, enddate: '2025-10-20', ending: 49 },
  ]);
  clock.now = new Date('2025-10-21T00:00:00Z');
  await expireCounts(server.services.pools, clock.now);
  expect((await as('super')(wallet.getMUserAssessCount, { musercode: 'M_ANLAN' })).wallets).toMatchObject([
    { free: 10, expired: 49, enddate: '2026-01-31', ending: 10 },
  ]);
  expect(await findDisagreements(server)).toEqual([]);
});

test('an authorization that is deleted and cleared while the student opens it returns its count once', async () => {
  const server = await startServer();
  const { as, sqlAsOwner, errors } = server;
  const { pupils } = await addClass(server, { teamname: '初二3班', names: ['甲', '乙', '丙', '丁', '戊', '己'] });
  await as('chen')(authorize.authorizeCUserPlan, { cuserids: pupils.map((pupil) => pupil.cuserid), plancode: 'P900002' });
  for (const pupil of pupils) {
    const own = await signInPupil(server, pupil);
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
  expect(
    await sqlAsOwner("select frozen, granted - used - frozen as free from assesscount where musercode = 'M_CHENGUANG'"),
  ).toEqual([{ frozen: 0, free: 10_000 }]);
  expect(await findDisagreements(server)).toEqual([]);
});

test('an answer to a question outside the form is refused and not stored', async () => {
  const server = await startServer();
  const { pupils } = await addClass(server, { teamname: '初二3班', names: ['林小雨'] });
  const pupil = pupils[0]!;
  await server.as('chen')(authorize.authorizeCUserPlan, { cuserids: [pupil.cuserid], plancode: 'P900002' });
  const own = await signInPupil(server, pupil);
  const { examcode, sheets } = await own(respond.startExam, {
    cuserplanid: (await own(respond.getTasks, {}))[0]?.cuserplanid as number,
  });
  const { examformid } = sheets[0]!;
  for (const c of ['zzz', '__proto__', 'constructor', ''])
    await codeOf(own(respond.saveAnswer, { examcode, answers: [{ examformid, c, value: '0', clientseq: 1 }] }));
  expect(await server.sqlAsOwner("select answers from examform where answers <> '{}'")).toEqual([]);
});
