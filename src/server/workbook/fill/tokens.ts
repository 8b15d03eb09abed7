import { Readable } from 'node:stream';
import { WorkbookRefused } from '../refused.ts';
import { BROKEN, parseXml } from '../xml.ts';

/** A tag of an XML text with its place in the text. `name` has no namespace prefix; `raw` is the text of the attributes. */
export interface Tag {
  kind: 'open' | 'close' | 'empty';
  name: string;
  prefix: string;
  raw: string;
  start: number;
  end: number;
}

// Comments, CDATA and instructions come first, because they may contain what looks like a tag.
const TOKEN =
  /<!--[\s\S]*?-->|<!\[CDATA\[[\s\S]*?\]\]>|<\?[\s\S]*?\?>|<(\/?)(?:([^\s:/>]+):)?([^\s:/>]+)((?:[^"'>]|"[^"]*"|'[^']*')*?)(\/?)>/g;

/** Yields the tags of a text that `readXmlText` has checked. */
export function* tagsOf(xml: string): Generator<Tag> {
  for (const match of xml.matchAll(TOKEN)) {
    const [text, slash, prefix, name, raw, empty] = match;
    if (name === undefined) continue;
    const kind = slash ? 'close' : empty ? 'empty' : 'open';
    yield { kind, name, prefix: prefix ? `${prefix}:` : '', raw: raw ?? '', start: match.index, end: match.index + text.length };
  }
}

/** Returns the value of an attribute without its escapes; undefined without the attribute. */
export function attributeOf(raw: string, name: string): string | undefined {
  const match = new RegExp(`(?:^|\\s)${name}\\s*=\\s*(?:"([^"]*)"|'([^']*)')`).exec(raw);
  return match ? unescapeXml(match[1] ?? match[2] ?? '') : undefined;
}

/** Returns the attributes with one of them set. */
export function withAttribute(raw: string, name: string, value: string): string {
  return `${withoutAttribute(raw, name).trimEnd()} ${name}="${value}"`;
}

/** Returns the attributes without one of them. */
export function withoutAttribute(raw: string, name: string): string {
  return raw.replace(new RegExp(`(^|\\s)${name}\\s*=\\s*(?:"[^"]*"|'[^']*')`), '');
}

const ENTITIES: Readonly<Record<string, string>> = { lt: '<', gt: '>', amp: '&', quot: '"', apos: "'" };

/** Returns the text of element content: entities replaced, CDATA unwrapped, tags and comments left out. */
export function unescapeXml(xml: string): string {
  return xml
    .replace(/<!\[CDATA\[([\s\S]*?)\]\]>/g, (_, text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;'))
    .replace(/<[^>]*>/g, '')
    .replace(/&(?:(lt|gt|amp|quot|apos)|#x([0-9a-fA-F]{1,6})|#(\d{1,7}));/g, (_, word?: string, hex?: string, digits?: string) =>
      word ? (ENTITIES[word] as string) : String.fromCodePoint(hex ? parseInt(hex, 16) : Number(digits)),
    );
}

/** Refuses a part with a document type declaration, with broken XML, or in another encoding than UTF-8; returns its text otherwise. */
export async function readXmlText(content: Buffer): Promise<string> {
  if (/<!(?:DOCTYPE|ENTITY)/i.test(content.toString('latin1')))
    throw new WorkbookRefused(
      'broken',
      '文件里有文档类型声明（DTD），打开时可能读取别的文件：请用 Excel 或 WPS 另存为 .xlsx 后再上传',
    );
  try {
    await parseXml(Readable.from([content]), {});
    // The byte order mark stays in the text, so that writing the text again gives the same bytes.
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(content);
  } catch (error) {
    throw error instanceof WorkbookRefused ? error : new WorkbookRefused('broken', BROKEN);
  }
}
