import type { z } from 'zod';
import { shanghaiTime } from '#domain/base/calendar.ts';
import { summarise } from '#domain/content/articleHtml.ts';
import type { ArticleCategory, MusicCategory } from '#domain/content/content.ts';
import { MEDIA_LINK_HOURS } from '#domain/content/content.ts';
import { addWatched, formatMultirange, isFinished, parseMultirange, secondsOf } from '#domain/content/watching.ts';
import { problems } from '#contract/problem.ts';
import type { ReadContext } from '#server/dispatch/handle.ts';
import { openText } from '#features/article/articleText.ts';
import { findContentLinks } from '#features/file/content/contentFiles.ts';
import type { shelf } from '#features/content/shelf.contract.ts';
import * as queries from '#features/content/shelf.queries.ts';

/** What staff and persons share of the shelf. `reader` says who reads. */

type ShelfContext = Pick<ReadContext, 'scope' | 'storage' | 'now'> & { reader: queries.Reader };
type RequestOf<K extends keyof typeof shelf> = z.output<(typeof shelf)[K]['request']>;
type ResponseOf<K extends keyof typeof shelf> = z.input<(typeof shelf)[K]['response']>;

const toMinute = (time: Date | null) => (time ? shanghaiTime(time).slice(0, 16) : '');
const flagOf = (value: boolean): number => (value ? 1 : 0);

/** Returns the function that gives the cover of a row its link; '' without a cover. */
async function linkCovers(ctx: ShelfContext, rows: readonly { coverfileid: string | null }[]) {
  const links = await findContentLinks(
    ctx,
    rows.map(({ coverfileid }) => coverfileid),
  );
  return ({ coverfileid }: { coverfileid: string | null }) => ({ coverurl: links.get(coverfileid ?? '')?.url ?? '' });
}

type ArticleFields = Omit<ResponseOf<'article'>, 'coverurl' | 'content' | 'source'>;
/** The end of a text that was cut inside a tag or a character. */
const CUT_END = /(?:<[^>]*|&[a-z]*)$/;
const toArticle = ({ texthead, ...row }: Awaited<ReturnType<typeof queries.listArticles>>['rows'][number]): ArticleFields => ({
  ...row,
  summary: row.summary || summarise(texthead.replace(CUT_END, '')),
  category: row.category as (typeof ArticleCategory.codes)[number],
  publishtime: toMinute(row.publishtime),
});

/** A page of the articles on the reader's shelf. */
export async function listArticles(ctx: ShelfContext, request: RequestOf<'articles'>): Promise<ResponseOf<'articles'>> {
  const { total, rows } = await queries.listArticles(ctx.scope, ctx.reader, { ...request, now: ctx.now });
  const coverOf = await linkCovers(ctx, rows);
  return { total, rows: rows.map((row) => ({ ...toArticle(row), ...coverOf(row) })) };
}

/** An article with its text; counts the opening. Throws 130001 when it is not on the reader's shelf. */
export async function openArticle(ctx: ShelfContext, { articleid }: RequestOf<'article'>): Promise<ResponseOf<'article'>> {
  const row = await queries.findArticle(ctx.scope, ctx.reader, articleid, ctx.now);
  if (!row) throw problems.notFound({ what: '文章' });
  await queries.countOpening(ctx.scope, 'article', articleid);
  const coverOf = await linkCovers(ctx, [row]);
  return { ...toArticle(row), ...coverOf(row), content: await openText(ctx, row.content), source: row.source };
}

/** A page of the music on the reader's shelf. */
export async function listMusic(ctx: ShelfContext, request: RequestOf<'musics'>): Promise<ResponseOf<'musics'>> {
  const { total, rows } = await queries.listMusic(ctx.scope, ctx.reader, request);
  const coverOf = await linkCovers(ctx, rows);
  return {
    total,
    rows: rows.map((row) => ({ ...row, category: row.category as (typeof MusicCategory.codes)[number], ...coverOf(row) })),
  };
}

const toCourse = ({ isopen, ...row }: Awaited<ReturnType<typeof queries.listCourses>>['rows'][number]) => ({
  ...row,
  locked: flagOf(!isopen),
});

/** A page of the courses on the reader's shelf, with the own progress. */
export async function listCourses(ctx: ShelfContext, request: RequestOf<'courses'>): Promise<ResponseOf<'courses'>> {
  const { total, rows } = await queries.listCourses(ctx.scope, ctx.reader, { ...request, now: ctx.now });
  const coverOf = await linkCovers(ctx, rows);
  return { total, rows: rows.map((row) => ({ ...toCourse(row), ...coverOf(row) })) };
}

/** A course with its lessons and the own progress; counts the opening. Throws 130001 when it is not on the reader's shelf. */
export async function openCourse(ctx: ShelfContext, { courseid }: RequestOf<'course'>): Promise<ResponseOf<'course'>> {
  const { scope, reader, now } = ctx;
  const row = await queries.findCourse(scope, reader, courseid, now);
  if (!row) throw problems.notFound({ what: '课程' });
  await queries.countOpening(scope, 'course', courseid);
  const lessons = await queries.findLessons(scope, reader.learner, courseid);
  const coverOf = await linkCovers(ctx, [row]);
  return {
    course: { ...toCourse(row), ...coverOf(row) },
    lessons: lessons.map(({ position, watched, finishtime, ...lesson }) => ({
      ...lesson,
      locked: flagOf(!row.isopen && lesson.trial === 0),
      position: position ?? 0,
      watched: Math.min(lesson.duration, secondsOf(parseMultirange(watched ?? ''))),
      finished: flagOf(finishtime !== null),
    })),
  };
}

/** A lesson that the reader may watch. Throws 130001 when it is not on the shelf, 110004 when it is locked. */
async function requireLesson({ scope, reader, now }: ShelfContext, lessonid: number) {
  const lesson = await queries.findLesson(scope, reader, lessonid, now);
  if (!lesson) throw problems.notFound({ what: '课时' });
  if (!lesson.isopen) throw problems.notAllowed();
  return lesson;
}

/** The file of a media link. At the beginning it counts the playing of music, and begins the learner's progress of a lesson. */
async function findMedia(ctx: ShelfContext, { kind, id, isbegin }: RequestOf<'media'>): Promise<string> {
  const { scope, reader, now } = ctx;
  if (kind === 'music') {
    const music = await queries.findMusicFile(scope, reader, id);
    if (!music) throw problems.notFound({ what: '音乐' });
    if (isbegin) await queries.countOpening(scope, 'music', id);
    return music.fileid;
  }
  const { fileid } = await requireLesson(ctx, id);
  if (isbegin && reader.learner) await queries.beginProgress(scope, reader.musercode, reader.learner, id, now);
  return fileid;
}

/** A link of an audio or video file. The player asks for a new one before `validuntil`, also for a public file. */
export async function linkMedia(ctx: ShelfContext, request: RequestOf<'media'>): Promise<ResponseOf<'media'>> {
  const fileid = await findMedia(ctx, request);
  const link = (await findContentLinks(ctx, [fileid])).get(fileid);
  if (!link) throw problems.notFound({ what: '文件' });
  const { url, mime } = link;
  return { url, mime, validuntil: shanghaiTime(new Date(ctx.now.getTime() + MEDIA_LINK_HOURS * 3_600_000)) };
}

/**
 * Notes what the reader watched of a lesson. Calls may come twice or in another order, also from two devices: the seconds are a union.
 * The position is that of the last call.
 */
export async function saveProgress(ctx: ShelfContext, request: RequestOf<'progress'>): Promise<ResponseOf<'progress'>> {
  const { scope, reader, now } = ctx;
  const { lessonid, from, to, position } = request;
  const { duration } = await requireLesson(ctx, lessonid);
  if (!reader.learner) return { watched: 0, finished: 0 };
  const before = await queries.lockProgress(scope, reader.musercode, reader.learner, lessonid, now);
  const elapsed = (now.getTime() - before.begintime.getTime()) / 1000;
  const watched = addWatched(parseMultirange(before.watched), [from, to], { duration, elapsed });
  const seconds = Math.min(duration, secondsOf(watched));
  const finishtime = before.finishtime ?? (isFinished(seconds, duration) ? now : null);
  await queries.updateProgress(scope, before.progressid, {
    position: Math.min(position, duration),
    watched: formatMultirange(watched),
    finishtime,
    updatetime: now,
  });
  return { watched: seconds, finished: flagOf(finishtime !== null) };
}
