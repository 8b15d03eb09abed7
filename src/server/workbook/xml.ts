import type { Readable } from 'node:stream';
import { SaxesParser } from 'saxes';
import { LIMITS, WorkbookRefused } from './refused.ts';

/** The event handlers of a part's reader. Names have no namespace prefix. */
export interface XmlEvents {
  open?: (name: string, attributes: Readonly<Record<string, string>>) => void;
  text?: (text: string) => void;
  close?: (name: string) => void;
}

/** The message for a damaged file. */
export const BROKEN = '文件已损坏，无法读取：请用 Excel 或 WPS 打开后另存为 .xlsx 再上传';
/** The message for a file with too much content. */
export const TOO_MUCH = '文件内容过多，无法读取：请删去与名单无关的内容，或分成几个文件上传';

const localName = (name: string): string => name.slice(name.indexOf(':') + 1);

/**
 * Parses one XML part while it is decompressed; only the current tag is in memory. It refuses document type declarations, because
 * entities can multiply and read other files. It also refuses text that is not UTF-8, and more than 1 MB between two tags.
 */
export async function parseXml(source: Readable, events: XmlEvents): Promise<void> {
  // Add no property to the parser: V8 would then make it slower.
  const parser = new SaxesParser<{ xmlns: false; position: false }>({ xmlns: false, position: false });
  let run = 0;
  let tail = '';
  parser.on('opentag', (tag) => {
    run = 0;
    events.open?.(localName(tag.name), tag.attributes);
  });
  parser.on('closetag', (tag) => {
    run = 0;
    events.close?.(localName(tag.name));
  });
  parser.on('text', (text) => events.text?.(text));
  parser.on('cdata', (text) => events.text?.(text));
  parser.on('error', (error) => {
    throw error;
  });
  const decoder = new TextDecoder('utf-8', { fatal: true });
  const push = (text: string): void => {
    // In a part that spreadsheet programs write, "<!" only opens comments and CDATA.
    if (/<!(?:DOCTYPE|ENTITY)/i.test(tail + text)) throw new WorkbookRefused('broken', BROKEN);
    tail = text.slice(-9);
    run += text.length;
    if (run > LIMITS.run) throw new WorkbookRefused('limit', TOO_MUCH);
    parser.write(text);
  };
  for await (const chunk of source) push(decoder.decode(chunk as Buffer, { stream: true }));
  push(decoder.decode());
  parser.close();
}
