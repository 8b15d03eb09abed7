import { createHash } from 'node:crypto';
import pg from 'pg';
import { expect, onTestFinished, test } from 'vitest';
import { asOwner, asRole, type Target } from '#server/db/roles.ts';
import { freshDatabase } from '#testing/server.ts';

/**
 * A transaction remembers what the session may reach (docs/decisions/0017) in settings anybody can write. Whoever could write SQL of
 * their own in the server's role must gain nothing by them.
 */
const hash = (person: string) => createHash('sha256').update(person).digest('hex');

async function serverRole(target: Target) {
  const client = new pg.Client(asRole(target, 'xinli_app'));
  await client.connect();
  onTestFinished(() => client.end());
  const set = (name: string, value: string) => client.query('select set_config($1, $2, true)', [name, value]);
  const one = async (sql: string) => Object.values((await client.query(sql)).rows[0] as object)[0] as unknown;
  return { client, one, set, as: (person: string) => set('app.session', hash(person)) };
}

const chenguang = 'AS000001.M_ANLAN.M_CHENGUANG.';
const everything = '|AS000001.|AS000001/|AS000001|||false|false|';

test('what a transaction remembers is what the session says', async () => {
  const { client, one, as } = await serverRole(await freshDatabase());
  await client.query('begin');
  await as('chen');
  for (let time = 0; time < 2; time += 1) {
    expect(await one('select auth.lo()')).toBe(chenguang);
    expect(await one('select auth.hi()')).toBe(chenguang.replace(/\.$/, '/'));
    expect(await one('select auth.musercode()')).toBe('M_CHENGUANG');
    expect(await one('select auth.userid()')).toBe('U_CHEN');
    expect(await one('select auth.cuserid()')).toBeNull();
    expect(await one('select auth.narrowed()')).toBe(false);
  }
  await as('wang');
  for (let time = 0; time < 2; time += 1)
    expect([await one('select auth.narrowed()'), await one('select auth.teams_only()')]).toEqual([true, true]);
  await as('ma');
  expect([await one('select auth.narrowed()'), await one('select auth.teams_only()')]).toEqual([false, false]);
});

test('a made-up answer is not believed', async () => {
  const { client, one, set, as } = await serverRole(await freshDatabase());
  await client.query('begin');
  await as('chen');
  expect(await one('select auth.lo()')).toBe(chenguang);
  const seen = await one('select count(*)::int from sysuser');
  expect(seen).toBeGreaterThan(0);
  const kept = (await one("select current_setting('app.reach')")) as string;
  const [code, words] = [kept.slice(0, 64), kept.slice(64)];
  for (const forged of [
    '0'.repeat(64) + everything,
    code + everything,
    everything,
    code,
    `${code}|`,
    '',
    code + words.replace(chenguang, 'AS000001.'),
    code.replace(/^./, (first) => (first === '0' ? '1' : '0')) + words,
  ]) {
    await set('app.reach', forged);
    expect([await one('select auth.lo()'), await one('select count(*)::int from sysuser')]).toEqual([chenguang, seen]);
  }
});

test('an answer holds for its session, its transaction, its connection and the other half of its session', async () => {
  const target = await freshDatabase();
  const first = await serverRole(target);
  const other = await serverRole(target);
  await first.client.query('begin');
  await first.as('super');
  expect(await first.one('select auth.lo()')).toBe('AS000001.');
  const reach = (await first.one("select current_setting('app.reach')")) as string;

  await first.as('chen');
  expect(await first.one('select auth.lo()')).toBe(chenguang);
  await first.client.query('rollback');

  // The session ends; what an earlier transaction or another connection remembered of it is worth nothing.
  const owner = new pg.Client(asOwner(target));
  await owner.connect();
  await owner.query('update auth.session set revoked = now() where tokenhash = $1', [hash('super')]);
  await owner.end();
  // A connection that has a key of its own, and one that has none yet.
  const third = await serverRole(target);
  await third.client.query('begin');
  await third.as('chen');
  expect(await third.one('select auth.lo()')).toBe(chenguang);
  await third.client.query('rollback');
  for (const { client, one, set, as } of [first, third]) {
    await client.query('begin');
    await as('super');
    await set('app.reach', reach);
    expect([await one('select auth.lo()'), await one('select count(*)::int from muser')]).toEqual([null, 0]);
    await client.query('rollback');
  }
  await other.client.query('begin');
  await other.as('super');
  await other.set('app.reach', reach);
  await expect(other.client.query('select auth.lo()')).rejects.toThrow(/half_a/);
});

test('whoever says that a connection has its key when it has none is refused, and whoever says it has none is asked anew', async () => {
  const { client, one, set, as } = await serverRole(await freshDatabase());
  await client.query('begin');
  await as('chen');
  await set('app.keyed', String(await one('select pg_backend_pid()')));
  await set('app.reach', '0'.repeat(64) + everything);
  await expect(client.query('select auth.lo()')).rejects.toThrow(/half_a/);
  await client.query('rollback; begin');
  await as('chen');
  expect(await one('select auth.lo()')).toBe(chenguang);
  await set('app.keyed', '');
  expect(await one('select auth.lo()')).toBe(chenguang);
});

test('a session bound to a browser is asked for its other half again when that changes', async () => {
  const target = await freshDatabase();
  const owner = new pg.Client(asOwner(target));
  await owner.connect();
  await owner.query('update auth.session set boundhash = $1 where tokenhash = $2', ['a'.repeat(64), hash('chen')]);
  await owner.end();
  const { client, one, set, as } = await serverRole(target);
  await client.query('begin');
  await as('chen');
  await set('app.bound', 'a'.repeat(64));
  expect(await one('select auth.lo()')).toBe(chenguang);
  await set('app.bound', 'b'.repeat(64));
  expect(await one('select auth.lo()')).toBeNull();
});

test('whoever is narrowed stays so, whatever they write into what is remembered', async () => {
  const { client, one, set, as } = await serverRole(await freshDatabase());
  await client.query('begin');
  await as('wang');
  expect(await one('select auth.narrowed()')).toBe(true);
  const kept = (await one("select current_setting('app.reach')")) as string;
  expect(kept).toMatch(/\|true\|true\|$/);
  await set('app.reach', kept.replace(/\|true\|true\|$/, '|false|false|'));
  expect([await one('select auth.narrowed()'), await one('select auth.teams_only()')]).toEqual([true, true]);
});

test('the key cannot be read and the answer not made by the roles of the server', async () => {
  const { client } = await serverRole(await freshDatabase());
  await client.query("begin; select set_config('app.session', encode(sha256('chen'), 'hex'), true); select auth.lo(); commit");
  for (const half of ['half_a', 'half_b'])
    for (const ask of [
      `select last_value from auth.${half}`,
      `select currval('auth.${half}')`,
      `select setval('auth.${half}', 1)`,
    ])
      await expect(client.query(ask)).rejects.toThrow(/permission denied/);
  await expect(client.query('select auth.remember()')).rejects.toThrow(/permission denied/);
  await expect(client.query("select auth.keep('|AS000001.|AS000001/|AS000001|||false|false|')")).rejects.toThrow(
    /permission denied/,
  );
});
