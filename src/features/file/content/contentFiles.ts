import { shanghaiTime } from '#domain/base/calendar.ts';
import { MEDIA_LINK_HOURS } from '#domain/content/content.ts';
import { fileGroups, fileKinds, fileUses, type FileGroup, type FileUseKey } from '#domain/files/filekind.ts';
import { problems } from '#contract/problem.ts';
import type { Context, ReadContext } from '#server/dispatch/handle.ts';
import type { Scope } from '#server/db/scope.ts';
import * as queries from '#features/file/content/contentFiles.queries.ts';

/**
 * The files of articles, music, courses and goods. They stay in 文件上传, several contents may use one, and a used file can be neither changed
 * nor deleted.
 */

/** A file that a content uses: the request field that names it, and the type that it must have. */
export interface UsedFile {
  fileid: string;
  field: string;
  group: FileGroup;
  /** pictures inside a text have links without end, so they must be public */
  mustBePublic?: true;
}
/** The uses of the files of contents. */
export type ContentUse = Extract<FileUseKey, 'article' | 'music' | 'course' | 'goods'>;
/** The record that uses files: `article:12`, `music:3`, `course:4`, `lesson:5`, `goods:6`. */
export type ContentRef = `${'article' | 'music' | 'course' | 'lesson' | 'goods'}:${number}`;

const groupOf = (mime: string): FileGroup | undefined => Object.values(fileKinds).find((kind) => kind.mime === mime)?.group;

/**
 * Locks the files that a content is about to use and returns their ids. 130001 at the field for a file that the caller's institution
 * has not uploaded for this use, 160002 for one of another type. A record that refers to files asks this before it is written.
 */
export async function requireFiles(
  { scope, caller }: Pick<Context<'staff'>, 'scope' | 'caller'>,
  use: ContentUse,
  files: readonly UsedFile[],
): Promise<string[]> {
  const rows = await queries.lockFiles(
    scope,
    files.map(({ fileid }) => fileid),
    { musercode: caller.musercode, biztype: use },
  );
  const byId = new Map(rows.map((row) => [row.fileid, row]));
  for (const { fileid, field, group, mustBePublic } of files) {
    const row = byId.get(fileid);
    if (!row) throw problems.notFound({ what: '文件' }, { field });
    if (groupOf(row.mime) !== group)
      throw problems.fileRefused({ why: `这里需要${fileGroups[group].title}，“${row.filename}”不是` }, { field });
    if (mustBePublic && row.ispublic === 0)
      throw problems.fileRefused({ why: `“${row.filename}”是私有的${fileUses[use].title}，读者打不开` }, { field });
  }
  return [...byId.keys()];
}

/** Returns those of the files that the caller's institution has uploaded for this use. */
export async function findOwnFiles(
  { scope, caller }: Pick<Context<'staff'>, 'scope' | 'caller'>,
  use: ContentUse,
  fileids: readonly string[],
): Promise<Set<string>> {
  const rows = await queries.lockFiles(scope, fileids, { musercode: caller.musercode, biztype: use });
  return new Set(rows.map(({ fileid }) => fileid));
}

/** Replaces the files that a content of the caller's institution uses. Refuses files as `requireFiles` does. */
export async function setUsedFiles(
  ctx: Pick<Context<'staff'>, 'scope' | 'caller'>,
  ref: ContentRef,
  use: ContentUse,
  files: readonly UsedFile[],
): Promise<void> {
  await queries.replaceUses(ctx.scope, ref, ctx.caller.musercode, await requireFiles(ctx, use, files));
}

/** Removes the uses of a content that is deleted. Its files stay in 文件上传. */
export const releaseUsedFiles = (scope: Scope, ref: ContentRef): Promise<void> => queries.replaceUses(scope, ref, '', []);

/** The link of a content's file: without end for a public one, otherwise for four hours. */
export interface ContentLink {
  url: string;
  filename: string;
  mime: string;
  /** bytes */
  size: number;
  /** '' for a link without end */
  validuntil: string;
}

/** Returns the links of these files that the caller may see, by `fileid`. Deleted files are absent. */
export async function findContentLinks(
  { scope, storage, now }: Pick<ReadContext, 'scope' | 'storage' | 'now'>,
  fileids: readonly (string | null)[],
): Promise<Map<string, ContentLink>> {
  const ids = [...new Set(fileids.filter((fileid) => fileid !== null))];
  const until = new Date(now.getTime() + MEDIA_LINK_HOURS * 3_600_000);
  const rows = await queries.findContentFiles(scope, ids);
  return new Map(
    rows.map(({ fileid, filename, mime, size, path, ispublic }) => [
      fileid,
      {
        url: storage.signedUrl({ key: path, filename, mime }, ispublic === 1 ? undefined : until),
        filename,
        mime,
        size: Number(size),
        validuntil: ispublic === 1 ? '' : shanghaiTime(until),
      },
    ]),
  );
}
