import type { Page } from '@playwright/test';
import { expect, signIn, test, url } from './people.ts';

// Every run uses new names, so the test can run again on the same server.
const run = String(Date.now() % 100_000).padStart(5, '0');
const staff = { name: `温言${run}`, account: `wenyan${run}` };
const usersPath = '/organization/user';

const rowOf = (page: Page, name: string) => page.getByRole('row').filter({ hasText: name });
async function openEditor(page: Page) {
  await page.goto(url(usersPath));
  await rowOf(page, staff.name).getByRole('button', { name: '修改', exact: true }).click();
  const form = page.getByRole('dialog', { name: '修改用户' });
  await expect(form).toBeVisible();
  return form;
}

test('Enter in an open list chooses and never submits, and two browsers that change one user lose nothing', async ({
  page,
  browser,
}) => {
  await signIn(page, 'demo_school');
  const other = await (await browser.newContext({ locale: 'zh-CN', timezoneId: 'Asia/Shanghai' })).newPage();
  await signIn(other, 'demo_school');

  await test.step('a new user: Enter in the list of roles chooses, two presses of Enter send the form once', async () => {
    await page.goto(url(usersPath));
    let inserts = 0;
    page.on('request', (request) => (inserts += request.url().includes('insertUser') ? 1 : 0));
    await page.getByRole('button', { name: '新增用户' }).first().click();
    const form = page.getByRole('dialog', { name: '新增用户' });
    await form.getByLabel('姓名').fill(staff.name);
    await form.getByLabel('登录账号').fill(staff.account);
    const roles = form.getByRole('combobox', { name: '角色' });
    await roles.fill('没有这个角色');
    await roles.press('Enter');
    await roles.fill('班主任');
    await roles.press('Enter');
    await expect(roles).toHaveValue('');
    expect(inserts).toBe(0);
    await roles.press('Escape');
    await form.getByLabel('登录账号').focus();
    await page.keyboard.press('Enter');
    await page.keyboard.press('Enter');
    await expect(form).toBeHidden();
    expect(inserts).toBe(1);
  });

  await test.step('edits of different fields both stay; the same field offers both values', async () => {
    await page.reload();
    const mine = await openEditor(page);
    const otherEditor = await openEditor(other);
    await otherEditor.getByLabel('职务').fill('教研组长');
    await otherEditor.getByLabel('资质').fill('心理教师');
    await otherEditor.getByRole('button', { name: '保存' }).click();
    await expect(otherEditor).toBeHidden();
    await mine.getByRole('textbox', { name: '职务' }).fill('年级组长');
    await mine.getByLabel('备注').fill('周一值班');
    await mine.getByRole('button', { name: '保存' }).click();
    await expect(mine.getByText('刚刚修改了同一内容')).toBeVisible();
    await expect(mine.getByRole('group', { name: '职务被他人修改' })).toContainText('改为“教研组长”');
    await expect(mine.getByRole('textbox', { name: '职务' })).toHaveValue('年级组长');
    await expect(mine.getByLabel('备注')).toHaveValue('周一值班');
    await mine.getByRole('button', { name: '采用对方的' }).click();
    await expect(mine.getByRole('textbox', { name: '职务' })).toHaveValue('教研组长');
    await mine.getByRole('button', { name: '保存' }).click();
    await expect(mine).toBeHidden();
    const saved = await openEditor(page);
    await expect(saved.getByLabel('职务')).toHaveValue('教研组长');
    await expect(saved.getByLabel('资质')).toHaveValue('心理教师');
    await expect(saved.getByLabel('备注')).toHaveValue('周一值班');
  });
});

test('a number stays as it was typed, and the form refuses it in words', async ({ page }) => {
  await signIn(page, 'demo_school');
  await page.goto(url('/organization/dept'));
  await page.getByRole('button', { name: '新增部门' }).first().click();
  const form = page.getByRole('dialog', { name: '新增部门' });
  await form.getByLabel('部门名称').fill(`德育处${run}`);
  const order = form.getByRole('textbox', { name: '排序' });
  for (const [typed, words] of [
    ['99999999999', '排序不能大于 9,999'],
    ['1.5', '排序应为整数'],
  ] as const) {
    await order.fill(typed);
    await form.getByRole('button', { name: '保存' }).click();
    await expect(form.getByText(words)).toBeVisible();
    await expect(order).toHaveValue(typed);
  }
  await order.fill('7');
  await form.getByRole('button', { name: '保存' }).click();
  const row = page.getByRole('row').filter({ hasText: `德育处${run}` });
  await row.getByRole('button', { name: '删除' }).click();
  await expect(row).toHaveCount(0);
  await page
    .getByRole('alert')
    .filter({ hasText: `已删除“德育处${run}”` })
    .getByRole('button', { name: '撤销' })
    .click();
  await expect(row.getByRole('cell', { name: '7', exact: true })).toBeVisible();
});
