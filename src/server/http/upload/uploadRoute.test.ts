import { createHash } from 'node:crypto';
import { buffer } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import * as file from '#features/file/file.contract.ts';
import * as upload from '#features/file/upload/upload.contract.ts';
import { film, tusClient } from '#testing/files/tus.ts';
import { setPermission } from '#testing/factories.ts';
import { startHttp } from '#testing/http.ts';

const MB = 1024 * 1024;
const uploadidOf = (path: string) => path.split('/').at(-1) ?? '';

/** Starts a server where 马 manages the school's files (文件上传). */
async function startSite(options: Parameters<typeof startHttp>[0] = {}) {
  const server = await startHttp(options);
  await setPermission(server, 'U_MA', '00030', 'grant');
  return { ...server, ma: tusClient(server.base, 'ma') };
}

test('a film that arrives in three parts becomes one file of the school, with the same bytes', async () => {
  const server = await startSite();
  const { as, ma, services, sqlAsOwner } = server;
  const content = film(3 * MB);
  const created = await ma.create({ size: content.length });
  expect([created.status, created.headers.get('tus-resumable')]).toEqual([201, '1.0.0']);
  expect(new Date(created.headers.get('upload-expires') ?? '').toISOString()).toBe('2025-10-09T02:00:00.000Z');
  const path = created.headers.get('location') ?? '';
  expect(path).toMatch(/^\/upload\/[0-9a-f-]{36}$/);
  const uploadid = uploadidOf(path);
  expect((await ma.head(path)).headers.get('upload-offset')).toBe('0');
  for (const [from, to] of [
    [0, 1000],
    [1000, 2 * MB],
    [2 * MB, 3 * MB],
  ] as const) {
    const answer = await ma.patch(path, from, content.subarray(from, to));
    expect([answer.status, answer.headers.get('upload-offset')]).toEqual([204, String(to)]);
    if (to === 2 * MB) {
      expect((await ma.head(path)).headers.get('upload-offset')).toBe(String(to));
      expect(await as('ma')(upload.getUploadList, {})).toEqual([
        {
          uploadid,
          biztype: 'course',
          ispublic: 0,
          filename: '呼吸放松.mp4',
          size: 3 * MB,
          sent: 2 * MB,
          expiretime: '2025-10-09 10:00:00',
        },
      ]);
      await expect(as('ma')(upload.finishUpload, { uploadid })).rejects.toMatchObject({ code: 140001 });
    }
  }
  const saved = await as('ma')(upload.finishUpload, { uploadid });
  expect(saved).toMatchObject({ filename: '呼吸放松.mp4', mime: 'video/mp4', size: 3 * MB });
  const [row] = await sqlAsOwner<{ path: string; sha256: string }>('select path, sha256 from fileobj');
  const stored = await buffer(await services.storage.get(row?.path ?? ''));
  expect([stored.equals(content), row?.sha256]).toEqual([true, createHash('sha256').update(content).digest('hex')]);
  expect((await as('ma')(file.getFilePageList, { page: 1, pageSize: 10 })).total).toBe(1);

  // A client that lost the answer asks again and gets the same file.
  expect(await as('ma')(upload.finishUpload, { uploadid })).toMatchObject({ fileid: saved.fileid });
  expect(await sqlAsOwner('select 1 from fileobj')).toHaveLength(1);
  expect(await as('ma')(upload.getUploadList, {})).toEqual([]);
  expect((await ma.head(path)).status).toBe(410);
  expect((await ma.patch(path, 0, 'x')).json).toMatchObject({ errorCode: 130001, errorMsg: '上传不存在或已删除' });
  expect(await services.storage.parts.sizeOf(uploadid)).toBe(0);
  expect(server.errors).toEqual([]);
});
