import { beforeAll, expect, test } from 'vitest';
import { fromShanghai } from '#domain/base/calendar.ts';
import { getBigScreenData } from '#features/bigscreen/wall.contract.ts';
import { publish } from '#features/release/publish.ts';
import { insertWarning } from '#features/warning/handling/handling.contract.ts';
import { getAssessAbnormalCount, getAssessPeopleCompleteCount } from '#features/statistics/statistics.contract.ts';
import { aStudent } from '#testing/factories.ts';
import { sharedServer } from '#testing/server.ts';
import { insertFixtureA } from '#testing/statistics/fixtureA.ts';

/** Fixture A of design/statistics.md 4.3: 晨光中学 with 13 pupils on a roster, 东山中学 without data, one hospital. */
const server = sharedServer();
beforeAll(() => insertFixtureA(server()));

const term = { year: '2025-2026', term: '1' };

test('a provider’s screen has the figures of its page of statistics', async () => {
  const fang = server().as('fang');
  const screen = await fang(getBigScreenData, {});
  const { total, tested, exempt } = await fang(getAssessPeopleCompleteCount, term);
  const { valid, abnormal, rate, levels } = await fang(getAssessAbnormalCount, term);
  expect(screen).toMatchObject({
    insname: '安澜心理',
    source: 'rows',
    periodname: '2025-2026 学年秋季学期',
    institutions: { total: 3, active: 1 },
    completion: { total, tested, exempt },
    result: { valid, abnormal, rate, levels },
  });
  expect(total).toBe(13);
  expect(screen.trend.points).toHaveLength(30);
  expect(screen.trend.points.find(({ name }) => name === '09-16')?.value).toBe(3);
});

test('the places of a screen are a tree: each region before its institutions, their persons added up', async () => {
  const { places } = await server().as('fang')(getBigScreenData, {});
  expect(places.map(({ name, kind, parent, institutions, total }) => [name, kind, parent, institutions, total])).toEqual([
    ['西湖区', 'region', '', 2, 13],
    ['云栖市东山中学', 'institution', '330106', 1, 0],
    ['云栖市晨光中学', 'institution', '330106', 1, 13],
    ['云栖市仁爱妇幼保健院', 'institution', '', 1, 0],
  ]);
});

test('a region narrows a screen to its institutions', async () => {
  const screen = await server().as('fang')(getBigScreenData, { regioncode: '330106' });
  expect(screen).toMatchObject({ regionname: '西湖区', institutions: { total: 2 } });
  expect(screen.places.map(({ name }) => name)).toEqual(['云栖市东山中学', '云栖市晨光中学']);
  expect(await server().as('fang')(getBigScreenData, { regioncode: '110000' })).toMatchObject({ institutions: { total: 0 } });
});

test('a screen names no person, also when there are cases', async () => {
  const { cuserid } = await aStudent(server(), { username: '林小雨' });
  const { warningcode } = await server().as('chen')(insertWarning, { cuserid, level: 3, content: '同学反映近来常常独自哭泣' });
  await server().sqlAsOwner("update warning set nextdue = '2025-10-01' where warningcode = $1", [warningcode]);
  const screen = await server().as('fang')(getBigScreenData, {});
  expect(JSON.stringify(screen)).not.toContain('林小雨');
  expect(JSON.stringify(screen)).not.toContain(cuserid);
  expect(screen.cases).toMatchObject({ opened: 1, closed: 0, rate: 0, overdue: 1 });
  expect(screen.overdueplaces).toBe(1);
  expect(screen.cases?.open?.map(({ count }) => count)).toEqual([0, 0, 1, 0]);
  expect(screen.places.filter(({ hasoverdue }) => hasoverdue).map(({ name }) => name)).toEqual(['西湖区', '云栖市晨光中学']);
});

test('the only institution of an account sees its grades', async () => {
  await server().sqlAsOwner("insert into auth.specialaccount (musercode, navextra) values ('M_CHENGUANG', 1)");
  const { places } = await server().as('chen')(getBigScreenData, {});
  expect(places.map(({ name, kind, total, tested }) => [name, kind, total, tested])).toEqual([
    ['初一', 'group', 9, 6],
    ['初二', 'group', 4, 3],
  ]);
});

test('the screen of one institution shows no count of few persons, and of open cases only whether one is overdue', async () => {
  const screen = await server().as('chen')(getBigScreenData, {});
  expect(screen).toMatchObject({
    result: { valid: 9, abnormal: null, rate: null, levels: [null, null, null, null, null] },
    cases: { opened: null, closed: null, rate: null, open: null, overdue: null },
    overdueplaces: 1,
  });
});

test('an authority’s screen shows rounded effort and flags, and no result before it is released', async () => {
  await publish(server().services, fromShanghai('2025-10-08 02:00'));
  const screen = await server().as('zhou')(getBigScreenData, {});
  expect(screen).toMatchObject({
    source: 'release',
    periodname: '2025-2026 学年秋季学期',
    outcomename: '',
    waiting: 2,
    institutions: { total: 2, active: 1 },
    completion: { total: 5, tested: 5, exempt: 0, rate: 100 },
    result: null,
    cases: null,
  });
  expect(screen.trend.points).toEqual([]);
  // Nothing of the day changes it.
  await server().sqlAsOwner("update examrecord set status = 4 where examcode = 'E-c02'");
  expect(await server().as('zhou')(getBigScreenData, {})).toMatchObject({ completion: screen.completion });
  await server().sqlAsOwner("update examrecord set status = 2 where examcode = 'E-c02'");
});

test('an authority’s screen shows the released outcome with small counts hidden, and flags instead of open cases', async () => {
  await publish(server().services, fromShanghai('2026-02-08 02:00'));
  const screen = await server().as('zhou')(getBigScreenData, {});
  expect(screen).toMatchObject({
    // The spring term has begun without a task, so the screen stays with the autumn.
    periodname: '2025-2026 学年秋季学期',
    outcomename: '2025-2026 学年秋季学期',
    waiting: 0,
    result: { valid: 9, abnormal: null, rate: null, levels: [null, null, null, null, null] },
    cases: { open: null, overdue: null, opened: null, rate: null },
    trend: { title: '各学期需关注率', points: [{ name: '25秋', value: null }] },
  });
  expect(screen.outcometime).toMatch(/^2026-02-08/);
});
