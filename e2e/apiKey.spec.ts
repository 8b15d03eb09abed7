import { accessibilityFaults, expect, expectFitsWindow, expectNotification, signIn, test, url } from './people.ts';

test('an administrator makes a key for the campus system, the system reads with it, and 停用 ends it', async ({
  page,
  request,
}) => {
  await signIn(page, 'demo_school');
  await page.getByRole('button', { name: '账号 demo_school' }).click();
  await page.getByRole('menuitem', { name: '机构设置' }).click();
  await expect(page.getByRole('link', { name: /对接密钥/ })).toBeVisible();
  expect(await accessibilityFaults(page)).toEqual([]);
  await page.getByRole('link', { name: /对接密钥/ }).click();
  const name = `校园平台${Date.now() % 100_000}`;
  await page.getByRole('button', { name: '新建密钥' }).first().click();
  const form = page.getByRole('dialog', { name: '新建密钥' });
  await form.getByLabel('名称').fill(name);
  await form.getByRole('button', { name: '新建', exact: true }).click();
  await expect(form.getByText('请至少选择一项')).toBeVisible();
  await form.getByRole('checkbox', { name: '任务进度' }).check();
  expect(await accessibilityFaults(page)).toEqual([]);
  await form.getByRole('button', { name: '新建', exact: true }).click();
  const made = page.getByRole('dialog', { name: '新的密钥' });
  const key = await made.getByLabel('密钥').inputValue();
  expect(key).toMatch(/^xlk_/);
  // Neither Esc nor a click beside it loses the key.
  await page.keyboard.press('Escape');
  await page.mouse.click(20, 400);
  await expect(made.getByLabel('密钥')).toHaveValue(key);
  await made.getByRole('button', { name: '我已保存' }).click();
  const row = page.getByRole('listitem').filter({ hasText: name });
  await expect(row).toContainText('任务进度');
  await expect(row).toContainText('还没有用过');
  await expect(page.getByText(key)).toHaveCount(0);

  const read = async (call: string) => {
    const answer = await request.post(url(`/api/${call}/1.0.0/action`), { headers: { token: key }, data: {} });
    return (await answer.json()) as { errorCode: number; data?: { rows?: unknown[] } };
  };
  const tasks = await read('as.m.assess.getAssessTaskProgress');
  expect(tasks.errorCode).toBe(0);
  expect(tasks.data?.rows?.length).toBeGreaterThan(0);
  expect((await read('as.m.warning.getWarningPageList')).errorCode).toBe(110017);

  await page.setViewportSize({ width: 390, height: 844 });
  await expectFitsWindow(page);
  await page.setViewportSize({ width: 1440, height: 900 });
  await row.getByRole('button', { name: '停用' }).click();
  await page.getByRole('dialog').getByRole('button', { name: '确定' }).click();
  await expectNotification(page, /已停用/);
  await expect(row).toContainText('已停用');
  expect((await read('as.m.assess.getAssessTaskProgress')).errorCode).toBe(110000);
});
