import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { hashOf } from '#server/caller.ts';
import { withScope, type Scope } from '#server/scope.ts';
import { startServer } from '#testing/server.ts';

/** A transaction of the school's psychologist, as every call of hers is one. */
async function scopes() {
  const { services, behind } = await startServer();
  const within = <T>(work: (scope: Scope) => Promise<T>, session = hashOf('chen')) =>
    withScope(services.pools.app, { session }, work);
  return { within, behind };
}
const colleagues = sql<{ realname: string }>`select realname from sysuser order by realname`;
const rename = sql`update sysuser set remark = '年级组长' where userid = 'U_WANG'`;

test('what is asked last is asked within reach, and then the transaction has ended: nothing more can be asked or written', async () => {
  const { within } = await scopes();
  const told = await within(async (scope) => {
    const rows = await scope.only(colleagues);
    expect(() => scope.db).toThrow('has ended');
    expect(() => scope.lastly('select 1')).toThrow('has ended');
    await expect(scope.only(colleagues)).rejects.toThrow('has ended');
    return rows;
  });
  expect(told.length).toBeGreaterThan(1);
  expect(await within((scope) => scope.only(colleagues), hashOf('nobody known'))).toEqual([]);
});

test('what was to be written with the end is written with what is asked last, and what fails there leaves nothing', async () => {
  const { within, behind } = await scopes();
  const remarks = () => behind<{ remark: string }>("select remark from sysuser where userid = 'U_WANG' and remark is not null");
  const failing = within(async (scope) => {
    await rename.execute(scope.db);
    return scope.only(sql`select 1 / 0`);
  });
  await expect(failing).rejects.toThrow('division by zero');
  expect(await remarks()).toEqual([]);
  await within((scope) => {
    scope.lastly("update sysuser set remark = '备课组长' where userid = 'U_WANG'");
    return scope.only(colleagues);
  });
  expect(await remarks()).toEqual([{ remark: '备课组长' }]);
});

test('a transaction that was given up is over for whoever would still ask in it', async () => {
  const { within, behind } = await scopes();
  let later: Promise<unknown> | undefined;
  const gone = within(async (scope) => {
    later = sql`select pg_sleep(0.2)`.execute(scope.db).then(() => rename.execute(scope.db));
    later.catch(() => undefined);
    await Promise.resolve();
    throw new Error('given up');
  });
  await expect(gone).rejects.toThrow('given up');
  await expect(later).rejects.toThrow('has ended');
  expect(await behind("select from sysuser where userid = 'U_WANG' and remark = '年级组长'")).toEqual([]);
});
