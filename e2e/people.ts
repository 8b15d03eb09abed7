import { AxeBuilder } from '@axe-core/playwright';
import { expect, test as base, type Download, type Page } from '@playwright/test';
import type { ResponseOf } from '../src/contract/action.ts';
import type { getUserInfo } from '../src/features/session/session.contract.ts';

export const url = (path = '/') => `${process.env['E2E_URL']}${path}`;
export const password = 'Demo1234';

/** Runs in the page: keeps what its passing messages said. */
function rememberMessages() {
  const messages: string[] = [];
  Object.assign(globalThis, { told: messages });
  const message = '.mantine-Notification-root';
  new MutationObserver((changes) => {
    for (const node of changes.flatMap(({ addedNodes }) => [...addedNodes]))
      if (node instanceof HTMLElement)
        for (const item of [node, ...node.querySelectorAll(message)]) if (item.matches(message)) messages.push(item.textContent);
  }).observe(document, { childList: true, subtree: true });
}

/** Has the page said so in a passing message? These go after seconds, in which a busy machine may not have looked. */
export const hasSaid = (page: Page, words: RegExp) =>
  expect
    .poll(() => page.evaluate(() => (globalThis as { told?: string[] }).told ?? []).catch(() => []))
    .toContainEqual(expect.stringMatching(words));

/** Faults a page reports by itself: exceptions and console errors, policy violations included. */
export const test = base.extend<{ faults: string[] }>({
  faults: [
    async ({ page }, use) => {
      const faults: string[] = [];
      page.on('pageerror', (error) => faults.push(String(error)));
      page.on('console', (message) => {
        if (message.type() === 'error' && !/Failed to load resource|ERR_INTERNET_DISCONNECTED/.test(message.text()))
          faults.push(message.text());
      });
      await page.addInitScript(rememberMessages);
      await use(faults);
      expect(faults).toEqual([]);
    },
    { auto: true },
  ],
});
export { expect };

/** The question whether it is still the same person: asked five minutes after the last proof, which a slow machine reaches anywhere. */
const proof = (page: Page) => page.getByRole('dialog').filter({ hasText: '请再次验证身份' });

/** Signs in at the console and, where the account is asked for its app, starts using the first. */
export async function signIn(page: Page, account: string, word = password) {
  await page.goto(url('/login'));
  await page.getByLabel('账号', { exact: true }).fill(account);
  await page.getByLabel('密码', { exact: true }).fill(word);
  await page.getByRole('button', { name: '登录', exact: true }).click();
  await page.waitForURL((at) => at.pathname !== '/login');
  await page.removeLocatorHandler(proof(page));
  await page.addLocatorHandler(proof(page), async () => {
    await proof(page).getByLabel('当前密码', { exact: true }).fill(word);
    await proof(page).getByRole('button', { name: '确定' }).click();
  });
  await startUsing(page);
}

/**
 * Answers the dialog of apps after a sign-in. It comes a moment after the page stands and never to some accounts, so the server is asked
 * whether it will: to look whether it is there would be a guess.
 */
export async function startUsing(page: Page) {
  await expect(page.locator('main')).toBeVisible();
  const token = (await page.context().cookies()).find(({ name }) => name === 'token')?.value ?? '';
  const answer = await page.request.post(url('/api/as.m.user.getUserInfo/1.0.0/action'), {
    headers: { token: decodeURIComponent(token) },
    data: {},
  });
  const { data } = (await answer.json()) as { data: ResponseOf<typeof getUserInfo> };
  const begin = page.getByRole('button', { name: '开始使用' });
  if (!data.appexempt) await begin.click();
  await expect(begin).toBeHidden();
}

/** The file somebody asks for; where it is asked first who takes it, that is proven. */
export async function fileOf(page: Page, ask: () => Promise<void>): Promise<Download> {
  const file = page.waitForEvent('download');
  const proofDialog = proof(page).waitFor({ timeout: 0 });
  // Without a question this ends with the page.
  proofDialog.catch(() => undefined);
  await ask();
  await Promise.race([file, proofDialog]);
  await expect(proof(page)).toBeHidden();
  return file;
}

/** Waits until nothing on the page is a placeholder, on its way or moving: what slides in half-transparent has no contrast. */
export async function settled(page: Page) {
  await page.waitForFunction(async () => {
    const still = () =>
      document.querySelector('.mantine-Skeleton-root, [aria-busy=true]') === null &&
      document.getAnimations().every((animation) => animation.playState !== 'running');
    const before = still();
    await new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)));
    return before && still();
  });
}

/** What axe finds on the page once it stands, in words. */
export async function accessibilityFaults(page: Page): Promise<string[]> {
  await settled(page);
  const { violations } = await new AxeBuilder({ page }).withTags(['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa']).analyze();
  return violations.map(
    (violation) =>
      `${violation.id}: ${violation.help} (${violation.nodes
        .map((node) => node.target.join(' '))
        .slice(0, 5)
        .join('; ')})`,
  );
}
