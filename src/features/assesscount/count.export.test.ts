import { expect, test } from 'vitest';
import { buffer } from 'node:stream/consumers';
import type { Readable } from 'node:stream';
import { readWorkbook } from '#server/workbook/read.ts';
import { addClass, answerTask } from '#testing/school.ts';
import { startServer } from '#testing/server.ts';
import * as authorize from '#features/assesscount/authorizations/authorize.contract.ts';
import * as ledger from '#features/assesscount/ledger.contract.ts';

test('the export of the statistics holds the rows and sums of the screen under every filter', async () => {
  const server = await startServer();
  const { as } = server;
  const { pupils } = await addClass(server, { teamname: '初二3班', names: ['林小雨', '周子涵'] });
  await as('chen')(authorize.authorizeCUserPlan, {
    cuserids: pupils.map((pupil) => pupil.cuserid),
    plancode: 'P900002',
  });
  await answerTask(server, pupils[0] as (typeof pupils)[0]);
  for (const filters of [
    {},
    { musercode: 'M_CHENGUANG' },
    { categorycode: 'M_ANLAN' },
    { districtcode: '330106', appid: '000000001' },
    { plancode: 'P900002' },
    { low: 0 },
    { low: 1 },
    { expiring: 1 },
    { begindate: '2025-10-08', enddate: '2025-10-08' },
  ] as const) {
    const screen = await as('fang')(ledger.getPlanAuthorizeCount, filters);
    const { filename, body } = await as('fang')(ledger.exportPlanAuthorizeCount, filters);
    expect(filename).toBe('方案授权统计_2025-10-08.xlsx');
    const sheet = (await readWorkbook(await buffer(body as Readable), filename)).rows.map((row) => row.map(String));
    const { granted, used, frozen, expired, free, peoplecount } = screen.sum;
    expect(sheet.flat()).toContain(
      `合计：发放 ${granted}，使用 ${used}，冻结 ${frozen}，过期 ${expired}，剩余 ${free}，授权 ${peoplecount} 人`,
    );
    const heads = sheet.findIndex((row) => row.includes('各方案使用'));
    expect([filters, sheet.slice(heads + 1).map((row) => row.slice(0, 8))]).toEqual([
      filters,
      screen.rows.map((row) =>
        [row.insname, row.musercode, row.planname, row.granted, row.used, row.frozen, row.expired, row.free].map(String),
      ),
    ]);
  }
  await expect(as('qiao')(ledger.exportPlanAuthorizeCount, {})).rejects.toMatchObject({ code: 110004 });
});
