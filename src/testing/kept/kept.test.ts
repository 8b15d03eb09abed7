import { once } from 'node:events';
import { chmod, copyFile, mkdir, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { brotliDecompressSync } from 'node:zlib';
import pg from 'pg';
import { expect, onTestFinished, test } from 'vitest';
import { startCluster } from '#server/postgres/cluster.ts';
import { asOwner, asRole, ensureRoles, type Target } from '#server/db/roles.ts';
import { verifyAudit } from '#server/audit/verify.ts';
import { openMasterKey } from '#server/security/masterKey.ts';
import type { Pools } from '#server/db/pools.ts';
import { freePort, startMain, tryCall } from '#testing/load/respondents.ts';

const kept = (name: string) => new URL(`./${name}`, import.meta.url);

/** Restores the dump of a released version into a new cluster, as an operator does. Its transactions begin with low numbers. */
async function restoreDump(version: string): Promise<{ target: Target; superuser: pg.Client }> {
  const cluster = await startCluster({ ephemeral: true, durability: 'off', log: () => undefined });
  onTestFinished(() => cluster.stop());
  const maintenance = new pg.Client(cluster.url());
  await maintenance.connect();
  await maintenance.query('create role owner login createdb createrole');
  await maintenance.query("create database xinli owner owner template template0 encoding 'UTF8'");
  await maintenance.end();
  const target: Target = { ...cluster.url('xinli', 'owner') };
  const owner = new pg.Client(asOwner(target));
  await owner.connect();
  await ensureRoles(owner, target);
  await owner.end();
  const superuser = new pg.Client(cluster.url('xinli'));
  await superuser.connect();
  onTestFinished(() => superuser.end());
  const dump = brotliDecompressSync(await readFile(kept(`${version}.sql.br`))).toString('utf8');
  // Lines that begin with a backslash are for psql.
  await superuser.query(dump.replace(/^\\.*$/gm, ''));
  await superuser.query('set search_path = public');
  // The dump is old, so the sessions of its people have ended.
  await superuser.query("update auth.session set lastseen = now(), expiretime = now() + interval '1 day', stepuptime = now()");
  return { target, superuser };
}

test('the dump of version 0.1.0 moves to another cluster: people, case, sealed telephones and the chain go on', async () => {
  const { target, superuser } = await restoreDump('0.1.0');
  const dataDir = await mkdtemp(join(tmpdir(), 'xinli-kept-'));
  onTestFinished(() => rm(dataDir, { recursive: true, force: true }));
  await mkdir(join(dataDir, 'keys'));
  await copyFile(kept('0.1.0.key'), join(dataDir, 'keys/master.key'));
  await chmod(join(dataDir, 'keys/master.key'), 0o600);
  const port = await freePort();
  const url = `postgres://owner@localhost:${target.port}/xinli?host=${encodeURIComponent(target.host)}`;
  const server = startMain(dataDir, port, undefined, { DATABASE_URL: url });
  onTestFinished(() => void server.process.kill('SIGKILL'));
  expect([await server.ready, server.output()]).toEqual([true, expect.any(String)]);
  /** Calls as 陈 of 晨光中学. */
  const call = async (name: string, request: unknown) => (await tryCall(port, 'chen', name, request)).data;

  const { rows } = (await call('as.m.cuser.getCUserPageList', {})) as { rows: { cuserid: string; username: string }[] };
  expect(rows).toMatchObject([{ username: '王婷' }]);
  expect(await call('as.m.cuser.revealCUser', { cuserid: rows[0]?.cuserid })).toMatchObject({
    phonenumber: '10000001234',
    guardian: [{ name: '王建国', phonenumber: '10000005678' }],
  });
  const cases = (await call('as.m.warning.getWarningPageList', {})) as { rows: { warningcode: string }[] };
  const detail = await call('as.m.warning.getWarningDetail', { warningcode: cases.rows[0]?.warningcode });
  expect(JSON.stringify(detail)).toContain('与学生面谈，了解近况');

  // The numbers of this cluster are lower than those of the dump. All new rows are chained and summed all the same.
  const sealer = new pg.Pool(asRole(target, 'xinli_sealer'));
  onTestFinished(() => sealer.end());
  const { rows: numbers } = await superuser.query(
    `select pg_current_xact_id() < (select max(xid) from audit.log where id <= (select lastid from audit.chainstart)) as islower,
       base > 0 as israised
     from ref.transactionbase`,
  );
  expect(numbers).toEqual([{ islower: true, israised: true }]);
  const count = async () => {
    const { rows: sums } = await superuser.query<{ log: number; sealed: number; summed: number }>(
      `select (select count(*)::int from audit.log) as log, (select count(*)::int from audit.seal) as sealed,
         (select sum(rows)::int from rollup.audit_by_tenant) as summed`,
    );
    return sums[0];
  };
  let sums = await count();
  while (sums?.log !== sums?.sealed || sums?.log !== sums?.summed) sums = await count();
  expect(sums?.log).toBeGreaterThan(4);
  const cipher = await openMasterKey(dataDir, superuser);
  const services = { pools: { sealer } as Pools, cipher, auditDir: join(dataDir, 'audit') };
  expect(await verifyAudit(services)).toMatchObject({ rows: sums?.log, faults: [] });
  // The background pass may have sealed old lines by now; their hashes cover the plain words (docs/decisions/0102).
  const { rows: broken } = await superuser.query(
    `select warningcode, seq from warninglog l full join casewitness w using (warningcode, seq)
     where l.hash is distinct from w.hash
       or (to_jsonb(l)::text not like '%sealed.1.%' and l.hash is distinct from access.caselog_hash(l))`,
  );
  expect(broken).toEqual([]);

  server.process.kill('SIGTERM');
  await once(server.process, 'exit');
});
