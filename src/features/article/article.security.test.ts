import { expect, test } from 'vitest';
import * as article from '#features/article/article.contract.ts';
import { getShelfArticle } from '#features/content/content.contract.ts';
import { setPermission } from '#testing/factories.ts';
import type { Person } from '#testing/people.ts';
import { startServer, type TestServer } from '#testing/server.ts';

/** 晨光中学 has a draft of 马主任. Its class teacher and its night officer write no articles. */
async function startSchool() {
  const server = await startServer();
  await setPermission(server, 'U_MA', '00028', 'grant');
  const { articleid } = await server.as('ma')(article.insertArticle, { title: '草稿', category: '01', content: '<p>未定稿</p>' });
  return { server, articleid };
}
/** Every call of 推文管理 with this article. */
const callsOf = ({ as }: TestServer, who: Person, articleid: number) => [
  () => as(who)(article.getArticlePageList, {}),
  () => as(who)(article.getArticleDetail, { articleid }),
  () => as(who)(article.insertArticle, { title: '甲', category: '01' }),
  () => as(who)(article.updateArticle, { articleid, title: '乙' }),
  () => as(who)(article.publishArticle, { articleid, step: 'publish' }),
  () => as(who)(article.publishArticle, { articleid, step: 'offline' }),
  () => as(who)(article.deleteArticle, { articleid }),
];
const articlesOf = ({ sqlAsOwner }: TestServer) => sqlAsOwner('select articleid, title, status, isdeleted, version from article');

test('staff without 推文管理 cannot call it, and neither can an education bureau that was given the permission', async () => {
  const { server, articleid } = await startSchool();
  await setPermission(server, 'U_ZHOU', '00028', 'grant');
  const before = await articlesOf(server);
  for (const who of ['wang', 'nobody', 'duty', 'zhou'] as const)
    for (const call of callsOf(server, who, articleid)) await expect(call()).rejects.toMatchObject({ code: 110004 });
  expect(await articlesOf(server)).toEqual(before);
});

test('the permission ends with the next call after it was taken', async () => {
  const { server, articleid } = await startSchool();
  await server.as('ma')(article.getArticleDetail, { articleid });
  await server.sqlAsOwner("update sysuserpermission set effect = 'deny' where userid = 'U_MA' and code = '00028'");
  for (const call of callsOf(server, 'ma', articleid)) await expect(call()).rejects.toMatchObject({ code: 110004 });
});

test('an article does not exist for editors of a sister school, of the provider above and of the platform', async () => {
  const { server, articleid } = await startSchool();
  await setPermission(server, 'U_QIAO', '00028', 'grant');
  const before = await articlesOf(server);
  for (const who of ['qiao', 'fang', 'super'] as const) {
    const call = server.as(who);
    expect((await call(article.getArticlePageList, {})).total).toBe(0);
    for (const refused of [
      () => call(article.getArticleDetail, { articleid }),
      () => call(article.updateArticle, { articleid, title: '乙' }),
      () => call(article.publishArticle, { articleid, step: 'publish' }),
      () => call(article.deleteArticle, { articleid }),
    ])
      await expect(refused()).rejects.toMatchObject({ code: 130001, message: '推文不存在或已删除' });
  }
  expect(await articlesOf(server)).toEqual(before);
});

test('a school reads an article of its provider and cannot change it; a draft stays hidden', async () => {
  const { server, articleid: draft } = await startSchool();
  const fang = server.as('fang');
  const { articleid } = await fang(article.insertArticle, {
    title: '考前',
    category: '01',
    audience: '03',
    content: '<p>文</p>',
  });
  await expect(server.as('ma')(getShelfArticle, { articleid })).rejects.toMatchObject({ code: 130001 });
  await fang(article.publishArticle, { articleid, step: 'publish' });
  expect(await server.as('ma')(getShelfArticle, { articleid })).toMatchObject({ content: '<p>文</p>' });
  await expect(server.as('ma')(article.getArticleDetail, { articleid })).rejects.toMatchObject({ code: 130001 });
  await expect(server.as('ma')(article.updateArticle, { articleid, title: '乙' })).rejects.toMatchObject({ code: 130001 });
  await expect(server.as('ma')(getShelfArticle, { articleid: draft })).rejects.toMatchObject({ code: 130001 });
});
