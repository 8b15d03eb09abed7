import type pg from 'pg';
import { shanghaiDate } from '#domain/base/calendar.ts';
import * as authorize from '#features/assesscount/authorizations/authorize.contract.ts';
import * as wallet from '#features/assesscount/wallet.contract.ts';
import * as cuser from '#features/cuser/cuser.contract.ts';
import type { Calls } from '#seed/demo/calls.ts';
import { codes } from '#seed/demo/tenants/institutions.ts';
import type { DemoDates } from '#seed/demo/content/dates.ts';

/** The counts that the provider has bought. The platform cannot sign in before the filling is done, so SQL writes them. */
const boughtCount = 8000;

/** Creates the wallet of the provider. */
export async function openWallet(client: pg.ClientBase, time: Date): Promise<void> {
  await client.query("insert into assesscount (musercode, plancode, granted) values ($1, '*', $2)", [
    codes.provider,
    boughtCount,
  ]);
  await client.query(
    `insert into assesscountlog (musercode, plancode, kind, qty, balance, remark, time)
     values ($1, '*', '01', $2, $2, '年度合同', $3)`,
    [codes.provider, boughtCount, time],
  );
}

/** Grants counts to the institutions of the provider: one wallet for a single plan, one that expires soon, one that has expired. */
export async function grantCounts(calls: Calls, { day }: DemoDates): Promise<void> {
  const fws = await calls.as('demo_fws', day(-400, '10:00'));
  const on = (days: number) => shanghaiDate(day(days));
  const grants: readonly (readonly [musercode: string, qty: number, enddate: string | null, plancode?: string])[] = [
    [codes.chenguang, 3000, null],
    [codes.dongshan, 1000, on(300)],
    [codes.qinglan, 600, on(18)],
    [codes.renai, 1000, on(120)],
    [codes.renai, 120, on(120), 'P900001'],
    [codes.special, 600, on(-10)],
  ];
  for (const [musercode, qty, enddate, plancode = wallet.anyPlan] of grants)
    await fws(wallet.grantMUserAssessCount, { musercode, qty, plancode, enddate, remark: '开通' });
}

/** Authorizes persons outside tasks: open, for several exams, cleared, deleted and expired. It also takes counts back. */
export async function authorizePersons(calls: Calls, { day }: DemoDates): Promise<void> {
  const school = { plancode: 'P900005' };
  const psychologist = await calls.as('demo_psych', day(-20, '15:20'));
  const { rows: pupils } = await psychologist(cuser.getCUserPageList, { page: 1, pageSize: 12, orderby: 'username', isasc: '1' });
  const ids = pupils.map((pupil) => pupil.cuserid);
  await psychologist(authorize.authorizeCUserPlan, { ...school, cuserids: ids.slice(0, 4), enddate: shanghaiDate(day(-6)) });
  const lately = await calls.as('demo_psych', day(-2, '10:40'));
  await lately(authorize.authorizeCUserPlan, { ...school, cuserids: ids.slice(4, 10), total: 3, enddate: shanghaiDate(day(60)) });
  await lately(authorize.clearCUserAssessCount, { cuserid: ids[4] as string, reason: '已转学' });
  const [unused] = await lately(authorize.getCUserPlan, { cuserid: ids[5] as string, status: 1 });
  if (unused?.unused) await lately(authorize.deleteCUserPlan, { cuserplanids: [unused.cuserplanid] });

  const doctor = await calls.as('demo_hospital', day(-1, '09:10'));
  const { rows: women } = await doctor(cuser.getCUserPageList, { page: 1, pageSize: 5, orderby: 'username', isasc: '1' });
  for (const [index, stagecode] of ['YC01', 'YC02', 'YC03', 'YC42', 'YC42'].entries())
    if (women[index])
      await doctor(authorize.authorizeCUserPlan, {
        plancode: 'P900001',
        stagecode,
        cuserids: [women[index].cuserid],
        total: index === 2 ? 2 : 1,
      });

  const fws = await calls.as('demo_fws', day(-1, '16:05'));
  const { wallets } = await fws(wallet.getMUserAssessCount, { musercode: codes.qinglan });
  const freeCount = wallets.find((candidate) => candidate.plancode === wallet.anyPlan)?.free ?? 0;
  if (freeCount > 20)
    await fws(wallet.grantMUserAssessCount, {
      musercode: codes.qinglan,
      kind: '06',
      qty: freeCount - 8,
      remark: '合同变更，收回未用次数',
    });
  await fws(wallet.grantMUserAssessCount, { musercode: codes.dongshan, qty: 200, remark: '追加' });
}
