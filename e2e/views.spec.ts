import type { Page } from '@playwright/test';
import { accessibilityFaults, expect, expectFitsWindow, expectNotification, signIn, test, url } from './people.ts';

const run = String(Date.now() % 100_000).padStart(5, '0');
const name = `紧凑${run}`;

const menuButton = (page: Page) => page.getByRole('button', { name: /^视图/ });
const item = (page: Page, text: string | RegExp) => page.getByRole('menuitem', { name: text });
const frame = (page: Page) => page.locator('main [role=region][data-density]');
const head = (page: Page, title: string) => page.getByRole('columnheader', { name: title, exact: true });

async function openMenu(page: Page) {
  await menuButton(page).click();
  await expect(item(page, '不用视图')).toBeVisible();
}

test('a psychologist saves a view with filters, columns, widths and density; a colleague opens it by its link and by name', async ({
  page,
  browser,
}) => {
  await signIn(page, 'demo_psych');
  await page.goto(url('/task/administration'));
  await expect(frame(page)).toHaveAttribute('data-density', 'comfortable');
  await page.getByRole('combobox', { name: '状态' }).click();
  await page.getByRole('option', { name: '已结束' }).click();
  await page.getByRole('button', { name: '查询' }).click();
  await expect(page).toHaveURL(/status=2/);

  await test.step('the menu of the columns changes density, columns and widths by the keyboard', async () => {
    await page.getByRole('button', { name: '选择显示的列' }).press('Enter');
    const menu = page.getByRole('dialog').filter({ hasText: '显示的列' });
    await menu.getByText('紧凑').click();
    await expect(frame(page)).toHaveAttribute('data-density', 'compact');
    await menu.getByLabel('学年', { exact: true }).check();
    await expect(head(page, '学年')).toBeVisible();
    const before = (await head(page, '学年').boundingBox())?.width ?? 0;
    await menu.getByRole('button', { name: '学年变宽' }).press('Enter');
    await expect.poll(async () => (await head(page, '学年').boundingBox())?.width).toBeGreaterThan(before + 20);
    expect(await accessibilityFaults(page)).toEqual([]);
    await page.keyboard.press('Escape');
  });

  await test.step('a drag at the edge of a header changes the width of its column', async () => {
    const box = await head(page, '截止时间').boundingBox();
    if (!box) throw new Error('no header');
    await page.mouse.move(box.x + box.width - 2, box.y + box.height / 2);
    await page.mouse.down();
    await page.mouse.move(box.x + box.width + 78, box.y + box.height / 2, { steps: 4 });
    await page.mouse.up();
    await expect.poll(async () => (await head(page, '截止时间').boundingBox())?.width).toBeGreaterThan(box.width + 40);
  });

  await test.step('she saves the view for her institution and lets the list open with it', async () => {
    await openMenu(page);
    await item(page, '保存为新视图').click();
    const drawer = page.getByRole('dialog', { name: '保存为新视图' });
    await drawer.getByRole('button', { name: '保存' }).click();
    await expect(drawer.getByText('视图名称不能为空')).toBeVisible();
    await drawer.getByLabel('视图名称').fill(name);
    await drawer.getByRole('switch', { name: '同事可以打开' }).press('Space');
    expect(await accessibilityFaults(page)).toEqual([]);
    await drawer.getByRole('button', { name: '保存' }).click();
    await expect(menuButton(page)).toHaveText(`视图：${name}`);
    await openMenu(page);
    await item(page, '打开列表时就用它').click();
    await openMenu(page);
    await expect(item(page, '打开列表时不再用它')).toBeVisible();
    await page.keyboard.press('Escape');
  });

  await test.step('the list opens with it; a change is shown, and the view follows it only when she says so', async () => {
    await page.goto(url('/task/administration'));
    await expect(menuButton(page)).toHaveText(`视图：${name}`);
    await expect(page).toHaveURL(/status=2/);
    await page.getByRole('button', { name: '重置' }).click();
    await expect(menuButton(page)).toHaveText(`视图：${name}（已改）`);
    await openMenu(page);
    await item(page, `更新“${name}”`).click();
    await expectNotification(page, /视图已更新/);
    await expect(menuButton(page)).toHaveText(`视图：${name}`);
  });

  const number = new URL(page.url()).searchParams.get('savedview') ?? '';
  const colleague = await (await browser.newContext({ viewport: { width: 390, height: 844 } })).newPage();
  await signIn(colleague, 'demo_psych2');
  await colleague.goto(url(`/task/administration?savedview=${number}`));
  await expect(menuButton(colleague)).toHaveText(`视图：${name}`);
  await expectFitsWindow(colleague);
  expect(await accessibilityFaults(colleague)).toEqual([]);
  await openMenu(colleague);
  await expect(item(colleague, new RegExp(`^${name}（`))).toBeVisible();
  await expect(item(colleague, '删除视图')).toHaveCount(0);
  await colleague.context().close();

  await openMenu(page);
  await item(page, '删除视图').click();
  await page.getByRole('dialog').getByRole('button', { name: '确定' }).click();
  await expectNotification(page, /视图已删除/);
  await expect(menuButton(page)).toHaveText('视图');
});

test('a view of one’s own goes without a question, and comes back from the message', async ({ page }) => {
  await signIn(page, 'demo_psych');
  await page.goto(url('/task/administration?keyword=复查'));
  const name = `复查${Date.now() % 100_000}`;
  await openMenu(page);
  await item(page, '保存为新视图').click();
  const form = page.getByRole('dialog', { name: '保存为新视图' });
  await form.getByLabel('视图名称').fill(name);
  await form.getByRole('button', { name: '保存' }).click();
  await expect(menuButton(page)).toHaveText(`视图：${name}`);
  await openMenu(page);
  await item(page, '删除视图').click();
  await expect(menuButton(page)).toHaveText('视图');
  await page.getByRole('alert').filter({ hasText: '视图已删除' }).getByRole('button', { name: '撤销' }).click();
  await expectNotification(page, /已撤销/);
  await expect(menuButton(page)).toHaveText(`视图：${name}`);
  await expect(page).toHaveURL(/keyword=/);
});

test('我的待办 comes with the list of warnings, and its link opens it', async ({ page }) => {
  await signIn(page, 'demo_psych');
  await page.goto(url('/earlyWarning/earlyWarningLevel'));
  await openMenu(page);
  await item(page, '我的待办').click();
  await expect(menuButton(page)).toHaveText('视图：我的待办');
  await expect(page).toHaveURL(/mine=1/);
  await page.goto(url(`/earlyWarning/earlyWarningLevel?savedview=${encodeURIComponent('我的待办')}`));
  await expect(page).toHaveURL(/mine=1.*orderby=due/);
  expect(await accessibilityFaults(page)).toEqual([]);
});

test('a view of all pupils opens among all pupils again, not among those who are due', async ({ page }) => {
  await signIn(page, 'demo_psych');
  await page.goto(url('/empower/youngsters?view=all'));
  const all = page.getByRole('radio', { name: '全部' });
  await expect(all).toBeChecked();
  await openMenu(page);
  await item(page, '保存为新视图').click();
  const drawer = page.getByRole('dialog', { name: '保存为新视图' });
  await drawer.getByLabel('视图名称').fill(`全部学生${run}`);
  await drawer.getByRole('button', { name: '保存' }).click();
  await expect(menuButton(page)).toHaveText(`视图：全部学生${run}`);
  await expect(all).toBeChecked();
  await openMenu(page);
  await item(page, '不用视图').click();
  await expect(menuButton(page)).toHaveText('视图');
  await expect(all).toBeChecked();
  await openMenu(page);
  await item(page, `全部学生${run}`).click();
  await expect(page).toHaveURL(/view=all.*savedview=\d+/);
  await expect(all).toBeChecked();
});
