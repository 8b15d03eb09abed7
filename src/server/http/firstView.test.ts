import { expect, test } from 'vitest';
import { paintFirstView } from '#server/http/firstView.ts';

test('the first view is in the page: the title, the institution and the welcome, and no text of an institution becomes markup', () => {
  const view = paintFirstView({
    clienttitle: '初中部<心理>测评',
    insname: '云栖市晨光中学',
    welcome: '欢迎你。\n<script>alert("1")</script> & 谢谢',
    sector: 'edu',
  });
  expect(view).toContain('<h1>初中部&lt;心理&gt;测评</h1>');
  expect(view).toContain('<p class="institution">云栖市晨光中学</p>');
  expect(view).toContain('<p>欢迎你。</p><p>&lt;script&gt;alert(&quot;1&quot;)&lt;/script&gt; &amp; 谢谢</p>');
  expect(view).toContain('不是诊断');
});
