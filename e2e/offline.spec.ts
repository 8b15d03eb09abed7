import { devices } from '@playwright/test';
import { accessibilityFaults, expect, expectFitsWindow, signIn, test, url } from './people.ts';

test('without a network the console says on a phone what is known and what is not, and comes back by itself', async ({
  browser,
}) => {
  const context = await browser.newContext({
    ...devices['Pixel 7'],
    serviceWorkers: 'allow',
    locale: 'zh-CN',
    timezoneId: 'Asia/Shanghai',
  });
  const page = await context.newPage();
  await signIn(page, 'demo_duty');
  await page.goto(url('/earlyWarning/earlyWarningLevel'));
  await expect(page.getByRole('main')).toBeVisible();
  await page.evaluate(() => navigator.serviceWorker.ready.then(() => undefined));
  await expect.poll(() => page.evaluate(() => navigator.serviceWorker.controller !== null)).toBe(true);

  await context.setOffline(true);
  await page.reload().catch(() => undefined);
  await expect(page.getByRole('heading', { name: '网络已断开' })).toBeVisible();
  await expect(page.getByText('本机不保存个案和姓名')).toBeVisible();
  await expect(page.getByRole('link', { name: '12356' })).toHaveAttribute('href', 'tel:12356');
  expect(await accessibilityFaults(page)).toEqual([]);
  await expectFitsWindow(page);
  // The device keeps nothing of the server.
  expect(await page.evaluate(() => caches.keys())).toEqual([]);

  await context.setOffline(false);
  await expect(page.getByRole('heading', { name: '网络已断开' })).toBeHidden();
  await expect(page.getByRole('main')).toContainText('危机预警');
  await context.close();
});

test('the console can be installed: its manifest names icons that exist', async ({ page }) => {
  await signIn(page, 'demo_duty');
  const address = await page.locator('link[rel=manifest]').getAttribute('href');
  const answer = await page.request.get(url(address ?? ''));
  const manifest = (await answer.json()) as { start_url: string; display: string; icons: { src: string; sizes: string }[] };
  expect(manifest).toMatchObject({ start_url: '/', display: 'standalone' });
  expect(manifest.icons.map(({ sizes }) => sizes)).toEqual(['192x192', '512x512', '512x512', 'any']);
  for (const { src } of manifest.icons) expect((await page.request.get(url(src))).status()).toBe(200);
});
