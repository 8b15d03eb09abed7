import { pathOf } from '../src/contract/menu.ts';
import { accessibilityFaults, expect, signIn, test, url } from './people.ts';

const run = `${Date.now() % 1_000_000}`;

test('an administrator adds a field to the archives of pupils; staff fill it in, see it in the list and find pupils by it', async ({
  page,
}) => {
  const title = `社团${run}`;
  const username = `林小满${run}`;
  await signIn(page, 'demo_school');
  await page.goto(url(pathOf('archives.students')));
  await page.getByRole('link', { name: '档案字段' }).click();
  await page.getByRole('button', { name: '新增字段' }).click();
  const form = page.getByRole('dialog', { name: '新增字段：学生' });
  await form.getByRole('textbox', { name: '名称' }).fill(title);
  await form.getByRole('combobox', { name: '类型' }).click();
  await page.getByRole('option', { name: '单选' }).click();
  for (const [index, label] of ['合唱团', '田径队'].entries()) {
    await form.getByRole('button', { name: '添加选项' }).click();
    await form.getByRole('textbox', { name: `选项 ${index + 1}`, exact: true }).fill(label);
  }
  await form.getByRole('switch', { name: '作为档案列表的一列' }).check();
  await form.getByRole('switch', { name: '可以按它筛选档案' }).check();
  expect(await accessibilityFaults(page)).toEqual([]);
  await form.getByRole('button', { name: '保存' }).click();
  await expect(form).toBeHidden();
  await expect(page.getByRole('listitem').filter({ hasText: title })).toContainText('合唱团、田径队');
  expect(await accessibilityFaults(page)).toEqual([]);

  await page.goto(url(pathOf('archives.students')));
  await page.getByRole('button', { name: '建档' }).click();
  const drawer = page.getByRole('dialog', { name: '新增受测者' });
  await drawer.getByRole('textbox', { name: '姓名' }).fill(username);
  await drawer.getByRole('radio', { name: '女' }).check();
  await drawer.getByRole('combobox', { name: title }).click();
  await page.getByRole('option', { name: '田径队' }).click();
  await drawer.getByRole('button', { name: '保存' }).click();
  await expect(drawer).toBeHidden();

  await page.getByRole('button', { name: '更多条件' }).click();
  await page.getByRole('combobox', { name: title }).click();
  await page.getByRole('option', { name: '田径队' }).click();
  await page.getByRole('button', { name: '查询' }).click();
  const row = page.getByRole('row').filter({ hasText: username });
  await expect(row).toContainText('田径队');
  await row.getByRole('link', { name: username }).click();
  await page.waitForURL(/archivesyh2/);
  await expect(page.getByText(title).filter({ visible: true }).first()).toBeVisible();
  await expect(page.getByText('田径队').filter({ visible: true }).first()).toBeVisible();
});
