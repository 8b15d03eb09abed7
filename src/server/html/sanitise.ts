import sanitizeHtml from 'sanitize-html';
import { ALLOWED_TAGS, convertTag, CONTENT_DROPPED, REMOVALS, type Removal } from '#server/html/convertTag.ts';

/**
 * The sanitiser of articles (design/supplement-scales-operations.md 6): it runs when a text is saved and again when it is read. Its
 * output has only the tags and attributes of `convertTag.ts`, in one spelling.
 */

export interface Sanitised {
  html: string;
  /** the files of the pictures, in their order; one may come twice */
  fileids: string[];
  /** what was taken out, in Chinese words */
  removed: string[];
}

/** Deeper tags lose their formatting; their text stays. */
const MAX_DEPTH = 100;
/** Passes until the text no longer changes. Pages of all kinds settle after two or three. */
const MAX_PASSES = 8;
/** A void tag is written `<br />`; a picture without its address. */
const PICTURE = /<img data-fileid="([0-9a-f-]{36})" alt="([^"]*)" \/>/g;
const EMPTY_PARAGRAPH = /<p(?: style="text-align:[a-z]+")?>\s*<\/p>/g;

/** Removes characters that no text needs and that a database or a browser reads in its own way. */
const cleanCharacters = (text: string): string =>
  text
    .replace(/\p{Surrogate}/gu, '\ufffd')
    .replace(/\r\n?/g, '\n')
    .replace(/[\0-\x08\x0b\x0c\x0e-\x1f\x7f\ufffe\uffff]/g, '');

function runOnce(html: string, note: (removal: Removal) => void): string {
  const { tags, attributes } = ALLOWED_TAGS;
  return cleanCharacters(
    sanitizeHtml(cleanCharacters(html), {
      allowedTags: [...tags, 'div'],
      allowedAttributes: attributes,
      allowedSchemes: ['https', 'tel', 'mailto'],
      allowProtocolRelative: false,
      nonTextTags: [...CONTENT_DROPPED],
      nestingLimit: MAX_DEPTH,
      parseStyleAttributes: false,
      transformTags: { '*': (name, attribs) => convertTag(name, attribs, note) },
    }),
  );
}

/** Turns the remaining blocks of pages (`div`) into paragraphs. A paragraph ends where a block begins, so empty ones remain. */
const toParagraphs = (html: string): string => html.replaceAll('<div', '<p').replaceAll('</div>', '</p>');

const escapeAttribute = (text: string) =>
  text.replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/>/g, '&gt;').replace(/"/g, '&quot;');

/** Returns the words for what was taken out, each once. */
const describeRemovals = (counts: ReadonlyMap<Removal, number>): string[] =>
  (Object.keys(REMOVALS) as Removal[]).flatMap((removal) => {
    const count = counts.get(removal) ?? 0;
    return count === 0 ? [] : [REMOVALS[removal].replace('{n}', String(count))];
  });

/** Returns a text of which only the allowed tags and attributes remain. Sanitising the result again changes nothing. */
export function sanitise(html: string): Sanitised {
  const counts = new Map<Removal, number>();
  let text = runOnce(html, (removal) => counts.set(removal, (counts.get(removal) ?? 0) + 1));
  for (let pass = 1; ; pass++) {
    const hasBlocks = text.includes('<div');
    const next = runOnce(hasBlocks ? toParagraphs(text) : text, () => {});
    const settled = hasBlocks ? next.replace(EMPTY_PARAGRAPH, '') : next;
    if (settled === text) break;
    // No known text comes here. If one does, it loses its formatting and stays safe.
    text = pass < MAX_PASSES ? settled : text.replace(/<[^>]*>/g, ' ');
  }
  return { html: text, fileids: findPictures(text), removed: describeRemovals(counts) };
}

/** Returns the files of the pictures in a sanitised text, in their order. */
export const findPictures = (sanitised: string): string[] => [...sanitised.matchAll(PICTURE)].map(([, fileid = '']) => fileid);

/** Removes the pictures of a sanitised text that are not among these files. */
export const keepPictures = (sanitised: string, fileids: ReadonlySet<string>): string =>
  sanitised.replace(PICTURE, (picture, fileid: string) => (fileids.has(fileid) ? picture : ''));

/** A figure without tables and other figures in it, so that the search ends at its own end. */
const FIGURE = /<figure>((?:(?!<figure>|<\/figure>)[\s\S])*)<\/figure>/g;

/** Gives the pictures of a sanitised text their addresses. A picture without one disappears, also with the figure around it. */
export const addPictureSources = (sanitised: string, urlOf: (fileid: string) => string | undefined): string =>
  sanitised
    .replace(FIGURE, (figure, inner: string) => {
      const fileids = findPictures(inner);
      return fileids.length > 0 && fileids.every((fileid) => urlOf(fileid) === undefined) ? '' : figure;
    })
    .replace(PICTURE, (_, fileid: string, alt: string) => {
      const url = urlOf(fileid);
      return url === undefined ? '' : `<img data-fileid="${fileid}" alt="${alt}" src="${escapeAttribute(url)}" />`;
    });
