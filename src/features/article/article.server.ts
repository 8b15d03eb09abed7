import { fromShanghai, shanghaiTime } from '#domain/base/calendar.ts';
import { textOf } from '#domain/content/articleHtml.ts';
import { ArticlePhase, ArticleStatus, phaseOf } from '#domain/content/content.ts';
import { problems } from '#contract/problem.ts';
import { handle, type Context } from '#server/dispatch/handle.ts';
import { findPictures } from '#server/html/sanitise.ts';
import * as contract from '#features/article/article.contract.ts';
import * as queries from '#features/article/article.queries.ts';
import { filesOf, openText, toStoredText } from '#features/article/articleText.ts';
import {
  findContentLinks,
  releaseUsedFiles,
  requireFiles,
  setUsedFiles,
  type ContentLink,
} from '#features/file/content/contentFiles.ts';

/** 推文管理. An institution edits its own articles; institutions below read published ones on the shelf. */

const formatTime = (time: Date | null) => time && shanghaiTime(time);

const toRow = ({ status, ...row }: queries.FoundArticle, links: ReadonlyMap<string, ContentLink>, now: Date) => ({
  ...row,
  coverurl: links.get(row.coverfileid ?? '')?.url ?? '',
  category: row.category as contract.ArticleRow['category'],
  audience: row.audience as contract.ArticleRow['audience'],
  phase: phaseOf({ status, ...row }, now),
  publishtime: formatTime(row.publishtime),
  offlinetime: formatTime(row.offlinetime),
  updatetime: shanghaiTime(row.updatetime),
});

const getArticlePageList = handle(contract.getArticlePageList, async (filters, ctx) => {
  const { total, rows } = await queries.findArticles(ctx.scope, ctx.caller.musercode, { ...filters, now: ctx.now });
  const links = await findContentLinks(
    ctx,
    rows.map(({ coverfileid }) => coverfileid),
  );
  return { total, rows: rows.map((row) => toRow(row, links, ctx.now)) };
});

const getArticleDetail = handle(contract.getArticleDetail, async ({ articleid }, ctx) => {
  const row = await queries.findArticle(ctx.scope, ctx.caller.musercode, articleid);
  if (!row) throw problems.notFound({ what: '推文' });
  return {
    ...toRow(row, await findContentLinks(ctx, [row.coverfileid]), ctx.now),
    summary: row.summary,
    content: await openText(ctx, row.content),
    source: row.source,
  };
});

/** Locks an article of the caller's institution. Throws 130001 when it has none of this number. */
async function requireArticle({ scope, caller }: Pick<Context<'staff'>, 'scope' | 'caller'>, articleid: number) {
  const row = await queries.lockArticle(scope, caller.musercode, articleid);
  if (!row) throw problems.notFound({ what: '推文' });
  return row;
}

/** Refuses an article that shows nothing to its readers (120001). */
function assertHasText(content: string) {
  if (textOf(content) === '' && findPictures(content).length === 0)
    throw problems.missing({ title: '正文' }, { field: 'content' });
}

const insertArticle = handle(contract.insertArticle, async (fields, ctx) => {
  const { scope, caller, now } = ctx;
  const { content, removed } = await toStoredText(ctx, fields.content);
  const files = filesOf(content, fields.coverfileid);
  await requireFiles(ctx, 'article', files);
  const articleid = await queries.addArticle(scope, {
    ...fields,
    content,
    musercode: caller.musercode,
    createby: caller.accountid,
    createtime: now,
    updatetime: now,
  });
  await setUsedFiles(ctx, `article:${articleid}`, 'article', files);
  ctx.audit({ objectid: String(articleid), detail: { title: fields.title } });
  return { articleid, removed };
});

const updateArticle = handle(contract.updateArticle, async ({ articleid, version: _, ...fields }, ctx) => {
  const before = await requireArticle(ctx, articleid);
  const { content, removed } =
    fields.content === undefined ? { content: undefined, removed: [] } : await toStoredText(ctx, fields.content);
  if (content !== undefined && before.status === ArticleStatus.published) assertHasText(content);
  const coverfileid = fields.coverfileid === undefined ? before.coverfileid : fields.coverfileid;
  await setUsedFiles(ctx, `article:${articleid}`, 'article', filesOf(content ?? before.content, coverfileid));
  await queries.changeArticle(ctx.scope, articleid, { ...fields, content, updatetime: ctx.now });
  ctx.audit({ objectid: String(articleid), detail: { title: fields.title ?? before.title } });
  return { removed };
});

/** Returns the times between which readers find the article. Throws 120002 for an end that readers never reach. */
function timesOf(
  { publishtime, offlinetime }: { publishtime?: string | undefined; offlinetime?: string | undefined },
  now: Date,
) {
  const begin = publishtime === undefined ? now : fromShanghai(publishtime);
  const end = offlinetime === undefined ? null : fromShanghai(offlinetime);
  if (end !== null && end <= begin) throw problems.invalid({ message: '下线时间须晚于发布时间' }, { field: 'offlinetime' });
  if (end !== null && end <= now) throw problems.invalid({ message: '下线时间须晚于现在' }, { field: 'offlinetime' });
  return { publishtime: begin, offlinetime: end };
}

const publishArticle = handle(contract.publishArticle, async ({ articleid, step, ...times }, ctx) => {
  const { scope, now } = ctx;
  const article = await requireArticle(ctx, articleid);
  const { title, content } = article;
  const isPublished = article.status === ArticleStatus.published;
  if (step === 'offline') {
    if (!isPublished) throw problems.wrongState({ why: '只有已发布的推文可以下线' });
    await queries.changeArticle(scope, articleid, { status: ArticleStatus.offline, updatetime: now });
    ctx.audit({ objectid: String(articleid), detail: { title, to: ArticlePhase.label('offline') } });
    return { phase: 'offline' as const };
  }
  if (isPublished && phaseOf(article, now) !== 'scheduled')
    throw problems.wrongState({ why: '推文已经发布；要改发布时间，请先下线' });
  assertHasText(content);
  const shown = timesOf(times, now);
  await queries.changeArticle(scope, articleid, { status: ArticleStatus.published, ...shown, updatetime: now });
  const phase = phaseOf({ status: ArticleStatus.published, ...shown }, now);
  ctx.audit({
    objectid: String(articleid),
    detail: {
      title,
      to: ArticlePhase.label(phase),
      publishtime: shanghaiTime(shown.publishtime),
      ...(shown.offlinetime ? { offlinetime: shanghaiTime(shown.offlinetime) } : {}),
    },
  });
  return { phase };
});

const deleteArticle = handle(contract.deleteArticle, async ({ articleid }, ctx) => {
  const { title, status } = await requireArticle(ctx, articleid);
  if (status === ArticleStatus.published) throw problems.wrongState({ why: '已发布的推文不能删除，请先下线' });
  await queries.changeArticle(ctx.scope, articleid, { isdeleted: 1, updatetime: ctx.now });
  await releaseUsedFiles(ctx.scope, `article:${articleid}`);
  ctx.audit({ objectid: String(articleid), detail: { title } });
  return {};
});

export const articleHandlers = [
  getArticlePageList,
  getArticleDetail,
  insertArticle,
  updateArticle,
  publishArticle,
  deleteArticle,
];
