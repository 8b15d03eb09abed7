import { randomBytes, randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { expect, inject, onTestFinished, test } from 'vitest';
import { fromShanghai } from '#domain/base/calendar.ts';
import { migrate } from '#server/db/migrate.ts';
import { Pools } from '#server/db/pools.ts';
import { asOwner } from '#server/db/roles.ts';
import type { Services } from '#server/dispatch/services.ts';
import { diskStorage } from '#server/storage/storage.ts';
import { FieldCipher } from '#server/security/fieldCipher.ts';
import { fillDemo } from '#seed/demo/demo.ts';
import { asPlatform, seedReference } from '#seed/reference.ts';
import { findBrokenInvariants, findMissingParts, findOverdueFaults } from '#seed/verify.ts';

/** Creates a database like that of a first start: migrated, with the reference data, but without people. */
async function emptyInstallation() {
  const { admin, template } = inject('database');
  const target = { ...admin, database: `${template}_${randomUUID().slice(0, 8)}` };
  const adminClient = new pg.Client(asOwner(admin));
  await adminClient.connect();
  await adminClient.query(`create database ${target.database} template template0 encoding 'UTF8'`);
  await migrate(target);
  const client = new pg.Client(asOwner(target));
  await client.connect();
  await seedReference(client);
  const cipher = new FieldCipher(randomBytes(32));
  const pools = new Pools(target, () => undefined, 6, cipher.texts);
  const dataDir = await mkdtemp(join(tmpdir(), 'xinli-demo-'));
  onTestFinished(async () => {
    await client.end();
    await pools.end();
    await adminClient.query(`drop database if exists ${target.database}`);
    await adminClient.end();
    await rm(dataDir, { recursive: true, force: true });
  });
  const services: Services = {
    pools,
    cipher,
    storage: diskStorage(dataDir, cipher),
    auditDir: join(dataDir, 'audit'),
    publicUrl: 'http://127.0.0.1',
    demo: true,
  };
  const rows = async <T extends pg.QueryResultRow>(sql: string): Promise<T[]> => {
    let result: T[] = [];
    await client.query('begin');
    await asPlatform(client, async () => void (result = (await client.query<T>(sql)).rows));
    await client.query('rollback');
    return result;
  };
  return { client, services, rows };
}

test('the demonstration is created once through the product, is consistent and starts again after a crash', async () => {
  const { client, services, rows } = await emptyInstallation();
  const options = { size: 's', anchor: fromShanghai('2025-11-20 16:30') } as const;
  const interrupted = fillDemo(
    services,
    client,
    (line) => {
      if (line.includes('25/')) throw new Error('killed');
    },
    options,
  );
  await expect(interrupted).rejects.toThrow('killed');
  expect(await rows("select value->>'state' as state from setting where key = 'demo'")).toEqual([{ state: 'filling' }]);
  expect(await rows("select pwdhash from auth.account where loginname = 'admin'")).toEqual([{ pwdhash: '' }]);

  expect(await fillDemo(services, client, () => undefined, options)).toBe(true);
  // The row of the schema still exists. Without it the rollups would never change.
  expect(await rows('select count(*)::int as n from rollup.watermark')).toEqual([{ n: 1 }]);
  expect(await findBrokenInvariants(client)).toEqual([]);
  expect(await findMissingParts(client)).toEqual([]);
  // The duty staff of the provider meet a handful of overdue cases, not hundreds.
  expect(await findOverdueFaults(client)).toEqual([]);
  expect(await rows('select count(*)::int as n from muser')).toEqual([{ n: 10 }]);
  expect(await rows("select regionname from muser where musercode = 'XX000001'")).toEqual([
    { regionname: '浙江省/杭州市/西湖区' },
  ]);
  // The comparison of answers, log and cases has looked at all institutions and found nothing.
  expect(await rows('select difflist from reconcilerun where differences > 0')).toEqual([]);
  expect(
    await rows('select count(*)::int as n, sum(sheets)::int > 0 as sheets, sum(cases)::int > 0 as cases from reconcilerun'),
  ).toEqual([{ n: 8, sheets: true, cases: true }]);

  const people = await rows<{ username: string; tests: number[]; states: string[] }>(
    `select username, array(select r.score::int from examresult r
      where r.cuserid = c.cuserid and quotacode = 'PHQ9.total' order by r.submittime) as tests,
       array(select state || '/' || peaklevel from warning w where w.cuserid = c.cuserid order by createtime) as states
     from cuser c where username in ('林小雨', '赵一鸣', '吴桐', '许诺', '孟晓彤', '高宇航', '罗一诺', '陈静') order by username`,
  );
  expect(Object.fromEntries(people.map(({ username, tests, states }) => [username, { tests, states }]))).toEqual({
    林小雨: { tests: [16, 6, 4], states: ['07/3'] },
    赵一鸣: { tests: [6, 21], states: ['06/4'] },
    吴桐: { tests: [18, 14, 9, 6, 4], states: ['07/3'] },
    许诺: { tests: [], states: [] },
    孟晓彤: { tests: [3, 12], states: ['01/2'] },
    高宇航: { tests: [3, 2], states: ['08/2'] },
    罗一诺: { tests: [], states: [] },
    陈静: { tests: [14], states: ['06/2'] },
  });
  expect(
    await rows(
      "select count(*)::int as n from examrecord e join cuser c using (cuserid) where username = '何子墨' and valid = 0",
    ),
  ).toEqual([{ n: 2 }]);
  const reminders = await rows<{ n: number }>(
    "select count(*)::int as n from warninglog l join cuser c using (cuserid) where username = '孟晓彤' and action = '超时提醒'",
  );
  expect(reminders[0]?.n).toBeGreaterThanOrEqual(2);
  expect(await rows('select distinct status from assesstask order by 1')).toEqual([
    { status: 0 },
    { status: 1 },
    { status: 2 },
    { status: 3 },
  ]);

  expect(await fillDemo(services, client, () => undefined, options)).toBe(false);
  expect(await rows('select count(*)::int as n from muser')).toEqual([{ n: 10 }]);
});
