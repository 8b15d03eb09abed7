/**
 * An own reader of the text of articles. It shares no code with the sanitiser and accepts one spelling only, so that every parser of
 * HTML reads the text in the same way.
 */

const VOID = ['br', 'hr', 'img'];
const TEXT_ALIGN = /^text-align:(left|center|right|justify)$/;
const SPAN = /^([2-9]|[1-4]\d|50)$/;
const LINK = /^(https:\/\/[^@\s]+|tel:\+?\d+|mailto:[^\s@?]+@[^\s@?]+)$/;
const aligned = { style: TEXT_ALIGN };
const cell = { style: TEXT_ALIGN, colspan: SPAN, rowspan: SPAN };
/** The attributes of each tag, each with its values. */
const TAGS: Readonly<Record<string, Readonly<Record<string, RegExp>>>> = {
  ...{ p: aligned, h2: aligned, h3: aligned, h4: aligned, figcaption: aligned, th: cell, td: cell },
  ...{ ul: {}, ol: {}, li: {}, blockquote: {}, strong: {}, em: {}, u: {}, s: {}, br: {}, hr: {}, figure: {} },
  ...{ table: {}, thead: {}, tbody: {}, tr: {} },
  a: { href: LINK, rel: /^noopener noreferrer$/ },
  img: { 'data-fileid': /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/, alt: /^[^\n\t]{0,400}$/, src: /^\/files\?k=[^\s"<>]+$/ },
};
const TOKEN = /<(\/?)([a-z][a-z0-9]*)((?: [a-z-]+="[^"<>]*")*)( \/)?>|&(?:amp|lt|gt|quot);|[^<>&]+/gy;

const decode = (value: string) =>
  value.replace(/&(amp|lt|gt|quot);/g, (_, name: string) => ({ amp: '&', lt: '<', gt: '>', quot: '"' })[name] ?? '');

/** Returns what is wrong with the text of an article; nothing when it is safe. */
export function findArticleFaults(html: string): string[] {
  const faults: string[] = [];
  const open: string[] = [];
  TOKEN.lastIndex = 0;
  while (TOKEN.lastIndex < html.length) {
    const at = TOKEN.lastIndex;
    const token = TOKEN.exec(html);
    if (!token) return [...faults, `no token at ${html.slice(at, at + 40)}`];
    const [text, slash, name, attributes = '', end] = token;
    if (/[\0-\x08\x0b-\x1f\x7f]/.test(text)) faults.push(`control character in ${JSON.stringify(text.slice(0, 40))}`);
    if (name === undefined) continue;
    const rules = Object.hasOwn(TAGS, name) ? TAGS[name] : undefined;
    if (!rules) faults.push(`tag ${name}`);
    if (slash === '/') {
      if (open.pop() !== name || attributes !== '') faults.push(`end of ${name}`);
      continue;
    }
    if (VOID.includes(name) !== (end !== undefined)) faults.push(`form of ${name}`);
    if (!VOID.includes(name)) open.push(name);
    const seen = new Set<string>();
    for (const [, attribute = '', value = ''] of attributes.matchAll(/ ([a-z-]+)="([^"]*)"/g)) {
      const rule = rules && Object.hasOwn(rules, attribute) ? rules[attribute] : undefined;
      if (!rule?.test(decode(value)) || seen.has(attribute)) faults.push(`${name} ${attribute}="${value}"`);
      seen.add(attribute);
    }
    if (name === 'a' && seen.size !== 2) faults.push('a link without its attributes');
    if (name === 'img' && !(seen.has('data-fileid') && seen.has('alt'))) faults.push('a picture without its attributes');
  }
  if (open.length > 0) faults.push(`open ${open.join(' ')}`);
  return faults;
}
