import { expect, test } from 'vitest';
import type { Upload } from '#contract/file.ts';
import * as article from '#features/article/article.contract.ts';
import { getShelfArticle, getShelfArticles } from '#features/content/content.contract.ts';
import { getPersonArticle, getPersonArticles } from '#features/content/person.contract.ts';
import * as file from '#features/file/file.contract.ts';
import { setPermission } from '#testing/factories.ts';
import { findArticleFaults } from '#testing/content/readArticle.ts';
import { hostileHtml } from '#testing/content/hostileHtml.ts';
import { png } from '#testing/files/picture.ts';
import { addClass, signInPupil } from '#testing/school.ts';
import { startServer } from '#testing/server.ts';

type Fields = Partial<Parameters<typeof article.insertArticle.request.parse>[0] & object> & Record<string, unknown>;

/** 马主任 writes the articles of 晨光中学 and manages its files; 方敏 writes those of 安澜心理 above it. */
async function startSchool() {
  const server = await startServer();
  for (const code of ['00028', '00030']) await setPermission(server, 'U_MA', code, 'grant');
  const ma = server.as('ma');
  const addPicture = async (ispublic: 0 | 1 = 1, who: 'ma' | 'fang' = 'ma') => {
    const upload: Upload = { filename: '海边.png', mime: 'image/png', content: await png() };
    return (await server.as(who)(file.updateToOSS, { biztype: 'article', ispublic }, upload)).fileid;
  };
  const write = (fields: Fields = {}, who: 'ma' | 'fang' = 'ma') =>
    server.as(who)(article.insertArticle, { title: '考前怎么睡好', category: '01', content: '<p>早点放下手机。</p>', ...fields });
  const publish = (articleid: number, times: { publishtime?: string; offlinetime?: string } = {}, who: 'ma' | 'fang' = 'ma') =>
    server.as(who)(article.publishArticle, { articleid, step: 'publish', ...times });
  const takeDown = (articleid: number) => ma(article.publishArticle, { articleid, step: 'offline' });
  const setTime = (time: string) => {
    server.clock.now = new Date(`${time.replace(' ', 'T')}:00+08:00`);
  };
  const usesOf = (articleid: number) =>
    server.sqlAsOwner<{ fileid: string }>('select fileid from contentfile where refcode = $1 order by fileid', [
      `article:${articleid}`,
    ]);
  return { ...server, server, ma, addPicture, write, publish, takeDown, setTime, usesOf };
}
const picture = (fileid: string, alt = '海边') => `<img data-fileid="${fileid}" alt="${alt}">`;
const titlesOf = ({ rows }: { rows: readonly { title: string }[] }) => rows.map(({ title }) => title);

test('马主任 writes an article with a cover and a picture, publishes it, and a pupil reads it', async () => {
  const { server, ma, addPicture, write, publish, usesOf } = await startSchool();
  const cover = await addPicture(0);
  const inText = await addPicture();
  const { articleid, removed } = await write({
    coverfileid: cover,
    content: `<h1>睡眠</h1><p style="text-align:center">早点睡。</p>${picture(inText)}<script>alert(1)</script>`,
    author: '马主任',
    source: '校报',
  });
  expect(removed).toEqual(['脚本']);
  const detail = await ma(article.getArticleDetail, { articleid });
  expect(detail).toMatchObject({
    phase: 'draft',
    coverfileid: cover,
    author: '马主任',
    source: '校报',
    viewcount: 0,
    publishtime: null,
  });
  expect(detail.content).toMatch(
    new RegExp(
      `^<h2>睡眠</h2><p style="text-align:center">早点睡。</p><img data-fileid="${inText}" alt="海边" src="/files\\?k=[^"]+" />$`,
    ),
  );
  expect(detail.coverurl).toMatch(/^\/files\?k=/);
  expect((await usesOf(articleid)).map(({ fileid }) => fileid)).toEqual([cover, inText].sort());
  await expect(ma(file.deleteFile, { fileid: inText })).rejects.toMatchObject({ code: 130003 });
  const { pupils } = await addClass(server, { teamname: '初二3班', names: ['林小雨'] });
  const lin = await signInPupil(server, pupils[0] as (typeof pupils)[number]);
  expect((await lin(getPersonArticles, {})).rows).toEqual([]);
  expect(await publish(articleid)).toEqual({ phase: 'visible' });
  expect((await lin(getPersonArticles, {})).rows).toMatchObject([{ articleid, summary: '睡眠 早点睡。' }]);
  const read = await lin(getPersonArticle, { articleid });
  expect(read.content).toBe(detail.content);
  expect(read).toMatchObject({ author: '马主任', source: '校报', publishtime: '2025-10-08 10:00' });
  expect((await ma(article.getArticlePageList, {})).rows).toMatchObject([{ articleid, phase: 'visible', viewcount: 1 }]);
});

test('an article appears and ends at its times', async () => {
  const { ma, as, write, publish, setTime } = await startSchool();
  const { articleid } = await write({ audience: '03' });
  expect(await publish(articleid, { publishtime: '2025-10-10 08:00', offlinetime: '2025-10-12 08:00' })).toEqual({
    phase: 'scheduled',
  });
  // Before it appears it may get other times.
  await publish(articleid, { publishtime: '2025-10-11 08:00' });
  expect(await publish(articleid, { publishtime: '2025-10-10 08:00', offlinetime: '2025-10-12 08:00' })).toEqual({
    phase: 'scheduled',
  });
  const phases: [string, string, number][] = [
    ['2025-10-10 07:59', 'scheduled', 0],
    ['2025-10-10 08:00', 'visible', 1],
    ['2025-10-12 07:59', 'visible', 1],
    ['2025-10-12 08:00', 'ended', 0],
  ];
  for (const [time, phase, readable] of phases) {
    setTime(time);
    expect([time, (await ma(article.getArticlePageList, {})).rows[0]?.phase]).toEqual([time, phase]);
    expect([time, (await ma(article.getArticlePageList, { phase: phase as 'ended' })).total]).toEqual([time, 1]);
    expect([time, (await as('chen')(getShelfArticles, {})).total]).toEqual([time, readable]);
    if (phase !== 'scheduled')
      await expect(publish(articleid, { publishtime: '2025-10-13 08:00' })).rejects.toMatchObject({ code: 140001 });
  }
  await expect(as('chen')(getShelfArticle, { articleid })).rejects.toMatchObject({ code: 130001 });
  for (const times of [
    { publishtime: '2025-10-20 08:00', offlinetime: '2025-10-20 08:00' },
    { publishtime: '2025-10-01 08:00', offlinetime: '2025-10-02 08:00' },
  ]) {
    const { articleid: draft } = await write();
    await expect(publish(draft, times)).rejects.toMatchObject({ code: 120002, data: expect.anything() as unknown });
  }
});

test('an article that was taken down disappears at once and may come back; other steps are refused', async () => {
  const { ma, as, write, publish, takeDown } = await startSchool();
  const { articleid } = await write({ audience: '02' });
  await expect(takeDown(articleid)).rejects.toMatchObject({ code: 140001 });
  await publish(articleid);
  await expect(publish(articleid)).rejects.toMatchObject({ code: 140001 });
  await expect(ma(article.deleteArticle, { articleid })).rejects.toMatchObject({ code: 140001 });
  expect((await as('chen')(getShelfArticles, {})).total).toBe(1);
  expect(await takeDown(articleid)).toEqual({ phase: 'offline' });
  expect((await as('chen')(getShelfArticles, {})).total).toBe(0);
  await expect(takeDown(articleid)).rejects.toMatchObject({ code: 140001 });
  expect((await ma(article.getArticlePageList, { phase: 'offline' })).total).toBe(1);
  expect(await publish(articleid, { offlinetime: '2025-10-30 08:00' })).toEqual({ phase: 'visible' });
  expect((await ma(article.getArticleDetail, { articleid })).offlinetime).toBe('2025-10-30 08:00:00');
});

test('an empty article is not published, and a published one is not emptied', async () => {
  const { ma, addPicture, write, publish } = await startSchool();
  const empty = await write({ content: '<p> </p><script>alert(1)</script>' });
  await expect(publish(empty.articleid)).rejects.toMatchObject({ code: 120001, message: '正文不能为空' });
  const { articleid } = await write({ content: picture(await addPicture()) });
  await publish(articleid);
  await expect(ma(article.updateArticle, { articleid, content: '<p></p>' })).rejects.toMatchObject({ code: 120001 });
});

test('a published article changes at once; an absent field stays as it is', async () => {
  const { ma, as, write, publish } = await startSchool();
  const { articleid } = await write({ audience: '02', summary: '早睡' });
  await publish(articleid);
  expect(await ma(article.updateArticle, { articleid, version: 1, content: '<div>新的<b>正文</b></div>' })).toEqual({
    removed: [],
    version: 2,
  });
  expect(await as('chen')(getShelfArticle, { articleid })).toMatchObject({
    content: '<p>新的<strong>正文</strong></p>',
    summary: '早睡',
    title: '考前怎么睡好',
  });
});

test('two editors of one article: a colleague’s new text is never overwritten unseen', async () => {
  const { server, ma, as, write } = await startSchool();
  await setPermission(server, 'U_CHEN', '00028', 'grant');
  const { articleid } = await write();
  await ma(article.updateArticle, { articleid, version: 1, content: '<p>马的正文</p>' });
  await expect(as('chen')(article.updateArticle, { articleid, version: 1, content: '<p>陈的正文</p>' })).rejects.toMatchObject({
    code: 140002,
    data: { changes: [{ field: 'content', name: '马主任', after: '<p>马的正文</p>' }] },
  });
  await as('chen')(article.updateArticle, { articleid, version: 1, title: '考前睡好' });
  expect(await ma(article.getArticleDetail, { articleid })).toMatchObject({ title: '考前睡好', content: '<p>马的正文</p>' });
});

test('an article reaches its audience and its populations', async () => {
  const { server, as, write, publish } = await startSchool();
  const drafts = {
    staff: { title: '给老师', audience: '02' },
    pupils: { title: '给学生', audience: '01' },
    both: { title: '给全部', audience: '03' },
    mothers: { title: '给孕妇', audience: '03', appids: ['000000001'] },
  } as const;
  for (const fields of Object.values(drafts)) await publish((await write(fields as never, 'fang')).articleid, {}, 'fang');
  const { pupils } = await addClass(server, { teamname: '初二3班', names: ['林小雨'] });
  const lin = await signInPupil(server, pupils[0] as (typeof pupils)[number]);
  expect(titlesOf(await lin(getPersonArticles, {})).sort()).toEqual(['给全部', '给学生']);
  expect(titlesOf(await as('chen')(getShelfArticles, {})).sort()).toEqual(['给全部', '给老师']);
  expect(titlesOf(await as('lin')(getShelfArticles, {})).sort()).toEqual(['给全部', '给孕妇', '给老师']);
});

test('the list finds articles by title, category and population, pinned ones first, then the latest', async () => {
  const { ma, as, write, publish, setTime } = await startSchool();
  const first = await write({ title: '甲', istop: 1 });
  setTime('2025-10-09 08:00');
  await write({ title: '乙', category: '02', appids: ['000000001'] });
  setTime('2025-10-09 09:00');
  const third = await write({ title: '丙', appids: ['000000002'] });
  await publish(third.articleid);
  await publish(first.articleid, { publishtime: '2025-10-20 08:00' });
  await write({ title: '服务商的' }, 'fang');
  const list = (filters: Record<string, unknown>) => ma(article.getArticlePageList, filters as never).then(titlesOf);
  expect(await list({})).toEqual(['甲', '丙', '乙']);
  expect(await list({ keyword: '乙' })).toEqual(['乙']);
  expect(await list({ category: '02' })).toEqual(['乙']);
  expect(await list({ appid: '000000002' })).toEqual(['甲', '丙']);
  expect(await list({ phase: 'scheduled' })).toEqual(['甲']);
  expect(await list({ phase: 'draft' })).toEqual(['乙']);
  // Without a time of publication an article stands at the end.
  expect(await list({ orderby: 'publishtime' })).toEqual(['甲', '丙', '乙']);
  expect(await list({ orderby: 'publishtime', isasc: '1' })).toEqual(['丙', '甲', '乙']);
  expect(titlesOf(await as('fang')(article.getArticlePageList, {}))).toEqual(['服务商的']);
});

test('the files of an article follow its text and are free when it is deleted', async () => {
  const { ma, addPicture, write, usesOf, sqlAsOwner } = await startSchool();
  const [first, second, cover] = [await addPicture(), await addPicture(), await addPicture(0)];
  const { articleid } = await write({ content: picture(first) + picture(first), coverfileid: cover });
  expect((await usesOf(articleid)).length).toBe(2);
  await ma(article.updateArticle, { articleid, content: picture(second) });
  expect((await usesOf(articleid)).map(({ fileid }) => fileid)).toEqual([cover, second].sort());
  await ma(article.updateArticle, { articleid, title: '新标题' });
  expect((await usesOf(articleid)).length).toBe(2);
  await ma(article.updateArticle, { articleid, coverfileid: null });
  expect(await usesOf(articleid)).toEqual([{ fileid: second }]);
  await ma(file.deleteFile, { fileid: first });
  await ma(article.deleteArticle, { articleid });
  expect(await usesOf(articleid)).toEqual([]);
  await ma(file.deleteFile, { fileid: second });
  await expect(ma(article.getArticleDetail, { articleid })).rejects.toMatchObject({ code: 130001 });
  expect(await sqlAsOwner('select isdeleted from article')).toEqual([{ isdeleted: 1 }]);
});

test('pictures from the clipboard, other sites and other institutions are left out and named; a private one is refused', async () => {
  const { ma, addPicture, write, usesOf } = await startSchool();
  const own = await addPicture();
  const foreign = await addPicture(1, 'fang');
  const { articleid, removed } = await write({
    content:
      `${picture(own)}${picture(foreign)}<img src="data:image/png;base64,iVBORw0KGgo=">` +
      '<img src="https://evil.example/1.png"><img src="https://evil.example/2.png">',
  });
  expect(removed).toEqual(['未上传的图片 1 张', '外部图片 2 张', '不属于本机构或已删除的图片 1 张']);
  expect(await usesOf(articleid)).toEqual([{ fileid: own }]);
  expect((await ma(article.getArticleDetail, { articleid })).content).not.toContain('evil');
  const secret = await addPicture(0);
  await expect(write({ content: picture(secret) })).rejects.toMatchObject({
    code: 160002,
    message: '“海边.png”是私有的配图，读者打不开',
    data: expect.objectContaining({ field: 'content' }) as unknown,
  });
  await expect(write({ coverfileid: foreign })).rejects.toMatchObject({ code: 130001 });
});

test('a picture whose file is gone disappears for editors and readers', async () => {
  const { ma, as, addPicture, write, publish, sqlAsOwner } = await startSchool();
  const fileid = await addPicture();
  const { articleid } = await write({
    audience: '03',
    content: `<p>一</p><figure>${picture(fileid)}<figcaption>图</figcaption></figure>`,
  });
  await publish(articleid);
  await sqlAsOwner('update fileobj set isdeleted = 1');
  expect((await ma(article.getArticleDetail, { articleid })).content).toBe('<p>一</p>');
  expect((await as('chen')(getShelfArticle, { articleid })).content).toBe('<p>一</p>');
});

test('a text that is too long or has too many pictures is refused with its size', async () => {
  const { addPicture, write } = await startSchool();
  const fileid = await addPicture();
  await expect(write({ content: `<p>${'字'.repeat(69_000)}</p>` })).rejects.toMatchObject({
    code: 160002,
    message: '正文过长：现有 203 KB，最多 200 KB，请删减或分成几篇',
    data: expect.objectContaining({ field: 'content' }) as unknown,
  });
  await expect(write({ content: picture(fileid).repeat(51) })).rejects.toMatchObject({
    code: 160002,
    message: '正文图片过多：现有 51 张，最多 50 张',
  });
  await write({ content: picture(fileid).repeat(50) });
  // The limit applies to what is stored.
  await write({ content: `<p>文</p><script>${'x'.repeat(300_000)}</script>` });
});

test('a hostile text that got into the table another way is safe for editors and readers', async () => {
  const { ma, as, write, publish, sqlAsOwner } = await startSchool();
  const { articleid } = await write({ audience: '03' });
  await publish(articleid);
  const texts = Object.values(hostileHtml).filter((html) => html.length < 400);
  await sqlAsOwner('update article set content = $1', [
    texts
      .join('<hr>')
      .replaceAll('\0', '')
      .replace(/\p{Surrogate}/gu, ''),
  ]);
  for (const { content } of [await ma(article.getArticleDetail, { articleid }), await as('chen')(getShelfArticle, { articleid })])
    expect(findArticleFaults(content)).toEqual([]);
});

test('the audit log names the article and what was done', async () => {
  const { ma, write, publish, takeDown, sqlAsOwner } = await startSchool();
  const { articleid } = await write();
  await ma(article.updateArticle, { articleid, title: '睡好' });
  await publish(articleid, { publishtime: '2025-10-10 08:00' });
  await takeDown(articleid);
  await ma(article.deleteArticle, { articleid });
  const rows = await sqlAsOwner<{ action: string; objectid: string; detail: Record<string, unknown> }>(
    "select action, objectid, detail from audit.log where action like 'as.m.article.%' order by id",
  );
  expect(rows.map(({ action, objectid }) => [action.split('.').at(-1), objectid])).toEqual(
    ['insertArticle', 'updateArticle', 'publishArticle', 'publishArticle', 'deleteArticle'].map((call) => [
      call,
      String(articleid),
    ]),
  );
  expect(rows[1]?.detail).toMatchObject({ title: '睡好' });
  expect(rows[2]?.detail).toMatchObject({ to: '定时', publishtime: '2025-10-10 08:00:00' });
});
