import { beforeAll, expect, test } from 'vitest';
import { fromShanghai } from '#domain/base/calendar.ts';
import { hashToken } from '#server/dispatch/caller.ts';
import { withStatsScope, type StatsScope } from '#server/db/scope.ts';
import { insertCity, insertPupils, insertSchool, insertScreening } from '#testing/release/city.ts';
import { sharedServer, startServer, type TestServer } from '#testing/server.ts';
import { publish } from '#features/release/publish.ts';
import * as statistics from '#features/statistics/statistics.contract.ts';
import { findEffort, findOutcome, findPeriods, findSchools } from '#features/release/release.queries.ts';

/** Who reads which published rows. The tasks of the city end on 30 September, so its outcome is released on 8 October. */
const server = sharedServer();
beforeAll(async () => {
  await insertCity(server());
  await publish(server().services, fromShanghai('2025-10-08 02:00'));
});

const term = { appid: '000000002', year: '2025-2026', term: '1' };
const read = <T>(on: TestServer, who: string, query: (scope: StatsScope) => Promise<T>): Promise<T> =>
  withStatsScope(on.services.pools.stats, { session: hashToken(who) }, query);
const schoolsOf = async (who: string) =>
  (await read(server(), who, (scope) => findSchools(scope, term))).map(({ musercode }) => musercode).sort();
const validOf = (on: TestServer, who: string, filters: { regioncode?: string } = {}) =>
  read(on, who, async (scope) => (await findOutcome(scope, { ...term, ...filters }, 'all', 'region')).map(({ valid }) => valid));

test('the outcome is released seven days after the last task, when every school has had one', async () => {
  expect(await read(server(), 'zhou', (scope) => findPeriods(scope, term.appid))).toEqual([
    { year: '2025-2026', term: '1', datatime: fromShanghai('2025-10-08 02:00') },
  ]);
});

test('an authority reads its own region and sector, and a city is the sum of its districts', async () => {
  expect(await schoolsOf('district')).toEqual(['M_CHENGUANG', 'M_DONGSHAN', 'M_XIXI']);
  expect(await schoolsOf('zhou')).toEqual(['M_CHANGHE', 'M_CHENGUANG', 'M_DONGSHAN', 'M_JIANGNAN', 'M_XIXI']);
  const [xihu] = await validOf(server(), 'district');
  const [binjiang] = await validOf(server(), 'zhou', { regioncode: '330108' });
  expect(await validOf(server(), 'zhou')).toEqual([xihu === null || binjiang === null ? null : (xihu ?? 0) + (binjiang ?? 0)]);
  expect(xihu).toBe(158);
  expect(await validOf(server(), 'district', { regioncode: '330108' })).toEqual([]);
  await server().sqlAsOwner("update muser set sector = 'health' where musercode = 'JYJ_XIHU'");
  expect(await schoolsOf('district')).toEqual([]);
  expect(await validOf(server(), 'district')).toEqual([]);
  await server().sqlAsOwner("update muser set sector = 'edu' where musercode = 'JYJ_XIHU'");
});

test('the calls of statistics show an authority what is published, and nothing else', async () => {
  for (const musercode of [undefined, 'M_CHENGUANG', 'M_DONGSHAN', 'M_XIXI', 'M_JIANGNAN', 'M_CHANGHE']) {
    const answer = await server().as('zhou')(statistics.getAssessAbnormalCount, { ...term, musercode });
    const [published] = await read(server(), 'zhou', (scope) =>
      findOutcome(scope, { ...term, musercode }, 'all', musercode ? 'institution' : 'region'),
    );
    const { valid, abnormal, alert, levels } = published ?? {};
    expect(answer).toMatchObject({ valid, abnormal, alert, levels });
  }
});

test('a city is hidden where one of its districts is hidden', async () => {
  const abnormalOf = (regioncode?: string) =>
    read(server(), 'zhou', async (scope) =>
      (await findOutcome(scope, { ...term, regioncode }, 'grade', 'region')).map(({ groupcode, abnormal }) => [
        groupcode,
        abnormal,
      ]),
    );
  const parts = [...(await abnormalOf('330106')), ...(await abnormalOf('330108'))];
  const city = await abnormalOf();
  expect(city.some(([, abnormal]) => abnormal === null)).toBe(true);
  for (const [grade, abnormal] of city) {
    const counts = parts.filter(([code]) => code === grade).map(([, count]) => Number(count ?? NaN));
    const sum = counts.reduce((total, count) => total + count, 0);
    expect([grade, abnormal]).toEqual([grade, Number.isNaN(sum) ? null : sum]);
  }
});

test('a school that is not in the region, a class teacher and a person without rights read no region', async () => {
  for (const who of ['qiao', 'wang', 'fang', 'nobody']) expect([who, await validOf(server(), who)]).toEqual([who, []]);
  expect(await schoolsOf('wang')).toEqual([]);
});

test('staff who act in the account of an authority read its region only if all its schools are in their range', async () => {
  await server().sqlAsOwner(
    "update auth.session set loginasby = 'U_FANG', parenthash = 'fang' where tokenhash = encode(sha256('zhou'), 'hex')",
  );
  expect(await validOf(server(), 'zhou')).toHaveLength(1);
  await server().sqlAsOwner(
    `insert into muser (musercode, orgpath, username, musertype, insname, sector, parentmusercode, categorycode, categorylevel,
       provincecode, citycode, districtcode)
     values ('M_FOREIGN', 'AS000001.M_FOREIGN.', 'foreign', '005', '外校', 'edu', 'AS000001', 'M_FOREIGN', 1, '330000', '330100', '330108')`,
  );
  expect(await validOf(server(), 'zhou')).toEqual([]);
  expect(await schoolsOf('zhou')).toHaveLength(5);
  await server().sqlAsOwner(
    "update auth.session set loginasby = null, parenthash = null where tokenhash = encode(sha256('zhou'), 'hex')",
  );
  expect(await validOf(server(), 'zhou')).toHaveLength(1);
});

test('two nodes that publish at once publish once, and a later school or task changes nothing', async () => {
  const own = await startServer();
  await insertCity(own);
  const night = (day: string) => publish(own.services, fromShanghai(`${day} 02:00`));
  await Promise.all([night('2025-10-08'), night('2025-10-08'), night('2025-10-08')]);
  const [count] = await own.sqlAsOwner<{ n: number }>("select count(*)::int as n from publishedregion where groupkind = 'all'");
  expect(count).toEqual({ n: 2 });
  const readAll = () =>
    read(own, 'zhou', async (scope) => ({
      effort: await findEffort(scope, term),
      outcome: await findOutcome(scope, term, 'grade', 'institution'),
      region: await findOutcome(scope, term, 'all', 'region'),
    }));
  const before = await readAll();
  await insertScreening(own, 'M_XIXI', '2025-11-20', '_2');
  await insertPupils(own, { school: 'M_XIXI', grade: 'P5', gender: '02', calm: 30, abnormal: 9 }, 'NEW', '_2');
  await insertSchool(own, 'M_XINXIAO', '云栖市新校', '330106');
  await night('2025-10-09');
  await night('2026-02-10');
  expect(await readAll()).toEqual(before);
  const schools = await read(own, 'zhou', (scope) => findSchools(scope, term));
  expect(schools.find(({ musercode }) => musercode === 'M_XINXIAO')).toMatchObject({ lasttaskend: null, datatime: null });
});
