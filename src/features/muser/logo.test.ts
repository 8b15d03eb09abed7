import Fastify from 'fastify';
import sharp from 'sharp';
import { expect, onTestFinished, test } from 'vitest';
import { serveFiles } from '#server/http/fileRoute.ts';
import { deleteFile, updateToOSS } from '#features/file/file.contract.ts';
import { cleanupFiles } from '#features/file/cleanup.ts';
import { getMUserPageList } from '#features/muser/muser.contract.ts';
import { updateMUser } from '#features/muser/edit/updateMUser.contract.ts';
import { getUserInfo } from '#features/session/session.contract.ts';
import { open, signIn } from '#testing/institution.ts';
import type { Person } from '#testing/people.ts';
import { png } from '#testing/files/picture.ts';
import { startServer } from '#testing/server.ts';

const school = 'M_CHENGUANG';

async function site() {
  const server = await startServer();
  const app = Fastify();
  onTestFinished(() => app.close());
  serveFiles(app, server.services, () => server.clock.now);
  const picture = async (who: Person, side = 40) =>
    (
      await server.as(who)(
        updateToOSS,
        { biztype: 'logo' },
        { filename: '校徽.png', mime: 'image/png', content: await png(side, side) },
      )
    ).fileid;
  const status = async (url: string) => (await app.inject(url)).statusCode;
  const shown = async (who: Person) => (await server.as(who)(getUserInfo, {})).logo;
  return { ...server, app, picture, status, shown };
}

test('a provider sets the logo of a school, and everybody of the school sees it under a lasting address', async () => {
  const { as, clock, picture, status, shown } = await site();
  expect(await shown('chen')).toBe('');
  await as('fang')(updateMUser, { musercode: school, logofileid: await picture('fang') });
  const logo = await shown('chen');
  expect(logo).toMatch(/^\/files\?k=/);
  expect(await shown('ma')).toBe(logo);
  expect(await shown('qiao')).toBe('');
  const { rows } = await as('fang')(getMUserPageList, { keyword: school });
  expect(rows[0]?.logo).toBe(logo);
  clock.now = new Date(clock.now.getTime() + 86_400_000);
  expect(await status(logo)).toBe(200);
});

test('a school replaces and removes its logo, and the old file is deleted', async () => {
  const { as, sqlAsOwner, picture, status, shown } = await site();
  await as('fang')(updateMUser, { musercode: school, logofileid: await picture('fang') });
  const first = await shown('ma');
  await as('ma')(updateMUser, { musercode: school, logofileid: await picture('ma') });
  const second = await shown('ma');
  expect([await status(first), await status(second)]).toEqual([404, 200]);
  // Everything else of the institution stays with those above it.
  await expect(as('ma')(updateMUser, { musercode: school, insname: '晨光' })).rejects.toMatchObject({ code: 110004 });
  await expect(as('chen')(updateMUser, { musercode: school, logofileid: null })).rejects.toMatchObject({ code: 110004 });
  await as('ma')(updateMUser, { musercode: school, logofileid: null });
  expect(await shown('ma')).toBe('');
  expect(await status(second)).toBe(404);
  expect(await sqlAsOwner('select isdeleted, count(*)::int as n from fileobj group by 1')).toEqual([{ isdeleted: 1, n: 2 }]);
});

test('a school can be created with its logo', async () => {
  const server = await site();
  const { musercode } = await open(server, 'fang', 'qingxi', { logofileid: await server.picture('fang') });
  const { rows } = await server.as('fang')(getMUserPageList, { keyword: musercode });
  const { logo } = await (await signIn(server, 'qingxi'))(getUserInfo, {});
  expect(rows[0]?.logo).toBe(logo);
  expect(await server.status(logo)).toBe(200);
});

test('a logo is refused for a foreign file, a file in use, a file of another purpose and a school outside the caller’s scope', async () => {
  const { as, picture, shown, services, clock } = await site();
  const own = await picture('fang');
  await as('fang')(updateMUser, { musercode: school, logofileid: own });
  const before = await shown('ma');
  const face = (
    await as('fang')(updateToOSS, { biztype: 'avatar' }, { filename: 'a.png', mime: 'image/png', content: await png() })
  ).fileid;
  for (const logofileid of [await picture('ma'), own, face])
    await expect(as('fang')(updateMUser, { musercode: 'M_DONGSHAN', logofileid })).rejects.toMatchObject({ code: 130001 });
  for (const logofileid of [own, face])
    await expect(as('fang')(updateMUser, { musercode: school, logofileid })).rejects.toMatchObject({ code: 130001 });
  await expect(as('ma')(updateMUser, { musercode: 'M_DONGSHAN', logofileid: null })).rejects.toMatchObject({ code: 130001 });
  expect(await shown('ma')).toBe(before);
  expect(await shown('qiao')).toBe('');
  await expect(as('super')(deleteFile, { fileid: own })).rejects.toMatchObject({ code: 130001 });
  // What was chosen in a form that was given up goes with the night's sweep; the logo in use stays.
  clock.now = new Date(Date.now() + 2 * 86_400_000);
  await cleanupFiles(services, clock.now);
  expect(await shown('ma')).toBe(before);
});

test('a logo is stored at the size at which it is shown', async () => {
  const { as, app, picture, shown } = await site();
  await as('fang')(updateMUser, { musercode: school, logofileid: await picture('fang', 1600) });
  const { width, height } = await sharp((await app.inject(await shown('ma'))).rawPayload).metadata();
  expect([width, height]).toEqual([512, 512]);
});
