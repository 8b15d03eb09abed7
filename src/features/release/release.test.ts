import { beforeAll, expect, test } from 'vitest';
import { hashToken } from '#server/dispatch/caller.ts';
import { withStatsScope, type StatsScope } from '#server/db/scope.ts';
import type { Person } from '#testing/people.ts';
import { sharedServer } from '#testing/server.ts';
import { insertFixtureA } from '#testing/statistics/fixtureA.ts';
import { fromShanghai } from '#domain/base/calendar.ts';
import { publish, publishDue } from '#features/release/publish.ts';
import { findEffort, findOutcome, findPeriods, findSchools } from '#features/release/release.queries.ts';

/** Fixture A of design/statistics.md 4.3: one school with a task until 30 September, one without in the same district. */
const server = sharedServer();
beforeAll(() => insertFixtureA(server()));

const term = { appid: '000000002', year: '2025-2026', term: '1' };
const read = <T>(who: Person, query: (scope: StatsScope) => Promise<T>): Promise<T> =>
  withStatsScope(server().services.pools.stats, { session: hashToken(who) }, query);
const at = (time: string) => publish(server().services, fromShanghai(time));

test('before the release an authority reads rounded effort, and the schools that it waits for', async () => {
  await at('2025-10-08 02:00');
  expect(await read('zhou', (scope) => findPeriods(scope, term.appid))).toEqual([
    { year: '2025-2026', term: '1', datatime: null },
  ]);
  const schools = await read('zhou', (scope) => findSchools(scope, term));
  expect(schools.map(({ insname, lasttaskend, datatime }) => [insname, lasttaskend !== null, datatime])).toEqual([
    ['云栖市东山中学', false, null],
    ['云栖市晨光中学', true, null],
  ]);
  // Nine pupils of 初一 and four of 初二 are on the roster.
  expect(await read('zhou', (scope) => findEffort(scope, term))).toEqual([
    { musercode: 'M_CHENGUANG', gradecode: 'J1', gradename: '初一', total: 5, exempt: 0, tested: 5 },
    { musercode: 'M_CHENGUANG', gradecode: 'J2', gradename: '初二', total: 0, exempt: 0, tested: 0 },
  ]);
  expect(await read('zhou', (scope) => findOutcome(scope, term, 'all', 'region'))).toEqual([]);
});

test('the outcome is released seven days after the term and never changes', async () => {
  await at('2026-02-08 02:00');
  const [whole] = await read('zhou', (scope) => findOutcome(scope, term, 'all', 'region'));
  expect(whole).toMatchObject({ groupcode: '', valid: 9, abnormal: null, levels: [null, null, null, null, null] });
  await server().sqlAsOwner("delete from examresult where examcode = 'E-c01'");
  await server().sqlAsOwner("update examrecord set status = 4 where examcode = 'E-c01'");
  await at('2026-02-09 02:00');
  expect(await read('zhou', (scope) => findOutcome(scope, term, 'all', 'region'))).toEqual([whole]);
  const refused = server().sqlAsOwner('set local role xinli_app; update publishedregion set valid = 1');
  await expect(refused).rejects.toThrow(/permission denied/);
});

test('the nightly count runs once a night', async () => {
  const { services } = server();
  expect(await publishDue(services, fromShanghai('2026-03-01 12:00'))).toBe(true);
  expect(await publishDue(services, fromShanghai('2026-03-02 01:59'))).toBe(false);
  expect(await publishDue(services, fromShanghai('2026-03-02 02:00'))).toBe(true);
  expect(await publishDue(services, fromShanghai('2026-03-02 02:01'))).toBe(false);
});
