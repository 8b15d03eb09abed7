import Fastify from 'fastify';
import { expect, onTestFinished, test } from 'vitest';
import type { Upload } from '#contract/file.ts';
import { signFile } from '#server/security/fileLink.ts';
import { serveFiles } from '#server/http/fileRoute.ts';
import * as file from '#features/file/file.contract.ts';
import { attachCaseFile } from '#features/warning/files/casefile.contract.ts';
import { insertWarning } from '#features/warning/handling/handling.contract.ts';
import { setPermission } from '#testing/factories.ts';
import { addClass } from '#testing/school.ts';
import { startServer } from '#testing/server.ts';

const pdf: Upload = {
  filename: '出院小结.pdf',
  mime: 'application/pdf',
  content: Buffer.from('%PDF-1.4\n1 0 obj<</Type/Catalog>>endobj\ntrailer<</Root 1 0 R>>\n%%EOF\n'),
};

async function startSite() {
  const server = await startServer();
  // ma manages the school's files (文件上传).
  await setPermission(server, 'U_MA', '00030', 'grant');
  const app = Fastify();
  onTestFinished(() => app.close());
  serveFiles(app, server.services, () => server.clock.now);
  return { ...server, app };
}

test('an unattached case file can be moved, seen and removed by its uploader only', async () => {
  const { as } = await startSite();
  for (const biztype of ['case', 'consent'] as const) {
    const { fileid } = await as('chen')(file.updateToOSS, { biztype }, pdf);
    for (const path of ['licence', 'course'] as const)
      await expect(as('ma')(file.updateToOSSPath, { path, fileid })).rejects.toMatchObject({ code: 130001 });
    await expect(as('ma')(file.deleteFile, { fileid })).rejects.toMatchObject({ code: 130001 });
  }
});

test('a file that is no longer public is not found under its old address', async () => {
  const { as, app, clock } = await startSite();
  const { fileid, url } = await as('ma')(file.updateToOSS, { biztype: 'course', ispublic: 1 }, pdf);
  clock.now = new Date(clock.now.getTime() + 86_400_000);
  expect((await app.inject(url)).statusCode).toBe(200);
  const moved = await as('ma')(file.updateToOSSPath, { path: 'licence', fileid });
  expect((await app.inject(url)).statusCode).toBe(404);
  expect((await app.inject(moved.url)).statusCode).toBe(200);
});

test('a file of another school, a colleague or another case cannot be attached by its number', async () => {
  const server = await startSite();
  const { as } = server;
  const { pupils } = await addClass(server, { teamname: '初二3班', names: ['林小雨', '周明'] });
  const cases = await Promise.all(
    pupils.map(({ cuserid }) => as('chen')(insertWarning, { cuserid, level: 2, content: '同学反映近来常常独自哭泣' })),
  );
  const [firstCase, secondCase] = cases.map(({ warningcode }) => warningcode) as [string, string];
  const upload = async (who: 'chen' | 'lu' | 'qiao') => (await as(who)(file.updateToOSS, { biztype: 'case' }, pdf)).fileid;
  const attach = (warningcode: string, fileid: string) =>
    as('chen')(attachCaseFile, { warningcode, kind: '09', fileids: [fileid] });
  for (const who of ['lu', 'qiao'] as const)
    await expect(attach(firstCase, await upload(who))).rejects.toMatchObject({ code: 130001 });
  const ownFile = await upload('chen');
  // Of two cases that attach the file at the same time, one succeeds.
  const results = await Promise.allSettled([attach(firstCase, ownFile), attach(secondCase, ownFile)]);
  expect(results.filter((result) => result.status === 'fulfilled')).toHaveLength(1);
  await expect(
    as('qiao')(attachCaseFile, { warningcode: firstCase, kind: '09', fileids: [await upload('qiao')] }),
  ).rejects.toMatchObject({ code: 130001 });
});

test('a file link is valid only for its file, type, time and purpose', async () => {
  const { as, app, services, clock } = await startSite();
  const { url } = await as('chen')(file.updateToOSS, { biztype: 'case' }, pdf);
  const k = url.split('?k=')[1] as string;
  const [payload = '', tag = ''] = k.split('.');
  const [key, filename, mime, until] = JSON.parse(Buffer.from(payload, 'base64url').toString()) as [
    string,
    string,
    string,
    number,
  ];
  const forgedLinks = [
    [key, filename, 'text/html', until],
    [key, filename, mime, 0],
    [key, filename, mime, until + 86_400],
    ['../../../etc/passwd', filename, mime, until],
  ].map((item) => `${Buffer.from(JSON.stringify(item)).toString('base64url')}.${tag}`);
  const malformedLinks = [
    `${payload}.${services.cipher.hmac('recovery', payload)}`,
    `${payload}.`,
    `${payload}.${tag}.${tag}x`,
    `${payload}..${tag}`,
    '',
    '.',
    'x.y',
  ];
  for (const text of [...forgedLinks, ...malformedLinks.filter((_, index) => index !== 2)])
    expect([text, (await app.inject(`/files?k=${encodeURIComponent(text)}`)).statusCode]).toEqual([text, 404]);
  expect((await app.inject(`/files?k=${k}&k=${k}`)).statusCode).toBe(404);
  expect((await app.inject(url)).statusCode).toBe(200);
  // A path outside of the storage is refused even with a valid signature.
  for (const path of ['../secret', 'upload/../../secret', '/etc/passwd', 'upload/a\0b']) {
    const signed = signFile(services.cipher, { key: path, filename: 'a', mime: 'text/plain' }, undefined);
    expect([404, 500]).toContain((await app.inject(signed)).statusCode);
  }
  clock.now = new Date(clock.now.getTime() + 601_000);
  expect((await app.inject(url)).statusCode).toBe(404);
});
