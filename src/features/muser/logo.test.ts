import Fastify from 'fastify';
import sharp from 'sharp';
import { expect, onTestFinished, test } from 'vitest';
import { serveFiles } from '#server/http/fileRoute.ts';
import { deleteFile, updateToOSS } from '#features/file/file.contract.ts';
import { cleanupFiles } from '#features/file/cleanup.ts';
import { getMUserPageList } from '#features/muser/muser.contract.ts';
import { updateMUser } from '#features/muser/edit/updateMUser.contract.ts';
import { getUserInfo } from '#features/session/session.contract.ts';
import { openInstitution, signIn } from '#testing/institution.ts';
import type { Person } from '#testing/people.ts';
import { png } from '#testing/files/picture.ts';
import { startServer } from '#testing/server.ts';

const school = 'M_CHENGUANG';

async function startSite() {
  const server = await startServer();
  const app = Fastify();
  onTestFinished(() => app.close());
  serveFiles(app, server.services, () => server.clock.now);
  const uploadLogo = async (person: Person, side = 40) =>
    (
      await server.as(person)(
        updateToOSS,
        { biztype: 'logo' },
        { filename: '校徽.png', mime: 'image/png', content: await png(side, side) },
      )
    ).fileid;
  const status = async (url: string) => (await app.inject(url)).statusCode;
  const logoOf = async (person: Person) => (await server.as(person)(getUserInfo, {})).logo;
  return { ...server, app, uploadLogo, status, logoOf };
}

test('a provider sets the logo of a school, and all staff of the school see it under a permanent URL', async () => {
  const { as, clock, uploadLogo, status, logoOf } = await startSite();
  expect(await logoOf('chen')).toBe('');
  await as('fang')(updateMUser, { musercode: school, logofileid: await uploadLogo('fang') });
  const logo = await logoOf('chen');
  expect(logo).toMatch(/^\/files\?k=/);
  expect(await logoOf('ma')).toBe(logo);
  expect(await logoOf('qiao')).toBe('');
  const { rows } = await as('fang')(getMUserPageList, { keyword: school });
  expect(rows[0]?.logo).toBe(logo);
  clock.now = new Date(clock.now.getTime() + 86_400_000);
  expect(await status(logo)).toBe(200);
});

test('a school replaces and removes its logo, and the old file is deleted', async () => {
  const { as, sqlAsOwner, uploadLogo, status, logoOf } = await startSite();
  await as('fang')(updateMUser, { musercode: school, logofileid: await uploadLogo('fang') });
  const first = await logoOf('ma');
  await as('ma')(updateMUser, { musercode: school, logofileid: await uploadLogo('ma') });
  const second = await logoOf('ma');
  expect([await status(first), await status(second)]).toEqual([404, 200]);
  // Only institutions above the school change its other fields.
  await expect(as('ma')(updateMUser, { musercode: school, insname: '晨光' })).rejects.toMatchObject({ code: 110004 });
  await expect(as('chen')(updateMUser, { musercode: school, logofileid: null })).rejects.toMatchObject({ code: 110004 });
  await as('ma')(updateMUser, { musercode: school, logofileid: null });
  expect(await logoOf('ma')).toBe('');
  expect(await status(second)).toBe(404);
  expect(await sqlAsOwner('select isdeleted, count(*)::int as n from fileobj group by 1')).toEqual([{ isdeleted: 1, n: 2 }]);
});

test('a school can be created with its logo', async () => {
  const server = await startSite();
  const { musercode } = await openInstitution(server, 'fang', 'qingxi', { logofileid: await server.uploadLogo('fang') });
  const { rows } = await server.as('fang')(getMUserPageList, { keyword: musercode });
  const { logo } = await (await signIn(server, 'qingxi'))(getUserInfo, {});
  expect(rows[0]?.logo).toBe(logo);
  expect(await server.status(logo)).toBe(200);
});

test('a logo is refused for a foreign file, a file in use, a file of another purpose and a school outside the caller’s scope', async () => {
  const { as, uploadLogo, logoOf, services, clock } = await startSite();
  const ownFile = await uploadLogo('fang');
  await as('fang')(updateMUser, { musercode: school, logofileid: ownFile });
  const before = await logoOf('ma');
  const avatarFile = (
    await as('fang')(updateToOSS, { biztype: 'avatar' }, { filename: 'a.png', mime: 'image/png', content: await png() })
  ).fileid;
  for (const logofileid of [await uploadLogo('ma'), ownFile, avatarFile])
    await expect(as('fang')(updateMUser, { musercode: 'M_DONGSHAN', logofileid })).rejects.toMatchObject({ code: 130001 });
  for (const logofileid of [ownFile, avatarFile])
    await expect(as('fang')(updateMUser, { musercode: school, logofileid })).rejects.toMatchObject({ code: 130001 });
  await expect(as('ma')(updateMUser, { musercode: 'M_DONGSHAN', logofileid: null })).rejects.toMatchObject({ code: 130001 });
  expect(await logoOf('ma')).toBe(before);
  expect(await logoOf('qiao')).toBe('');
  await expect(as('super')(deleteFile, { fileid: ownFile })).rejects.toMatchObject({ code: 130001 });
  // The nightly cleanup deletes files of abandoned forms; the logo in use stays.
  clock.now = new Date(Date.now() + 2 * 86_400_000);
  await cleanupFiles(services, clock.now);
  expect(await logoOf('ma')).toBe(before);
});

test('a logo is stored at the size at which it is shown', async () => {
  const { as, app, uploadLogo, logoOf } = await startSite();
  await as('fang')(updateMUser, { musercode: school, logofileid: await uploadLogo('fang', 1600) });
  const { width, height } = await sharp((await app.inject(await logoOf('ma'))).rawPayload).metadata();
  expect([width, height]).toEqual([512, 512]);
});
