// Takes the pictures of the README from the running product: npm run screenshots
import { mkdir } from 'node:fs/promises';
import { chromium, devices, type Page } from '@playwright/test';
import { launchOptions } from '../e2e/browser.ts';
import start from '../e2e/start.ts';
import { password } from '../e2e/people.ts';

const folder = new URL('../docs/images/', import.meta.url).pathname;
await mkdir(folder, { recursive: true });
const stop = await start({ workers: 1 });
const base = process.env['E2E_URL'] as string;
const browser = await chromium.launch(launchOptions);
const waitUntilLoaded = async (page: Page) => {
  await page.waitForLoadState('networkidle').catch(() => undefined);
  await page.waitForTimeout(600);
};
try {
  const page = await browser.newPage({ viewport: { width: 1440, height: 900 }, locale: 'zh-CN', timezoneId: 'Asia/Shanghai' });
  await page.goto(`${base}/login`);
  await page.getByLabel('账号', { exact: true }).fill('demo_psych');
  await page.getByLabel('密码', { exact: true }).fill(password);
  await page.getByRole('button', { name: '登录', exact: true }).click();
  await page.waitForURL((url) => url.pathname !== '/login');
  await page
    .getByRole('button', { name: '开始使用' })
    .click({ timeout: 8000 })
    .catch(() => undefined);
  const shoot = async (path: string, name: string) => {
    await page.goto(base + path);
    await waitUntilLoaded(page);
    await page.screenshot({ path: `${folder}${name}.png` });
  };
  await shoot('/workbench', 'workbench');
  await shoot('/earlyWarning/earlyWarningLevel', 'warnings');
  // The first case of the list, on its full page.
  await page
    .locator('tbody tr')
    .first()
    .getByRole('button', { name: /^(处理|查看)$/ })
    .click();
  await page.getByRole('link', { name: '整页打开' }).click();
  await waitUntilLoaded(page);
  await page.screenshot({ path: `${folder}case.png` });
  // The board of the task that runs in all classes.
  await page.goto(`${base}/task/administration?status=1`);
  await page.getByRole('link', { name: /心理复查$/ }).click();
  await waitUntilLoaded(page);
  await page.screenshot({ path: `${folder}board.png` });
  const phone = await browser.newPage({ ...devices['iPhone 13'], locale: 'zh-CN' });
  await phone.goto(`${base}/c/demo-chenguang`);
  await waitUntilLoaded(phone);
  await phone.screenshot({ path: `${folder}phone.png` });
} finally {
  await browser.close();
  await stop();
}
