import type { Locator } from '@playwright/test';
import { expect, signIn, test, url } from './people.ts';

/** Types digits from the first question on, all in one task of the page: there is no pause between two keys. */
async function typeWithoutPause(drawer: Locator, digits: string) {
  await expect(drawer.getByRole('radio').first()).toBeFocused();
  await drawer.evaluate((_drawer, keys) => {
    for (const key of keys)
      document.activeElement?.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true }));
  }, digits);
}

test('a class teacher types the observation list of a pupil without a pause, and reads thanks and no level', async ({ page }) => {
  await signIn(page, 'demo_teacher');
  await page.goto(url('/task/teamManagement'));
  await page.getByRole('link').filter({ hasText: '初二(3)班' }).first().click();
  await page.getByRole('button', { name: '填观察清单' }).first().click();
  const drawer = page.getByRole('dialog', { name: /录入结果/ });
  await drawer.getByRole('button', { name: '开始录入' }).click();
  await typeWithoutPause(drawer, '200000000000');
  await expect(drawer.getByRole('radio', { checked: true })).toHaveCount(12);
  await drawer.getByRole('button', { name: '提交' }).click();
  await expect(drawer.getByText('已提交，谢谢您的观察')).toBeVisible();
  await expect(drawer.getByText(/一般关注|查看报告/)).toHaveCount(0);
});

test('a nurse types in a paper EPDS with question 10 positive, a case opens, and a psychologist declares the sheet void', async ({
  page,
}) => {
  await signIn(page, 'demo_nurse');
  await page.goto(url('/empower/maternity?view=all'));
  await page.getByRole('button', { name: '录入结果' }).first().click();
  const drawer = page.getByRole('dialog', { name: /录入结果/ });
  await drawer.getByRole('radio', { name: /纸质录入/ }).check();
  await drawer
    .getByLabel(/方案或量表/)
    .first()
    .click();
  await page.getByRole('option', { name: /爱丁堡/ }).click();
  // Her name is masked, so her age and her institution tell her from others.
  await expect(drawer.getByText(/女 · \d+ 岁 · (建册号|档案号) \S+ · 云栖市仁爱妇幼保健院/)).toBeVisible();
  await drawer.getByRole('button', { name: '开始录入' }).click();
  // At the width of a tablet no option of the four stands alone in a second row.
  await page.setViewportSize({ width: 820, height: 1100 });
  const options = drawer.getByRole('group').first().getByRole('radio');
  await expect(options).toHaveCount(4);
  const tops = await options.evaluateAll((all) => all.map((option) => Math.round(option.getBoundingClientRect().top)));
  expect(new Set(tops.map((top) => tops.filter((other) => other === top).length)).size).toBe(1);
  // Question 10: its first option has three points.
  await typeWithoutPause(drawer, '1144144441');
  await drawer.getByRole('button', { name: '提交' }).click();
  await expect(drawer.getByText(/已建立预警个案|已并入进行中的预警个案/)).toBeVisible();
  await page.context().clearCookies();

  await signIn(page, 'demo_hospital');
  await page.goto(url('/empower/individualAssessment/data'));
  await page.getByRole('button', { name: '作废', exact: true }).first().click();
  const voiding = page.getByRole('dialog', { name: /作废答卷/ });
  await voiding.getByLabel('作废原因').fill('纸质答卷录错了人，已核对原件');
  await voiding.getByRole('button', { name: '确认作废' }).click();
  await expect(voiding).toBeHidden();
});
