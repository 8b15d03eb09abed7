import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { Leases, runAlone } from '#server/nodes/leases.ts';
import { startServer } from '#testing/server.ts';

/** Two servers of one database. */
async function twoServers() {
  const { services, sqlAsOwner } = await startServer();
  const { authn } = services.pools;
  return { first: new Leases(authn), second: new Leases(authn), sqlAsOwner };
}

test('while one server does a job the other does not; afterwards it may', async () => {
  const { first, second } = await twoServers();
  const ran: string[] = [];
  let endJob = () => undefined as void;
  let begun = () => undefined as void;
  const hasBegun = new Promise<void>((resolve) => (begun = resolve));
  const running = runAlone(first, 'job a', async () => {
    ran.push('first');
    begun();
    await new Promise<void>((resolve) => (endJob = resolve));
  });
  await hasBegun;
  const tryIt = () => runAlone(second, 'job a', async () => void ran.push('second'));
  expect([await tryIt(), ran]).toEqual([false, ['first']]);
  expect(await runAlone(second, 'job b', async () => undefined)).toBe(true);
  endJob();
  expect(await running).toBe(true);
  expect([await tryIt(), ran]).toEqual([true, ['first', 'second']]);
});

test('of twenty attempts at once one gets the lease', async () => {
  const { first } = await twoServers();
  const holders = await Promise.all(Array.from({ length: 20 }, () => first.take('job a', 30)));
  expect(holders.filter(Boolean)).toHaveLength(1);
});

test('a job that fails gives its lease back', async () => {
  const { first, second } = await twoServers();
  await expect(runAlone(first, 'job a', () => Promise.reject(new Error('no')))).rejects.toThrow('no');
  expect(await runAlone(second, 'job a', async () => undefined)).toBe(true);
});

test('the work of a server that died is free when its lease has ended, and the dead one has lost it', async () => {
  const { first, second, sqlAsOwner } = await twoServers();
  const dead = await first.take('upload 1', 30);
  expect(await second.take('upload 1', 30)).toBeUndefined();
  await sqlAsOwner("update auth.lease set expiretime = now() - interval '1 second'");
  const holder = (await second.take('upload 1', 30)) ?? '';
  expect(holder).not.toBe('');
  expect([await first.renew('upload 1', dead ?? '', 30), await second.renew('upload 1', holder, 30)]).toEqual(['lost', 'held']);
  // What the dead one gives back late is not its own.
  await first.release('upload 1', dead ?? randomUUID());
  expect(await first.take('upload 1', 30)).toBeUndefined();
});

test('a holder learns that somebody waits', async () => {
  const { first, second } = await twoServers();
  const holder = (await first.take('upload 1', 30)) ?? '';
  await second.ask('upload 1');
  expect(await first.renew('upload 1', holder, 30)).toBe('asked');
  await first.release('upload 1', holder);
  const next = (await second.take('upload 1', 30)) ?? '';
  expect(await second.renew('upload 1', next, 30)).toBe('held');
});
