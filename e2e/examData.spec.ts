import { accessibilityFaults, expect, fileOf, signIn, test, url } from './people.ts';

test('测评数据 lists the sheets of one form with its scores and exports the counts', async ({ page }) => {
  await signIn(page, 'demo_hospital');
  await page.goto(url('/empower/individualAssessment'));
  await page
    .getByRole('tab', { name: '测评数据' })
    .or(page.getByRole('link', { name: '测评数据' }))
    .first()
    .click();
  await expect(page).toHaveURL(/individualAssessment\/data/);
  await expect(page.getByRole('row').nth(1)).toBeVisible();
  expect(await accessibilityFaults(page)).toEqual([]);
  await page.getByRole('button', { name: '导出' }).click();
  const counts = await fileOf(page, () => page.getByRole('menuitem', { name: /^测评统计/ }).click());
  expect(counts.suggestedFilename()).toMatch(/^测评统计.*\.xlsx$/);
});

test('who exports a task with minors as FHIR for another system first asks a second person', async ({ page }) => {
  await signIn(page, 'demo_psych');
  await page.goto(url('/task/administration?status=2'));
  await page.getByRole('link', { name: /普测/ }).first().click();
  await page.getByRole('tab', { name: '测评数据' }).click();
  await expect(page.getByRole('row').nth(1)).toBeVisible();
  await page.getByRole('button', { name: '导出', exact: true }).click();
  await page.getByRole('menuitem', { name: /^FHIR 数据/ }).click();
  const application = page.getByRole('dialog', { name: '申请导出FHIR 数据' });
  await expect(application).toContainText('其中未成年人');
  expect(await accessibilityFaults(page)).toEqual([]);
});
