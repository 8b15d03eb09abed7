/** The last step between the sanitised HTML of an article and a page. Pages of staff and of persons share it. */

/** One tag. A quoted value may contain `>`. */
const TAG = /<\/?[a-z](?:"[^"]*"|[^>"])*>/g;
const ALIGN = / style="text-align:\s*(left|center|right|justify);?"/;
const STYLE = / style="[^"]*"/g;

/**
 * Prepares sanitised HTML for a page. Alignment becomes `data-align`, because pages refuse inline styles. A table gets a frame that
 * scrolls sideways; pictures load when they come near.
 */
export function preparePage(sanitised: string): string {
  return sanitised.replace(TAG, (tag) => {
    const plain = tag.replace(ALIGN, ' data-align="$1"').replace(STYLE, '');
    if (plain.startsWith('<table'))
      return `<div class="article-table" role="group" aria-label="表格，可左右滑动" tabindex="0">${plain}`;
    if (plain === '</table>') return `${plain}</div>`;
    return plain.startsWith('<img') ? plain.replace('<img', '<img loading="lazy" decoding="async"') : plain;
  });
}

/** Returns the text of sanitised HTML: paragraphs become single spaces, pictures nothing. */
export function textOf(sanitised: string): string {
  const entities: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', '#39': "'", nbsp: ' ' };
  return sanitised
    .replace(/<\/?(?:p|h[2-4]|li|ul|ol|blockquote|figure|figcaption|table|thead|tbody|tr|t[hd]|br|hr)\b[^>]*>/g, ' ')
    .replace(TAG, '')
    .replace(/&(amp|lt|gt|quot|#39|nbsp);/g, (_, name: string) => entities[name] ?? '')
    .replace(/\s+/g, ' ')
    .trim();
}

/** Returns the first sentences of an article as its summary: at most `max` characters, cut after a sentence where possible. */
export function summarise(sanitised: string, max = 120): string {
  const letters = [...textOf(sanitised)];
  if (letters.length <= max) return letters.join('');
  const start = letters.slice(0, max).join('');
  const end = Math.max(...['。', '！', '？', '；'].map((mark) => start.lastIndexOf(mark)));
  return end >= max / 3 ? start.slice(0, end + 1) : `${letters.slice(0, max - 1).join('')}…`;
}
