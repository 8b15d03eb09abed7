import { accessibilityFaults, expect, expectNotification, fileOf, signIn, test, url } from './people.ts';

// Every run uses new texts, so the tests can run again on the same server.
const run = String(Date.now() % 1_000_000).padStart(6, '0');

test('a class teacher applies for the roster of a task, and downloads it after a second person agreed', async ({
  page,
  browser,
}) => {
  await signIn(page, 'demo_teacher');
  await page.goto(url('/task/administration'));
  // The screening of the whole class. A re-test may have one person, whose export needs no second person.
  await page
    .getByRole('link', { name: /学期心理普测$/ })
    .first()
    .click();
  await page.getByRole('tab', { name: '名单' }).click();
  const purpose = `家长会前核对名单${run}`;
  await page.getByRole('button', { name: '导出', exact: true }).click();
  await expect(page.getByText(/其中未成年人/)).toBeVisible();
  expect(await accessibilityFaults(page)).toEqual([]);
  await page.getByLabel('用途').fill(purpose);
  await page.getByRole('button', { name: '提交申请' }).click();
  await expectNotification(page, /已提交申请/);
  const approver = await browser.newPage();
  await signIn(approver, 'demo_school');
  await approver.goto(url('/approvals'));
  const application = approver.getByRole('row').filter({ hasText: purpose });
  await application.getByRole('button', { name: '审批', exact: true }).click();
  await approver.getByRole('radio', { name: '同意', exact: true }).check();
  await approver.getByRole('button', { name: '提交', exact: true }).click();
  await expect(application.getByText('已同意')).toBeVisible();
  await approver.close();
  await page.goto(url('/approvals'));
  const approvedRow = page.getByRole('row').filter({ hasText: purpose });
  await expect(approvedRow.getByText('已同意')).toBeVisible();
  await expect(page.getByRole('button', { name: '审批', exact: true })).toHaveCount(0);
  const file = await fileOf(page, () => approvedRow.getByRole('button', { name: '下载', exact: true }).click());
  expect(file.suggestedFilename()).toMatch(/名单进度.*\.xlsx$/);
  expect(await accessibilityFaults(page)).toEqual([]);
});
