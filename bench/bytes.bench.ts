// Compressed bytes of the first visit to the sign-in page, the first table page and the respondent's page, as a browser loads
// them from the running product. `npm run bench bytes`
import { chromium, type Page } from '@playwright/test';
import { launchOptions } from '../e2e/browser.ts';
import start from '../e2e/start.ts';

const stop = await start();
const base = process.env['E2E_URL'] as string;
const browser = await chromium.launch(launchOptions);

/** Bytes on the wire and number of requests until the network is quiet, without what the sign-in page fetches ahead (`warmed`). */
async function weigh(page: Page, act: () => Promise<unknown>, warmed: ReadonlySet<string> = new Set()) {
  const session = await page.context().newCDPSession(page);
  await session.send('Network.enable');
  let bytes = 0;
  let requests = 0;
  const ahead = new Set<string>();
  session.on('Network.requestWillBeSent', ({ requestId, request }) => {
    if (warmed.has(new URL(request.url).pathname)) ahead.add(requestId);
  });
  session.on('Network.loadingFinished', ({ requestId, encodedDataLength }) => {
    if (ahead.has(requestId)) return;
    bytes += encodedDataLength;
    requests += 1;
  });
  await act();
  await page.waitForLoadState('networkidle').catch(() => undefined);
  await session.detach();
  return { kb: Math.round(bytes / 102.4) / 10, requests };
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
  const cold = await browser.newContext({ storageState: await context.storageState() });
  const table = await cold.newPage();
  const list = await weigh(table, () => table.goto(`${base}/task/teamManagement`));
  const phone = await browser.newPage();
  const entry = await weigh(phone, () => phone.goto(`${base}/c/demo-chenguang`));
  const rows = [
    ['sign-in page', signIn, '<= 60'],
    ['first table page, cold', list, '<= 220'],
    ['respondent page', entry, '<= 60 · <= 25'],
  ] as const;
  console.log(`\n${'page'.padEnd(28)}${'KB'.padStart(8)}${'requests'.padStart(10)}   budget KB`);
  for (const [name, { kb, requests }, budget] of rows)
    console.log(`${name.padEnd(28)}${String(kb).padStart(8)}${String(requests).padStart(10)}   ${budget}`);
  console.log(JSON.stringify(Object.fromEntries(rows.map(([name, measured]) => [name, measured]))));
} finally {
  await browser.close();
  await stop();
}
