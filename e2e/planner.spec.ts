import { accessibilityFaults, expect, expectFitsWindow, expectNotification, signIn, test, url } from './people.ts';

test('a psychologist sees her week and month, opens a case from it, and subscribes to it on her phone until she ends that', async ({
  page,
  request,
}) => {
  await signIn(page, 'demo_psych');
  await page.goto(url('/workbench'));
  await page.getByRole('link', { name: '我的日程' }).click();
  await expect(page.getByRole('listitem').filter({ hasText: '今天' }).first()).toBeVisible();
  expect(await accessibilityFaults(page)).toEqual([]);
  await page.getByText('月', { exact: true }).click();
  await expect(page).toHaveURL(/show=month/);
  const deadline = page.getByRole('link', { name: /个案时限/ }).first();
  await expect(deadline).toBeVisible();
  expect(await accessibilityFaults(page)).toEqual([]);

  await page.getByRole('button', { name: '订阅到手机日历' }).click();
  const drawer = page.getByRole('dialog', { name: '订阅到手机日历' });
  await drawer.getByRole('button', { name: '生成地址' }).click();
  const address = await drawer.getByLabel('订阅地址').inputValue();
  expect(await accessibilityFaults(page)).toEqual([]);
  const path = new URL(address).pathname;
  const calendar = await request.get(url(path));
  expect(calendar.headers()['content-type']).toContain('text/calendar');
  expect(await calendar.text()).toMatch(/SUMMARY:时限：/);
  await drawer.getByRole('button', { name: '停用地址' }).click();
  await expectNotification(page, /地址已停用/);
  expect((await request.get(url(path))).status()).toBe(404);
  await page.keyboard.press('Escape');

  await page.setViewportSize({ width: 390, height: 844 });
  await expectFitsWindow(page);
  expect(await accessibilityFaults(page)).toEqual([]);
  await deadline.click();
  await expect(page).toHaveURL(/\/earlyWarning\/case\//);
});
