import { crc32, deflateSync } from 'node:zlib';
import Fastify from 'fastify';
import { beforeAll, expect, test } from 'vitest';
import { fileKinds, fileUseKeys, type FileUseKey } from '#domain/files/filekind.ts';
import { serveFiles } from '#server/http/fileRoute.ts';
import * as file from '#features/file/file.contract.ts';
import { setPermission } from '#testing/factories.ts';
import { png } from '#testing/files/picture.ts';
import { mp3, mp4 } from '#testing/files/media.ts';
import { sharedServer } from '#testing/server.ts';

/** Files that are two things at once, or much more than they seem. */

const shared = sharedServer();
const SCRIPT = '<script>alert(document.domain)</script>';
const HTML = `<!doctype html><html><body>${SCRIPT}</body></html>`;

beforeAll(async () => {
  // With 文件上传, 马 may upload for every use but 上报表格.
  await setPermission(shared(), 'U_MA', '00030', 'grant');
});
const USES = fileUseKeys.filter((use) => use !== 'template');

const chunk = (type: string, data: Buffer) => {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const [size, sum] = [Buffer.alloc(4), Buffer.alloc(4)];
  size.writeUInt32BE(data.length);
  sum.writeUInt32BE(crc32(body));
  return Buffer.concat([size, body, sum]);
};
/** A PNG whose head promises this size. Its data is one empty line. */
function pngOfSize(width: number, height: number): Buffer {
  const head = Buffer.alloc(13);
  head.writeUInt32BE(width, 0);
  head.writeUInt32BE(height, 4);
  head.writeUInt8(8, 8);
  const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
  const line = deflateSync(Buffer.alloc(width + 1));
  return Buffer.concat([signature, chunk('IHDR', head), chunk('IDAT', line), chunk('IEND', Buffer.alloc(0))]);
}
const zip = Buffer.concat([Buffer.from('PK\x05\x06'), Buffer.alloc(18)]);

const HOSTILE: Readonly<Record<string, Buffer>> = {
  'a GIF that is also a script': Buffer.from(`GIF89a/*${'\0'.repeat(20)}*/=1;alert(1)//`, 'latin1'),
  'a page named like a picture': Buffer.from(HTML),
  'an SVG with a script': Buffer.from(`<svg xmlns="http://www.w3.org/2000/svg">${SCRIPT}</svg>`),
  'an SVG behind a comment': Buffer.from(
    `<?xml version="1.0"?><!-- x --><svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"/>`,
  ),
  'an SVG in UTF-16': Buffer.from(`\ufeff<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"/>`, 'utf16le'),
  'a page behind spaces': Buffer.from(`${' '.repeat(3000)}${HTML}`),
  'an archive': Buffer.concat([Buffer.from('PK\x03\x04'), Buffer.alloc(100), zip]),
  'a program': Buffer.concat([Buffer.from('MZ'), Buffer.alloc(200)]),
  'a script for a shell': Buffer.from('#!/bin/sh\nrm -rf /\n'),
  'a QuickTime film': Buffer.concat([Buffer.from([0, 0, 0, 20]), Buffer.from('ftypqt  '), Buffer.alloc(200)]),
};

test.each(Object.entries(HOSTILE))('%s is refused for every use', async (_, content) => {
  for (const biztype of USES)
    await expect(
      shared().as('ma')(file.updateToOSS, { biztype }, { filename: '春天.png', mime: 'image/png', content }),
      biztype,
    ).rejects.toMatchObject({ code: 160002 });
});

/** Uploads a file and returns the answer to its link. */
async function fetchStored(biztype: FileUseKey, filename: string, content: Uint8Array, ispublic = 0) {
  const { as, services, clock } = shared();
  const { url } = await as('ma')(file.updateToOSS, { biztype, ispublic }, { filename, mime: 'text/html', content });
  const app = Fastify();
  serveFiles(app, services, () => clock.now);
  const answer = await app.inject(url);
  await app.close();
  return answer;
}

test.each([
  [
    'a PDF with a script',
    'course',
    'pdf',
    Buffer.from(`%PDF-1.4\n1 0 obj<</Type/Catalog/OpenAction<</S/JavaScript/JS(app.alert(1))>>>>endobj\n${HTML}\n%%EOF\n`),
  ],
  ['a song whose tag is a page', 'music', 'mp3', taggedSong()],
  ['a film with a page in its padding', 'course', 'mp4', filmWith(Buffer.from(HTML))],
  ['a film that ends as an archive', 'course', 'mp4', Buffer.concat([mp4('').content, zip])],
] as const)('%s is served as what it is, to be saved, without rights in the page', async (_, biztype, kind, content) => {
  for (const ispublic of [0, 1]) {
    const answer = await fetchStored(biztype, '课件.html', content, ispublic);
    expect(answer.headers).toMatchObject({
      'content-type': fileKinds[kind].mime,
      'x-content-type-options': 'nosniff',
      'content-security-policy': "default-src 'none'; sandbox",
      'cross-origin-resource-policy': 'same-origin',
      'content-disposition': expect.stringMatching(new RegExp(`^attachment; filename="__\\.${kind}"`)) as string,
    });
    expect(answer.rawPayload.length).toBe(content.length);
  }
});

function taggedSong(): Buffer {
  const page = Buffer.from(HTML);
  const head = Buffer.from([0x49, 0x44, 0x33, 4, 0, 0, 0, 0, page.length >> 7, page.length & 127]);
  return Buffer.concat([head, page, mp3('').content]);
}
function filmWith(padding: Buffer): Buffer {
  const size = Buffer.alloc(4);
  size.writeUInt32BE(padding.length + 8);
  return Buffer.concat([mp4('').content, size, Buffer.from('free'), padding]);
}

test('a picture loses the page behind it, in its comments and in its data', async () => {
  const picture = await png(30, 30);
  const text = chunk('tEXt', Buffer.from(`Comment\0${HTML}`, 'latin1'));
  const hidden = Buffer.concat([picture.subarray(0, 33), text, picture.subarray(33), Buffer.from(HTML), zip]);
  for (const biztype of ['avatar', 'logo', 'article', 'music', 'course', 'licence'] as const) {
    const answer = await fetchStored(biztype, `${SCRIPT}.svg`, hidden);
    expect([answer.headers['content-type'], answer.rawPayload.includes('script')]).toEqual(['image/png', false]);
    expect(answer.headers['content-disposition']).toMatch(/^attachment; filename="[\w.-]+\.png"/);
  }
});

test.each([
  ['900 million pixels', 30_000, 30_000],
  ['one very long line', 60_000, 1000],
  ['the greatest size that a PNG can name', 2 ** 31 - 1, 2 ** 31 - 1],
])('a picture of a few kilobytes that promises %s is refused by its head', async (_, width, height) => {
  const bomb = pngOfSize(Math.min(width, 60_000), height);
  bomb.writeUInt32BE(width, 16);
  bomb.writeUInt32BE(crc32(bomb.subarray(12, 29)), 29);
  expect(bomb.length).toBeLessThan(4096);
  // All of these uses accept pictures.
  for (const biztype of USES)
    await expect(
      shared().as('ma')(file.updateToOSS, { biztype }, { filename: 'a.png', mime: 'image/png', content: bomb }),
      biztype,
    ).rejects.toMatchObject({ code: 160002, message: expect.stringMatching(/像素过多|已损坏/) as string });
});
