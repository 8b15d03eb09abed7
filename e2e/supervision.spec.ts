import type { Page } from '@playwright/test';
import { accessibilityFaults, expect, expectFitsWindow, expectNotification, signIn, test, url } from './people.ts';

const SCHOOL = '云栖市晨光中学';
// Every run writes its own words, so the test can run again on the same server.
const request = `请核对超时事项并说明处理安排（${Date.now() % 100_000}）`;

const flagged = (page: Page) => page.getByRole('list', { name: '有超时事项的机构' });
const row = (page: Page) => page.getByRole('row').filter({ hasText: request });
const drawer = (page: Page, title: string) => page.getByRole('dialog', { name: title, exact: true });

test('the bureau opens a 督办, the school answers without a name or a number, and the bureau closes it', async ({
  page,
  browser,
}) => {
  await signIn(page, 'demo_jyj');
  await test.step('demo_jyj comes from the flag 有超时 of the school and writes what it asks', async () => {
    await page.getByRole('link', { name: `督办${SCHOOL}` }).click();
    await expect(page).toHaveURL(/\/statistics\/supervision\?musercode=/);
    await flagged(page).getByRole('listitem').filter({ hasText: SCHOOL }).getByRole('button', { name: '发起督办' }).click();
    const form = drawer(page, '发起督办');
    await form.getByLabel('督办要求').fill(request);
    expect(await accessibilityFaults(page)).toEqual([]);
    await form.getByRole('button', { name: '发起督办' }).click();
    await expectNotification(page, /已发起督办/);
    await expect(row(page)).toContainText('待回复');
    expect(await accessibilityFaults(page)).toEqual([]);
  });

  const context = await browser.newContext({ locale: 'zh-CN', timezoneId: 'Asia/Shanghai' });
  const school = await context.newPage();
  await test.step('demo_school is refused a telephone number at its field, keeps the text and answers', async () => {
    await signIn(school, 'demo_school');
    await school.goto(url('/earlyWarning/supervision'));
    await expect(row(school)).toContainText('云栖市教育局');
    expect(await accessibilityFaults(school)).toEqual([]);
    await row(school).getByRole('button', { name: '回复' }).click();
    await drawer(school, '督办').getByRole('button', { name: '回复', exact: true }).click();
    const form = drawer(school, '回复督办');
    const answer = form.getByLabel('回复', { exact: false }).and(form.locator('textarea'));
    const words = '超时事项已全部受理，联系电话13800138000';
    await answer.fill(words);
    await form.getByRole('button', { name: '提交回复' }).click();
    await expect(answer).toHaveAttribute('aria-invalid', 'true');
    await expect(form).toContainText('回复中不能出现手机号，请删去后再提交');
    await expect(answer).toHaveValue(words);
    expect(await accessibilityFaults(school)).toEqual([]);
    await answer.fill('超时事项已全部受理，本周五前完成约谈');
    await form.getByRole('button', { name: '提交回复' }).click();
    await expect(form).toBeHidden();
    await expect(drawer(school, '督办')).toContainText('马文博');
  });

  await test.step('demo_jyj reads the answer of the school without the name of its author, and closes the 督办', async () => {
    await page.reload();
    await row(page).getByRole('button', { name: '办理' }).click();
    const detail = drawer(page, '督办');
    await expect(detail).toContainText('超时事项已全部受理，本周五前完成约谈');
    await expect(detail).not.toContainText('马文博');
    expect(await accessibilityFaults(page)).toEqual([]);
    await detail.getByRole('button', { name: '办结' }).click();
    await drawer(page, '办结督办').getByRole('button', { name: '确认办结' }).click();
    await expectNotification(page, /已办结/);
    await expect(detail).toContainText('已办结');
    await school.reload();
    await expect(row(school)).toContainText('已办结');
  });
  await context.close();
});

test('the pages of 督办 fit a phone', async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 844 });
  for (const [account, path] of [
    ['demo_jyj', '/statistics/supervision'],
    ['demo_school', '/earlyWarning/supervision'],
  ] as const) {
    await page.context().clearCookies();
    await signIn(page, account);
    await page.goto(url(path));
    await expect(page.getByText('已办结').first()).toBeVisible();
    await expectFitsWindow(page);
    expect(await accessibilityFaults(page)).toEqual([]);
  }
});
