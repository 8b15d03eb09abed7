import { insertCUser } from '../src/features/cuser/cuser.contract.ts';
import { expect, signIn, test, url, waitUntilSettled } from './people.ts';
import { as } from './school.ts';

/** Demonstration accounts of each type: platform, provider with its duty, bureau, school with its staff. */
const seats = ['admin', 'demo_fws', 'demo_duty', 'demo_jyj', 'demo_school', 'demo_psych', 'demo_teacher'];

for (const account of seats)
  test(`${account} signs in, lands on a page, and every entry of the menu opens`, async ({ page }) => {
    const refusals: string[] = [];
    page.on('response', async (response) => {
      if (!response.url().includes('/api/')) return;
      const { errorCode, errorMsg } = (await response.json().catch(() => ({ errorCode: 0 }))) as Record<string, unknown>;
      if (errorCode !== 0) refusals.push(`${page.url()} ${response.url()} ${String(errorCode)} ${String(errorMsg)}`);
    });
    await signIn(page, account);
    await expect(page.locator('main')).not.toBeEmpty();
    const menu = page.getByRole('navigation', { name: '主菜单' });
    const closed = menu.locator('button[aria-expanded=false]');
    while ((await closed.count()) > 0) await closed.first().click();
    const paths = await menu.getByRole('link').evaluateAll((links) => links.map((link) => link.getAttribute('href') ?? ''));
    expect(paths.length).toBeGreaterThan(0);
    for (const path of paths) {
      const entry = menu.locator(`a[href="${path}"]`);
      await entry.click();
      // Not the address: the entry 危机预警 of a bureau leads on to 督办, which stands below it.
      await expect(entry).toHaveAttribute('aria-current', 'page');
      await waitUntilSettled(page);
      await expect(page.locator('main')).not.toBeEmpty();
    }
    expect(refusals).toEqual([]);
  });

test('查询 asks the server each time, also with the filters that the list has', async ({ page }) => {
  const username = `周查询${Date.now() % 1_000_000}`;
  await signIn(page, 'demo_psych');
  await page.goto(url('/empower/individualAssessment'));
  const search = page.getByRole('button', { name: '查询', exact: true });
  await page.getByLabel('姓名', { exact: false }).first().fill(username);
  await search.click();
  await expect(page.locator('[data-state=empty]')).toBeVisible();
  const call = await as('demo_psych');
  await call(insertCUser, { appid: '000000002', username, gender: '02', birthday: '2012-01-01', archive: {}, guardian: [] });
  await search.click();
  await expect(page.getByRole('row').filter({ hasText: username })).toBeVisible();
});
