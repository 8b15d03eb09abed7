import { expect, test } from 'vitest';
import { addDays, fromShanghai, shanghaiDate } from '#domain/base/calendar.ts';
import { hashToken } from '#server/dispatch/caller.ts';
import { withStatsScope, type StatsScope } from '#server/db/scope.ts';
import { Attacker, isolates, type Place, type Target } from '#testing/release/attacker.ts';
import { insertCity, insertPupils, insertSchool, insertScreening, pupils, schools, type School } from '#testing/release/city.ts';
import { startServer, type TestServer } from '#testing/server.ts';
import { publish } from '#features/release/publish.ts';
import { findEffort, findOutcome, findPeriods, findSchools, type PublishedOutcome } from '#features/release/release.queries.ts';

/** The authority of a city and that of a district read all they can, every day of a month in which schools go on working. */

const appid = '000000002';
const term = { appid, year: '2025-2026', term: '1' };
const readers = ['zhou', 'district'];
const GENDERS = ['01', '02', '00'];
/** A boy of 晨光中学 in 初一 whose sheet arrives after the release. Everybody knows that he is the only one of that day. */
const late: Place = { district: '330106', school: 'M_CHENGUANG', grade: 'J1', gender: '01', since: '2025-10-21' };

/** A number that somebody read, or null, and the day of its release. */
interface Seen extends Target {
  count: number | null;
}

const read = <T>(server: TestServer, who: string, query: (scope: StatsScope) => Promise<T>): Promise<T> =>
  withStatsScope(server.services.pools.stats, { session: hashToken(who) }, query);

const numbersOf = ({ musercode: _m, groupcode: _c, groupname: _n, ...outcome }: PublishedOutcome): [string, number | null][] =>
  Object.entries(outcome).flatMap(([measure, count]): [string, number | null][] =>
    Array.isArray(count) ? count.map((item, level) => [`${measure}.${level}`, item]) : [[measure, count]],
  );

/** Calls every read with every filter. */
async function readAll(server: TestServer): Promise<Seen[]> {
  const seen: Seen[] = [];
  for (const who of readers)
    await read(server, who, async (scope) => {
      const [period] = await findPeriods(scope, appid);
      const releases = new Map((await findSchools(scope, term)).map(({ musercode, datatime }) => [musercode, datatime]));
      for (const effort of await findEffort(scope, term)) {
        const day = releases.get(effort.musercode);
        // The reader knows which count of the effort belongs to the release: the last.
        const where = { school: effort.musercode, grade: effort.gradecode };
        if (day) seen.push({ where, measure: 'tested', count: effort.tested, day: shanghaiDate(day) });
      }
      for (const by of ['all', 'grade', 'gender'] as const) {
        const groupOf = (code: string) => (by === 'all' ? {} : { [by]: code });
        for (const regioncode of [undefined, '330000', '330100', '330106', '330108'])
          for (const row of await findOutcome(scope, { ...term, regioncode }, by, 'region')) {
            const isDistrict = regioncode === '330106' || regioncode === '330108';
            const district = isDistrict ? regioncode : who === 'district' ? '330106' : undefined;
            const where = { ...(district ? { district } : {}), ...groupOf(row.groupcode) };
            const day = shanghaiDate(period?.datatime ?? new Date(0));
            for (const [measure, count] of numbersOf(row)) seen.push({ where, measure, count, day });
          }
        for (const musercode of [undefined, ...Object.keys(schools)])
          for (const row of await findOutcome(scope, { ...term, musercode }, by, 'institution')) {
            const where = { school: row.musercode ?? '', ...groupOf(row.groupcode) };
            const day = shanghaiDate(releases.get(row.musercode ?? '') ?? new Date(0));
            for (const [measure, count] of numbersOf(row)) seen.push({ where, measure, count, day });
          }
      }
    });
  return seen;
}

/** The schools go on: a late sheet, a void one, a moved pupil, a new task, a new school. */
const events: Record<string, (server: TestServer) => Promise<unknown>> = {
  '2025-10-20': (server) => insertPupils(server, { ...groupOf(late), calm: 0, abnormal: 1 }, 'LATE'),
  '2025-10-22': ({ sqlAsOwner }) => sqlAsOwner("update examrecord set status = 4 where examcode = 'G1-20'"),
  '2025-10-23': ({ sqlAsOwner }) =>
    sqlAsOwner("update examrecord set gradecode = 'J2', gradename = 'J2' where examcode in ('G0-3', 'G0-4')"),
  '2025-10-24': async (server) => {
    await insertScreening(server, 'M_XIXI', '2025-11-20', '_2');
    await insertPupils(server, { school: 'M_XIXI', grade: 'P5', gender: '01', calm: 12, abnormal: 3 }, 'NEW', '_2');
  },
  '2025-10-27': async (server) => {
    await insertSchool(server, 'M_XINXIAO', '云栖市新校', '330106');
    await insertScreening(server, 'M_XINXIAO', '2025-10-28');
  },
};
const groupOf = ({ school, grade, gender }: Place) => ({ school: school as School, grade, gender: gender as '01' });

/** Moves the clock from day to day, lets `onNight` do the work of the night, and reads everything. */
async function liveThroughOctober(server: TestServer, onNight: (now: Date) => Promise<void>): Promise<Seen[]> {
  const seen: Seen[] = [];
  for (let now = fromShanghai('2025-10-05 02:00'); now < fromShanghai('2025-11-02'); now = addDays(now, 1)) {
    await onNight(now);
    seen.push(...(await readAll(server)));
    await events[shanghaiDate(now)]?.(server);
  }
  return [...new Map(seen.map((item) => [JSON.stringify(item), item])).values()];
}

/** What the readers know of single persons, all numbers together. */
function findIsolated(seen: readonly Seen[]): string[] {
  const grades = [...new Map(pupils.map(({ school, grade }) => [school + grade, { school, grade }])).values()];
  const places = grades.flatMap(({ school, grade }) =>
    GENDERS.map((gender): Place => ({ district: schools[school].district, school, grade, gender })),
  );
  const days = [...new Set(seen.map(({ day = '' }) => day))];
  const attacker = new Attacker([...places, late], days);
  attacker.see({ where: late, measure: 'valid' }, 1);
  for (const { count, measure, where, day = '' } of seen)
    if (measure === 'tested') attacker.seeEffort(where, count ?? 0);
    else if (count !== null) attacker.see({ where, measure, day }, count);
  const [day = ''] = days;
  // Where 有效 is shown as 0 there is nobody to hide.
  const empty = new Set(
    seen.filter(({ count, measure }) => measure === 'valid' && count === 0).map(({ where }) => JSON.stringify(where)),
  );
  const hidden = seen.filter(
    ({ count, measure, where }) =>
      count === null && /^(valid|abnormal|alert)$/.test(measure) && !empty.has(JSON.stringify(where)),
  );
  const targets: Target[] = [
    { where: late, measure: 'abnormal' },
    ...hidden.map(({ where, measure }) => ({ where, measure, day })),
  ];
  return targets.flatMap((target) => {
    const rest = attacker.boundsOf({ ...target, measure: 'valid' }, target);
    const found = isolates(attacker.boundsOf(target), true) ? [JSON.stringify(target)] : [];
    return target.measure !== 'valid' && isolates(rest, true) ? [...found, `not ${JSON.stringify(target)}`] : found;
  });
}

test('a month of reading by the authorities of a city and of a district isolates nobody', async () => {
  const server = await startServer();
  await insertCity(server);
  const seen = await liveThroughOctober(server, (now) => publish(server.services, now));
  expect([...new Set(seen.map(({ day }) => day))]).toEqual(['2025-10-08']);
  expect(seen.filter(({ count }) => count === null).length).toBeGreaterThan(10);
  expect(seen.filter(({ count }) => count !== null).length).toBeGreaterThan(40);
  expect(findIsolated(seen)).toEqual([]);
}, 300_000);

test('if each night released the outcome anew, the reader would isolate the pupil who handed in that day', async () => {
  const server = await startServer();
  await insertCity(server);
  const releaseAnew = async (now: Date) => {
    if (![...Object.keys(events).slice(0, 1), '2025-10-21'].includes(shanghaiDate(now))) return;
    for (const table of ['publishedcount', 'publishedregion', 'publishedeffort', 'publishedunit'])
      await server.sqlAsOwner(`delete from ${table}`);
    await publish(server.services, now);
  };
  const seen = await liveThroughOctober(server, releaseAnew);
  expect(findIsolated(seen)).toContain(JSON.stringify({ where: late, measure: 'abnormal' }));
}, 300_000);
