/**
 * The two ends of the editor. The wire has alignment as a style. Pages refuse inline styles, also while they parse, so the editor
 * has it as `data-align`.
 */

/** One tag. A quoted value may contain `>`. */
const TAG = /<\/?[a-z](?:"[^"]*"|'[^']*'|[^>"'])*>/gi;
const ALIGN = / style="text-align:\s*(left|center|right|justify);?"/;
const DATA_ALIGN = / data-align="(\w+)"/;
/** A picture that is not uploaded yet. */
const PENDING = /<img[^>]* data-pending="[^"]*"[^>]*>/g;
const LAST_EMPTY = /(?:<p><\/p>)+$/;

/** Renames inline styles and event handlers, so that parsing the HTML gives the browser none to refuse. */
export const withoutStyles = (html: string): string =>
  html.replace(TAG, (tag) =>
    tag.replace(/(["'\s/])style\s*=/gi, '$1 data-style=').replace(/(["'\s/])on\w+\s*=/gi, '$1 data-on='),
  );

/** Returns the HTML of the wire as the editor reads it. */
export const toEditor = (content: string): string =>
  withoutStyles(content.replace(TAG, (tag) => tag.replace(ALIGN, ' data-align="$1"')));

/** Returns the HTML of the editor as the server saves it: without empty lines at the end and without unfinished pictures. */
export const fromEditor = (html: string): string =>
  html
    .replace(PENDING, '')
    .replace(TAG, (tag) => tag.replace(DATA_ALIGN, ' style="text-align: $1"'))
    .replace(LAST_EMPTY, '');

/** The pictures of a text. */
export const countPictures = (content: string): number => content.match(/<img\b/g)?.length ?? 0;
