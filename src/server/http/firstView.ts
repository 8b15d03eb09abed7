import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { firstViewOf } from '#domain/exam/firstView.ts';

const escape = (text: string) =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');

/**
 * Returns the first view of an entry as HTML, in the markup of IdentifyPage. The phone shows it before the script arrives; the page then
 * draws itself over it.
 */
export function paintFirstView(entry: Parameters<typeof firstViewOf>[0]): string {
  const { heading, institution, welcome, facts } = firstViewOf(entry);
  const paragraphs = welcome.split(/\r?\n+/).filter((part) => part.trim() !== '');
  return [
    `<header class="top"><span class="brand">${escape(entry.insname)}</span></header>`,
    `<main><div><div class="page"><h1>${escape(heading)}</h1>`,
    institution && `<p class="institution">${escape(institution)}</p>`,
    `<div class="lead">${paragraphs.map((part) => `<p>${escape(part)}</p>`).join('')}</div>`,
    `<ul class="facts">${facts.map(([title, text]) => `<li><b>${title}</b><span>${text}</span></li>`).join('')}</ul>`,
    '</div></div></main>',
  ].join('');
}

/** Returns a page with its style sheet inside: the first view then needs no second request. */
export async function inlineStyles(html: string, dist: string): Promise<string> {
  const [link = '', path] = /<link rel="stylesheet"[^>]* href="([^"]+)">/.exec(html) ?? [];
  if (!path) return html;
  const css = await readFile(join(dist, path), 'utf8');
  return html.replace(link, () => `<style nonce="__NONCE__">${css}</style>`);
}
