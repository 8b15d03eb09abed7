import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { hashToken } from '#server/dispatch/caller.ts';
import { withScope, type Scope, type SessionHash } from '#server/db/scope.ts';
import { startServer } from '#testing/server.ts';

const rename = sql`update sysuser set remark = '年级组长' where userid = 'U_WANG'`;
const colleagues = sql<{ realname: string }>`select realname from sysuser`;

test('a session that does not exist sees no row', async () => {
  const { services } = await startServer();
  const read = (session: SessionHash) =>
    withScope(services.pools.app, { session }, async (scope) => (await colleagues.execute(scope.db)).rows);
  expect((await read(hashToken('chen'))).length).toBeGreaterThan(1);
  expect(await read(hashToken('nobody known'))).toEqual([]);
  await expect(read("x'; drop table sysuser; --" as SessionHash)).rejects.toThrow('not a session hash');
});

test('a failed transaction is rolled back and refuses later statements', async () => {
  const { services, sqlAsOwner } = await startServer();
  let lateStatement: Promise<unknown> | undefined;
  let leaked: Scope | undefined;
  const failed = withScope(services.pools.app, { session: hashToken('chen') }, async (scope) => {
    leaked = scope;
    await rename.execute(scope.db);
    lateStatement = sql`select pg_sleep(0.2)`.execute(scope.db).then(() => rename.execute(scope.db));
    lateStatement.catch(() => undefined);
    throw new Error('given up');
  });
  await expect(failed).rejects.toThrow('given up');
  await expect(lateStatement).rejects.toThrow('has ended');
  expect(() => leaked?.db).toThrow('has ended');
  expect(await sqlAsOwner("select from sysuser where userid = 'U_WANG' and remark = '年级组长'")).toEqual([]);
});
