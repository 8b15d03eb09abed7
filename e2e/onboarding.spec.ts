import { expect, signIn, test, url } from './people.ts';

const run = String(Date.now() % 100_000).padStart(5, '0');

test('the opening goes back without losing what was typed, asks about a past date and says what it copied', async ({ page }) => {
  await signIn(page, 'demo_fws');
  await page.goto(url('/Service/opening/institutions'));
  await page.getByLabel('机构名称').fill(`云栖市回程小学${run}`);
  await page.getByLabel('登录账号').fill(`hcxx${run}`);
  await page.getByLabel('联系电话').fill('0571-87654321 转 801');
  await page.getByRole('combobox', { name: '参照机构' }).click();
  await page.getByRole('option', { name: '云栖市晨光中学' }).click();
  await page.getByLabel('有效期至').fill('2020-01-01');
  await page.getByRole('button', { name: '创建并继续' }).click();
  const question = page.getByRole('dialog').filter({ hasText: '有效期至 2020-01-01 已过' });
  await question.getByRole('button', { name: '返回修改' }).click();
  await page.getByLabel('有效期至').fill('2099-12-31');
  await page.getByRole('button', { name: '创建并继续' }).click();
  await expect(page.getByRole('alert').filter({ hasText: '已从“云栖市晨光中学”复制' })).toContainText('应用：学生');
  await page.getByRole('checkbox', { name: '学生' }).waitFor();
  await page.getByRole('button', { name: '上一步' }).click();
  await expect(page.getByLabel('联系电话')).toHaveValue(/0571/);
  await page.getByLabel('负责人').fill('秦校长');
  await page.getByRole('button', { name: '保存并继续' }).click();
  await page.getByRole('checkbox', { name: '高压职业' }).check();
  await page.getByRole('button', { name: '上一步' }).click();
  await expect(page.getByLabel('负责人')).toHaveValue('秦校长');
  await page.getByRole('button', { name: '下一步' }).click();
  await expect(page.getByRole('checkbox', { name: '高压职业' })).toBeChecked();
});

test('the details of an institution are read without editing, and the tree finds an institution by its name', async ({
  page,
}) => {
  await signIn(page, 'demo_fws');
  await page.goto(url('/Service/terminal'));
  await page.getByRole('button', { name: '云栖市晨光中学的更多操作' }).click();
  await page.getByRole('menuitem', { name: '详情' }).click();
  const details = page.getByRole('dialog', { name: '云栖市晨光中学' });
  await expect(details.getByText('上级机构')).toBeVisible();
  await expect(details.getByRole('textbox')).toHaveCount(0);
  await details.getByRole('button', { name: '关闭' }).last().click();
  const tree = page.getByRole('navigation', { name: '机构树' });
  await tree.getByLabel('查找机构').fill('东山');
  await expect(tree.getByRole('button', { name: '云栖市东山高级中学' })).toBeVisible();
  await expect(tree.getByRole('button', { name: '云栖市晨光中学' })).toBeHidden();
});
