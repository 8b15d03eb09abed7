import { accessibilityFaults, expect, expectNotification, signIn, test, url } from './people.ts';

test('a psychologist marks the wrong pupil as exempt and takes it back, by the button and by Ctrl+Z', async ({ page }) => {
  await signIn(page, 'demo_psych');
  await page.goto(url('/task/administration?status=1'));
  await page.getByRole('link', { name: '看板' }).first().click();
  await page.getByRole('tab', { name: '名单' }).click();
  await page.goto(page.url() + (page.url().includes('?') ? '&' : '?') + 'status=0');
  const row = page.getByRole('row').filter({ hasText: '未开始' }).first();
  const name = (await row.getByRole('cell').nth(1).textContent()) ?? '';
  const own = page.getByRole('row').filter({ hasText: name });
  for (const way of ['button', 'key'] as const) {
    await row.getByRole('button', { name: '免测/缺测' }).click();
    await page.getByRole('menuitem', { name: '请假' }).click();
    await expectNotification(page, /已登记 1 人/);
    expect(await accessibilityFaults(page)).toEqual([]);
    if (way === 'button') await page.getByRole('button', { name: '撤销', exact: true }).click();
    else await page.locator('body').press('Control+z');
    await expectNotification(page, /已撤销/);
    await expect(own).toContainText('未开始');
    await expect(page.getByRole('button', { name: '撤销', exact: true })).toHaveCount(0);
  }
});
