import { sql, type SqlBool } from 'kysely';
import { ArticleStatus, ContentAudience, ShelfStatus } from '#domain/content/content.ts';
import { shanghaiDate } from '#domain/base/calendar.ts';
import { paginate, type Page } from '#server/db/pagination.ts';
import type { Scope } from '#server/db/scope.ts';

/** The shelf as one reader sees it: contents of the own institution and of those above it. Nothing here remembers a reader. */

/** Whose progress counts: a person, or an account of staff. */
export type Learner = { cuserid: string } | { accountid: string };

/** Who reads: staff or a person, of which institution and populations. */
export interface Reader {
  audience: 'persons' | 'staff';
  musercode: string;
  /** contents for other populations stay hidden; `all` for those who operate institutions */
  appids: readonly string[] | 'all';
  /** null: nothing is noted about this reader */
  learner: Learner | null;
}

const statusOn = { article: ArticleStatus.published, music: ShelfStatus.on, course: ShelfStatus.on } as const;

/**
 * Whether a content is on the shelf of a reader. The caller's range also has contents of institutions below; they are not for it.
 * Articles also have times (`isPublished`).
 */
export const onShelf = (kind: keyof typeof statusOn, alias: string, { audience, appids }: Omit<Reader, 'learner'>) => {
  const column = (name: string) => sql.ref(`${alias}.${name}`);
  const audiences = [ContentAudience[audience], ContentAudience.both];
  const population =
    appids === 'all' ? sql`true` : sql`(${column('appids')} = '{}' or ${column('appids')} && ${[...appids]}::text[])`;
  return sql<SqlBool>`${column('status')} = ${sql.lit(statusOn[kind])} and ${column('isdeleted')} = 0
    and ${column('orgpath')} = any ((select access.ancestor_paths())::text[])
    and ${column('audience')} = any (${audiences}::text[]) and ${population}`;
};

/** Whether an article is within its times: publishtime ≤ now < offlinetime. */
export const isPublished = (alias: string, now: Date) =>
  sql<SqlBool>`${sql.ref(`${alias}.publishtime`)} <= ${now}
    and (${sql.ref(`${alias}.offlinetime`)} is null or ${sql.ref(`${alias}.offlinetime`)} > ${now})`;

/** Own contents come first. */
export const isOwn = (alias: string, musercode: string) => sql<number>`(${sql.ref(`${alias}.musercode`)} = ${musercode})::int`;

/** Whether everybody of an institution may watch a course: free, its own, or bought for today. */
export const isOpen = (alias: string, musercode: string, now: Date) =>
  sql<SqlBool>`(${sql.ref(`${alias}.free`)} = 1 or ${sql.ref(`${alias}.musercode`)} = ${musercode} or exists (
    select from courseaccess x where x.courseid = ${sql.ref(`${alias}.courseid`)} and x.musercode = ${musercode}
      and (x.enddate is null or x.enddate >= ${shanghaiDate(now)}::date)))`;

/** The population of a person and how the person entered; undefined without one. */
export const findPerson = (scope: Scope, cuserid: string) =>
  scope.db.selectFrom('cuser').select(['appid', 'source']).where('cuserid', '=', cuserid).executeTakeFirst();

/** The populations of an institution. */
export const findAppids = async (scope: Scope, musercode: string): Promise<string[]> =>
  (
    await scope.db.selectFrom('muserapp').select('appid').where('musercode', '=', musercode).where('enabled', '=', 1).execute()
  ).map(({ appid }) => appid);

const ARTICLE = [
  'a.articleid',
  'a.title',
  'a.coverfileid',
  'a.summary',
  'a.category',
  'a.author',
  'a.publishtime',
  'a.istop',
] as const;

/** The beginning of a text without a summary of its own, long enough for one. */
const textHead = sql<string>`case when a.summary = '' then left(a.content, 4000) else '' end`.as('texthead');

const selectArticles = (scope: Scope, reader: Reader, now: Date) =>
  scope.db
    .selectFrom('article as a')
    .where(onShelf('article', 'a', reader))
    .where(isPublished('a', now));

/** A page of the articles on the shelf, with their total: own ones first, then pinned ones, then the latest. */
export async function listArticles(
  scope: Scope,
  reader: Reader,
  { category, keyword, now, ...page }: Page & { category?: string | undefined; keyword?: string | undefined; now: Date },
) {
  let query = selectArticles(scope, reader, now);
  if (category) query = query.where('a.category', '=', category);
  if (keyword) query = query.where(sql<SqlBool>`position(lower(${keyword}) in lower(a.title)) > 0`);
  const { total } = await query.select(({ fn }) => fn.countAll<number>().as('total')).executeTakeFirstOrThrow();
  const rows = await query
    .select(ARTICLE)
    .select(textHead)
    .orderBy(isOwn('a', reader.musercode), 'desc')
    .orderBy('a.istop', 'desc')
    .orderBy('a.publishtime', 'desc')
    .orderBy('a.articleid', 'desc')
    .$call(paginate(page))
    .execute();
  return { total, rows };
}

/** An article on the shelf with its text. */
export const findArticle = (scope: Scope, reader: Reader, articleid: number, now: Date) =>
  selectArticles(scope, reader, now)
    .select([...ARTICLE, 'a.content', 'a.source'])
    .select(textHead)
    .where('a.articleid', '=', articleid)
    .executeTakeFirst();

const selectMusic = (scope: Scope, reader: Reader) => scope.db.selectFrom('music as m').where(onShelf('music', 'm', reader));

/** A page of the music on the shelf, with its total: own first, then by its order. */
export async function listMusic(scope: Scope, reader: Reader, { category, ...page }: Page & { category?: string | undefined }) {
  let query = selectMusic(scope, reader);
  if (category) query = query.where('m.category', '=', category);
  const { total } = await query.select(({ fn }) => fn.countAll<number>().as('total')).executeTakeFirstOrThrow();
  const rows = await query
    .select(['m.musicid', 'm.title', 'm.coverfileid', 'm.duration', 'm.category', 'm.licence'])
    .orderBy(isOwn('m', reader.musercode), 'desc')
    .orderBy('m.ordernum')
    .orderBy('m.musicid', 'desc')
    .$call(paginate(page))
    .execute();
  return { total, rows };
}

/** The audio file of music on the shelf. */
export const findMusicFile = (scope: Scope, reader: Reader, musicid: number) =>
  selectMusic(scope, reader).select('m.fileid').where('m.musicid', '=', musicid).executeTakeFirst();

const selectCourses = (scope: Scope, reader: Reader) => scope.db.selectFrom('course as c').where(onShelf('course', 'c', reader));

/** The condition that a row of `lessonprogress` is the learner's. */
const isLearner = (alias: string, learner: Learner | null) => {
  if (learner === null) return sql<SqlBool>`false`;
  return 'cuserid' in learner
    ? sql<SqlBool>`${sql.ref(`${alias}.cuserid`)} = ${learner.cuserid}`
    : sql<SqlBool>`${sql.ref(`${alias}.accountid`)} = ${learner.accountid}`;
};

const withLessons = (scope: Scope, reader: Reader, now: Date) =>
  selectCourses(scope, reader)
    .leftJoinLateral(
      (eb) =>
        eb
          .selectFrom('lesson as l')
          .leftJoin('lessonprogress as p', (join) =>
            join.onRef('p.lessonid', '=', 'l.lessonid').on(isLearner('p', reader.learner)),
          )
          .whereRef('l.courseid', '=', 'c.courseid')
          .where('l.isdeleted', '=', 0)
          .select([
            sql<number>`count(*)::int`.as('lessons'),
            sql<number>`coalesce(sum(l.duration), 0)::int`.as('duration'),
            sql<number>`count(p.finishtime)::int`.as('finished'),
          ])
          .as('s'),
      (join) => join.onTrue(),
    )
    .select(['c.courseid', 'c.title', 'c.coverfileid', 'c.lecturer', 'c.intro', 'c.free', 'c.price'])
    .select(sql<number>`s.lessons`.as('lessons'))
    .select(sql<number>`s.duration`.as('duration'))
    .select(sql<number>`s.finished`.as('finished'))
    .select(isOpen('c', reader.musercode, now).as('isopen'));

/** A page of the courses on the shelf, with their total and the learner's finished lessons: own first, then by their order. */
export async function listCourses(scope: Scope, reader: Reader, { now, ...page }: Page & { now: Date }) {
  const { total } = await selectCourses(scope, reader)
    .select(({ fn }) => fn.countAll<number>().as('total'))
    .executeTakeFirstOrThrow();
  const rows = await withLessons(scope, reader, now)
    .orderBy(isOwn('c', reader.musercode), 'desc')
    .orderBy('c.ordernum')
    .orderBy('c.courseid', 'desc')
    .$call(paginate(page))
    .execute();
  return { total, rows };
}

/** A course on the shelf. */
export const findCourse = (scope: Scope, reader: Reader, courseid: number, now: Date) =>
  withLessons(scope, reader, now).where('c.courseid', '=', courseid).executeTakeFirst();

/** The lessons of a course in their order, with what the learner watched. */
export const findLessons = (scope: Scope, learner: Learner | null, courseid: number) =>
  scope.db
    .selectFrom('lesson as l')
    .leftJoin('lessonprogress as p', (join) => join.onRef('p.lessonid', '=', 'l.lessonid').on(isLearner('p', learner)))
    .where('l.courseid', '=', courseid)
    .where('l.isdeleted', '=', 0)
    .select(['l.lessonid', 'l.title', 'l.duration', 'l.trial', 'p.position', 'p.watched', 'p.finishtime'])
    .orderBy('l.ordernum')
    .orderBy('l.lessonid')
    .execute();

/** A lesson of a course on the shelf, and whether the reader may watch it. */
export const findLesson = (scope: Scope, reader: Reader, lessonid: number, now: Date) =>
  selectCourses(scope, reader)
    .innerJoin('lesson as l', 'l.courseid', 'c.courseid')
    .where('l.lessonid', '=', lessonid)
    .where('l.isdeleted', '=', 0)
    .select(['l.lessonid', 'l.fileid', 'l.duration'])
    .select(sql<boolean>`(l.trial = 1 or ${isOpen('c', reader.musercode, now)})`.as('isopen'))
    .executeTakeFirst();

/** Counts an opening. Nothing is kept about the reader. */
export const countOpening = (scope: Scope, kind: 'article' | 'music' | 'course', id: number) =>
  sql`select access.count_opening(${kind}, ${id})`.execute(scope.db);

/** Begins the progress of a lesson if it has none, and locks it. */
export async function lockProgress(scope: Scope, musercode: string, learner: Learner, lessonid: number, now: Date) {
  await beginProgress(scope, musercode, learner, lessonid, now);
  return scope.db
    .selectFrom('lessonprogress as p')
    .select(['p.progressid', 'p.watched', 'p.finishtime', 'p.begintime'])
    .where('p.lessonid', '=', lessonid)
    .where(isLearner('p', learner))
    .forUpdate()
    .executeTakeFirstOrThrow();
}

/** Begins the progress of a lesson unless the learner has begun it before. */
export const beginProgress = (scope: Scope, musercode: string, learner: Learner, lessonid: number, now: Date) =>
  scope.db
    .insertInto('lessonprogress')
    .values({ lessonid, musercode, ...learner, begintime: now, updatetime: now })
    .onConflict((conflict) => conflict.doNothing())
    .execute();

/** Sets what a learner watched of a lesson. */
export const updateProgress = (
  scope: Scope,
  progressid: number,
  change: { position: number; watched: string; finishtime: Date | null; updatetime: Date },
) => scope.db.updateTable('lessonprogress').set(change).where('progressid', '=', progressid).execute();
