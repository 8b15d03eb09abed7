import { accessibilityFaults, answerTo, expect, expectFitsWindow, signIn, test, url } from './people.ts';

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

test('a new nurse follows the first steps of the role; a step ticks when its page was opened; the list can be put away', async ({
  page,
}) => {
  await signIn(page, 'demo_nurse');
  await page.goto(url('/workbench'));
  const card = page.getByRole('region', { name: '开始使用' });
  await expect(card).toContainText(/已完成 \d \/ \d 步/);
  const step = card.getByRole('link', { name: /看一遍危机预警列表/ });
  await expect(step).not.toContainText('已完成');
  await step.press('Enter');
  await expect(page).toHaveURL(/earlyWarningLevel/);
  await page.getByRole('navigation', { name: '位置' }).getByRole('link', { name: '工作台' }).click();
  await expect(step).toContainText('已完成');
  expect(await accessibilityFaults(page)).toEqual([]);
  await page.setViewportSize({ width: 390, height: 844 });
  await expectFitsWindow(page);
  await card.getByRole('button', { name: '收起' }).click();
  await expect(card).toBeHidden();
  await page.reload();
  await expect(page.getByRole('heading', { level: 1 }).first()).toBeAttached();
  await page.getByRole('button', { name: /^账号/ }).click();
  await page.getByRole('menuitem', { name: '开始使用' }).click();
  await expect(step).toContainText('已完成');
});

test('after an update the workbench leads to what is new, once', async ({ page }) => {
  // The accounts of the demonstration are younger than the releases.
  const userInfo = '**/api/as.m.user.getUserInfo/**';
  await page.route(userInfo, async (route) => {
    const response = await answerTo(route);
    const answer = (await response.json()) as { data: object };
    await route.fulfill({ response, json: { ...answer, data: { ...answer.data, releaseread: '2020-01-01' } } });
  });
  await signIn(page, 'demo_psych2');
  await page.goto(url('/workbench'));
  await page.getByRole('button', { name: '有更新内容' }).click();
  const news = page.getByRole('dialog', { name: '更新内容' });
  await expect(news.getByRole('heading', { level: 3 }).first()).toBeVisible();
  await expect(news.getByText('新', { exact: true }).first()).toBeVisible();
  expect(await accessibilityFaults(page)).toEqual([]);
  await page.keyboard.press('Escape');
  await expect(news).toBeHidden();
  await expect(page.getByRole('button', { name: '有更新内容' })).toHaveCount(0);
  await page.unroute(userInfo);
  await page.reload();
  await page.getByRole('button', { name: /^账号/ }).click();
  await page.getByRole('menuitem', { name: '更新内容' }).click();
  await expect(news.getByText('新', { exact: true })).toHaveCount(0);
  await expect(page.getByRole('button', { name: '有更新内容' })).toHaveCount(0);
});
