// The console without a network: one page that says what is known and what is not. It keeps nothing of the server on the device, because
// cases and names do not belong there. Pages of respondents have a worker of their own (c/offline.js).
const html = `<!doctype html>
<html lang="zh-CN"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1">
<title>网络已断开 - AI智慧心理-管理端</title>
<style>
:root{color-scheme:light dark;--ink:#1d2622;--soft:#55615b;--page:#f4f6f5;--card:#fff;--line:#d9dfdc}
@media(prefers-color-scheme:dark){:root{--ink:#e6ebe8;--soft:#a3afa9;--page:#151a18;--card:#1e2422;--line:#38413d}}
body{margin:0;background:var(--page);color:var(--ink);font:16px/1.7 system-ui,"PingFang SC","Microsoft YaHei","Noto Sans CJK SC",sans-serif}
main{max-width:520px;margin:8vh auto;padding:24px;background:var(--card);border:1px solid var(--line);border-radius:12px}
h1{font-size:22px;margin:0 0 8px}h2{font-size:16px;margin:20px 0 4px}p,ul{margin:0}ul{padding-left:20px}
small{display:block;margin-top:20px;color:var(--soft)}a{color:inherit}
@media(max-width:560px){main{margin:0;min-height:100vh;box-sizing:border-box;border:0;border-radius:0}}
</style></head><body><main>
<h1>网络已断开</h1>
<p>现在连不上服务器，看不到个案和名单。</p>
<h2>可以确定的</h2>
<ul><li>已经保存的处置、记录和答卷都在服务器上，没有丢失。</li>
<li>预警和受理时限照常计算，超时会通知您的同事和上级。</li>
<li>本机不保存个案和姓名。</li></ul>
<h2>无法确定的</h2>
<ul><li>断网期间有没有新的预警：请打电话向值班同事或上级确认。</li>
<li>断网时点的“保存”是否成功：恢复后请打开该页核对一次。</li></ul>
<h2>情况紧急</h2>
<p>有人有即时危险：<a href="tel:120">120</a>、<a href="tel:110">110</a>；心理援助热线：<a href="tel:12356">12356</a>。</p>
<small>网络恢复后本页自动打开，也可以<a href="">立即重试</a>。</small>
</main><script>addEventListener('online',()=>location.reload())</script></body></html>`;

// The hash of the only script of the page.
const script = 'sha256-zUrpI4a/9ssL41jvBxDp6kI2En1grUlk4bFAH/DVG1g=';

self.addEventListener('install', () => self.skipWaiting());
self.addEventListener('activate', (event) =>
  event.waitUntil(Promise.all([self.clients.claim(), self.registration.navigationPreload?.enable()])),
);

self.addEventListener('fetch', (event) => {
  const { mode, url } = event.request;
  if (mode !== 'navigate' || new URL(url).pathname.startsWith('/c/')) return;
  event.respondWith(
    (async () => {
      try {
        return (await event.preloadResponse) || (await fetch(event.request));
      } catch {
        const headers = {
          'content-type': 'text/html; charset=utf-8',
          'content-security-policy': `default-src 'none'; style-src 'unsafe-inline'; script-src '${script}'; base-uri 'none'`,
        };
        return new Response(html, { status: 503, headers });
      }
    })(),
  );
});
