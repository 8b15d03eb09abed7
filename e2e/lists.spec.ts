import type { Page, Request } from '@playwright/test';
import { pathOf, type ScreenKey } from '../src/contract/menu.ts';
import { screens } from '../src/console/screens.tsx';
import { pagerSize } from '../src/contract/page.ts';
import { answerTo, expect, signIn, test, url } from './people.ts';

const desktop = { width: 1440, height: 900 };
const phone = { width: 390, height: 844 };

/**
 * Screens that do not count as a list: two trees, the few stages of a population, the bands of one score, and two pages of figures.
 */
const noLists: readonly string[] = [
  'authority.menus',
  'organization.depts',
  'period.plans',
  'plans.comments',
  'statistics.school',
  'statistics.hospital',
] satisfies ScreenKey[];
const asPsychologist: readonly string[] = [
  'individual.persons',
  'group.teams',
  'group.tasks',
  'warning.crisis',
  'plans.library',
  'plans.scales',
  'consult.forms',
  'consult.followups',
] satisfies ScreenKey[];
const lists = (Object.keys(screens) as ScreenKey[]).filter((key) => !noLists.includes(key));

interface ListRequest {
  pageSize?: number | string;
}
/** Returns the page size in a request, or NaN for requests of no list. A page size from the address is a string. */
const sizeOf = (request: Request): number =>
  request.headers()['content-type']?.includes('json') ? Number((request.postDataJSON() as ListRequest | null)?.pageSize) : NaN;
const region = (page: Page) => page.locator('main [role=region]').last();
const rows = (page: Page) => page.locator('main tbody tr[aria-rowindex]');
const sizes = (page: Page) => page.getByLabel('每页条数');

/** The list that shows cards by default. */
const asCards: readonly string[] = [pathOf('plans.scales' satisfies ScreenKey)];

/** Opens a list and switches it from cards to a table if necessary. */
async function openList(page: Page, path: string) {
  await page.goto(url(path));
  await expect(page.getByRole('navigation', { name: '分页' })).toBeVisible();
  if (asCards.includes(path)) await page.locator('main').getByText('表格', { exact: true }).click();
  await expect(region(page)).toHaveAttribute('aria-busy', 'false');
}

/** Expects the pager to offer the current size, the four sizes of the specification, the page number and the total. */
async function expectPager(page: Page) {
  await expect(sizes(page)).toHaveValue(String(pagerSize));
  expect(await sizes(page).locator('option').allTextContents()).toEqual(
    [15, pagerSize, 50, 100, 200].map((size) => `${size} 条/页`),
  );
  await expect(page.getByLabel('前往第几页')).toBeVisible();
  await expect(page.getByText(/^共 [\d,]+ 条$/)).toBeVisible();
}

/** Expects a retry after an error, a hint in an empty list, and the old rows during loading. */
async function expectStates(page: Page) {
  let isFailing = true;
  let release: () => void = () => undefined;
  const released = new Promise<void>((resolve) => (release = resolve));
  // The page size distinguishes the calls of the list from all others of the page.
  await page.route('**/api/**', async (route) => {
    const pageSize = sizeOf(route.request());
    const answer = (body: unknown) => route.fulfill({ contentType: 'application/json', body: JSON.stringify(body) });
    if (pageSize === 15 && isFailing) return answer({ errorCode: 900000, errorMsg: '系统繁忙，请稍后再试', data: null });
    if (pageSize === 50) {
      const response = await answerTo(route);
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
  isFailing = false;
  await retry.click();
  await expect(retry).toBeHidden();
  if (before > 0) await expect(rows(page)).not.toHaveCount(0);
  await sizes(page).selectOption('100');
  if (before > 0) {
    await expect(region(page)).toHaveAttribute('aria-busy', 'true');
    expect(await rows(page).count(), 'the rows stay while the next ones load').toBeGreaterThan(0);
  }
  release();
  await expect(region(page)).toHaveAttribute('aria-busy', 'false');
  await sizes(page).selectOption('50');
  const empty = page.locator('[data-state=empty]');
  await expect(empty).toBeVisible();
  expect((await empty.innerText()).split('\n').filter(Boolean).length, 'an empty list says what to do next').toBeGreaterThan(1);
  await page.unrouteAll({ behavior: 'wait' });
  await sizes(page).selectOption('15');
  await expect(region(page)).toHaveAttribute('aria-busy', 'false');
}

/**
 * Expects two choices in one moment to count both: the size, and the order chosen before the page shows the size. A slow machine gives
 * the reader the same moment.
 */
async function expectQuickChoices(page: Page) {
  await page.evaluate(() => {
    const select = document.querySelector<HTMLSelectElement>('select[aria-label=每页条数]');
    const sort = document.querySelector<HTMLButtonElement>('main thead th button[class*=sort]');
    if (!select || !sort) throw new Error('the list has no pager or no sortable column');
    Object.getOwnPropertyDescriptor(HTMLSelectElement.prototype, 'value')?.set?.call(select, '50');
    select.dispatchEvent(new Event('change', { bubbles: true }));
    sort.click();
  });
  await expect(page).toHaveURL(/pageSize=50.*orderby=|orderby=.*pageSize=50/);
  await expect(sizes(page)).toHaveValue('50');
  await page.goBack();
  await page.goBack();
  await expect(sizes(page)).toHaveValue(String(pagerSize));
}

/**
 * Expects the page size, order and filters in the address: a reload keeps them, and going back removes them. The chosen columns stay.
 */
async function expectKeptState(page: Page, path: string) {
  // A column that is neither the name of the row nor sortable.
  const otherHead = page.locator('main thead th:not(:first-child):not(:has(button, input))').first();
  const sort = page.locator('main thead th button[class*=sort]').first();
  await expect(sort, `${path} can be sorted`).toBeVisible();
  await sort.click();
  await expect(page.locator('main th[aria-sort=descending]')).toHaveCount(1);
  await sort.click();
  await expect(page.locator('main th[aria-sort=ascending]')).toHaveCount(1);
  await expect(page).toHaveURL(/orderby=\w+&isasc=1/);
  const hiddenHead = (await otherHead.innerText()).trim();
  await page.getByRole('button', { name: '选择显示的列' }).click();
  // The rows of the new order may arrive now and move the menu below the pointer; a click into a moving menu is lost.
  await expect(() => page.getByRole('checkbox', { name: hiddenHead, exact: true }).uncheck({ timeout: 5_000 })).toPass();
  await page.keyboard.press('Escape');
  await expect(page.getByRole('columnheader', { name: hiddenHead, exact: true })).toHaveCount(0);
  const keyword = page.locator('form[role=search] input[type=text]:not([aria-haspopup]):not([readonly])').first();
  const hasKeyword = (await keyword.count()) > 0;
  if (hasKeyword) {
    await keyword.fill('没有这样的');
    await page.getByRole('button', { name: '查询', exact: true }).click();
    await expect(page).toHaveURL(/没有这样的|%E6%B2%A1/);
    await expect(page.locator('[data-state=empty]')).toBeVisible();
  }
  await page.reload();
  await expect(sizes(page)).toHaveValue('15');
  await expect(page.locator('main th[aria-sort=ascending]')).toHaveCount(1);
  await expect(page.getByRole('columnheader', { name: hiddenHead, exact: true })).toHaveCount(0);
  if (hasKeyword) {
    await expect(keyword).toHaveValue('没有这样的');
    await page.goBack();
    await expect(keyword).toHaveValue('');
  }
  await page.getByRole('button', { name: '选择显示的列' }).click();
  await page.getByText('恢复默认').click();
  await page.keyboard.press('Escape');
  await expect(page.getByRole('columnheader', { name: hiddenHead, exact: true })).toHaveCount(1);
}

/** Expects the confirmation of a deletion to name the record, if the list can delete. */
async function expectDeleteQuestion(page: Page) {
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

/** Expects no content beyond the edge at both widths. */
async function expectFits(page: Page, path: string) {
  for (const size of [desktop, phone]) {
    await page.setViewportSize(size);
    await expect(page.getByRole('navigation', { name: '分页' })).toBeVisible();
    const excess = () =>
      page.evaluate(() =>
        Math.max(
          ...[document.documentElement, ...document.querySelectorAll('main [role=region]')].map(
            (item) => item.scrollWidth - item.clientWidth,
          ),
        ),
      );
    // The layout changes a moment after the window.
    await expect.poll(excess, { message: `${path} at ${size.width}` }).toBeLessThanOrEqual(0);
  }
  await page.setViewportSize(desktop);
  await expect(page.locator('main tbody').last()).toBeVisible();
}

for (const [account, keys, otherPaths] of [
  ['demo_psych', lists.filter((key) => asPsychologist.includes(key)), ['/reports', '/approvals']],
  ['admin', lists.filter((key) => !asPsychologist.includes(key)), []],
] as const)
  test(`every list of ${account} follows the rules of lists`, async ({ page }) => {
    await page.setViewportSize(desktop);
    await signIn(page, account);
    expect(keys.length).toBeGreaterThan(5);
    for (const path of [...keys.map(pathOf), ...otherPaths])
      await test.step(path, async () => {
        await openList(page, path);
        await expectPager(page);
        if (path.endsWith('/terminal')) await expectQuickChoices(page);
        await expectFits(page, path);
        await expectDeleteQuestion(page);
        await expectStates(page);
        await expectKeptState(page, path);
      });
  });
