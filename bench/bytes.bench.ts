// Compressed bytes of the first visit to the sign-in page, the first table page and the respondent's page, as a browser loads
// them from the running product; what is fetched ahead while the page is idle stands beside it. `npm run bench bytes`
import { chromium, type Page } from '@playwright/test';
import { launchOptions } from '../e2e/browser.ts';
import start from '../e2e/start.ts';

const stop = await start();
const base = process.env['E2E_URL'] as string;
const browser = await chromium.launch(launchOptions);

interface Weight {
  kb: number;
  requests: number;
}

/**
 * Bytes on the wire and number of requests until the network is quiet, apart from what is fetched ahead: files the sign-in page names
 * (`warmed`), and what the console asks for once its first page stands (its mark `prefetch`).
 */
async function weigh(page: Page, act: () => Promise<unknown>, warmed: ReadonlySet<string> = new Set()) {
  const session = await page.context().newCDPSession(page);
  await session.send('Network.enable');
  const sent = new Map<string, { path: string; at: number; bytes?: number }>();
  session.on('Network.requestWillBeSent', ({ requestId, request, wallTime }) =>
    sent.set(requestId, { path: new URL(request.url).pathname, at: wallTime * 1000 }),
  );
  session.on('Network.loadingFinished', ({ requestId, encodedDataLength }) => {
    const request = sent.get(requestId);
    if (request) request.bytes = encodedDataLength;
  });
  await act();
  await page.waitForLoadState('networkidle').catch(() => undefined);
  await page.waitForTimeout(4000);
  const stood = await page.evaluate(() => {
    const [mark] = performance.getEntriesByName('prefetch');
    return mark ? performance.timeOrigin + mark.startTime : Infinity;
  });
  await session.detach();
  const needed: Weight = { kb: 0, requests: 0 };
  const prefetched: Weight = { kb: 0, requests: 0 };
  for (const { path, at, bytes } of sent.values()) {
    if (bytes === undefined) continue;
    const weight = warmed.has(path) || at > stood ? prefetched : needed;
    weight.kb = Math.round(weight.kb * 10 + bytes / 102.4) / 10;
    weight.requests += 1;
  }
  return { needed, ahead: prefetched };
}

try {
  const login = await browser.newPage();
  const names = /name="warm" content="([^"]*)"/.exec(await (await fetch(`${base}/login`)).text())?.[1]?.split(' ') ?? [];
  const signIn = await weigh(login, () => login.goto(`${base}/login`), new Set(names));
  await login.close();
  const context = await browser.newContext();
  const desk = await context.newPage();
  await desk.goto(`${base}/login`);
  await desk.getByLabel('账号', { exact: true }).fill('demo_school');
  await desk.getByLabel('密码', { exact: true }).fill('Demo1234');
  await desk.getByRole('button', { name: '登录', exact: true }).click();
  await desk.waitForURL((at) => at.pathname !== '/login');
  // The app is chosen once per browser; what is weighed is the visit of every day.
  await desk.getByRole('button', { name: '开始使用' }).click();
  await desk.getByRole('button', { name: '开始使用' }).waitFor({ state: 'hidden' });
  const cold = await browser.newContext({ storageState: await context.storageState() });
  const table = await cold.newPage();
  const list = await weigh(table, async () => {
    await table.goto(`${base}/task/teamManagement`);
    await table.locator('tbody tr[aria-rowindex]').first().waitFor();
  });
  const phone = await browser.newPage();
  const entry = await weigh(phone, () => phone.goto(`${base}/c/demo-chenguang`));
  const rows = [
    ['sign-in page', signIn, '<= 60'],
    ['first table page, cold', list, '<= 260'],
    ['respondent page', entry, '<= 35'],
  ] as const;
  const figure = ({ kb, requests }: Weight) => `${String(kb).padStart(8)}${String(requests).padStart(10)}`;
  console.log(
    `\n${'page'.padEnd(28)}${'KB'.padStart(8)}${'requests'.padStart(10)}${'ahead KB'.padStart(10)}${'requests'.padStart(10)}   budget KB`,
  );
  for (const [name, { needed, ahead: prefetched }, budget] of rows)
    console.log(`${name.padEnd(28)}${figure(needed)}  ${figure(prefetched)}   ${budget}`);
  console.log(JSON.stringify(Object.fromEntries(rows.map(([name, measured]) => [name, measured]))));
} finally {
  await browser.close();
  await stop();
}
