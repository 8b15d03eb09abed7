import { expect, test } from 'vitest';
import { canWrite } from '#server/db/canWrite.ts';
import { startServer } from '#testing/server.ts';

test('the server is ready only while the database takes writes; reads alone are not enough', async () => {
  const { services, sqlAsOwner } = await startServer();
  const { authn } = services.pools;
  expect([await canWrite(authn), await canWrite(authn)]).toEqual([true, true]);
  await sqlAsOwner(`create function auth.refuse() returns trigger language plpgsql as $$ begin raise disk_full; end $$;
    create trigger refuse before insert or update on auth.throttle for each row execute function auth.refuse()`);
  expect(await canWrite(authn)).toBe(false);
  expect((await authn.query('select 1 as n')).rows).toEqual([{ n: 1 }]);
});
