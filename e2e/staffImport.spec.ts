import { accessibilityFaults, expect, signIn, test, url } from './people.ts';

test('an administrator corrects a staff list, imports its valid rows, sees the passwords once and undoes the import', async ({
  page,
}) => {
  await signIn(page, 'demo_school');
  await page.goto(url('/organization/user'));
  const tag = Date.now().toString(36);
  const sheet = [
    '登录账号,姓名,部门,角色',
    `z${tag},赵一一,没有的部门,心理教师/医生`,
    `l${tag},李思思,,班主任`,
    'demo_psych,钱二二,,班主任',
  ].join('\n');
  await page.getByRole('button', { name: '批量新增' }).click();
  const dialog = page.getByRole('dialog', { name: /批量新增用户/ });
  await dialog.getByLabel('选择名单文件').setInputFiles({ name: '名单.csv', mimeType: 'text/csv', buffer: Buffer.from(sheet) });
  await expect(dialog.getByText('仅看有误 2')).toBeVisible();
  const cell = dialog.getByLabel('第 2 行 部门');
  await cell.fill('');
  await cell.press('Tab');
  await expect(dialog.getByText('仅看有误 1')).toBeVisible();
  await expect(dialog.getByText('修改已保存')).toBeVisible();
  expect(await accessibilityFaults(page)).toEqual([]);

  await dialog.getByRole('button', { name: '仅导入正确的 2 行' }).click();
  await expect(dialog.getByText('已新增 2 个用户')).toBeVisible();
  const secrets = dialog.getByRole('region', { name: '初始密码' });
  await expect(secrets.getByRole('row')).toHaveCount(3);
  expect(await accessibilityFaults(page)).toEqual([]);
  // The dialog has no close button and 完成 asks for confirmation, so nobody loses the passwords by mistake.
  await expect(dialog.getByRole('button', { name: 'Close' })).toHaveCount(0);
  await dialog.getByRole('button', { name: '完成' }).click();
  await page.getByRole('button', { name: '返回' }).click();
  const [file] = await Promise.all([page.waitForEvent('download'), dialog.getByRole('button', { name: '下载初始密码' }).click()]);
  expect(file.suggestedFilename()).toBe('初始密码.csv');

  await dialog.getByRole('button', { name: '继续导入' }).click();
  await dialog.getByRole('button', { name: '查看或撤销' }).first().click();
  await expect(dialog.getByText('已新增 2 个用户')).toBeVisible();
  await expect(secrets).toHaveCount(0);
  await dialog.getByRole('button', { name: '撤销本次导入' }).click();
  await page.getByRole('button', { name: '确定' }).click();
  await expect(dialog.getByText('本次导入已撤销')).toBeVisible();
  await dialog.getByRole('button', { name: '完成' }).click();
  await expect(page.getByText(`z${tag}`)).toHaveCount(0);
});
