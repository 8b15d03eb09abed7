import type { Page, Request } from '@playwright/test';
import { pathOf, type ScreenKey } from '../src/contract/menu.ts';
import { screens } from '../src/console/screens.tsx';
import { pageSizes } from '../src/contract/page.ts';
import { expect, signIn, test, url } from './people.ts';

const desktop = { width: 1440, height: 900 };
const phone = { width: 390, height: 844 };

/** Screens that are no list of pages: a tree, a tree, and a population's few stages. A new screen is a list until it stands here. */
const noLists: readonly string[] = ['authority.menus', 'organization.depts', 'period.plans'] satisfies ScreenKey[];
const asPsychologist: readonly string[] = [
  'individual.persons',
  'group.teams',
  'group.tasks',
  'warning.crisis',
  'plans.library',
  'plans.scales',
  'consult.followups',
] satisfies ScreenKey[];
const lists = (Object.keys(screens) as ScreenKey[]).filter((key) => !noLists.includes(key));

interface Asked {
  pageSize?: number | string;
}
/** How many rows a call asks for; NaN for calls that are no list. The address's words go to the wire as they stand. */
const sizeOf = (request: Request): number =>
  request.headers()['content-type']?.includes('json') ? Number((request.postDataJSON() as Asked | null)?.pageSize) : NaN;
const region = (page: Page) => page.locator('main [role=region]').last();
const rows = (page: Page) => page.locator('main tbody tr[aria-rowindex]');
const sizes = (page: Page) => page.getByLabel('每页条数');

/** The one list that shows cards until it is asked for its table. */
const asCards: readonly string[] = [pathOf('plans.scales' satisfies ScreenKey)];

/** Opens a list, as a table where it can be shown otherwise. */
async function open(page: Page, path: string) {
  await page.goto(url(path));
  await expect(page.getByRole('navigation', { name: '分页' })).toBeVisible();
  if (asCards.includes(path)) await page.locator('main').getByText('表格', { exact: true }).click();
  await expect(region(page)).toHaveAttribute('aria-busy', 'false');
}

/** The pager: the size in force beside the four of the specification, and where to go. */
async function pager(page: Page) {
  await expect(sizes(page)).toHaveValue('10');
  expect(await sizes(page).locator('option').allTextContents()).toEqual([10, ...pageSizes].map((size) => `${size} 条/页`));
  await expect(page.getByLabel('前往第几页')).toBeVisible();
  await expect(page.getByText(/^共 \d+ 条$/)).toBeVisible();
}

/** A list that cannot be read says so and offers to try again; an empty one says what to do; old rows stay meanwhile. */
async function states(page: Page) {
  let failing = true;
  let letGo: () => void = () => undefined;
  const released = new Promise<void>((resolve) => (letGo = resolve));
  // The size asked for tells the list's own call from all others of the page.
  await page.route('**/api/**', async (route) => {
    const pageSize = sizeOf(route.request());
    const answer = (body: unknown) => route.fulfill({ contentType: 'application/json', body: JSON.stringify(body) });
    if (pageSize === 15 && failing) return answer({ errorCode: 900000, errorMsg: '系统繁忙，请稍后再试', data: null });
    if (pageSize === 50) {
      const response = await route.fetch();
      const { data, ...rest } = (await response.json()) as { data: object };
      return answer({ ...rest, data: { ...data, total: 0, rows: [] } });
    }
    if (pageSize === 100) await released;
    return route.fallback();
  });
  const before = await rows(page).count();
  await sizes(page).selectOption('15');
  const retry = page.getByRole('button', { name: '加载失败，点击重试' });
  await expect(retry).toBeVisible();
  await expect(page.locator('[data-state=empty]')).toHaveCount(0);
  failing = false;
  await retry.click();
  await expect(retry).toBeHidden();
  if (before > 0) await expect(rows(page)).not.toHaveCount(0);
  await sizes(page).selectOption('100');
  if (before > 0) {
    await expect(region(page)).toHaveAttribute('aria-busy', 'true');
    expect(await rows(page).count(), 'the rows stay while the next are read').toBeGreaterThan(0);
  }
  letGo();
  await expect(region(page)).toHaveAttribute('aria-busy', 'false');
  await sizes(page).selectOption('50');
  const empty = page.locator('[data-state=empty]');
  await expect(empty).toBeVisible();
  expect((await empty.innerText()).split('\n').filter(Boolean).length, 'an empty list says what to do next').toBeGreaterThan(1);
  await page.unrouteAll({ behavior: 'wait' });
  await sizes(page).selectOption('15');
  await expect(region(page)).toHaveAttribute('aria-busy', 'false');
}

/** Size, order and filters stand in the address: reload keeps them, back takes them off; chosen columns are remembered. */
async function savedView(page: Page, path: string) {
  // One that is neither the row's name nor sorted by.
  const other = page.locator('main thead th:not(:first-child):not(:has(button, input))').first();
  const sort = page.locator('main thead th button[class*=sort]').first();
  await expect(sort, `${path} can be sorted`).toBeVisible();
  await sort.click();
  await expect(page.locator('main th[aria-sort=descending]')).toHaveCount(1);
  await sort.click();
  await expect(page.locator('main th[aria-sort=ascending]')).toHaveCount(1);
  await expect(page).toHaveURL(/orderby=\w+&isasc=1/);
  const gone = (await other.innerText()).trim();
  await page.getByRole('button', { name: '选择显示的列' }).click();
  await page.getByRole('checkbox', { name: gone, exact: true }).click();
  await page.keyboard.press('Escape');
  await expect(page.getByRole('columnheader', { name: gone, exact: true })).toHaveCount(0);
  const keyword = page.locator('form[role=search] input[type=text]:not([aria-haspopup]):not([readonly])').first();
  const typed = (await keyword.count()) > 0;
  if (typed) {
    await keyword.fill('没有这样的');
    await page.getByRole('button', { name: '查询', exact: true }).click();
    await expect(page).toHaveURL(/没有这样的|%E6%B2%A1/);
    await expect(page.locator('[data-state=empty]')).toBeVisible();
  }
  await page.reload();
  await expect(sizes(page)).toHaveValue('15');
  await expect(page.locator('main th[aria-sort=ascending]')).toHaveCount(1);
  await expect(page.getByRole('columnheader', { name: gone, exact: true })).toHaveCount(0);
  if (typed) {
    await expect(keyword).toHaveValue('没有这样的');
    await page.goBack();
    await expect(keyword).toHaveValue('');
  }
  await page.getByRole('button', { name: '选择显示的列' }).click();
  await page.getByText('恢复默认').click();
  await page.keyboard.press('Escape');
  await expect(page.getByRole('columnheader', { name: gone, exact: true })).toHaveCount(1);
}

/** Where something can be deleted, its name stands in the question. */
async function deleting(page: Page) {
  const direct = page.locator('main tbody').getByRole('button', { name: '删除', exact: true }).first();
  const menus = page.locator('main tbody').getByRole('button', { name: /更多操作/ });
  if (await direct.isVisible()) await direct.click();
  else if ((await menus.count()) > 0) {
    await menus.first().click();
    const item = page.getByRole('menuitem', { name: '删除', exact: true });
    await expect(page.getByRole('menuitem').first()).toBeVisible();
    if ((await item.count()) === 0) return page.keyboard.press('Escape');
    await item.click();
  } else return;
  const question = page.getByRole('dialog', { name: '系统提示' });
  await expect(question).toContainText(/是否确认删除“.+”？/);
  await question.getByRole('button', { name: '取消' }).click();
  await expect(question).toBeHidden();
}

/** At both widths nothing hides beyond the edge: a desktop shows its usual columns whole, a phone is not scrolled sideways. */
async function fits(page: Page, path: string) {
  for (const size of [desktop, phone]) {
    await page.setViewportSize(size);
    await expect(page.getByRole('navigation', { name: '分页' })).toBeVisible();
    const over = () =>
      page.evaluate(() =>
        Math.max(
          ...[document.documentElement, ...document.querySelectorAll('main [role=region]')].map(
            (item) => item.scrollWidth - item.clientWidth,
          ),
        ),
      );
    // The page follows its window a moment later.
    await expect.poll(over, { message: `${path} at ${size.width}` }).toBeLessThanOrEqual(0);
  }
  await page.setViewportSize(desktop);
  await expect(page.locator('main tbody').last()).toBeVisible();
}

for (const [account, keys, more] of [
  ['demo_psych', lists.filter((key) => asPsychologist.includes(key)), ['/reports', '/approvals']],
  ['admin', lists.filter((key) => !asPsychologist.includes(key)), []],
] as const)
  test(`every list of ${account} holds the rules of lists`, async ({ page }) => {
    await page.setViewportSize(desktop);
    await signIn(page, account);
    expect(keys.length).toBeGreaterThan(5);
    for (const path of [...keys.map(pathOf), ...more])
      await test.step(path, async () => {
        await open(page, path);
        await pager(page);
        await fits(page, path);
        await deleting(page);
        await states(page);
        await savedView(page, path);
      });
  });
