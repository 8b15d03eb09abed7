import { expect, test } from 'vitest';
import pg from 'pg';
import { findForbidden, paragraphLimit, type Audience } from '#domain/report/forbiddenWording.ts';
import { asOwner } from '#server/db/roles.ts';
import { startServer, type TestServer } from '#testing/server.ts';
import { seedReference } from '#seed/reference.ts';
import { shippedTexts } from '#seed/commentary.ts';

async function restart(server: TestServer) {
  const owner = new pg.Client(asOwner(server.target));
  await owner.connect();
  try {
    await seedReference(owner);
  } finally {
    await owner.end();
  }
}

const historyOf = (server: TestServer, commentid: string) =>
  server.sqlAsOwner(
    `select template, version, validto is null as current from commentary where commentid = $1 order by validfrom`,
    [commentid],
  );

test('a new release closes the rows that it changes and adds the new ones; rows that the platform changed stay', async () => {
  const server = await startServer();
  const count = async () => (await server.sqlAsOwner('select * from commentary')).length;
  expect(await count()).toBe(shippedTexts.size);
  await restart(server);
  expect(await count()).toBe(shippedTexts.size);

  await server.sqlAsOwner("update commentary set template = '上一版的文字' where commentid in ('OV0', 'OV1')");
  await server.sqlAsOwner("update commentary set updateby = 'AS000001' where commentid = 'OV1'");
  await server.sqlAsOwner("update commentary set updateby = 'AS000001', validto = now() where commentid = 'SG_TALK'");
  await restart(server);
  expect(await historyOf(server, 'OV0')).toEqual([
    { template: '上一版的文字', version: 1, current: false },
    { template: shippedTexts.get('OV0')?.template, version: 2, current: true },
  ]);
  expect(await historyOf(server, 'OV1')).toEqual([{ template: '上一版的文字', version: 1, current: true }]);
  expect(await historyOf(server, 'SG_TALK')).toMatchObject([{ version: 1, current: false }]);
});

test('no stored text has a forbidden word or is longer than a paragraph', async () => {
  const server = await startServer();
  const rows = await server.sqlAsOwner<{ commentid: string; audience: Audience; template: string }>('select * from commentary');
  expect(rows.length).toBeGreaterThan(200);
  for (const { commentid, audience, template } of rows) {
    expect(findForbidden(template, audience), commentid).toEqual([]);
    expect(template.length, commentid).toBeLessThanOrEqual(paragraphLimit);
  }
});
