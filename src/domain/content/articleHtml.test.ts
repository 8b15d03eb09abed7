import { describe, expect, test } from 'vitest';
import { preparePage, summarise, textOf } from '#domain/content/articleHtml.ts';

describe('an article on a page', () => {
  test('alignment is an attribute, because pages refuse inline styles', () => {
    expect(preparePage('<p style="text-align:center">睡眠</p><h2 style="text-align: right;">二</h2>')).toBe(
      '<p data-align="center">睡眠</p><h2 data-align="right">二</h2>',
    );
    expect(preparePage('<p style="position:fixed">睡眠</p>')).toBe('<p>睡眠</p>');
  });

  test('words that look like code stay words', () => {
    const text = '<p>写 style="text-align:center" 的人 &lt;table&gt;</p>';
    expect(preparePage(text)).toBe(text);
  });

  test('a table scrolls in its own frame and keyboards reach it', () => {
    expect(preparePage('<table><tbody><tr><td>一</td></tr></tbody></table>')).toBe(
      '<div class="article-table" role="group" aria-label="表格，可左右滑动" tabindex="0">' +
        '<table><tbody><tr><td>一</td></tr></tbody></table></div>',
    );
  });

  test('pictures load when they come near', () => {
    expect(preparePage('<img src="/f/1" alt="海边">')).toBe('<img loading="lazy" decoding="async" src="/f/1" alt="海边">');
  });
});

describe('the summary of an article', () => {
  test('is its text without pictures and tags', () => {
    expect(textOf('<h2>睡眠</h2><p>早点<strong>睡</strong>&amp;早点起&nbsp;来</p><img alt="床">')).toBe('睡眠 早点睡&早点起 来');
    expect(summarise('<p>短文。</p>')).toBe('短文。');
  });

  test('ends after a sentence, or with an ellipsis in a long one', () => {
    expect(summarise(`<p>${'一'.repeat(50)}。${'二'.repeat(100)}</p>`)).toBe(`${'一'.repeat(50)}。`);
    const cut = summarise(`<p>${'长'.repeat(300)}</p>`);
    expect([...cut].length).toBe(120);
    expect(cut.endsWith('…')).toBe(true);
  });
});
