import sharp from 'sharp';
import { buffer } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import type { Upload } from '#contract/file.ts';
import * as file from '#features/file/file.contract.ts';
import { png } from '#testing/files/picture.ts';
import { startServer, type TestServer } from '#testing/server.ts';

/** Files that are two things at once. 方敏 uploads them as pictures of an article. */

const SCRIPT = '<script>alert(1)</script>';
const send = ({ as }: TestServer, filename: string, content: Buffer | string) => {
  const upload: Upload = { filename, mime: 'image/png', content: Buffer.from(content) };
  return as('fang')(file.updateToOSS, { biztype: 'article', ispublic: 1 }, upload);
};
const zipHead = Buffer.from('504b0304140000000800', 'hex');
const mp4Head = Buffer.concat([Buffer.from([0, 0, 0, 24]), Buffer.from('ftypmp42'), Buffer.alloc(12)]);
const mp3Head = Buffer.concat([Buffer.from('ID3'), Buffer.from([4, 0, 0, 0, 0, 0, 10]), Buffer.alloc(10)]);

test.each([
  ['a GIF that is a script', '海边.gif', Buffer.from(`GIF89a/*${'\0'.repeat(20)}*/=1;alert(1)`)],
  ['a bitmap that is a script', '海边.bmp', Buffer.from(`BM/*${'\0'.repeat(60)}*/=1;alert(1)`)],
  ['a page with the name of a picture', '海边.png', Buffer.from(`<!doctype html>${SCRIPT}`)],
  ['a page after blank lines', '海边.png', Buffer.from(`${'\n'.repeat(512)}<html>${SCRIPT}`)],
  ['an SVG with the name of a picture', '海边.png', Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"/>')],
  ['an SVG behind a comment', '海边.svg', Buffer.from(`<!--${'x'.repeat(300)}--><svg><script>alert(1)</script></svg>`)],
  ['a PDF', '海边.png', Buffer.from('%PDF-1.4\n1 0 obj<</OpenAction<</S/JavaScript/JS(app.alert(1))>>>>endobj\n%%EOF')],
  ['a PDF that is a ZIP', '海边.jpg', Buffer.concat([Buffer.from('%PDF-1.4\n'), zipHead])],
  ['a ZIP that holds a page', '海边.png', Buffer.concat([zipHead, Buffer.from(SCRIPT)])],
  ['a film with a script', '海边.png', Buffer.concat([mp4Head, Buffer.from(SCRIPT), Buffer.alloc(5000)])],
  ['a sound with a script', '海边.png', Buffer.concat([mp3Head, Buffer.from(SCRIPT), Buffer.alloc(5000)])],
  [
    'a page behind the mark of a picture',
    '海边.png',
    Buffer.concat([Buffer.from('89504e470d0a1a0a', 'hex'), Buffer.from(SCRIPT)]),
  ],
  ['a page behind the mark of a photo', '海边.jpg', Buffer.concat([Buffer.from('ffd8ffe0', 'hex'), Buffer.from(SCRIPT)])],
])('%s is no picture of an article', async (_, filename, content) => {
  const server = await startServer();
  await expect(send(server, filename, content)).rejects.toMatchObject({ code: 160002 });
  expect(await server.sqlAsOwner('select * from fileobj')).toEqual([]);
});

test('what hides in a picture does not reach the stored file', async () => {
  const server = await startServer();
  const photo = await sharp(await png(60, 40))
    .jpeg()
    .withExif({ IFD0: { ImageDescription: SCRIPT, Copyright: SCRIPT } })
    .toBuffer();
  const hiding = {
    'after its end': Buffer.concat([await png(), Buffer.from(`\n${SCRIPT}`), zipHead]),
    'in its description': photo,
    'in a comment': Buffer.concat([
      photo.subarray(0, 2),
      Buffer.from([0xff, 0xfe, 0, SCRIPT.length + 2]),
      Buffer.from(SCRIPT),
      photo.subarray(2),
    ]),
  };
  for (const [place, content] of Object.entries(hiding)) {
    expect([place, content.includes('alert')]).toEqual([place, true]);
    const { fileid } = await send(server, '海边.png', content);
    const [stored] = await server.sqlAsOwner<{ path: string }>('select path from fileobj where fileid = $1', [fileid]);
    const bytes = await buffer(await server.services.storage.get(stored?.path as string));
    expect([place, bytes.length > 0, bytes.includes('alert')]).toEqual([place, true, false]);
  }
});

test('a picture of an article that expands into too many pixels is refused', async () => {
  const server = await startServer();
  for (const [width, height] of [
    [9000, 9000],
    [40_000, 2000],
  ] as const) {
    const bomb = await sharp({ create: { width, height, channels: 3, background: '#fff' } })
      .png({ compressionLevel: 9 })
      .toBuffer();
    expect(bomb.length).toBeLessThan(1024 * 1024);
    await expect(send(server, '海边.png', bomb)).rejects.toMatchObject({ code: 160002 });
  }
  await expect(send(server, '海边.png', Buffer.concat([await png(), Buffer.alloc(5 * 1024 * 1024)]))).rejects.toMatchObject({
    code: 160002,
    message: '图片不能超过 5 MB，请压缩后再上传',
  });
});
