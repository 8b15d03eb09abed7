import { sql } from 'kysely';
import type { FileUseKey } from '#domain/files/filekind.ts';
import type { Scope } from '#server/db/scope.ts';

/** The files of contents: which ones, and what uses them. */

/** Locks those of the files that the institution has uploaded for this use, and returns them. */
export const lockFiles = (scope: Scope, fileids: readonly string[], owner: { musercode: string; biztype: FileUseKey }) =>
  fileids.length === 0
    ? Promise.resolve([])
    : scope.db
        .selectFrom('fileobj')
        .select(['fileid', 'filename', 'mime', 'ispublic'])
        .where('fileid', 'in', fileids)
        .where('musercode', '=', owner.musercode)
        .where('biztype', '=', owner.biztype)
        .where('isdeleted', '=', 0)
        .forUpdate()
        .execute();

/** Replaces the files that a record uses. */
export async function replaceUses(scope: Scope, refcode: string, musercode: string, fileids: readonly string[]): Promise<void> {
  await scope.db.deleteFrom('contentfile').where('refcode', '=', refcode).execute();
  if (fileids.length > 0)
    await scope.db
      .insertInto('contentfile')
      .values(fileids.map((fileid) => ({ fileid, refcode, musercode })))
      .execute();
}

/** Returns the files of contents with what a link needs. */
export const findContentFiles = (scope: Scope, fileids: readonly string[]) =>
  fileids.length === 0
    ? Promise.resolve([])
    : scope.db
        .selectFrom('fileobj')
        .select(['fileid', 'filename', 'mime', 'size', 'path', 'ispublic'])
        .where('fileid', 'in', fileids)
        .where('biztype', 'in', ['article', 'music', 'course', 'goods'])
        .where('isdeleted', '=', 0)
        .execute();

type ContentKind = 'article' | 'music' | 'course' | 'lesson' | 'goods';
/** The number of the record in a refcode of this kind. */
const numberOf = (kind: ContentKind) =>
  sql`case when split_part(u.refcode, ':', 1) = ${kind} then split_part(u.refcode, ':', 2)::bigint end`;
/** The most uses of one file that a list names. */
const MAX_USES = 20;

/** Returns the contents that use each of these files, by `fileid`, at most 20 a file. */
export async function findUses(
  scope: Scope,
  fileids: readonly string[],
): Promise<Map<string, { kind: ContentKind; title: string }[]>> {
  if (fileids.length === 0) return new Map();
  const uses = await scope.db
    .selectFrom('contentfile as u')
    .leftJoin('article as a', (join) => join.on(sql<boolean>`a.articleid = ${numberOf('article')}`))
    .leftJoin('music as m', (join) => join.on(sql<boolean>`m.musicid = ${numberOf('music')}`))
    .leftJoin('course as c', (join) => join.on(sql<boolean>`c.courseid = ${numberOf('course')}`))
    .leftJoin('lesson as l', (join) => join.on(sql<boolean>`l.lessonid = ${numberOf('lesson')}`))
    .leftJoin('goods as g', (join) => join.on(sql<boolean>`g.goodsid = ${numberOf('goods')}`))
    .select(['u.fileid', 'u.refcode'])
    .select(sql<string>`coalesce(a.title, m.title, c.title, l.title, g.goodsname, '')`.as('title'))
    .where('u.fileid', 'in', fileids)
    .orderBy('u.refcode')
    .execute();
  const byFile = new Map<string, { kind: ContentKind; title: string }[]>();
  for (const { fileid, refcode, title } of uses) {
    const known = byFile.get(fileid) ?? [];
    if (known.length < MAX_USES) known.push({ kind: refcode.split(':')[0] as ContentKind, title });
    byFile.set(fileid, known);
  }
  return byFile;
}
