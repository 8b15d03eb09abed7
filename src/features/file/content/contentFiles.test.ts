import Fastify from 'fastify';
import { expect, onTestFinished, test } from 'vitest';
import type { Upload } from '#contract/file.ts';
import { withScope } from '#server/db/scope.ts';
import { hashToken } from '#server/dispatch/caller.ts';
import { serveFiles } from '#server/http/fileRoute.ts';
import * as file from '#features/file/file.contract.ts';
import { findContentLinks, releaseUsedFiles, setUsedFiles } from '#features/file/content/contentFiles.ts';
import { setPermission } from '#testing/factories.ts';
import { people, type Person } from '#testing/people.ts';
import { png } from '#testing/files/picture.ts';
import { startServer } from '#testing/server.ts';

async function startSite() {
  const server = await startServer();
  // ma manages the school's files (文件上传).
  await setPermission(server, 'U_MA', '00030', 'grant');
  const upload: Upload = { filename: '封面.png', mime: 'image/png', content: await png(20, 20) };
  const addPicture = async (ispublic: 0 | 1, biztype: 'article' | 'music' = 'article', who: Person = 'ma') =>
    (await server.as(who)(file.updateToOSS, { biztype, ispublic }, upload)).fileid;
  const runAs = <T>(
    who: Person,
    work: (ctx: Parameters<typeof setUsedFiles>[0] & Parameters<typeof findContentLinks>[0]) => Promise<T>,
  ) =>
    withScope(server.services.pools.app, { session: hashToken(who) }, (scope) => {
      const { musercode, userid } = people[who];
      const caller = { musercode, accountid: userid ?? musercode } as Parameters<typeof setUsedFiles>[0]['caller'];
      return work({ scope, caller, now: server.clock.now, storage: server.services.storage });
    });
  return { ...server, addPicture, runAs };
}

test('a picture that an article uses can be neither deleted nor renamed until no article uses it', async () => {
  const { as, addPicture, runAs } = await startSite();
  const fileid = await addPicture(1);
  const cover = { fileid, field: 'coverfileid', group: 'image' } as const;
  await runAs('ma', (ctx) => setUsedFiles(ctx, 'article:1', 'article', [cover]));
  await runAs('ma', (ctx) => setUsedFiles(ctx, 'article:2', 'article', [{ ...cover, mustBePublic: true }]));
  expect((await as('ma')(file.getFilePageList, {})).rows).toMatchObject([{ fileid, inuse: 1 }]);
  await expect(as('ma')(file.deleteFile, { fileid })).rejects.toMatchObject({ code: 130003 });
  await expect(as('ma')(file.updateToOSSPath, { path: 'article', fileid, filename: '新' })).rejects.toMatchObject({
    code: 130001,
  });
  await runAs('ma', (ctx) => setUsedFiles(ctx, 'article:1', 'article', []));
  await expect(as('ma')(file.deleteFile, { fileid })).rejects.toMatchObject({ code: 130003 });
  await runAs('ma', (ctx) => releaseUsedFiles(ctx.scope, 'article:2'));
  await as('ma')(file.deleteFile, { fileid });
  expect(await runAs('ma', (ctx) => findContentLinks(ctx, [fileid, null]))).toEqual(new Map());
});

test('an article takes only pictures of its own institution and use, and only public ones in its text', async () => {
  const { addPicture, runAs } = await startSite();
  const picture = await addPicture(0);
  const foreign = await addPicture(1, 'music');
  const use = (who: Person, fileid: string, more = {}) =>
    runAs(who, (ctx) => setUsedFiles(ctx, 'article:1', 'article', [{ fileid, field: 'content', group: 'image', ...more }]));
  await expect(use('ma', foreign)).rejects.toMatchObject({ code: 130001 });
  await expect(use('qiao', picture)).rejects.toMatchObject({ code: 130001 });
  await expect(use('ma', picture, { mustBePublic: true })).rejects.toMatchObject({ code: 160002 });
  await expect(use('ma', picture, { group: 'audio' })).rejects.toMatchObject({ code: 160002 });
  await use('ma', picture);
});

test('a school reads the files of contents of its provider, and none of a sister school', async () => {
  const { addPicture, runAs } = await startSite();
  const above = await addPicture(0, 'article', 'fang');
  const own = await addPicture(0);
  const findLinks = (who: Person) => runAs(who, (ctx) => findContentLinks(ctx, [above, own]));
  expect((await findLinks('chen')).get(above)).toMatchObject({ filename: '封面.png', validuntil: '2025-10-08 14:00:00' });
  expect([...(await findLinks('chen')).keys()].sort()).toEqual([above, own].sort());
  expect([...(await findLinks('qiao')).keys()]).toEqual([above]);
});

test('the link of a private content plays for four hours, without a session, and ends with its file', async () => {
  const { as, addPicture, runAs, services, clock } = await startSite();
  const fileid = await addPicture(0);
  const { url = '' } = (await runAs('chen', (ctx) => findContentLinks(ctx, [fileid]))).get(fileid) ?? {};
  const app = Fastify();
  onTestFinished(() => app.close());
  serveFiles(app, services, () => clock.now);
  const statusAfter = async (minutes: number, address = url) => {
    clock.now = new Date(new Date('2025-10-08T02:00:00Z').getTime() + minutes * 60_000);
    return (await app.inject(address)).statusCode;
  };
  expect([await statusAfter(239), await statusAfter(241)]).toEqual([200, 404]);
  expect(
    await statusAfter(
      1,
      url.replace(/.$/, (last) => (last === 'A' ? 'B' : 'A')),
    ),
  ).toBe(404);
  await as('ma')(file.deleteFile, { fileid });
  expect(await statusAfter(1)).toBe(404);
});

test('文件上传 names the contents that use a file, and finds the public pictures of a use', async () => {
  const { as, addPicture, runAs, sqlAsOwner } = await startSite();
  const fileid = await addPicture(1);
  await addPicture(0);
  const school = (await sqlAsOwner<{ musercode: string; orgpath: string }>('select musercode, orgpath from fileobj limit 1'))[0];
  const articleid = (
    await sqlAsOwner<{ articleid: string }>(
      `insert into article (musercode, orgpath, title, category, createby) values ($1, $2, '考前怎么睡好', '01', 'U_MA')
       returning articleid`,
      [school?.musercode, school?.orgpath],
    )
  )[0]?.articleid;
  const cover = { fileid, field: 'coverfileid', group: 'image' } as const;
  await runAs('ma', (ctx) => setUsedFiles(ctx, `article:${Number(articleid)}`, 'article', [cover]));
  const { rows } = await as('ma')(file.getFilePageList, { biztype: 'article', group: 'image', ispublic: 1 });
  expect(rows).toMatchObject([{ fileid, uses: [{ kind: 'article', title: '考前怎么睡好' }] }]);
  expect((await as('ma')(file.getFilePageList, { ispublic: 0 })).rows).toMatchObject([{ inuse: 0, uses: [] }]);
  expect(await as('ma')(file.getFilePageList, { group: 'video' })).toMatchObject({ total: 0 });
});
