import { accessibilityFaults, expect, expectFitsWindow, test, url } from './people.ts';

test('the programmer of a campus system finds which calls a key may make, with the counts of what is shown', async ({ page }) => {
  await page.goto(url('/openapi'));
  await expect(page.getByText(`-H 'token: xlk_…'`)).toBeVisible();
  const shown = page.locator('details:visible');
  const count = page.getByRole('status');
  const all = await shown.count();
  await expect(count).toHaveText(`共 ${all} 项调用`);
  await page.getByLabel('密钥可用范围').selectOption({ label: '对接密钥可用：预警个案' });
  await expect(count).toHaveText('共 2 项调用');
  await expect(shown).toHaveCount(2);
  await expect(page.getByRole('heading', { name: 'as.m.warning（2）' })).toBeVisible();
  for (const call of await shown.all()) await expect(call.getByText('对接密钥可用')).toBeVisible();
  await page.getByLabel('查找调用').fill('PageList');
  await expect(page.getByRole('heading', { name: 'as.m.warning（1）' })).toBeVisible();
  await page.getByLabel('查找调用').fill('没有这样的调用');
  await expect(count).toHaveText('没有符合条件的调用');
  await page.getByLabel('查找调用').fill('');
  expect(await accessibilityFaults(page)).toEqual([]);
  await page.setViewportSize({ width: 390, height: 844 });
  await expectFitsWindow(page);
});
