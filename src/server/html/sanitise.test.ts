import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { textOf } from '#domain/content/articleHtml.ts';
import { addPictureSources, keepPictures, sanitise } from '#server/html/sanitise.ts';
import { hostileHtml } from '#testing/content/hostileHtml.ts';
import { findArticleFaults } from '#testing/content/readArticle.ts';
import { sizeOf } from '#testing/size.ts';

const PICTURE = '0b0b0b0b-1111-2222-3333-444455556666';
const OTHER = '0c0c0c0c-1111-2222-3333-444455556666';
const htmlOf = (html: string) => sanitise(html).html;
const removedOf = (html: string) => sanitise(html).removed;

/** The hostile texts without those that are only long. */
const shortOnes = Object.values(hostileHtml).filter((html) => html.length < 400);

describe('a hostile text', () => {
  test.each(Object.entries(hostileHtml))('%s leaves nothing but allowed tags', (_, html) => {
    const clean = htmlOf(html);
    expect(findArticleFaults(clean)).toEqual([]);
    expect(htmlOf(clean)).toBe(clean);
  });

  test('is safe inside every tag that an article may have, also when it is coded once more', () => {
    const coded = (html: string) => html.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
    for (const html of shortOnes)
      for (const tag of ['p', 'a href="https://a.example/"', 'td', 'svg'])
        for (const text of [`<${tag}>${html}`, `<${tag}>${coded(html)}</${tag}>`, `<p title="${html}">文</p>`])
          expect([text.slice(0, 80), findArticleFaults(htmlOf(text))]).toEqual([text.slice(0, 80), []]);
  });

  test('a check that never fails would see nothing: the reader of the tests finds each kind of fault', () => {
    for (const bad of [
      ...[
        '<p onclick="x">文</p>',
        '<script></script>',
        '<p>',
        '</p>',
        '<p>a < b</p>',
        '<img src="x">',
        '<p style="top:0">文</p>',
      ],
      ...[
        '<a href="javascript:x" rel="noopener noreferrer">文</a>',
        '<a href="https://a.example/">文</a>',
        '<p\n>文</p>',
        '&copy;',
      ],
      ...['<td colspan="1">文</td>', '<br>', '<P>文</P>', 'a\0b', '<!-- x -->', '<p style="text-align:center;top:0">文</p>'],
    ])
      expect([bad, findArticleFaults(bad).length > 0]).toEqual([bad, true]);
  });

  const tags = [
    ...'p h1 h2 ul li table tr td div section b strong a img figure svg math style script noscript iframe p'.split(' '),
  ];
  const names = ['href', 'src', 'style', 'onerror', 'data-fileid', 'alt', 'colspan', 'align', 'class', 'rel', 'xlink:href'];
  const values = [
    ...['javascript:alert(1)', 'https://a.example/?a=1&b=2', PICTURE, 'text-align:right', 'position:fixed', '"', '">', "'", '2'],
    ...['&quot;', '&#x22;>', 'java\nscript:1', '', '\0', '//x', 'mailto:a@b.cn', 'tel:+86 110'],
  ];
  const soup = fc
    .array(
      fc.oneof(
        fc.constantFrom(...tags).chain((tag) =>
          fc
            .array(fc.tuple(fc.constantFrom(...names), fc.constantFrom(...values), fc.constantFrom('"', "'", '')), {
              maxLength: 3,
            })
            .map((list) => `<${tag}${list.map(([name, value, quote]) => ` ${name}=${quote}${value}${quote}`).join('')}>`),
        ),
        fc.constantFrom(...tags).map((tag) => `</${tag}>`),
        fc.constantFrom(
          '文',
          '&lt;',
          '&amp;lt;',
          '<',
          '>',
          '&',
          '"',
          '<!--',
          '-->',
          ']]>',
          '<![CDATA[',
          '\0',
          '\r\n',
          '&#0;',
          '&#13;',
        ),
        fc.constantFrom(...shortOnes),
        fc.string({ unit: 'binary', maxLength: 8 }),
      ),
      { maxLength: 14 },
    )
    .map((parts) => parts.join(''));

  test('of any kind is safe, and sanitising it again changes nothing', () => {
    fc.assert(
      fc.property(soup, (html) => {
        const clean = htmlOf(html);
        expect(findArticleFaults(clean)).toEqual([]);
        expect(htmlOf(clean)).toBe(clean);
      }),
      { numRuns: sizeOf(400, 20_000) },
    );
  });

  test('as long as a call may be keeps its words', () => {
    expect(htmlOf('<div onclick=x><p style="color:red">一<b>二</b></div>'.repeat(4000))).toBe(
      '<p>一<strong>二</strong></p>'.repeat(4000),
    );
  });
});

describe('the text of an editor', () => {
  test('keeps headings, lists, quotations, emphasis, links, tables, figures and alignment', () => {
    const text =
      '<h2 style="text-align:center">睡眠</h2><p>早点<strong>睡</strong>，<em>少</em>看<u>手机</u><s>不</s><br />见 ' +
      '<a href="https://www.example.cn/a?b=1&amp;c=2" rel="noopener noreferrer">这里</a></p><ul><li><p>一</p></li></ul>' +
      '<ol><li>二</li></ol><blockquote><p>三</p></blockquote><hr />' +
      `<figure><img data-fileid="${PICTURE}" alt="海边" /><figcaption>图 1</figcaption></figure>` +
      '<table><thead><tr><th colspan="2">头</th></tr></thead>' +
      '<tbody><tr><td rowspan="2" style="text-align:right">1</td></tr></tbody></table>';
    expect(sanitise(text)).toEqual({ html: text, fileids: [PICTURE], removed: [] });
  });

  test('loses what its editor adds for itself, without a word', () => {
    expect(
      sanitise(
        '<table style="min-width: 50px"><colgroup><col style="min-width: 25px"></colgroup><tbody><tr><td colspan="1" rowspan="1" ' +
          'colwidth="120"><p style="text-align: left">1</p></td></tr></tbody></table><p class="x"></p>',
      ),
    ).toEqual({
      html: '<table><tbody><tr><td><p style="text-align:left">1</p></td></tr></tbody></table><p></p>',
      fileids: [],
      removed: [],
    });
  });

  test('a picture is stored by its file, never by its address', () => {
    const text = `<img src="/files?k=abc" data-fileid="${PICTURE.toUpperCase()}" alt=" 海\n边 " width="300" loading="lazy">`;
    expect(sanitise(text)).toEqual({
      html: `<img data-fileid="${PICTURE}" alt="海 边" />`,
      fileids: [PICTURE],
      removed: [],
    });
  });
});

describe('a text from a page or from Word', () => {
  test('keeps its meaning: bold, italics, struck words, headings, blocks and centred paragraphs', () => {
    expect(htmlOf('<h1>标题</h1><h5>小</h5><b>粗</b><i>斜</i><del>删</del><ins>增</ins>')).toBe(
      '<h2>标题</h2><h4>小</h4><strong>粗</strong><em>斜</em><s>删</s><u>增</u>',
    );
    expect(htmlOf('<div><div>一</div><section>二<ul><li>三</li></ul>四</section></div>')).toBe(
      '<p>一</p><p>二</p><ul><li>三</li></ul>四',
    );
    expect(htmlOf('<center>中</center><p align=right>右</p>')).toBe(
      '<p style="text-align:center">中</p><p style="text-align:right">右</p>',
    );
  });

  test('loses the parts of the office program', () => {
    const { html, removed } = sanitise(
      '<html xmlns:o="x"><head><meta charset=utf-8><title>文档1</title><style>p{color:red}</style><xml><w:View>Normal</w:View></xml></head>' +
        '<body><!--[if gte mso 9]><xml>x</xml><![endif]--><p class=MsoNormal style="mso-pagination:none">' +
        '<span lang=EN-US>睡眠<o:p></o:p></span></p></body></html>',
    );
    expect({ html, removed }).toEqual({ html: '<p>睡眠</p>', removed: ['样式表', '不支持的样式'] });
  });

  test('says in words what was taken out', () => {
    expect(removedOf('<p>文</p>')).toEqual([]);
    expect(removedOf('<script>1</script><p onclick=1>文</p>')).toEqual(['脚本']);
    expect(removedOf('<img src=https://a.example/1><img src=//a.example/2><img src="data:image/png;base64,AA">')).toEqual([
      '未上传的图片 1 张',
      '外部图片 2 张',
    ]);
    expect(removedOf('<a href=http://a.example/>文</a><a name=x>文</a><p style="color:red">文</p><mark>文</mark>')).toEqual([
      '不支持的链接 1 个',
      '不支持的样式',
      '不支持的格式',
    ]);
    expect(removedOf('<iframe></iframe><form><input></form><svg></svg><style></style>')).toEqual([
      '样式表',
      '嵌入内容',
      '表单控件',
      '矢量图与公式',
    ]);
  });

  test('keeps the words of links that lead nowhere', () => {
    expect(htmlOf('<a href="javascript:alert(1)">更多</a><a href="tel:010-1234 5678">电话</a>')).toBe(
      '更多<a href="tel:01012345678" rel="noopener noreferrer">电话</a>',
    );
    expect(htmlOf('<a href="MAILTO:a@b.cn?subject=x">信</a>')).toBe('<a href="mailto:a@b.cn" rel="noopener noreferrer">信</a>');
    expect(htmlOf('<a href="https://例子.cn/路">站</a>')).toBe(
      '<a href="https://xn--fsqu00a.cn/%E8%B7%AF" rel="noopener noreferrer">站</a>',
    );
  });
});

describe('the pictures of a text', () => {
  const text =
    `<figure><img data-fileid="${PICTURE}" alt="海" /><figcaption>图</figcaption></figure>` +
    `<p><img data-fileid="${OTHER}" alt="" /></p>`;

  test('get their addresses when somebody reads it', () => {
    const read = addPictureSources(text, (fileid) => `/files?k=${fileid}&x="1"`);
    expect(read).toContain(`<img data-fileid="${PICTURE}" alt="海" src="/files?k=${PICTURE}&amp;x=&quot;1&quot;" />`);
    expect(htmlOf(read)).toBe(text);
  });

  test('disappear with their figure when their file is gone', () => {
    expect(addPictureSources(text, (fileid) => (fileid === OTHER ? '/files?k=1' : undefined))).toBe(
      `<p><img data-fileid="${OTHER}" alt="" src="/files?k=1" /></p>`,
    );
    expect(keepPictures(text, new Set([PICTURE]))).toBe(
      `<figure><img data-fileid="${PICTURE}" alt="海" /><figcaption>图</figcaption></figure><p></p>`,
    );
  });

  test('leave the words of the text alone', () => {
    expect(textOf(addPictureSources(text, () => undefined))).toBe('');
  });
});
