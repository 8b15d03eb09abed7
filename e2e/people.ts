import { AxeBuilder } from '@axe-core/playwright';
import { expect, test as base, type Download, type Page, type Route } from '@playwright/test';
import type { ResponseOf } from '../src/contract/action.ts';
import type { getUserInfo } from '../src/features/session/session.contract.ts';
import { openSession, password, url } from './session.ts';

/** Runs in the page and collects the texts of its notifications. */
function collectNotifications() {
  const notifications: string[] = [];
  Object.assign(globalThis, { notifications });
  const message = '.mantine-Notification-root';
  new MutationObserver((changes) => {
    for (const node of changes.flatMap(({ addedNodes }) => [...addedNodes]))
      if (node instanceof HTMLElement)
        for (const item of [node, ...node.querySelectorAll(message)])
          if (item.matches(message)) notifications.push(item.textContent);
  }).observe(document, { childList: true, subtree: true });
}

/** Expects that the page has shown a notification. Notifications disappear after seconds, so the page collects them. */
export const expectNotification = (page: Page, text: RegExp) =>
  expect
    .poll(() => page.evaluate(() => (globalThis as { notifications?: string[] }).notifications ?? []).catch(() => []))
    .toContainEqual(expect.stringMatching(text));

/** The test function of all files. It collects the faults of the page: exceptions and console errors, policy violations included. */
export const test = base.extend<{ faults: string[] }>({
  faults: [
    async ({ page }, use) => {
      const faults: string[] = [];
      page.on('pageerror', (error) => faults.push(String(error)));
      page.on('console', (message) => {
        if (message.type() === 'error' && !/Failed to load resource|ERR_INTERNET_DISCONNECTED/.test(message.text()))
          faults.push(message.text());
      });
      await page.addInitScript(collectNotifications);
      await use(faults);
      expect(faults).toEqual([]);
    },
    { auto: true },
  ],
});
export { expect, password, url };

/** The step-up dialog. It appears after a pause of 15 minutes, before sensitive calls only. */
const stepUpDialog = (page: Page) => page.getByRole('dialog').filter({ hasText: '请再次验证身份' });

/**
 * Signs in at the console and starts the first app if the account must choose one. A new page gets the session without the form, which
 * saves seconds; `signInByForm` goes through the form.
 */
export async function signIn(page: Page, account: string) {
  // An earlier account left its storage in this page. The form clears it.
  if (page.url() !== 'about:blank') return signInByForm(page, account);
  const value = encodeURIComponent(await openSession(account));
  await page.context().addCookies([{ name: 'token', value, url: url(), sameSite: 'Strict' }]);
  await page.goto(url());
  await answerStepUp(page, password);
  await startUsing(page);
}

/** The same through the form of the sign-in page. */
export async function signInByForm(page: Page, account: string, ownPassword = password) {
  await page.goto(url('/login'));
  await page.getByLabel('账号', { exact: true }).fill(account);
  await page.getByLabel('密码', { exact: true }).fill(ownPassword);
  await page.getByRole('button', { name: '登录', exact: true }).click();
  await page.waitForURL((address) => address.pathname !== '/login');
  await answerStepUp(page, ownPassword);
  await startUsing(page);
}

/** Answers the step-up dialog of this page when it appears. */
async function answerStepUp(page: Page, ownPassword: string) {
  await page.removeLocatorHandler(stepUpDialog(page));
  await page.addLocatorHandler(stepUpDialog(page), async () => {
    await stepUpDialog(page).getByLabel('当前密码', { exact: true }).fill(ownPassword);
    await stepUpDialog(page).getByRole('button', { name: '确定' }).click();
  });
}

/** Signs in with a one-time password, changes it and signs in again. Before the change the account can do nothing else. */
export async function signInFirst(page: Page, { account, password }: { account: string; password: string }, onetime: string) {
  await page.goto(url('/login'));
  await page.getByLabel('账号', { exact: true }).fill(account);
  await page.getByLabel('密码', { exact: true }).fill(onetime);
  await page.getByRole('button', { name: '登录', exact: true }).click();
  const dialog = page.getByRole('dialog', { name: '请先修改初始密码' });
  await dialog.getByLabel('初始密码').fill(onetime);
  await dialog.getByLabel('新密码').fill(`${password}0`);
  await expect(dialog.getByText('数字只能是 1–9，不能有 0')).toBeVisible();
  await dialog.getByLabel('新密码').fill(password);
  await dialog.getByRole('button', { name: '确定' }).click();
  await page.waitForURL((address) => address.pathname === '/login');
  await signInByForm(page, account, password);
}

/**
 * Closes the app dialog after a sign-in. The dialog appears a moment after the page, and for some accounts never. The server's answer
 * tells whether it will appear.
 */
export async function startUsing(page: Page) {
  await expect(page.locator('main')).toBeVisible();
  const token = (await page.context().cookies()).find(({ name }) => name === 'token')?.value ?? '';
  const answer = await page.request.post(url('/api/as.m.user.getUserInfo/1.0.0/action'), {
    headers: { token: decodeURIComponent(token) },
    data: {},
  });
  const { data } = (await answer.json()) as { data: ResponseOf<typeof getUserInfo> };
  const startButton = page.getByRole('button', { name: '开始使用' });
  if (!data.appexempt) await startButton.click();
  await expect(startButton).toBeHidden();
}

/** Starts a download and returns it. If the step-up dialog appears first, its handler answers it. */
export async function fileOf(page: Page, start: () => Promise<void>): Promise<Download> {
  const file = page.waitForEvent('download');
  const dialogShown = stepUpDialog(page).waitFor({ timeout: 0 });
  // Without a dialog this wait ends with the page.
  dialogShown.catch(() => undefined);
  await start();
  await Promise.race([file, dialogShown]);
  await expect(stepUpDialog(page)).toBeHidden();
  return file;
}

/**
 * Returns the answer of the server to a call that a test holds or changes. A server may close an idle connection in the moment in which
 * a call takes it. A browser then tries again, and so does this.
 */
export const answerTo = (route: Route) => route.fetch({ maxRetries: 3 });

/** Waits until the page has no placeholder, no loading and no animation: half-transparent content has too little contrast. */
export async function waitUntilSettled(page: Page) {
  await page.waitForFunction(async () => {
    const isSettled = () =>
      document.querySelector('.mantine-Skeleton-root, [aria-busy=true]') === null &&
      // A dialog that fades in or out is half transparent, also between two frames without a running animation.
      [...document.querySelectorAll('[role=dialog]')].every((dialog) => getComputedStyle(dialog).opacity === '1') &&
      document.getAnimations().every((animation) => animation.playState !== 'running');
    const before = isSettled();
    await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
    return before && isSettled();
  });
}

/** Expects no content beyond the side of the window. It waits, because the layout changes a moment after the window. */
export async function expectFitsWindow(page: Page, where = 'sideways scrolling') {
  const excess = () => page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
  await expect.poll(excess, { message: where }).toBeLessThanOrEqual(0);
}

/** Returns the faults that axe finds on the page after it has settled, as texts. */
export async function accessibilityFaults(page: Page): Promise<string[]> {
  // The pointer must not colour a button that happens to appear below it.
  await page.mouse.move(0, 0);
  await waitUntilSettled(page);
  // The page has no frames of other sites, and only faults are read. So axe needs no second page and no list of passed elements.
  const { violations } = await new AxeBuilder({ page })
    .options({ resultTypes: ['violations'] })
    .withTags(['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa'])
    .setLegacyMode()
    .analyze();
  return violations.map(
    (violation) =>
      `${violation.id}: ${violation.help} (${violation.nodes
        .map((node) => [node.target.join(' '), ...node.any.map(({ message }) => message)].join(': '))
        .slice(0, 5)
        .join('; ')})`,
  );
}
