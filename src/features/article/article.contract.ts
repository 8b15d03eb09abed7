import { z } from 'zod';
import { ArticleCategory, ArticlePhase, ContentAudience } from '#domain/content/content.ts';
import { defineAction, staffOf } from '#contract/action.ts';
import { editVersion, flag, moment, newVersion } from '#contract/field.ts';
import { pageOf, pageRequest, sortedBy } from '#contract/page.ts';

/**
 * 推文管理: the articles of the caller's institution. Institutions below read published ones (`features/content`). The server sanitises
 * the HTML of an article when it is saved and when it is read; pictures are public files of the institution, named by `data-fileid`.
 */

export const articleEditors = staffOf('operations.articles');

const articleid = z.number().int().positive().describe('推文');
/** The populations; empty means every population. */
export const appids = z.array(z.string().length(9)).max(4).describe('人群');
/** The overall levels of reports that recommend it; empty means none does. From 3 on a person is offered instead. */
export const levels = z.array(z.number().int().min(0).max(2)).max(3).describe('推荐给结果等级');
export const audience = z.enum(ContentAudience.codes, '请选择可见对象').describe('可见对象');
const title = z.string().trim().min(1, '请填写标题').max(80, '标题不超过 80 个字').describe('标题');

const fields = {
  title,
  coverfileid: z.uuid().nullish().describe('封面'),
  summary: z.string().trim().max(200, '摘要不超过 200 个字').describe('摘要'),
  /** HTML of the editor, at most 200 KB and 50 pictures once it is sanitised */
  content: z.string().max(2_000_000, '正文过长').describe('正文'),
  category: z.enum(ArticleCategory.codes, '请选择分类').describe('分类'),
  audience,
  appids,
  levels,
  author: z.string().trim().max(40, '作者不超过 40 个字').describe('作者'),
  source: z.string().trim().max(100, '来源不超过 100 个字').describe('来源'),
  istop: flag.describe('置顶'),
};

export const articleRow = z.object({
  articleid: z.number(),
  version: z.number(),
  title: z.string(),
  /** '' without a cover */
  coverurl: z.string(),
  category: z.enum(ArticleCategory.codes),
  audience: z.enum(ContentAudience.codes),
  appids: z.array(z.string()),
  levels: z.array(z.number()),
  author: z.string(),
  phase: z.enum(ArticlePhase.codes),
  publishtime: z.string().nullable(),
  offlinetime: z.string().nullable(),
  istop: z.number(),
  /** how often it was opened; no reader is stored */
  viewcount: z.number(),
  updatetime: z.string(),
});
export type ArticleRow = z.infer<typeof articleRow>;

/** A page of the institution's articles: pinned ones first, then the latest. */
export const getArticlePageList = defineAction({
  name: 'as.m.article.getArticlePageList',
  title: '查询推文',
  allow: articleEditors,
  kind: 'read',
  request: pageRequest.extend({
    orderby: sortedBy('updatetime', 'publishtime', 'viewcount'),
    keyword: z.string().trim().max(80).optional().describe('标题'),
    category: z.enum(ArticleCategory.codes).optional().describe('分类'),
    phase: z.enum(ArticlePhase.codes).optional().describe('状态'),
    appid: z.string().length(9).optional().describe('人群'),
  }),
  response: pageOf(articleRow),
});

/** An article with its text for the editor. Pictures have their `src`. */
export const getArticleDetail = defineAction({
  name: 'as.m.article.getArticleDetail',
  title: '查看推文',
  allow: articleEditors,
  kind: 'read',
  request: z.strictObject({ articleid }),
  response: articleRow.extend({
    coverfileid: z.string().nullable(),
    summary: z.string(),
    content: z.string(),
    source: z.string(),
  }),
});

/** What saving did to the text: the tags and attributes that the sanitiser removed, in words. */
const saved = { removed: z.array(z.string()), ...newVersion };

/** Adds an article as a draft. 160002 for a text that is too large or has too many pictures. */
export const insertArticle = defineAction({
  name: 'as.m.article.insertArticle',
  title: '新增推文',
  allow: articleEditors,
  kind: 'write',
  request: z.strictObject({
    ...fields,
    summary: fields.summary.default(''),
    content: fields.content.default(''),
    audience: audience.default('01'),
    appids: appids.default([]),
    levels: levels.default([]),
    author: fields.author.default(''),
    source: fields.source.default(''),
    istop: fields.istop.default(0),
  }),
  response: z.object({ articleid: z.number(), ...saved }),
});

/**
 * Changes an article; an absent field stays as it is. A published one changes at once. 160002 for a text that is too large or has too many
 * pictures, 120001 for a published one without a text.
 */
export const updateArticle = defineAction({
  name: 'as.m.article.updateArticle',
  title: '修改推文',
  allow: articleEditors,
  kind: 'write',
  edits: { table: 'article', key: 'articleid' },
  request: z.strictObject({ articleid, version: editVersion, ...z.object(fields).partial().shape }),
  response: z.object(saved),
});

/**
 * publish: shows a draft or an article that was taken down, at `publishtime` (now when absent) until `offlinetime`; a timed one gets
 * these times instead of its own. offline: takes it down. 140001 from another state, 120001 for an article without a text.
 */
export const publishArticle = defineAction({
  name: 'as.m.article.publishArticle',
  title: '发布或下线推文',
  allow: articleEditors,
  kind: 'write',
  request: z.strictObject({
    articleid,
    step: z.enum(['publish', 'offline']).describe('操作'),
    publishtime: moment.optional().describe('发布时间'),
    offlinetime: moment.optional().describe('下线时间'),
  }),
  response: z.object({ phase: z.enum(ArticlePhase.codes) }),
});

/** Deletes a draft or an article that was taken down (140001 otherwise). Its pictures stay in 文件上传. */
export const deleteArticle = defineAction({
  name: 'as.m.article.deleteArticle',
  title: '删除推文',
  allow: articleEditors,
  kind: 'write',
  request: z.strictObject({ articleid }),
  response: z.object({}),
});
