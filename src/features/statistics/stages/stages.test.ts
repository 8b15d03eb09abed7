import { expect, test } from 'vitest';
import { getStageCoverage, getStagePersonPageList } from '#features/statistics/stages/stages.contract.ts';
import { aWoman } from '#testing/factories.ts';
import { startServer, type TestServer } from '#testing/server.ts';

const appid = '000000001';
const handIn = ({ sqlAsOwner }: TestServer, cuserid: string, stagecode: string, day: string) =>
  sqlAsOwner(
    `insert into examrecord (examcode, musercode, cuserid, appid, plancode, stagecode, status, submittime, valid, overalllevel)
     values ('E-' || $1 || $2, 'M_RENAI', $1, '000000001', 'P900001', $2, 2, $3, 1, 0)`,
    [cuserid, stagecode, `${day} 10:00+08`],
  );

/** On 2025-11-10 three women are in the third trimester: 赵丹 was tested, 安宁 and 林夏 were not. 周静 gave birth untested. */
async function hospital() {
  const server = await startServer({ now: '2025-06-01T02:00:00Z' });
  const dates = { 赵丹: { edcdate: '2026-01-01' }, 安宁: { edcdate: '2025-12-20' }, 林夏: { edcdate: '2026-01-20' } };
  const ids: Record<string, string> = {};
  for (const [username, archive] of Object.entries({
    ...dates,
    周静: { edcdate: '2025-09-20', deliverydate: '2025-09-25' },
  }))
    ids[username] = (await aWoman(server, { username, archive })).cuserid;
  await handIn(server, ids['赵丹'] as string, 'YC03', '2025-10-20');
  server.clock.now = new Date('2025-11-10T02:00:00Z');
  return { ...server, ids };
}

test('the coverage of a stage counts the persons whose window was open, and each number has its list', async () => {
  const { as } = await hospital();
  const lin = as('lin');
  const range = { appid, begindate: '2025-09-01', enddate: '2025-12-31' };
  const stages = await lin(getStageCoverage, range);
  const third = stages.find(({ stagecode }) => stagecode === 'YC03');
  expect(third).toEqual({
    ...{ stagecode: 'YC03', stagename: '孕晚期', due: 4, tested: 1, untested: 3, missed: 1, rate: 25 },
  });
  for (const { stagecode, due, tested, untested, missed } of stages)
    for (const [coverage, figure] of Object.entries({ due, tested, untested, missed })) {
      const { total, rows } = await lin(getStagePersonPageList, {
        ...{ ...range, stagecode, pageSize: 200 },
        coverage: coverage as 'due',
      });
      expect([stagecode, coverage, total, rows.length]).toEqual([stagecode, coverage, figure, figure]);
    }
});

test('the list of the untested names the women whose window ends first, and reading it leaves a trace', async () => {
  const { as, sqlAsOwner, ids } = await hospital();
  const { rows } = await as('lin')(getStagePersonPageList, { appid, stagecode: 'YC03', coverage: 'untested' });
  expect(rows.map((row) => [row.username, row.coverage, row.until])).toEqual([
    ['周静', 'missed', '2025-09-24'],
    ['安宁', 'untested', '2026-01-03'],
    ['林夏', 'untested', '2026-02-03'],
  ]);
  const [entry] = await sqlAsOwner<{ cuserids: string[] }>(
    "select cuserids from audit.log where action = 'as.m.hospital.statistic.getStagePersonPageList'",
  );
  expect(entry?.cuserids).toEqual([ids['周静'], ids['安宁'], ids['林夏']]);
});

test('a school does not reach the women of a hospital, and an authority is refused', async () => {
  const { as } = await hospital();
  expect(await as('chen')(getStageCoverage, { appid, musercode: 'M_RENAI' })).toEqual([]);
  expect(await as('qiao')(getStagePersonPageList, { appid, musercode: 'M_RENAI', stagecode: 'YC03' })).toEqual({
    ...{ total: 0, rows: [] },
  });
  await expect(as('zhou')(getStageCoverage, { appid })).rejects.toMatchObject({ code: 110004 });
});
