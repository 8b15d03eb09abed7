import { expect, test } from 'vitest';
import { insertInterfere } from '#features/care/care.contract.ts';
import * as hospital from '#features/statistics/hospital.contract.ts';
import { aStudent, aWoman } from '#testing/factories.ts';
import { startServer } from '#testing/server.ts';

/** stage, granted, used, status of the authorization, and for a sheet its level and whether it needs attention */
const mothers = [
  ['YC01', 1, 1, 2, 0, 0],
  ['YC01', 1, 1, 2, 2, 1],
  ['YC02', 1, 0, 1],
  ['YC03', 2, 1, 1, 1, 0],
  ['YC42', 1, 1, 2, 3, 1],
  ['YC42', 1, 0, 3],
] as const;

test('the funnel of the hospital of fixture B has the printed figures', async () => {
  const server = await startServer();
  for (const [index, [stagecode, total, used, status, level, isabnormal]] of mothers.entries()) {
    const username = `产妇${'甲乙丙丁戊己'[index]}`;
    const { cuserid } = await aWoman(server, { username, archive: { edcdate: '2026-02-01' } });
    await server.sqlAsOwner(
      `with granted as (
         insert into cuserplan (cuserid, musercode, plancode, appid, stagecode, total, used, frozen, status, createtime)
         values ($1, 'M_RENAI', 'P900001', '000000001', $2, $3, $4, case when $5::int = 1 then $3::int - $4::int else 0 end, $5,
           '2025-10-01')
         returning cuserplanid
       )
       insert into examrecord (examcode, musercode, cuserid, appid, plancode, stagecode, cuserplanid, status, submittime, valid,
         overalllevel, isabnormal)
       select 'E-' || $1, 'M_RENAI', $1, '000000001', 'P900001', $2, cuserplanid, 2, '2025-10-02', 1, $6::int, $7::int from granted
       where $6::int is not null`,
      [cuserid, stagecode, total, used, status, level ?? null, isabnormal ?? null],
    );
  }
  const as = server.as('lin');
  const granted = await as(hospital.getTotalAssessCount, {});
  expect(granted.total).toBe(6);
  expect(granted.stages.map(({ stagecode, count }) => [stagecode, count])).toEqual([
    ['YC01', 2],
    ['YC02', 1],
    ['YC03', 2],
    ['YC42', 1],
  ]);
  const { stages, ...sums } = await as(hospital.getCompleteAssessCount, {});
  expect(sums).toEqual({ authorised: 6, complete: 4, rate: 66.7, abnormal: 2, abnormalrate: 50 });
  expect(stages.map((stage) => [stage.stagecode, stage.authorised, stage.complete, stage.rate, stage.abnormal])).toEqual([
    ['YC01', 2, 2, 100, 1],
    ['YC02', 1, 0, 0, 0],
    ['YC03', 2, 1, 50, 0],
    ['YC42', 1, 1, 100, 1],
  ]);
  expect(await as(hospital.getTotalAssessCount, { begindate: '2025-10-03' })).toEqual({ total: 0, stages: [] });
});

test('interventions are listed with their number by kind; another institution sees none of them', async () => {
  const server = await startServer();
  const [lin, su] = [await aStudent(server), await aStudent(server, { username: '苏晴', studentno: '20250902' })];
  const intervene = (cuserid: string, kind: '01' | '05', begintime: string) =>
    server.as('chen')(insertInterfere, { cuserid, kind, begintime, minutes: 30, content: '谈了近况，约好下周再谈' });
  await intervene(lin.cuserid, '01', '2025-10-06 09:00');
  await intervene(lin.cuserid, '05', '2025-10-07 09:00');
  await intervene(su.cuserid, '01', '2025-10-07 10:00');
  const read = await server.as('chen')(hospital.getInterfereRecord, { pageSize: 2 });
  expect(read.summary).toEqual({
    ...{ total: 3, people: 2 },
    kinds: [
      { kind: '01', kindname: '心理辅导', count: 2 },
      { kind: '05', kindname: '家庭沟通', count: 1 },
    ],
  });
  expect([read.total, read.rows.map((row) => [row.username, row.kindname, row.begintime])]).toEqual([
    3,
    [
      ['苏晴', '心理辅导', '2025-10-07 10:00:00'],
      ['林小雨', '家庭沟通', '2025-10-07 09:00:00'],
    ],
  ]);
  const family = await server.as('chen')(hospital.getInterfereRecord, { kind: '05', begindate: '2025-10-07' });
  expect(family.summary).toMatchObject({ total: 1, people: 1 });
  expect((await server.as('qiao')(hospital.getInterfereRecord, {})).summary).toEqual({ total: 0, people: 0, kinds: [] });
});
