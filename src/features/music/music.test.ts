import { describe, expect, test } from 'vitest';
import * as file from '#features/file/file.contract.ts';
import { getShelfMedia, getShelfMusic } from '#features/content/content.contract.ts';
import * as music from '#features/music/music.contract.ts';
import { addContents } from '#testing/content/ownContents.ts';
import { mp3, mp4 } from '#testing/files/media.ts';
import { png } from '#testing/files/picture.ts';
import { sharedServer, startServer } from '#testing/server.ts';

const server = sharedServer();
const upload = async (name = '海浪.mp3') => (await server().as('fang')(file.updateToOSS, { biztype: 'music' }, mp3(name))).fileid;
const cover = async (biztype: 'music' | 'article' = 'music') => {
  const picture = { filename: '封面.png', mime: 'image/png', content: await png(20, 20) };
  return (await server().as('fang')(file.updateToOSS, { biztype }, picture)).fileid;
};
const waves = (fileid: string) => ({ title: '海浪', fileid, duration: 20, category: '01' as const, licence: '自有版权' });
const rowOf = async (musicid: number) => {
  const row = (await server().as('fang')(music.getMusicPageList, { musicid })).rows[0];
  if (!row) throw new Error('the list has no such music');
  return row;
};

test('new music is off the shelf, for persons, and for every population; its recording has a link', async () => {
  const fang = server().as('fang');
  const coverfileid = await cover();
  const { musicid } = await fang(music.insertMusic, { ...waves(await upload()), coverfileid });
  const row = await rowOf(musicid);
  expect(row).toMatchObject({
    status: 0,
    audience: '01',
    appids: [],
    levels: [],
    playcount: 0,
    filename: '海浪.mp3',
    coverfileid,
  });
  expect([row.url, row.coverurl]).toEqual([expect.stringMatching(/^\/files\?k=/), expect.stringMatching(/^\/files\?k=/)]);
});

test('music needs its source and licence, a duration and a category', async () => {
  const fileid = await upload();
  const add = (more: object) => server().as('fang')(music.insertMusic, { ...waves(fileid), ...more } as never);
  await expect(add({ licence: ' ' })).rejects.toMatchObject({ data: { field: 'licence' }, message: '请写明来源与授权' });
  await expect(add({ duration: 0 })).rejects.toMatchObject({ data: { field: 'duration' } });
  await expect(add({ category: '09' })).rejects.toMatchObject({ data: { field: 'category' } });
  await expect(add({ levels: [3] })).rejects.toMatchObject({ code: 120002 });
});

test('a school finds music while it is on the shelf, and only then', async () => {
  const fang = server().as('fang');
  const { musicid } = await fang(music.insertMusic, { ...waves(await upload()), title: '山谷', audience: '03' });
  const find = async () => (await server().as('chen')(getShelfMusic, {})).rows.some(({ title }) => title === '山谷');
  expect(await find()).toBe(false);
  const { version } = await fang(music.updateMusic, { musicid, version: 1, status: 1 });
  expect(await find()).toBe(true);
  await server().as('chen')(getShelfMedia, { kind: 'music', id: musicid });
  expect((await rowOf(musicid)).playcount).toBe(1);
  await fang(music.updateMusic, { musicid, version, status: 0 });
  expect(await find()).toBe(false);
});

test('music on the shelf is deleted only after it is taken off', async () => {
  const fang = server().as('fang');
  const { musicid } = await fang(music.insertMusic, { ...waves(await upload()), status: 1 });
  await expect(fang(music.deleteMusic, { musicid })).rejects.toMatchObject({ code: 140001, message: /请先下架/ });
  await fang(music.updateMusic, { musicid, version: 1, status: 0 });
  await fang(music.deleteMusic, { musicid });
  expect((await fang(music.getMusicPageList, { musicid })).total).toBe(0);
  await expect(fang(music.deleteMusic, { musicid })).rejects.toMatchObject({ code: 130001 });
});

test('a recording that music uses stays in 文件上传 until no music uses it', async () => {
  const fang = server().as('fang');
  const fileid = await upload('两首.mp3');
  const first = await fang(music.insertMusic, waves(fileid));
  const second = await fang(music.insertMusic, waves(fileid));
  await expect(fang(file.deleteFile, { fileid })).rejects.toMatchObject({ code: 130003 });
  await fang(music.deleteMusic, first);
  await expect(fang(file.deleteFile, { fileid })).rejects.toMatchObject({ code: 130003 });
  await fang(music.updateMusic, { ...second, version: 1, fileid: await upload('换.mp3'), duration: 20 });
  await fang(file.deleteFile, { fileid });
});

test('another recording comes with its duration', async () => {
  const fang = server().as('fang');
  const { musicid } = await fang(music.insertMusic, waves(await upload()));
  const fileid = await upload('新的.mp3');
  await expect(fang(music.updateMusic, { musicid, version: 1, fileid })).rejects.toMatchObject({ data: { field: 'duration' } });
  await fang(music.updateMusic, { musicid, version: 1, fileid, duration: 21 });
  expect(await rowOf(musicid)).toMatchObject({ fileid, filename: '新的.mp3', duration: 21 });
});

test('a cover is removed by null and stays when the request does not name it', async () => {
  const fang = server().as('fang');
  const coverfileid = await cover();
  const { musicid } = await fang(music.insertMusic, { ...waves(await upload()), coverfileid });
  const { version } = await fang(music.updateMusic, { musicid, version: 1, title: '海' });
  expect(await rowOf(musicid)).toMatchObject({ title: '海', coverfileid });
  await expect(fang(file.deleteFile, { fileid: coverfileid })).rejects.toMatchObject({ code: 130003 });
  await fang(music.updateMusic, { musicid, version, coverfileid: null });
  expect(await rowOf(musicid)).toMatchObject({ coverfileid: null, coverurl: '' });
  await fang(file.deleteFile, { fileid: coverfileid });
});

describe('the files of music', () => {
  test('are of the own institution: a recording of the platform is refused at its field', async () => {
    const { fileid } = await server().as('super')(file.updateToOSS, { biztype: 'music' }, mp3('平台.mp3'));
    const fang = server().as('fang');
    await expect(fang(music.insertMusic, waves(fileid))).rejects.toMatchObject({ code: 130001, data: { field: 'fileid' } });
    const { musicid } = await fang(music.insertMusic, waves(await upload()));
    await expect(fang(music.updateMusic, { musicid, version: 1, fileid, duration: 20 })).rejects.toMatchObject({ code: 130001 });
  });

  test('are uploads for music: a video of a course and a picture of an article are refused', async () => {
    const fang = server().as('fang');
    const { fileid } = await fang(file.updateToOSS, { biztype: 'course' }, mp4('课.mp4'));
    await expect(fang(music.insertMusic, waves(fileid))).rejects.toMatchObject({ code: 130001, data: { field: 'fileid' } });
    const coverfileid = await cover('article');
    const withCover = { ...waves(await upload()), coverfileid };
    await expect(fang(music.insertMusic, withCover)).rejects.toMatchObject({ code: 130001, data: { field: 'coverfileid' } });
  });

  test('have their type: a picture does not play, and an MP3 is no cover', async () => {
    const fang = server().as('fang');
    await expect(fang(music.insertMusic, waves(await cover()))).rejects.toMatchObject({
      code: 160002,
      message: '这里需要MP3，“封面.png”不是',
    });
    const coverfileid = await upload('不是封面.mp3');
    await expect(fang(music.insertMusic, { ...waves(await upload()), coverfileid })).rejects.toMatchObject({
      code: 160002,
      data: { field: 'coverfileid' },
    });
  });
});

test('the list is in the chosen order and finds music by title, category and shelf', async () => {
  const own = await startServer();
  const fang = own.as('fang');
  const { audio: fileid } = await addContents(own);
  await fang(music.insertMusic, { ...waves(fileid), title: '胎教一', category: '04', ordernum: 2, status: 1 });
  await fang(music.insertMusic, { ...waves(fileid), title: '胎教二', category: '04', ordernum: 1 });
  const titles = async (request: object) => (await fang(music.getMusicPageList, request)).rows.map(({ title }) => title);
  expect(await titles({})).toEqual(['溪流', '胎教二', '胎教一']);
  expect(await titles({ orderby: 'ordernum' })).toEqual(['胎教一', '胎教二', '溪流']);
  expect(await titles({ category: '04', status: 1 })).toEqual(['胎教一']);
  expect(await titles({ keyword: '二' })).toEqual(['胎教二']);
});

test('a provider and the platform edit only their own music; schools, hospitals and authorities edit none', async () => {
  const own = await startServer();
  const { musicid } = await addContents(own);
  expect((await own.as('super')(music.getMusicPageList, {})).total).toBe(0);
  await expect(own.as('super')(music.updateMusic, { musicid, version: 1, title: '改' })).rejects.toMatchObject({ code: 130001 });
  await expect(own.as('super')(music.deleteMusic, { musicid })).rejects.toMatchObject({ code: 130001 });
  for (const who of ['ma', 'lin', 'zhou'] as const) {
    await expect(own.as(who)(music.getMusicPageList, {})).rejects.toMatchObject({ code: 110004 });
    await expect(own.as(who)(music.deleteMusic, { musicid })).rejects.toMatchObject({ code: 110004 });
  }
});

test('of two deletions at once one succeeds, and the other finds nothing', async () => {
  const fang = server().as('fang');
  const { musicid } = await fang(music.insertMusic, waves(await upload()));
  const results = await Promise.allSettled([fang(music.deleteMusic, { musicid }), fang(music.deleteMusic, { musicid })]);
  expect(results.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
});
