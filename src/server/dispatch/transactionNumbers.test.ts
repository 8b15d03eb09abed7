import { expect, test } from 'vitest';
import pg from 'pg';
import { continueNumbers } from '#server/dispatch/audit.ts';
import { asOwner } from '#server/db/roles.ts';
import * as cuser from '#features/cuser/cuser.contract.ts';
import { getAuditPageList } from '#features/audit/audit.contract.ts';
import { refreshRollup, sealAll } from '#testing/sealing.ts';
import { startServer } from '#testing/server.ts';

const student = (username: string) => ({ appid: '000000002', username, gender: '02' as const, archive: {}, guardian: [] });

/** A million transactions: the cluster that the rows come from was that far ahead. */
const AHEAD = '1000000';

/** Makes the database look as if it came from a cluster that had counted further: all its numbers become higher. */
async function comeFromBusyCluster({ target }: Awaited<ReturnType<typeof startServer>>) {
  const client = new pg.Client(asOwner(target));
  await client.connect();
  const later = (column: string) => `${column} = (${column}::text::bigint + ${AHEAD})::text::xid8`;
  const statements = [
    "select set_config('app.session', encode(sha256('super'), 'hex'), false)",
    'alter table audit.log disable trigger all',
    'alter table assesscountlog disable trigger user',
    `update audit.log set ${later('xid')}`,
    `update assesscountlog set ${later('xid')}`,
    `update rollup.watermark set ${later('audit')}, ${later('ledger')}`,
    'alter table audit.log enable trigger all',
    'alter table assesscountlog enable trigger user',
  ];
  try {
    for (const statement of statements) await client.query(statement);
  } finally {
    await client.end();
  }
}

test('after a move to a cluster with lower numbers, new rows of the audit log are chained and counted', async () => {
  const server = await startServer();
  const { sealer } = server.services.pools;
  const as = server.as('chen');
  await as(cuser.insertCUser, student('王婷'));
  await sealAll(server);
  await refreshRollup(server, 'trail');
  // The last row before the move was not chained yet.
  await as(cuser.insertCUser, student('李明'));
  await comeFromBusyCluster(server);

  expect(await continueNumbers(sealer)).toBeGreaterThan(0);
  const [behind] = await server.sqlAsOwner(
    `select audit.transaction_number() <= (select max(xid) from audit.log) as isbehind,
       (select base > 0 from ref.transactionbase) as israised`,
  );
  expect(behind).toEqual({ isbehind: false, israised: true });
  await as(cuser.insertCUser, student('赵敏'));
  await sealAll(server);
  await refreshRollup(server, 'trail');
  expect(await server.sqlAsOwner('select count(*)::int as sealed from audit.seal')).toEqual([{ sealed: 3 }]);
  expect((await server.as('ma')(getAuditPageList, { kind: 'write' })).total).toBe(3);
  // The next start finds nothing to do.
  expect(await continueNumbers(sealer)).toBe(0);
});

test('without a move a start changes no number', async () => {
  const server = await startServer();
  await server.as('chen')(cuser.insertCUser, student('王婷'));
  await sealAll(server);
  expect(await continueNumbers(server.services.pools.sealer)).toBe(0);
  expect(await server.sqlAsOwner('select base::int from ref.transactionbase')).toEqual([{ base: 0 }]);
});
