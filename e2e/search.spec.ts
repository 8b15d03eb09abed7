import { accessibilityFaults, expect, signIn, test, url } from './people.ts';

test('a psychologist finds a pupil, a case and a page by the keyboard alone', async ({ page }) => {
  await signIn(page, 'demo_psych');
  await page.goto(url('/workbench'));
  await expect(page.getByRole('heading', { level: 1 })).toBeAttached();
  await page.keyboard.press('Control+k');
  const field = page.getByRole('textbox', { name: '搜索' });
  await expect(field).toBeFocused();
  await page.keyboard.type('随访');
  await expect(page.getByRole('button', { name: /随访管理/ })).toBeVisible();
  expect(await accessibilityFaults(page)).toEqual([]);
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/followUpManagement/);

  // A page by the initials of its title.
  await page.keyboard.press('Control+k');
  await field.fill('wjyj');
  await expect(page.getByRole('button', { name: /危机预警/ }).first()).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(field).toBeHidden();

  // A person by the letters of the name, and the way back through what was opened last.
  await page.keyboard.press('Control+k');
  await field.fill('zhou');
  const person = page.getByRole('button', { name: /^周/ }).first();
  await expect(person).toBeVisible();
  const name = (await person.innerText()).split('\n')[0] ?? '';
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/cuserid=/);
  await expect(page.getByRole('main')).toContainText(name);
  await expect(field).toBeHidden();
  await page.keyboard.press('Control+k');
  const recent = page.getByRole('group', { name: '最近打开' });
  await expect(recent.getByRole('button', { name: new RegExp(`^${name}`) })).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(field).toBeHidden();
});

test('the keys lead to the filters, through the rows and to the neighbours of a case', async ({ page }) => {
  await signIn(page, 'demo_psych');
  await page.goto(url('/earlyWarning/earlyWarningLevel'));
  await expect(page.getByRole('row').nth(2)).toBeVisible();
  await page.keyboard.press('?');
  const sheet = page.getByRole('dialog', { name: '键盘操作' });
  await expect(sheet.getByRole('row').first()).toContainText('搜索');
  expect(await accessibilityFaults(page)).toEqual([]);
  await page.keyboard.press('Escape');
  await expect(sheet).toBeHidden();

  await page.keyboard.press('j');
  await expect(page.getByRole('row').nth(1)).toBeFocused();
  await page.keyboard.press('j');
  await expect(page.getByRole('row').nth(2)).toBeFocused();
  await page.keyboard.press('k');
  await expect(page.getByRole('row').nth(1)).toBeFocused();
  const nameIn = async (index: number) =>
    (await page.getByRole('row').nth(index).getByRole('cell').nth(2).innerText()).split('\n')[0] ?? '';
  const [first, second] = [await nameIn(1), await nameIn(2)];
  await page.keyboard.press('Enter');
  const drawer = page.getByRole('dialog', { name: '预警个案' });
  const heading = (name: string) => drawer.getByRole('heading', { name, exact: true });
  await expect(heading(first)).toBeVisible();
  await expect(drawer.getByRole('button', { name: '下一例' })).toBeEnabled();
  await page.keyboard.press(']');
  await expect(heading(second)).toBeVisible();
  await expect(drawer.getByRole('button', { name: '上一例' })).toBeEnabled();
  await page.keyboard.press('[');
  await expect(heading(first)).toBeVisible();
  await page.keyboard.press(']');
  await expect(heading(second)).toBeVisible();
  // The sheet of keys opens over the case, and Escape closes one after the other.
  await page.keyboard.press('?');
  await expect(sheet.getByRole('button', { name: '关闭' })).toBeFocused();
  await page.keyboard.press('Escape');
  await expect(sheet).toBeHidden();
  await expect(heading(second)).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(page.getByRole('row').nth(2)).toBeFocused();

  // A key that somebody types into a field stays a letter.
  await page.keyboard.press('/');
  const filter = page.getByRole('search').getByRole('textbox').first();
  await expect(filter).toBeFocused();
  await page.keyboard.type('j?');
  await expect(filter).toHaveValue('j?');
});
