import { articleLimits } from '#domain/content/content.ts';
import { formatNumber } from '#domain/base/number.ts';
import { problems } from '#contract/problem.ts';
import type { Context, ReadContext } from '#server/dispatch/handle.ts';
import { addPictureSources, findPictures, keepPictures, sanitise } from '#server/html/sanitise.ts';
import { findContentLinks, findOwnFiles, type ContentUse, type UsedFile } from '#features/file/content/contentFiles.ts';

/** The text of an article, or the description of goods, between the editor, the table and the reader (decision 0095). */

/** Where a text stands: the use of its pictures, and the field of the request with its title. */
export interface TextPlace {
  use: Extract<ContentUse, 'article' | 'goods'>;
  field: string;
  title: string;
}
const ARTICLE: TextPlace = { use: 'article', field: 'content', title: '正文' };

/** Refuses a sanitised text that is too large or has too many pictures (160002). */
function assertWithinLimits(html: string, { field: name, title }: TextPlace) {
  const field = { field: name };
  const bytes = Buffer.byteLength(html);
  if (bytes > articleLimits.bytes) {
    const [size, limit] = [Math.ceil(bytes / 1024), articleLimits.bytes / 1024].map((kb) => formatNumber(kb));
    throw problems.fileRefused({ why: `${title}过长：现有 ${size} KB，最多 ${limit} KB，请删减或分成几篇` }, field);
  }
  const pictures = findPictures(html).length;
  if (pictures > articleLimits.pictures)
    throw problems.fileRefused({ why: `${title}图片过多：现有 ${pictures} 张，最多 ${articleLimits.pictures} 张` }, field);
}

/**
 * Returns the text as it is stored, and what was taken out, in Chinese words. Pictures of other institutions and deleted ones are taken
 * out too. Throws 160002 at the field for a text that is too large or has too many pictures.
 */
export async function toStoredText(
  ctx: Pick<Context<'staff'>, 'scope' | 'caller'>,
  html: string,
  place: TextPlace = ARTICLE,
): Promise<{ content: string; removed: string[] }> {
  const { html: clean, fileids, removed } = sanitise(html);
  assertWithinLimits(clean, place);
  const own = await findOwnFiles(ctx, place.use, [...new Set(fileids)]);
  const foreign = fileids.filter((fileid) => !own.has(fileid)).length;
  if (foreign === 0) return { content: clean, removed };
  return { content: keepPictures(clean, own), removed: [...removed, `不属于本机构或已删除的图片 ${foreign} 张`] };
}

/** Returns the files that a stored text and a cover use. */
export const filesOf = (content: string, coverfileid: string | null | undefined, field = ARTICLE.field): UsedFile[] => [
  ...(coverfileid ? [{ fileid: coverfileid, field: 'coverfileid', group: 'image' } as const] : []),
  ...[...new Set(findPictures(content))].map((fileid): UsedFile => ({ fileid, field, group: 'image', mustBePublic: true })),
];

/** Returns a stored text for the editor or a reader: sanitised again, its pictures with `src`. A deleted picture is absent. */
export async function openText(ctx: Pick<ReadContext, 'scope' | 'storage' | 'now'>, content: string): Promise<string> {
  const { html, fileids } = sanitise(content);
  const links = await findContentLinks(ctx, fileids);
  return addPictureSources(html, (fileid) => links.get(fileid)?.url);
}
