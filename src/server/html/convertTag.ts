import type { Attributes, Tag } from 'sanitize-html';

/** What the sanitiser does with one tag: keep it with safe attributes, give it another name, or drop it and say so. */

/** The tags of an article and the attributes of each. */
export const ALLOWED_TAGS = {
  tags: [
    ...['p', 'h2', 'h3', 'h4', 'ul', 'ol', 'li', 'blockquote', 'strong', 'em', 'u', 's', 'br', 'hr', 'a'],
    ...['figure', 'figcaption', 'img', 'table', 'thead', 'tbody', 'tr', 'th', 'td'],
  ],
  attributes: {
    a: ['href', 'rel'],
    img: ['data-fileid', 'alt'],
    th: ['colspan', 'rowspan', 'style'],
    td: ['colspan', 'rowspan', 'style'],
    ...Object.fromEntries(['p', 'div', 'h2', 'h3', 'h4', 'figcaption'].map((name) => [name, ['style']])),
  } as Readonly<Record<string, string[]>>,
} as const;

const KEPT: ReadonlySet<string> = new Set(ALLOWED_TAGS.tags);

/** The words for what was taken out. */
export const REMOVALS = {
  script: '脚本',
  stylesheet: '样式表',
  embedded: '嵌入内容',
  form: '表单控件',
  drawing: '矢量图与公式',
  pasted: '未上传的图片 {n} 张',
  foreign: '外部图片 {n} 张',
  link: '不支持的链接 {n} 个',
  style: '不支持的样式',
  format: '不支持的格式',
} as const;
export type Removal = keyof typeof REMOVALS;

const setOf = (names: string) => new Set(names.split(' '));

/** Tags that disappear with everything inside. */
export const CONTENT_DROPPED = setOf(
  'script style textarea option select xmp noscript noembed noframes template svg math xml title iframe object applet audio video canvas',
);
/** Tags of other editors with the same meaning. */
const RENAMED = new Map<string, string>([
  ['b', 'strong'],
  ['i', 'em'],
  ['del', 's'],
  ['strike', 's'],
  ['ins', 'u'],
  ['h1', 'h2'],
  ['h5', 'h4'],
  ['h6', 'h4'],
  ['tfoot', 'tbody'],
]);
/** Blocks of pages; their text becomes paragraphs. */
const BLOCKS = setOf('div section article main header footer address center aside nav dl dt dd hgroup caption');
/** Tags that say nothing to a reader. Their loss needs no word. */
const SILENT = setOf('html head body meta link base title xml span colgroup col picture source track wbr label');
const REMOVAL_OF = new Map<string, Removal>([
  ['script', 'script'],
  ['noscript', 'script'],
  ['style', 'stylesheet'],
  ['svg', 'drawing'],
  ['math', 'drawing'],
  ...[...setOf('iframe frame frameset object embed applet audio video canvas portal')].map((name) => [name, 'embedded'] as const),
  ...[...setOf('form input button textarea select option')].map((name) => [name, 'form'] as const),
]);

/** Declarations that an editor writes by itself, or that mean nothing without a page around. */
const SILENT_STYLES = setOf('text-align min-width width height');
const STYLE_ATTRIBUTES = ['color', 'bgcolor', 'face', 'background'];
const ALIGNED = setOf('p div h2 h3 h4 figcaption th td');
const ALIGNMENT = /(?:^|;)\s*text-align\s*:\s*(left|center|right|justify)\s*(?:;|$)/i;
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;
const MAX_SPAN = 50;
const MAX_LINK = 2000;
const MAX_ALT = 200;

/** Returns a link as a browser reads it, if it leads to https, a telephone or a mailbox; undefined otherwise. */
export function toSafeLink(href: string): string | undefined {
  const text = href.trim();
  const phone = /^tel:(\+?[\d -]{3,30})$/i.exec(text)?.[1]?.replace(/[ -]/g, '');
  if (phone) return `tel:${phone}`;
  const mailbox = /^mailto:([\w.+-]+@[\w.-]+)(?:\?.*)?$/is.exec(text)?.[1];
  if (mailbox) return `mailto:${mailbox}`;
  // The parser ignores line breaks and tabs inside an address, as browsers do.
  const url = /^https:/i.test(text) ? URL.parse(text) : null;
  if (url?.protocol !== 'https:' || url.username !== '' || url.password !== '') return undefined;
  return url.href.length <= MAX_LINK ? url.href : undefined;
}

/** Returns the only style that stays: the alignment of a block, also from the old attribute `align` and from `center`. */
function toAlignment(name: string, original: string, { style = '', align = '' }: Attributes): Attributes {
  if (!ALIGNED.has(name)) return {};
  const [, found] = ALIGNMENT.exec(style) ?? ALIGNMENT.exec(`text-align:${original === 'center' ? 'center' : align}`) ?? [];
  return found ? { style: `text-align:${found.toLowerCase()}` } : {};
}

function toSpans(attribs: Attributes): Attributes {
  const spans: Attributes = {};
  for (const name of ['colspan', 'rowspan']) {
    const span = /^\d{1,3}$/.test(attribs[name] ?? '') ? Number(attribs[name]) : 1;
    if (span > 1 && span <= MAX_SPAN) spans[name] = String(span);
  }
  return spans;
}

const hasOtherStyle = (style: string) =>
  style
    .split(';')
    .map((declaration) => declaration.split(':')[0]?.trim().toLowerCase() ?? '')
    .some((property) => property !== '' && !SILENT_STYLES.has(property));

/** Notes what the attributes of a tag lose. */
function noteAttributes(attribs: Attributes, note: (removal: Removal) => void) {
  if (Object.keys(attribs).some((name) => name.startsWith('on'))) note('script');
  if (hasOtherStyle(attribs['style'] ?? '') || STYLE_ATTRIBUTES.some((name) => attribs[name] !== undefined)) note('style');
}

/** A tag of this name is dropped; its text stays. */
const DROPPED: Tag = { tagName: 'span', attribs: {} };

function convertPicture(attribs: Attributes, note: (removal: Removal) => void): Tag {
  const fileid = attribs['data-fileid']?.toLowerCase() ?? '';
  if (!UUID.test(fileid)) {
    note(/^\s*(?:data|blob|file):/i.test(attribs['src'] ?? '') ? 'pasted' : 'foreign');
    return DROPPED;
  }
  const alt = [...(attribs['alt'] ?? '').replace(/\s+/g, ' ').trim()].slice(0, MAX_ALT).join('').trim();
  return { tagName: 'img', attribs: { 'data-fileid': fileid, alt } };
}

function convertLink(attribs: Attributes, note: (removal: Removal) => void): Tag {
  const href = attribs['href'] === undefined ? undefined : toSafeLink(attribs['href']);
  if (href === undefined && attribs['href'] !== undefined) note('link');
  return href === undefined ? DROPPED : { tagName: 'a', attribs: { href, rel: 'noopener noreferrer' } };
}

/** Returns a tag as it stays. `div` and unknown names are left to the sanitiser, which drops what is not allowed. */
export function convertTag(original: string, attribs: Attributes, note: (removal: Removal) => void): Tag {
  noteAttributes(attribs, note);
  const name = BLOCKS.has(original) ? 'div' : (RENAMED.get(original) ?? original);
  if (name === 'img') return convertPicture(attribs, note);
  if (name === 'a') return convertLink(attribs, note);
  if (name !== 'div' && !KEPT.has(name)) {
    const removal = REMOVAL_OF.get(name);
    if (removal) note(removal);
    // A name with a colon belongs to an office program.
    else if (!SILENT.has(name) && !name.includes(':')) note('format');
    return { tagName: name, attribs: {} };
  }
  const spans = name === 'td' || name === 'th' ? toSpans(attribs) : {};
  return { tagName: name, attribs: { ...spans, ...toAlignment(name, original, attribs) } };
}
