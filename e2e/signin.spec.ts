import { readFile } from 'node:fs/promises';
import { accessibilityFaults, expect, expectNotification, signIn, startUsing, test, url } from './people.ts';

test('the demonstration offers its accounts; one click signs in', async ({ page }) => {
  await page.goto(url('/login'));
  const accounts = page.getByRole('region', { name: '演示账号' });
  await expect(accounts.getByRole('button', { name: /陈静怡.*危机预警/ })).toBeVisible();
  expect(await accessibilityFaults(page)).toEqual([]);
  await accounts.getByRole('button', { name: /demo_zs/ }).click();
  await page.waitForURL((address) => address.pathname !== '/login');
  await expect(page.getByRole('main')).toBeVisible();
});

for (const [title, stored] of Object.entries({
  'an empty object': '{}',
  'a text that is no JSON': '{"userid":',
  'the word null': 'null',
  'a list': '[]',
  'no list of permissions': '{"userid":null,"musercode":"M1","musertype":"005"}',
  'permissions that are null': '{"userid":null,"musercode":"M1","musertype":"005","permissions":null}',
}))
  test(`a damaged record of the account (${title}) leads to the sign-in page with its reason, never to a white page`, async ({
    page,
  }) => {
    await page.goto(url('/login'));
    await page.evaluate((text) => {
      document.cookie = 'token=forged; Path=/';
      sessionStorage.setItem('signedIn', text);
    }, stored);
    await page.goto(url('/'));
    await expect(page).toHaveURL(url('/login'));
    await expect(page.getByText('登录状态已过期，请重新登录', { exact: true })).toBeVisible();
    expect(await page.evaluate(() => document.cookie)).not.toContain('token');
  });

test('an administrator is warned of a role without rights; its member signs in with a one-time password and learns whom to ask', async ({
  page,
  browser,
}) => {
  const run = Date.now().toString(36);
  await signIn(page, 'demo_school');
  await page.goto(url('/authority/roleManagement'));
  await page.getByRole('button', { name: '新增角色' }).click();
  const drawer = page.getByRole('dialog', { name: '新增角色' });
  await drawer.getByLabel('角色名称').fill(`空角色${run}`);
  await drawer.getByLabel('角色标识').fill(`empty${run}`);
  await expect(drawer.getByText(/没有勾选任何功能/)).toBeVisible();
  await drawer.getByRole('button', { name: '保存' }).click();
  await page.getByRole('button', { name: '仍然保存' }).click();
  await expectNotification(page, /成功/);

  await page.goto(url('/organization/userManagement'));
  await page.getByRole('button', { name: '新增用户' }).first().click();
  const user = page.getByRole('dialog', { name: '新增用户' });
  await user.getByLabel('姓名').fill('空白');
  await user.getByLabel('登录账号').fill(`blank${run}`);
  await user.getByRole('radio', { name: '7 天' }).check();
  await user.getByRole('combobox', { name: '角色' }).fill(`空角色${run}`);
  await page.getByRole('option', { name: `空角色${run}` }).click();
  await user.getByRole('button', { name: '保存' }).click();
  const secret = (await page.locator('output').innerText()).trim();
  await page.getByRole('button', { name: '我已记下' }).click();

  const own = await browser.newPage();
  const enter = async (word: string) => {
    await own.goto(url('/login'));
    await own.getByLabel('账号', { exact: true }).fill(`blank${run}`);
    await own.getByLabel('密码', { exact: true }).fill(word);
    await own.getByRole('button', { name: '登录', exact: true }).click();
  };
  await enter(secret);
  await own.getByLabel('初始密码').fill(secret);
  await own.getByLabel('新密码').fill('Blank-Page-77x');
  await own.getByRole('button', { name: '确定' }).click();
  await expect(own).toHaveURL(url('/login'));
  await enter(secret);
  await expect(own.getByRole('alert')).toContainText('账号或密码错误');
  await enter('Blank-Page-77x');
  await expect(own.getByRole('heading', { name: '您的账号还没有开通功能' })).toBeVisible();
  await expect(own.getByRole('list', { name: '管理员' })).toContainText('马文博');
  expect(await accessibilityFaults(own)).toEqual([]);
  await own.goto(url('/task/teamManagement'));
  await expect(own.getByRole('heading', { name: '您的账号还没有开通功能' })).toBeVisible();
  await own.close();
});

test('an administrator resets the passwords of selected users with one download', async ({ page }) => {
  await page.goto(url('/login'));
  await page.getByRole('button', { name: /马文博/ }).click();
  await page.waitForURL((address) => address.pathname !== '/login');
  await startUsing(page);
  await page.goto(url('/organization/userManagement'));
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
