import { accessibilityFaults, expect, expectFitsWindow, signIn, test, url } from './people.ts';

test('a new colleague asks what a screen is for, by the keyboard and on a phone, and reads its words', async ({ page }) => {
  await signIn(page, 'demo_psych');
  await page.goto(url('/task/administration'));
  await expect(page.getByRole('button', { name: '这一页怎么用' })).toBeVisible();
  await page.locator('body').press('h');
  const help = page.getByRole('dialog', { name: '任务管理：这一页怎么用' });
  await expect(help).toContainText('团体普测从这里开始');
  await expect(help.getByRole('term').filter({ hasText: '存疑' })).toBeVisible();
  expect(await accessibilityFaults(page)).toEqual([]);
  await help.getByRole('button', { name: '全部键盘操作' }).press('Enter');
  await expect(page.getByRole('dialog', { name: '键盘操作' })).toContainText('这一页怎么用');
  await page.keyboard.press('Escape');

  await page.setViewportSize({ width: 390, height: 844 });
  await page.goto(url('/earlyWarning/earlyWarningLevel'));
  await page.getByRole('button', { name: '这一页怎么用' }).click();
  await expect(page.getByRole('dialog', { name: '危机预警：这一页怎么用' })).toContainText('先受理');
  await expectFitsWindow(page);
  expect(await accessibilityFaults(page)).toEqual([]);
});
