import { accessibilityFaults, expect, signIn, test, url } from './people.ts';

test.use({ viewport: { width: 390, height: 844 } });

test('on a phone a list hides further filters and the actions of a row behind buttons', async ({ page }) => {
  await signIn(page, 'demo_psych');
  await page.goto(url('/empower/individualAssessment'));
  await expect(page.getByLabel('姓名/学号')).toBeVisible();
  await expect(page.getByLabel('性别', { exact: true }).first()).toBeHidden();
  await page.getByRole('button', { name: '更多条件' }).click();
  await expect(page.getByLabel('性别', { exact: true }).first()).toBeVisible();
  await page.getByRole('button', { name: '收起条件' }).click();
  await page.getByRole('button', { name: '第 2 行的操作' }).click();
  const operations = page.getByRole('dialog', { name: '操作' });
  await expect(operations.getByRole('button', { name: '修改' })).toBeVisible();
  expect(await accessibilityFaults(page)).toEqual([]);
  await operations.getByRole('button', { name: '修改' }).click();
  await expect(operations).toBeHidden();
  await expect(page.getByRole('heading', { name: /^修改受测者/ })).toBeVisible();
});

test('on a phone the operations of a row open their drawers', async ({ page }) => {
  await signIn(page, 'demo_nurse');
  await page.goto(url('/empower/maternity?view=all'));
  for (const name of ['立即测评', '录入结果', '授权']) {
    await page.getByRole('button', { name: '第 1 行的操作' }).click();
    await page.getByRole('dialog', { name: '操作' }).getByRole('button', { name, exact: true }).click();
    const drawer = page.getByRole('dialog').filter({ has: page.getByRole('heading', { name: /：/ }) });
    await expect(drawer).toBeVisible();
    expect(await accessibilityFaults(page)).toEqual([]);
    await page.keyboard.press('Escape');
    await expect(drawer).toBeHidden();
  }
});

test('on a phone a case is a page of its own, and the back gesture leads to the list', async ({ page }) => {
  await signIn(page, 'demo_psych');
  await page.goto(url('/earlyWarning/earlyWarningLevel?mine=1'));
  await page
    .getByRole('button', { name: /^(处理|查看)$/ })
    .first()
    .click();
  await expect(page).toHaveURL(/\/earlyWarning\/case\//);
  await expect(page.getByRole('region', { name: '下一步' })).toBeVisible();
  await page.goBack();
  await expect(page).toHaveURL(url('/earlyWarning/earlyWarningLevel?mine=1'));
});
