// The respondent's page without a network: keeps the page and its script and style, nothing else. Calls, answers, pictures and every
// other address pass by untouched and are never kept. One page serves all entries, so one copy does.
const shelf = 'respondent';
const page = '/c/';
const filesOf = (html) => html.match(/\/assets\/respondent-[\w.-]+/g) || [];

/** Keeps a fresh page with its files and drops those of older builds. */
async function keep(response) {
  const cache = await caches.open(shelf);
  const files = filesOf(await response.clone().text());
  if (files.length === 0) return;
  for (const file of files) if (!(await cache.match(file))) await cache.add(file);
  await cache.put(page, response);
  for (const request of await cache.keys()) {
    const { pathname } = new URL(request.url);
    if (pathname !== page && !files.includes(pathname)) await cache.delete(request);
  }
}

self.addEventListener('install', (event) => {
  self.skipWaiting();
  event.waitUntil(fetch(page).then((response) => (response.ok ? keep(response) : undefined)));
});
self.addEventListener('activate', (event) => event.waitUntil(self.clients.claim()));

self.addEventListener('fetch', (event) => {
  const { request } = event;
  const { origin, pathname } = new URL(request.url);
  if (request.method !== 'GET' || origin !== self.location.origin) return;
  if (request.mode === 'navigate' && pathname.startsWith(page)) {
    // The network first: a new build is used at once. A bad gateway's page is no page of ours.
    event.respondWith(
      fetch(request).then(
        (response) => {
          if (response.ok && !response.redirected) event.waitUntil(keep(response.clone()).catch(() => undefined));
          return response;
        },
        async (error) => {
          const kept = await caches.match(page);
          if (kept) return kept;
          throw error;
        },
      ),
    );
  } else if (pathname.startsWith('/assets/respondent-')) {
    event.respondWith(caches.match(request).then((kept) => kept || fetch(request)));
  }
});
