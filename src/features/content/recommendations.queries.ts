import { sql } from 'kysely';
import { recommendedAtMost } from '#domain/content/content.ts';
import type { Candidate, ContentRef } from '#domain/content/recommend.ts';
import type { Scope } from '#server/db/scope.ts';
import { isOpen, isOwn, isPublished, onShelf, type Reader } from '#features/content/shelf.queries.ts';

/** The contents of the shelf that reports recommend. */

type PersonReader = Omit<Reader, 'learner'>;

/**
 * Returns the first contents of each kind that persons may open now and that are marked for a level, in the order of
 * `chooseRecommendations`. One statement, because every hand-in asks it.
 */
export async function findCandidates(scope: Scope, reader: PersonReader, level: number, now: Date): Promise<Candidate[]> {
  const { rows } = await sql<Candidate>`
    (select 'article' as kind, a.articleid as id, a.title, ${isOwn('a', reader.musercode)} = 1 as isown, a.istop = 1 as istop,
      a.publishtime as time
    from article a
    where ${level}::smallint = any (a.levels) and ${onShelf('article', 'a', reader)} and ${isPublished('a', now)}
    order by isown desc, istop desc, time desc, id desc limit ${recommendedAtMost.article})
    union all
    (select 'music', m.musicid, m.title, ${isOwn('m', reader.musercode)} = 1 as isown, false, m.createtime
    from music m
    where ${level}::smallint = any (m.levels) and ${onShelf('music', 'm', reader)}
    order by isown desc, m.createtime desc, m.musicid desc limit ${recommendedAtMost.music})
    union all
    (select 'course', c.courseid, c.title, ${isOwn('c', reader.musercode)} = 1 as isown, false, c.createtime
    from course c
    where ${level}::smallint = any (c.levels) and ${onShelf('course', 'c', reader)} and ${isOpen('c', reader.musercode, now)}
    order by isown desc, c.createtime desc, c.courseid desc limit ${recommendedAtMost.course})`.execute(scope.db);
  return rows;
}

/** Returns those of the contents that a person may open now. */
export async function findOnShelf(
  scope: Scope,
  reader: PersonReader,
  contents: readonly ContentRef[],
  now: Date,
): Promise<ContentRef[]> {
  const ids = (kind: ContentRef['kind']) =>
    sql`any (${contents.filter((content) => content.kind === kind).map(({ id }) => id)}::bigint[])`;
  const { rows } = await sql<ContentRef>`
    select 'article' as kind, a.articleid as id from article a
    where a.articleid = ${ids('article')} and ${onShelf('article', 'a', reader)} and ${isPublished('a', now)}
    union all
    select 'music', m.musicid from music m where m.musicid = ${ids('music')} and ${onShelf('music', 'm', reader)}
    union all
    select 'course', c.courseid from course c where c.courseid = ${ids('course')} and ${onShelf('course', 'c', reader)}`.execute(
    scope.db,
  );
  return rows;
}
