// Measures the compressed bytes of a first visit to the sign-in page, a table page and the respondent's page.
// Prefetched bytes are counted separately. It also measures the first view of the respondent's page on a slow phone.
// `npm run bench bytes`
import { chromium, type Page } from '@playwright/test';
import { launchOptions } from '../e2e/browser.ts';
import start from '../e2e/start.ts';

const stop = await start({ workers: 1 });
const base = process.env['E2E_URL'] as string;
const browser = await chromium.launch(launchOptions);

interface Weight {
  kb: number;
  requests: number;
}

/**
 * Returns the bytes and requests of a page until the network is idle, needed and prefetched ones apart. Prefetched are the files that
 * the sign-in page names (`prefetchPaths`) and the requests after the console's mark `prefetch`.
 */
async function weigh(page: Page, act: () => Promise<unknown>, prefetchPaths: ReadonlySet<string> = new Set()) {
  const session = await page.context().newCDPSession(page);
  await session.send('Network.enable');
  const requestsById = new Map<string, { path: string; time: number; bytes?: number }>();
  session.on('Network.requestWillBeSent', ({ requestId, request, wallTime }) =>
    requestsById.set(requestId, { path: new URL(request.url).pathname, time: wallTime * 1000 }),
  );
  session.on('Network.loadingFinished', ({ requestId, encodedDataLength }) => {
    const request = requestsById.get(requestId);
    if (request) request.bytes = encodedDataLength;
  });
  await act();
  await page.waitForLoadState('networkidle').catch(() => undefined);
  await page.waitForTimeout(4000);
  const prefetchTime = await page.evaluate(() => {
    const [mark] = performance.getEntriesByName('prefetch');
    return mark ? performance.timeOrigin + mark.startTime : Infinity;
  });
  await session.detach();
  const needed: Weight = { kb: 0, requests: 0 };
  const prefetched: Weight = { kb: 0, requests: 0 };
  for (const { path, time, bytes } of requestsById.values()) {
    if (bytes === undefined) continue;
    const weight = prefetchPaths.has(path) || time > prefetchTime ? prefetched : needed;
    weight.kb = Math.round(weight.kb * 10 + bytes / 102.4) / 10;
    weight.requests += 1;
  }
  return { needed, prefetched };
}

const RUNS = 5;

/**
 * Returns the median milliseconds until a page shows its first content, on a phone with slow 4G (the preset of Chrome: 562 ms a request,
 * 1.44 Mbit/s) and a CPU four times slower. `whenReady` waits for an element and returns the median until it is there.
 */
async function timeFirstView(path: string, whenReady?: string) {
  const times: { first: number; ready: number }[] = [];
  for (let run = 0; run < RUNS; run += 1) {
    const context = await browser.newContext({ viewport: { width: 390, height: 844 } });
    const page = await context.newPage();
    const session = await context.newCDPSession(page);
    const bytesPerSecond = 1_474_560 / 8;
    await session.send('Network.enable');
    await session.send('Network.emulateNetworkConditions', {
      offline: false,
      latency: 562.5,
      downloadThroughput: bytesPerSecond,
      uploadThroughput: bytesPerSecond / 2,
    });
    await session.send('Emulation.setCPUThrottlingRate', { rate: 4 });
    await page.goto(`${base}${path}`);
    if (whenReady) await page.locator(whenReady).waitFor();
    const ready = await page.evaluate(() => performance.now());
    await page.waitForFunction(() => performance.getEntriesByName('first-contentful-paint').length > 0);
    const first = await page.evaluate(() => performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? NaN);
    times.push({ first, ready });
    await context.close();
  }
  const median = (values: number[]) => Math.round(values.sort((a, b) => a - b)[Math.floor(RUNS / 2)] ?? NaN);
  return { first: median(times.map(({ first }) => first)), ready: median(times.map(({ ready }) => ready)) };
}

try {
  const login = await browser.newPage();
  const names = /name="warm" content="([^"]*)"/.exec(await (await fetch(`${base}/login`)).text())?.[1]?.split(' ') ?? [];
  const signIn = await weigh(login, () => login.goto(`${base}/login`), new Set(names));
  await login.close();
  const context = await browser.newContext();
  const consolePage = await context.newPage();
  await consolePage.goto(`${base}/login`);
  await consolePage.getByLabel('账号', { exact: true }).fill('demo_school');
  await consolePage.getByLabel('密码', { exact: true }).fill('Demo1234');
  await consolePage.getByRole('button', { name: '登录', exact: true }).click();
  await consolePage.waitForURL((address) => address.pathname !== '/login');
  // The user chooses the app once per browser; the bench measures the later visits.
  await consolePage.getByRole('button', { name: '开始使用' }).click();
  await consolePage.getByRole('button', { name: '开始使用' }).waitFor({ state: 'hidden' });
  const newContext = await browser.newContext({ storageState: await context.storageState() });
  const table = await newContext.newPage();
  const list = await weigh(table, async () => {
    await table.goto(`${base}/task/teamManagement`);
    await table.locator('tbody tr[aria-rowindex]').first().waitFor();
  });
  const phone = await browser.newPage();
  const entry = await weigh(phone, () => phone.goto(`${base}/c/demo-chenguang`));
  const view = await timeFirstView('/c/demo-chenguang', 'input[name=username]');
  const bare = await timeFirstView('/.bare');
  const rows = [
    ['sign-in page', signIn, '<= 60'],
    ['first table page, cold', list, '<= 260'],
    ['respondent page', entry, '<= 35'],
  ] as const;
  const formatWeight = ({ kb, requests }: Weight) => `${String(kb).padStart(8)}${String(requests).padStart(10)}`;
  console.log(
    `\n${'page'.padEnd(28)}${'KB'.padStart(8)}${'requests'.padStart(10)}` +
      `${'prefetch KB'.padStart(12)}${'requests'.padStart(10)}   budget KB`,
  );
  for (const [name, { needed, prefetched }, budget] of rows)
    console.log(`${name.padEnd(28)}${formatWeight(needed)}    ${formatWeight(prefetched)}   ${budget}`);
  console.log(
    `\nfirst view of the respondent page on slow 4G, CPU 4x slower: ${view.first} ms (budget 900), form ${view.ready} ms, ` +
      `a bare page ${bare.first} ms`,
  );
  console.log(JSON.stringify(Object.fromEntries(rows.map(([name, weights]) => [name, weights]))));
} finally {
  await browser.close();
  await stop();
}
