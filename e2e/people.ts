import { AxeBuilder } from '@axe-core/playwright';
import { expect, test as base, type Page } from '@playwright/test';

export const url = (path = '/') => `${process.env['E2E_URL']}${path}`;
export const password = 'Demo1234';

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
      await use(faults);
      expect(faults).toEqual([]);
    },
    { auto: true },
  ],
});
export { expect };

/** Signs in at the console and, where the dialog of apps opens, starts using the first. */
export async function signIn(page: Page, account: string, word = password) {
  await page.goto(url('/login'));
  await page.getByLabel('账号', { exact: true }).fill(account);
  await page.getByLabel('密码', { exact: true }).fill(word);
  await page.getByRole('button', { name: '登录', exact: true }).click();
  await page.waitForURL((at) => at.pathname !== '/login');
  // The dialog of apps may open a moment after the page stands; whenever it is in the way it is answered.
  const begin = page.getByRole('button', { name: '开始使用' });
  await page.removeLocatorHandler(begin);
  await page.addLocatorHandler(begin, () => begin.click());
  await expect(page.locator('main').or(begin).first()).toBeVisible();
  await expect(begin).toBeHidden();
}

/** What axe finds on the page as it stands, in words. */
export async function accessibilityFaults(page: Page): Promise<string[]> {
  const { violations } = await new AxeBuilder({ page }).withTags(['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa']).analyze();
  return violations.map(
    (violation) =>
      `${violation.id}: ${violation.help} (${violation.nodes
        .map((node) => node.target.join(' '))
        .slice(0, 5)
        .join('; ')})`,
  );
}
