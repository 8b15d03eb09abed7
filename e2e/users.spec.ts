import { readFile } from 'node:fs/promises';
import { accessibilityFaults, expect, expectNotification, signIn, startUsing, test, url } from './people.ts';

test('an administrator is warned of a role without rights; its member signs in with a one-time password and learns whom to ask', async ({
  page,
  browser,
}) => {
  const run = Date.now().toString(36);
  await signIn(page, 'demo_school');
  await page.goto(url('/authority/roleAdministration'));
  await page.getByRole('button', { name: '新增角色' }).click();
  const drawer = page.getByRole('dialog', { name: '新增角色' });
  await drawer.getByLabel('角色名称').fill(`空角色${run}`);
  await drawer.getByLabel('角色标识').fill(`empty${run}`);
  await expect(drawer.getByText(/没有勾选任何功能/)).toBeVisible();
  await drawer.getByRole('button', { name: '保存' }).click();
  await page.getByRole('button', { name: '仍然保存' }).click();
  await expectNotification(page, /成功/);

  await page.goto(url('/organization/user'));
  await page.getByRole('button', { name: '新增用户' }).first().click();
  const user = page.getByRole('dialog', { name: '新增用户' });
  await user.getByLabel('姓名').fill('空白');
  await user.getByLabel('登录账号').fill(`blank${run}`);
  await user.getByRole('radio', { name: '7 天' }).check();
  await user.getByRole('combobox', { name: '角色' }).fill(`空角色${run}`);
  await page.getByRole('option', { name: `空角色${run}` }).click();
  await user.getByRole('combobox', { name: '角色' }).press('Escape');
  await user.getByRole('button', { name: '保存' }).click();
  const secret = (await page.locator('output').innerText()).trim();
  await page.getByRole('button', { name: '我已记下' }).click();

  const context = await browser.newContext();
  const own = await context.newPage();
  const enter = async (word: string) => {
    await own.goto(url('/login'));
    await own.getByLabel('账号', { exact: true }).fill(`blank${run}`);
    await own.getByLabel('密码', { exact: true }).fill(word);
    await own.getByRole('button', { name: '登录', exact: true }).click();
  };
  await enter(secret);
  await own.getByRole('textbox', { name: '初始密码' }).fill(secret);
  await own.getByRole('textbox', { name: '新密码' }).fill('BlankPage77x');
  await own.getByRole('button', { name: '确定' }).click();
  await expect(own).toHaveURL(url('/login'));
  await enter(secret);
  await expect(own.getByRole('alert')).toContainText('账号或密码错误');
  await enter('BlankPage77x');
  await expect(own.getByRole('heading', { name: '您的账号还没有开通功能' })).toBeVisible();
  await expect(own.getByRole('list', { name: '管理员' })).toContainText('马文博');
  expect(await accessibilityFaults(own)).toEqual([]);
  await own.goto(url('/workbench'));
  await expect(own.getByRole('heading', { name: '您的账号还没有开通功能' })).toBeVisible();
  await context.close();
});

test('an administrator resets the passwords of selected users with one download', async ({ page }) => {
  await page.goto(url('/login'));
  await page.getByRole('button', { name: /马文博/ }).click();
  await page.waitForURL((address) => address.pathname !== '/login');
  await startUsing(page);
  await page.goto(url('/organization/user'));
  await page.getByLabel('姓名/账号/电话').fill('demo_teacher2');
  await page.getByRole('button', { name: '查询' }).click();
  await expect(page.getByRole('row').filter({ hasText: '许建平' })).toBeVisible();
  await page.getByRole('button', { name: '重置', exact: true }).first().click();
  for (const name of ['许建平', '马文博']) await page.getByRole('row').filter({ hasText: name }).getByRole('checkbox').check();
  await page.getByRole('status').getByRole('button', { name: '重置密码' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('radio', { name: '30 天' }).check();
  await dialog.getByRole('button', { name: '重置', exact: true }).click();
  await expect(page.getByText('已重置 1 人的密码')).toBeVisible();
  await expect(page.getByText('不能对自己的账号进行该操作')).toBeVisible();
  expect(await accessibilityFaults(page)).toEqual([]);
  const file = page.waitForEvent('download');
  await page.getByRole('button', { name: '下载初始密码' }).click();
  expect(await readFile(await (await file).path(), 'utf8')).toContain('demo_teacher2');
  await page.getByRole('button', { name: '完成' }).click();

  const psychologist = page.getByRole('row').filter({ hasText: '陈静怡' });
  await psychologist.getByRole('checkbox').check();
  await page.getByRole('status').getByRole('button', { name: '停用' }).click();
  await expect(page.getByRole('dialog')).toContainText('还有在办预警');
  await page.getByRole('dialog').getByRole('button', { name: '停用' }).click();
  await expect(page.getByRole('button', { name: '移交并停用' })).toBeVisible();
  expect(await accessibilityFaults(page)).toEqual([]);
});

test('the platform finds a member of staff of any institution, reads the details and the sign-ins', async ({ page }) => {
  await signIn(page, 'admin');
  await page.goto(url('/organization/user'));
  await page.getByLabel('姓名/账号/电话').fill('乔然');
  await page.getByRole('button', { name: '查询' }).click();
  const row = page.getByRole('row').filter({ hasText: '乔然' });
  await expect(row).toContainText('云栖市东山高级中学');
  await row.getByRole('button', { name: '详情' }).click();
  const detail = page.getByRole('dialog', { name: '用户“乔然”' });
  await expect(detail).toContainText('云栖市东山高级中学');
  await expect(detail.getByRole('textbox')).toHaveCount(0);
  expect(await accessibilityFaults(page)).toEqual([]);
  await detail.getByRole('button', { name: '关闭', exact: true }).last().click();
  await page.goto(url('/authority/auditLog'));
  await page.getByRole('main').getByText('登录日志', { exact: true }).click();
  await expect(page).toHaveURL(url('/authority/loginLog'));
  await expect(page.getByRole('row').filter({ hasText: '成功' }).first()).toContainText('admin');
  expect(await accessibilityFaults(page)).toEqual([]);
});

test('a form asks before it saves two names as one person', async ({ page }) => {
  const run = Date.now().toString(36);
  await signIn(page, 'demo_school');
  await page.goto(url('/organization/user'));
  await page.getByRole('button', { name: '新增用户' }).first().click();
  const form = page.getByRole('dialog', { name: '新增用户' });
  await form.getByLabel('姓名').fill('吴九，郑十');
  await form.getByLabel('登录账号').fill(`wujiu${run}`);
  await form.getByRole('button', { name: '保存' }).click();
  await expect(page.getByText('像是 2 个人：“吴九”、“郑十”。确定是一个人吗？')).toBeVisible();
  await page.getByRole('button', { name: '返回修改' }).click();
  await expect(form.getByLabel('姓名')).toBeFocused();
  await form.getByLabel('姓名').fill('吴九');
  await form.getByRole('button', { name: '保存' }).click();
  await expect(page.getByRole('dialog', { name: '用户已创建' })).toBeVisible();
});

test('an administrator finds a function of a role by its name and folds the rest', async ({ page }) => {
  await signIn(page, 'demo_school');
  await page.goto(url('/authority/roleAdministration'));
  await page.getByRole('button', { name: '新增角色' }).click();
  const tree = page.getByRole('dialog', { name: '新增角色' }).getByRole('group', { name: '能使用的功能' });
  await tree.getByRole('checkbox', { name: '危机预警', exact: true }).first().waitFor();
  const all = await tree.getByRole('checkbox').count();
  await tree.getByLabel('查找功能').fill('角色');
  await tree.getByRole('checkbox', { name: '角色管理' }).check();
  expect(await tree.getByRole('checkbox').count()).toBeLessThan(all);
  await tree.getByRole('button', { name: '清空', exact: true }).click();
  await expect(tree.getByText('已选 1 项')).toBeVisible();
  await tree.getByRole('button', { name: /^收起/ }).first().click();
  expect(await tree.getByRole('checkbox').count()).toBeLessThan(all);
  await expect(tree.getByRole('checkbox', { name: '角色管理' })).toBeChecked();
});

test('a role can be read without being changed', async ({ page }) => {
  await signIn(page, 'demo_school');
  await page.goto(url('/authority/roleAdministration'));
  await page.getByRole('row').filter({ hasText: '班主任' }).getByRole('button', { name: '详情' }).click();
  const detail = page.getByRole('dialog', { name: '角色“班主任”' });
  await expect(detail.getByRole('region', { name: '能使用的功能' })).toContainText('团体管理');
  await expect(detail.getByRole('textbox')).toHaveCount(0);
  await expect(detail.getByRole('checkbox')).toHaveCount(0);
  expect(await accessibilityFaults(page)).toEqual([]);
});
