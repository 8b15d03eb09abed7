import { withoutStyles } from '#blocks/richtext/articleHtml.ts';

/** Pasted HTML without everything that an article cannot have. */
export interface Cleaned {
  html: string;
  /** the addresses of pictures on other servers; nothing fetches them */
  foreign: string[];
  /** pictures that Word keeps in files of its own */
  local: number;
}

/** Tags that disappear with everything inside. */
const GONE = (
  'script style head title meta link base object embed iframe frame svg math noscript template ' +
  'input button select textarea video audio canvas o\\:p xml'
)
  .split(' ')
  .join();
/** Tags that mean the same as one of an article. */
const SAME: Readonly<Record<string, string>> = {
  B: 'strong',
  I: 'em',
  STRIKE: 's',
  DEL: 's',
  INS: 'u',
  H1: 'h2',
  H5: 'h4',
  H6: 'h4',
};
/** Inline styles of Word and of web editors that stand for a tag. */
const STYLED: readonly (readonly [style: RegExp, tag: string])[] = [
  [/(?:^|;)\s*font-weight:\s*(?:bold|[6-9]00)/i, 'strong'],
  [/(?:^|;)\s*font-style:\s*italic/i, 'em'],
  [/(?:^|;)\s*text-decoration[^;]*:[^;]*underline/i, 'u'],
  [/(?:^|;)\s*text-decoration[^;]*:[^;]*line-through/i, 's'],
];
const KEPT: Readonly<Record<string, readonly string[]>> = {
  A: ['href'],
  IMG: ['src', 'alt', 'data-fileid', 'data-pending'],
  TD: ['colspan', 'rowspan'],
  TH: ['colspan', 'rowspan'],
};

const styleOf = (element: Element) => element.getAttribute('data-style') ?? '';

function rename(element: Element, tag: string): Element {
  const next = element.ownerDocument.createElement(tag);
  for (const { name, value } of element.attributes) next.setAttribute(name, value);
  next.append(...element.childNodes);
  element.replaceWith(next);
  return next;
}

function wrapContent(element: Element, tag: string) {
  const inner = element.ownerDocument.createElement(tag);
  inner.append(...element.childNodes);
  element.append(inner);
}

/** Word writes lists as paragraphs with a mark and a level. They become lists again. */
function restoreWordLists(root: HTMLElement) {
  const document = root.ownerDocument;
  let open: { level: number; list: Element }[] = [];
  for (const paragraph of root.querySelectorAll('p')) {
    const level = Number(/mso-list:[^;]*\blevel(\d)/i.exec(styleOf(paragraph))?.[1] ?? 0);
    if (level === 0 || (open[0] && paragraph.previousElementSibling !== open[0].list)) open = [];
    if (level === 0) continue;
    const mark = [...paragraph.querySelectorAll('span')].find((span) => /mso-list:\s*ignore/i.test(styleOf(span)));
    const isOrdered = /^\s*[(（]?(?:\d+|[a-z]{1,4}|[一二三四五六七八九十]+)[.)、）．]/i.test(mark?.textContent ?? '');
    mark?.remove();
    const item = document.createElement('li');
    const text = document.createElement('p');
    text.append(...paragraph.childNodes);
    item.append(text);
    while (open.length > 0 && (open.at(-1)?.level ?? 0) > level) open.pop();
    const parent = open.at(-1);
    if (parent?.level === level) parent.list.append(item);
    else {
      const list = document.createElement(isOrdered ? 'ol' : 'ul');
      list.append(item);
      if (parent) parent.list.lastElementChild?.append(list);
      else paragraph.before(list);
      open.push({ level, list });
    }
    paragraph.remove();
  }
}

/** Turns the styles that mean something into tags, and alignment into an attribute. */
function readStyles(root: HTMLElement) {
  for (const element of root.querySelectorAll('[data-style], [align]')) {
    const style = styleOf(element);
    const isBlock = /^(?:P|H[1-6]|DIV|LI|TD|TH|TABLE|TR|UL|OL)$/.test(element.tagName);
    const align = /text-align:\s*(center|right|justify)/i.exec(style)?.[1] ?? element.getAttribute('align');
    if (isBlock && align && /^(?:center|right|justify)$/i.test(align)) element.setAttribute('data-align', align.toLowerCase());
    // Web editors wrap everything in a bold tag that is not bold.
    if (/^(?:B|STRONG)$/.test(element.tagName) && /(?:^|;)\s*font-weight:\s*(?:normal|[1-5]00)/i.test(style))
      element.replaceWith(...element.childNodes);
    else if (!isBlock && !/^(?:A|IMG|B|STRONG|I|EM|U|S)$/.test(element.tagName))
      for (const [pattern, tag] of STYLED) if (pattern.test(style)) wrapContent(element, tag);
  }
}

/** A picture is a block of its own: a paragraph that held only pictures goes. */
function unwrapPictures(root: HTMLElement) {
  for (const paragraph of root.querySelectorAll('p')) {
    const pictures = [...paragraph.querySelectorAll('img')];
    if (paragraph.textContent.trim() === '' && !paragraph.closest('td, th, li')) paragraph.replaceWith(...pictures);
  }
}

const nameOf = (address: string): string => {
  try {
    const { hostname, pathname } = new URL(address.startsWith('//') ? `https:${address}` : address);
    return `${hostname}${pathname}`.slice(0, 80);
  } catch {
    return address.slice(0, 80);
  }
};

/** Decodes a picture that stands in the HTML itself; undefined when it is none. */
export function fileOfDataUrl(address: string): File | undefined {
  const [, mime, data] = /^data:(image\/[\w.+-]+);base64,([\w+/=\s]+)$/i.exec(address) ?? [];
  if (!mime || !data) return undefined;
  try {
    const bytes = Uint8Array.from(atob(data.replace(/\s/g, '')), (letter) => letter.charCodeAt(0));
    return new File([bytes], `粘贴的图片.${mime.slice(6).replace('jpeg', 'jpg')}`, { type: mime });
  } catch {
    return undefined;
  }
}

/** Parses HTML into a document of its own, where nothing loads or runs. Style sheets and styles are gone before. */
const parse = (pasted: string): HTMLElement =>
  new DOMParser().parseFromString(withoutStyles(pasted.replace(/<style\b[\s\S]*?<\/style>/gi, '')), 'text/html').body;

/** A picture that this editor copied: a file of the institution, or one that is being uploaded. */
const isOwn = (picture: Element) =>
  picture.hasAttribute('data-pending') ||
  (/^[\da-f-]{36}$/.test(picture.getAttribute('data-fileid') ?? '') &&
    new URL(picture.getAttribute('src') ?? '', location.href).origin === location.origin);

/**
 * Cleans pasted HTML. `onPicture` uploads a picture that stands in the HTML itself and returns the key of the upload.
 * The schema of the editor and the server check the result again.
 */
export function cleanPasted(pasted: string, onPicture: (file: File) => string): Cleaned {
  const root = parse(pasted);
  root.querySelectorAll(GONE).forEach((element) => element.remove());
  restoreWordLists(root);
  readStyles(root);
  const foreign: string[] = [];
  let local = 0;
  for (const picture of root.querySelectorAll('img')) {
    const address = picture.getAttribute('src') ?? '';
    const file = fileOfDataUrl(address);
    if (file) {
      picture.setAttribute('data-pending', onPicture(file));
      picture.removeAttribute('src');
      continue;
    }
    if (isOwn(picture)) continue;
    if (/^(?:file|blob|cid|about):/i.test(address) || address === '') local += 1;
    else foreign.push(nameOf(address));
    picture.remove();
  }
  unwrapPictures(root);
  for (const element of root.querySelectorAll('*')) {
    const kept = KEPT[element.tagName] ?? [];
    for (const { name } of [...element.attributes])
      if (!kept.includes(name) && name !== 'data-align' && name !== 'data-pm-slice') element.removeAttribute(name);
    const same = SAME[element.tagName];
    if (same) rename(element, same);
    // Words of a namespace of Word, such as <st1:place>: their text stays.
    else if (element.tagName.includes(':')) element.replaceWith(...element.childNodes);
  }
  const comments = root.ownerDocument.createTreeWalker(root, NodeFilter.SHOW_COMMENT);
  const found: Node[] = [];
  while (comments.nextNode()) found.push(comments.currentNode);
  for (const comment of found) comment.parentNode?.removeChild(comment);
  return { html: root.innerHTML, foreign, local };
}

/** Whether pasted HTML is one picture and nothing else, as browsers copy a picture together with its bytes. */
export function isOnlyPicture(pasted: string): boolean {
  const root = parse(pasted);
  return root.querySelectorAll('img').length === 1 && root.textContent.trim() === '';
}
