import { z } from 'zod';
import { ArticleCategory, MusicCategory } from '#domain/content/content.ts';
import { pageOf, pageRequest } from '#contract/page.ts';

/** The requests and responses of the shelf, which staff (content.contract.ts) and persons (person.contract.ts) share. */

const id = z.number().int().positive();
/** a second of a lesson; none is longer than a day */
const second = z.number().int().min(0).max(86_400);

export const shelfArticle = z.object({
  articleid: z.number(),
  title: z.string(),
  /** '' without a cover */
  coverurl: z.string(),
  summary: z.string(),
  category: z.enum(ArticleCategory.codes),
  author: z.string(),
  publishtime: z.string(),
  istop: z.number(),
});
export type ShelfArticle = z.infer<typeof shelfArticle>;

export const shelfMusic = z.object({
  musicid: z.number(),
  title: z.string(),
  coverurl: z.string(),
  /** seconds */
  duration: z.number(),
  category: z.enum(MusicCategory.codes),
  licence: z.string(),
});
export type ShelfMusic = z.infer<typeof shelfMusic>;

export const shelfCourse = z.object({
  courseid: z.number(),
  title: z.string(),
  coverurl: z.string(),
  lecturer: z.string(),
  intro: z.string(),
  free: z.number(),
  /** 分 */
  price: z.number(),
  /** 1: the institution has no access; only trial lessons are open */
  locked: z.number(),
  lessons: z.number(),
  /** seconds of all lessons */
  duration: z.number(),
  /** how many lessons the caller has finished */
  finished: z.number(),
});
export type ShelfCourse = z.infer<typeof shelfCourse>;

export const shelfLesson = z.object({
  lessonid: z.number(),
  title: z.string(),
  /** seconds */
  duration: z.number(),
  trial: z.number(),
  /** 1: the caller may not watch it */
  locked: z.number(),
  /** the second at which the caller stopped */
  position: z.number(),
  /** seconds that the caller has watched */
  watched: z.number(),
  /** 1: at least 90 % watched */
  finished: z.number(),
});
export type ShelfLesson = z.infer<typeof shelfLesson>;

/** Each call of the shelf: its request and its response. Own articles come first, then pinned ones, then the latest. */
export const shelf = {
  articles: {
    request: pageRequest.extend({
      category: z.enum(ArticleCategory.codes).optional().describe('分类'),
      keyword: z.string().trim().max(80).optional().describe('标题'),
    }),
    response: pageOf(shelfArticle),
  },
  article: {
    request: z.strictObject({ articleid: id.describe('文章') }),
    /** sanitised HTML; its pictures have `src` */
    response: shelfArticle.extend({ content: z.string(), source: z.string() }),
  },
  musics: {
    request: pageRequest.extend({ category: z.enum(MusicCategory.codes).optional().describe('分类') }),
    response: pageOf(shelfMusic),
  },
  courses: { request: pageRequest, response: pageOf(shelfCourse) },
  course: {
    request: z.strictObject({ courseid: id.describe('课程') }),
    response: z.object({ course: shelfCourse, lessons: z.array(shelfLesson) }),
  },
  /** `isbegin` 1 counts a playing; a player that asks for a new link sends 0 */
  media: {
    request: z.strictObject({
      kind: z.enum(['music', 'lesson']).describe('类型'),
      id: id.describe('音频或课时'),
      isbegin: z.number().int().min(0).max(1).default(1).describe('开始播放'),
    }),
    response: z.object({ url: z.string(), mime: z.string(), validuntil: z.string() }),
  },
  progress: {
    request: z
      .strictObject({
        lessonid: id.describe('课时'),
        /** the seconds that were played since the last call, first included and last not; equal when only the position changed */
        from: second.describe('起点'),
        to: second.describe('终点'),
        position: second.describe('位置'),
      })
      .refine(({ from, to }) => from <= to, { message: '终点不能早于起点', path: ['to'] }),
    /** seconds that the caller has watched; 0 while nothing is kept about the caller */
    response: z.object({ watched: z.number(), finished: z.number() }),
  },
} as const;
