import { expect, test } from 'vitest';
import { buffer } from 'node:stream/consumers';
import type { Readable } from 'node:stream';
import { readWorkbook } from '#server/workbook/read.ts';
import * as cuser from '#features/cuser/cuser.contract.ts';
import * as authorize from '#features/assesscount/authorizations/authorize.contract.ts';
import * as ledger from '#features/assesscount/ledger.contract.ts';
import * as wallet from '#features/assesscount/wallet.contract.ts';
import * as entry from '#features/muser/entry/entry.contract.ts';
import * as muser from '#features/muser/muser.contract.ts';
import * as respond from '#features/respond/respond.contract.ts';
import { findDisagreements } from '#testing/counts.ts';
import { addClass, answerTask, signInPupil } from '#testing/school.ts';
import { startServer } from '#testing/server.ts';

type Server = Awaited<ReturnType<typeof startServer>>;
const school = 'M_CHENGUANG';

/** The free counts of an institution's wallet. */
const findFree = async ({ as }: Server, musercode: string, plancode = '*') =>
  (await as('super')(wallet.getMUserAssessCount, { musercode })).wallets.find((candidate) => candidate.plancode === plancode)
    ?.free ?? 0;

const authorizationOf = (cuserids: string[], more = {}) => ({ cuserids, plancode: 'P900002', ...more });

test('a provider grants at most the counts it holds, and only to institutions below it; the platform’s counts are unlimited', async () => {
  const server = await startServer();
  const { as } = server;
  const fang = as('fang');
  await expect(fang(wallet.grantMUserAssessCount, { musercode: school, qty: 1 })).rejects.toMatchObject({
    code: 150001,
    data: { free: 0, need: 1 },
  });
  expect(await as('super')(wallet.grantMUserAssessCount, { musercode: 'M_ANLAN', qty: 500, remark: '合同 2025-01' })).toEqual({
    balance: 500,
    own: null,
  });
  expect(await fang(wallet.grantMUserAssessCount, { musercode: school, qty: 200 })).toEqual({ balance: 10_200, own: 300 });
  expect(await findFree(server, 'M_ANLAN')).toBe(300);
  await expect(fang(wallet.grantMUserAssessCount, { musercode: 'M_ANLAN', qty: 1 })).rejects.toMatchObject({ code: 110004 });
  await expect(fang(wallet.grantMUserAssessCount, { musercode: 'AS000001', qty: 1 })).rejects.toMatchObject({ code: 130001 });
  await expect(fang(wallet.grantMUserAssessCount, { musercode: 'JYJ00001', qty: 1 })).rejects.toMatchObject({ code: 120002 });
  await expect(as('ma')(wallet.grantMUserAssessCount, { musercode: school, qty: 1 })).rejects.toMatchObject({ code: 110004 });
  expect(await findDisagreements(server)).toEqual([]);
});

test('an authorization is paid from the plan’s wallet first, then from the general wallet', async () => {
  const server = await startServer();
  const { as } = server;
  await as('super')(wallet.grantMUserAssessCount, { musercode: 'M_ANLAN', plancode: 'P900002', qty: 10 });
  await as('super')(wallet.grantMUserAssessCount, { musercode: 'M_ANLAN', qty: 100 });
  await as('fang')(wallet.grantMUserAssessCount, { musercode: school, plancode: 'P900002', qty: 8 });
  await as('fang')(wallet.grantMUserAssessCount, { musercode: school, plancode: 'P900002', qty: 5 });
  expect([
    await findFree(server, 'M_ANLAN', 'P900002'),
    await findFree(server, 'M_ANLAN'),
    await findFree(server, school, 'P900002'),
  ]).toEqual([2, 95, 13]);
  const { pupils } = await addClass(server, { teamname: '初二3班', names: ['林小雨'] });
  await as('chen')(authorize.authorizeCUserPlan, authorizationOf([pupils[0]?.cuserid as string]));
  expect([await findFree(server, school, 'P900002'), await findFree(server, school)]).toEqual([12, 10_000]);
  await expect(
    as('fang')(wallet.grantMUserAssessCount, { musercode: school, plancode: 'P999999', qty: 1 }),
  ).rejects.toMatchObject({ code: 130001 });
  expect(await findDisagreements(server)).toEqual([]);
});

test('a provider takes back free counts it granted; the platform corrects counts up and down with a reason', async () => {
  const server = await startServer();
  const { as } = server;
  await as('super')(wallet.grantMUserAssessCount, { musercode: 'M_ANLAN', qty: 100 });
  await as('fang')(wallet.grantMUserAssessCount, { musercode: school, qty: 60 });
  const back = (qty: number, remark?: string) => ({ musercode: school, kind: '06', qty, ...(remark ? { remark } : {}) }) as const;
  await expect(as('fang')(wallet.grantMUserAssessCount, back(10))).rejects.toMatchObject({ message: '收回和调整须填写说明' });
  expect(await as('fang')(wallet.grantMUserAssessCount, back(40, '多发'))).toEqual({ balance: 10_020, own: 80 });
  await expect(as('fang')(wallet.grantMUserAssessCount, back(21, '再收'))).rejects.toMatchObject({
    message: '收回的次数不能多于本机构发放的次数',
  });
  const correction = { musercode: school, kind: '08', remark: '盘点' } as const;
  await expect(as('fang')(wallet.grantMUserAssessCount, { ...correction, qty: 5 })).rejects.toMatchObject({ code: 110004 });
  await as('super')(wallet.grantMUserAssessCount, { ...correction, qty: 5 });
  expect(await as('super')(wallet.grantMUserAssessCount, { ...correction, qty: 25, sign: '-' })).toEqual({
    balance: 10_000,
    own: null,
  });
  await expect(as('super')(wallet.grantMUserAssessCount, { ...correction, qty: 10_001, sign: '-' })).rejects.toMatchObject({
    code: 150001,
  });
  expect(await findDisagreements(server)).toEqual([]);
});

test('the worked example of the hospital in statistics.md 4.4 gives the published numbers', async () => {
  const server = await startServer();
  const { as, nobody, withToken, sqlAsOwner, clock } = server;
  const lin = as('lin');
  // The wallet of the example has 100 counts; the platform takes the other counts back first.
  await as('super')(wallet.grantMUserAssessCount, { musercode: 'M_RENAI', kind: '06', qty: 9900, remark: '示例' });
  const mothers = await Promise.all(
    [1, 2, 3, 4, 5, 6].map(async (number) => {
      const person = {
        appid: '000000001',
        username: `产妇${'甲乙丙丁戊己'[number - 1]}`,
        gender: '02' as const,
        birthday: '1995-01-01',
      };
      return {
        ...person,
        ...(await lin(cuser.insertCUser, { ...person, phonenumber: `1390000000${number}`, archive: {}, guardian: [] })),
      };
    }),
  );
  await sqlAsOwner("update muserclient set loginmode = '02' where musercode = 'M_RENAI'");
  const [m1, m2, m3, m4, m5, m6] = mothers.map((mother) => mother.cuserid) as [string, string, string, string, string, string];
  const plans: [string, string, number][] = [
    [m1, 'YC01', 1],
    [m2, 'YC01', 1],
    [m3, 'YC02', 1],
    [m4, 'YC03', 2],
    [m5, 'YC42', 1],
    [m6, 'YC42', 1],
  ];
  for (const [cuserid, stagecode, total] of plans) {
    clock.now = new Date(clock.now.getTime() + 60_000);
    expect(await lin(authorize.authorizeCUserPlan, { cuserids: [cuserid], plancode: 'P900001', stagecode, total })).toMatchObject(
      { granted: 1, skipped: 0, frozen: total },
    );
  }
  for (const index of [0, 1, 3, 4]) {
    const person = mothers[index] as (typeof mothers)[number];
    const { token } = await nobody(respond.loginRespondent, {
      clientcode: 'entry_renai',
      username: person.username,
      key: `1390000000${index + 1}`,
    });
    const own = withToken(token);
    const { consent } = await nobody(respond.getEntry, { clientcode: 'entry_renai' });
    await own(respond.submitConsent, { consentversion: consent.version, scopes: ['01', '02'], agreed: 1 });
    await answerTask(server, { ...person, studentno: '' }, { call: own });
  }
  expect(await lin(authorize.clearCUserAssessCount, { cuserid: m6, reason: '转院' })).toEqual({ released: 1 });

  const figures = { granted: 100, used: 4, frozen: 2, expired: 0, free: 94 };
  const counts = await as('super')(ledger.getPlanAuthorizeCount, { musercode: 'M_RENAI' });
  expect(counts).toMatchObject({ total: 1, sum: { ...figures, peoplecount: 6 } });
  expect(counts.rows[0]).toMatchObject({ ...figures, peoplecount: 6, musercode: 'M_RENAI', plancode: '*', low: 0, expiring: 0 });
  const details = await as('super')(ledger.getPlanAuthorizeDetails, { musercode: 'M_RENAI', pageSize: 50 });
  expect(details.sum).toEqual(figures);
  expect(details.kinds).toEqual([
    { kind: '01', lines: 1, qty: 10_000 },
    { kind: '03', lines: 6, qty: -7 },
    { kind: '04', lines: 4, qty: -4 },
    { kind: '05', lines: 1, qty: 1 },
    { kind: '06', lines: 1, qty: -9900 },
  ]);
  expect(details.rows.filter((row) => row.kind === '03').map((row) => row.qty)).toEqual([-1, -1, -2, -1, -1, -1]);
  // This wallet is for any plan, so every freeze, use and release names the plan.
  expect(counts.rows[0]?.uses).toMatchObject([{ plancode: 'P900001', used: 4, frozen: 2 }]);
  for (const row of details.rows)
    expect([row.kind, row.forplan]).toEqual([row.kind, ['03', '04', '05'].includes(row.kind) ? 'P900001' : '']);
  expect(details.rows.find((row) => row.kind === '05')).toMatchObject({
    kindname: '释放',
    qty: 1,
    balance: 94,
    operatorname: '林医生',
    remark: '清零：转院',
  });
  expect(await findDisagreements(server)).toEqual([]);
});

test('the usage of a general wallet is shown per plan and adds up to the wallet', async () => {
  const server = await startServer();
  const { as } = server;
  const chen = as('chen');
  const { pupils } = await addClass(server, { teamname: '初二3班', names: ['林小雨', '周子涵', '吴思远'] });
  const [lin, zhou, wu] = pupils as [(typeof pupils)[0], (typeof pupils)[0], (typeof pupils)[0]];
  await chen(authorize.authorizeCUserPlan, authorizationOf([lin.cuserid, zhou.cuserid]));
  await chen(authorize.authorizeCUserPlan, { cuserids: [wu.cuserid], plancode: 'P900005', total: 3 });
  const codes = { musercode: school, appid: '000000002', plancode: 'P900005', qty: 4 };
  const { batchno } = await as('ma')(entry.insertCUserAssessCode, codes);
  await answerTask(server, lin);
  const uses = async () =>
    (await as('ma')(ledger.getPlanAuthorizeCount, {})).rows[0]?.uses.map(({ plancode, used, frozen }) => ({
      plancode,
      used,
      frozen,
    }));
  expect(await uses()).toEqual([
    { plancode: 'P900002', used: 1, frozen: 1 },
    { plancode: 'P900005', used: 0, frozen: 7 },
  ]);
  await as('ma')(entry.voidAssessCodes, { batchno });
  await chen(authorize.clearCUserAssessCount, { cuserid: wu.cuserid, reason: '已转学' });
  expect(await uses()).toEqual([{ plancode: 'P900002', used: 1, frozen: 1 }]);
  const { rows, sum } = await as('ma')(ledger.getPlanAuthorizeDetails, { forplan: 'P900005' });
  expect(rows.map((row) => [row.plancode, row.forplanname !== '', row.qty]).sort()).toEqual(
    [
      ['*', true, -3],
      ['*', true, -4],
      ['*', true, 3],
      ['*', true, 4],
    ].sort(),
  );
  expect(sum).toMatchObject({ used: 0, frozen: 0 });
  // A line of a plan's own wallet does not repeat the plan.
  await as('super')(wallet.grantMUserAssessCount, { musercode: school, plancode: 'P900002', qty: 5 });
  await chen(authorize.authorizeCUserPlan, authorizationOf([wu.cuserid]));
  expect(
    (await as('ma')(ledger.getPlanAuthorizeDetails, { forplan: 'P900002', kind: '03' })).rows.map((row) => [
      row.plancode,
      row.forplan,
    ]),
  ).toEqual([
    ['P900002', ''],
    ['*', 'P900002'],
    ['*', 'P900002'],
  ]);
  expect(await findDisagreements(server)).toEqual([]);
});

test('a person authorized twice takes two exams one after the other, and stages, list and counts agree', async () => {
  const server = await startServer();
  const { as, clock } = server;
  const { pupils } = await addClass(server, { teamname: '初二3班', names: ['林小雨'] });
  const [lin] = pupils as [(typeof pupils)[0]];
  await as('chen')(authorize.authorizeCUserPlan, authorizationOf([lin.cuserid], { total: 2 }));
  await answerTask(server, lin);
  const own = await signInPupil(server, lin);
  const [task] = await own(respond.getTasks, {});
  expect(task).toMatchObject({ status: 0, answered: 0 });
  expect(await as('chen')(authorize.getCUserStagesAssessCount, { cuserid: lin.cuserid })).toMatchObject([
    { plancode: 'P900002', total: 2, used: 1, frozen: 1, left: 1, lastexamtime: expect.any(String) },
  ]);
  clock.now = new Date(clock.now.getTime() + 86_400_000);
  const secondExam = await answerTask(server, lin);
  await expect(own(respond.startExam, { cuserplanid: task?.cuserplanid as number })).rejects.toMatchObject({ code: 150004 });
  expect((await own(respond.getTasks, {})).map((row) => row.status)).toEqual([2]);
  expect(secondExam.examcode).toBeTruthy();
  expect(await as('chen')(authorize.getCUserPlan, { cuserid: lin.cuserid })).toMatchObject([
    { total: 2, used: 2, frozen: 0, status: 2, unused: false, grantname: '陈静怡' },
  ]);
  expect(await findDisagreements(server)).toEqual([]);
});

test('the response names persons who cannot be authorized; two concurrent requests create one authorization', async () => {
  const server = await startServer();
  const { as, sqlAsOwner } = server;
  const chen = as('chen');
  const { pupils } = await addClass(server, { teamname: '初二3班', names: ['林小雨', '周子涵', '吴思远'] });
  const ids = pupils.map((pupil) => pupil.cuserid);
  const { cuserid: worker } = await chen(cuser.insertCUser, {
    appid: '000000003',
    username: '职工',
    gender: '01',
    archive: {},
    guardian: [],
  });
  await sqlAsOwner('update cuser set enabled = 0 where cuserid = $1', [ids[2]]);
  const responses = await Promise.all([
    chen(authorize.authorizeCUserPlan, authorizationOf([...ids, worker])),
    chen(authorize.authorizeCUserPlan, authorizationOf([...ids].reverse())),
  ]);
  expect(responses.map((response) => response.granted).reduce((a, b) => a + b)).toBe(2);
  expect(responses.flatMap((response) => response.exclusions.map((exclusion) => exclusion.reason))).toEqual(
    expect.arrayContaining(['人群与方案不符', '受测者已停用', '已有相同方案的有效授权']),
  );
  await expect(as('qiao')(authorize.authorizeCUserPlan, authorizationOf(ids))).rejects.toMatchObject({ code: 130001 });
  await expect(chen(authorize.authorizeCUserPlan, authorizationOf(ids, { enddate: '2025-10-07' }))).rejects.toMatchObject({
    code: 120002,
  });
  expect(await findDisagreements(server)).toEqual([]);
});

test('staff can delete an unused authorization and clear a started one; both return counts, as does the deletion of a person', async () => {
  const server = await startServer();
  const { as } = server;
  const chen = as('chen');
  const { pupils } = await addClass(server, { teamname: '初二3班', names: ['林小雨', '周子涵', '吴思远'] });
  const [lin, zhou, wu] = pupils as [(typeof pupils)[0], (typeof pupils)[0], (typeof pupils)[0]];
  await chen(
    authorize.authorizeCUserPlan,
    authorizationOf(
      pupils.map((pupil) => pupil.cuserid),
      { total: 3 },
    ),
  );
  const idOf = async (cuserid: string) => (await chen(authorize.getCUserPlan, { cuserid }))[0]?.cuserplanid as number;
  const { handIn } = await answerTask(server, zhou, { begin: true });
  await expect(
    chen(authorize.deleteCUserPlan, { cuserplanids: [await idOf(lin.cuserid), await idOf(zhou.cuserid)] }),
  ).rejects.toMatchObject({ code: 130003 });
  await expect(as('qiao')(authorize.deleteCUserPlan, { cuserplanids: [await idOf(lin.cuserid)] })).rejects.toMatchObject({
    code: 130001,
  });
  expect(await chen(authorize.deleteCUserPlan, { cuserplanids: [await idOf(lin.cuserid)] })).toEqual({ deleted: 1, released: 3 });
  expect(await chen(authorize.clearCUserAssessCount, { cuserid: zhou.cuserid, reason: '已转学' })).toEqual({ released: 3 });
  await expect(handIn()).rejects.toMatchObject({ code: 150003 });
  await chen(cuser.deleteCUser, { cuserids: [wu.cuserid] });
  expect(await findFree(server, school)).toBe(10_000);
  expect(await findDisagreements(server)).toEqual([]);
});

test('ledger rows cannot be changed, and a moved institution keeps its ledger', async () => {
  const server = await startServer();
  const { as, sqlAsOwner, services } = server;
  await as('super')(wallet.grantMUserAssessCount, { musercode: school, qty: 7 });
  for (const statement of [
    'update assesscountlog set qty = 9000',
    'delete from assesscountlog',
    "update assesscountlog set remark = 'x' where qty = 7",
  ]) {
    await expect(sqlAsOwner(statement)).rejects.toThrow('only ever added to');
    await expect(services.pools.app.query(statement)).rejects.toThrow('permission denied');
    await expect(services.pools.respondent.query(statement)).rejects.toThrow('permission denied');
  }
  const { musercode } = await as('super')(muser.addMUser, {
    username: 'newprovider',
    pwd: 'B'.repeat(32),
    insname: '新服务商',
    musertype: '002',
    sector: 'platform',
  });
  await as('super')(muser.updateMUserCategory, { musercode: school, parentmusercode: musercode });
  expect(
    await sqlAsOwner<{ orgpath: string }>(
      'select distinct l.orgpath from assesscountlog l join muser m using (musercode, orgpath) where musercode = $1',
      [school],
    ),
  ).toHaveLength(1);
  expect(await as('fang')(ledger.getPlanAuthorizeDetails, { musercode: school })).toMatchObject({ total: 0 });
});

test('ledger and statistics agree under the same filters; the export holds the same rows; an authority reads no names', async () => {
  const server = await startServer();
  const { as } = server;
  const { pupils } = await addClass(server, { teamname: '初二3班', names: ['林小雨', '周子涵'] });
  await as('chen')(
    authorize.authorizeCUserPlan,
    authorizationOf(
      pupils.map((pupil) => pupil.cuserid),
      { total: 2 },
    ),
  );
  await answerTask(server, pupils[0] as (typeof pupils)[0]);
  for (const filters of [
    {},
    { musercode: school },
    { categorycode: 'M_ANLAN' },
    { appid: '000000001' },
    { plancode: '*' },
    { districtcode: '330106' },
    { plancode: 'P900002' },
    { begindate: '2025-10-08', enddate: '2025-10-08' },
  ]) {
    const { sum } = await as('super')(ledger.getPlanAuthorizeDetails, filters);
    const counts = await as('super')(ledger.getPlanAuthorizeCount, filters);
    const { frozen: _, free: __, ...movedSum } = sum;
    expect([filters, counts.sum]).toMatchObject([filters, 'begindate' in filters ? movedSum : sum]);
    expect(counts.rows.reduce((sum, row) => sum + row.free, 0)).toBe(counts.sum.free);
  }
  expect((await as('fang')(ledger.getPlanAuthorizeDetails, { kind: '04' })).rows).toMatchObject([
    { kindname: '使用', operatorname: '受测者', qty: -1 },
  ]);
  const { filename, body } = await as('ma')(ledger.exportPlanAuthorizeDetails, {});
  const { rows } = await readWorkbook(await buffer(body as Readable), filename);
  expect(JSON.stringify(rows)).toContain('合计：获得 10,000，使用 1，冻结 3，过期 0，剩余 9,996');
  expect((await as('qiao')(ledger.getPlanAuthorizeCount, {}).catch((error: { code: number }) => error.code)) as unknown).toBe(
    110004,
  );
  await expect(as('zhou')(ledger.getPlanAuthorizeCount, {})).rejects.toMatchObject({ code: 110004 });
});
