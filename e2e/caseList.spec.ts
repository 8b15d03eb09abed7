import type { Page } from '@playwright/test';
import { insertCUser } from '../src/features/cuser/cuser.contract.ts';
import { insertWarning } from '../src/features/warning/handling/handling.contract.ts';
import { accessibilityFaults, expect, expectNotification, signIn, test, url } from './people.ts';
import { as } from './school.ts';

let caseCount = 0;

/** Opens cases for new students of 晨光中学, one for each name. Returns the part of the names that finds them in the list. */
async function createCases(...names: readonly string[]): Promise<string> {
  const call = await as('demo_psych');
  const family = `岑${Date.now() % 1_000_000}${(caseCount += 1)}`;
  for (const [index, name] of names.entries()) {
    const { cuserid } = await call(insertCUser, {
      appid: '000000002',
      username: `${family}${name}`,
      gender: '02',
      birthday: '2011-03-18',
      archive: { studentno: `C${family.slice(1)}${index}` },
      guardian: [],
    });
    await call(insertWarning, { cuserid, level: 2, content: '课堂上情绪低落，趴桌哭泣' });
  }
  return family;
}

const listPath = (keyword: string) => url(`/earlyWarning/earlyWarningLevel?keyword=${keyword}&orderby=username&isasc=1`);
const rowOf = (page: Page, name: string) => page.getByRole('row').filter({ hasText: name });

/** Lets the last look at the list be an hour ago, as if the reader had gone away. */
const endLook = (page: Page) =>
  page.evaluate(() => {
    const key = Object.keys(localStorage).find((name) => name.endsWith('.warnings.look'));
    if (!key) throw new Error('the browser remembers no look');
    const look = JSON.parse(localStorage.getItem(key) ?? '{}') as { at: number };
    localStorage.setItem(key, JSON.stringify({ ...look, at: look.at - 3_600_000 }));
  });

test('a case that came since the last look has the mark 新 until the reader opens it', async ({ page }) => {
  await signIn(page, 'demo_psych');
  await page.goto(url('/earlyWarning/earlyWarningLevel'));
  await expect(page.locator('tbody tr[aria-rowindex]').first()).toBeVisible();
  await expect(page.getByText('新', { exact: true })).toHaveCount(0);
  const family = await createCases('甲');
  await page.goto(url('/'));
  await endLook(page);
  await page.goto(listPath(family));
  const row = rowOf(page, `${family}甲`);
  await expect(row.getByText('新', { exact: true })).toBeVisible();
  await row.getByRole('button', { name: '查看', exact: true }).click();
  await page.getByRole('dialog', { name: '预警个案' }).getByRole('button', { name: '关闭' }).click();
  await expect(row).toBeVisible();
  await expect(row.getByText('新', { exact: true })).toHaveCount(0);
});

test('staff accept selected cases at once and assign them to another owner; a refused one is named', async ({ page }) => {
  const family = await createCases('甲', '乙', '丙');
  await signIn(page, 'demo_psych');
  await page.goto(listPath(family));
  const bar = page.getByRole('status').filter({ hasText: '已选择' });
  await rowOf(page, `${family}甲`).getByRole('button', { name: '受理' }).click();
  await page.getByRole('dialog', { name: '预警个案' }).getByRole('button', { name: '关闭' }).click();
  for (const name of ['甲', '乙', '丙'])
    await rowOf(page, family + name)
      .getByRole('checkbox')
      .check();
  await bar.getByRole('button', { name: '受理', exact: true }).click();
  const report = page.getByRole('dialog', { name: /已受理 2 例，1 例没有办理/ });
  await expect(report.getByRole('list', { name: '没有办理的个案' })).toContainText(`${family}甲`);
  expect(await accessibilityFaults(page)).toEqual([]);
  await report.getByRole('button', { name: '知道了' }).click();
  for (const name of ['甲', '乙', '丙']) await expect(rowOf(page, family + name)).toContainText('已受理');
  const selectBoth = async () => {
    for (const name of ['乙', '丙'])
      await rowOf(page, family + name)
        .getByRole('checkbox')
        .check();
    await page.getByRole('button', { name: '分派', exact: true }).click();
  };
  const dialog = page.getByRole('dialog', { name: '分派 2 例' });
  const assignTo = async (which: 'first' | 'last') => {
    await dialog.getByRole('combobox', { name: '责任人' }).click();
    const option = page.getByRole('option', { name: / · 在办 / })[which]();
    const name = ((await option.textContent()) ?? '').split(' · ')[0] ?? '';
    await option.click();
    await dialog.getByRole('button', { name: '分派', exact: true }).click();
    await expect(dialog).toBeHidden();
    return name;
  };
  // An acceptance does not come back, so the dialog says that this cannot be undone.
  await selectBoth();
  await expect(dialog).toContainText('其中 2 例已受理过，分派后不能撤销');
  const owner = await assignTo('last');
  for (const name of ['乙', '丙']) await expect(rowOf(page, family + name)).toContainText(owner);
  const undo = page.getByRole('alert').filter({ hasText: '已分派 2 例' }).getByRole('button', { name: '撤销', exact: true });
  await expect(undo).toHaveCount(0);
  // Both wait for their new owner now: giving them to somebody else can be undone.
  await selectBoth();
  const other = await assignTo('first');
  for (const name of ['乙', '丙']) await expect(rowOf(page, family + name)).toContainText(other);
  await undo.click();
  await expectNotification(page, /已撤销/);
  for (const name of ['乙', '丙']) await expect(rowOf(page, family + name)).toContainText(owner);
});

test('a mistaken 受理 is taken back from its message, and the case waits again', async ({ page }) => {
  const family = await createCases('甲');
  await signIn(page, 'demo_psych');
  await page.goto(listPath(family));
  const row = rowOf(page, `${family}甲`);
  await row.getByRole('button', { name: '受理' }).click();
  const dialog = page.getByRole('dialog', { name: '预警个案' });
  await expect(dialog.getByRole('button', { name: '核实', exact: true })).toBeVisible();
  await page.getByRole('alert').filter({ hasText: '已受理' }).getByRole('button', { name: '撤销', exact: true }).click();
  await expectNotification(page, /已撤销/);
  await expect(dialog.getByRole('button', { name: '受理', exact: true })).toBeVisible();
  await expect(dialog.getByText('撤回受理')).toBeVisible();
});

test('上一例 and 下一例 follow the filters and the order of the list, also after a reload of the case', async ({ page }) => {
  const family = await createCases('乙', '甲', '丙');
  await signIn(page, 'demo_psych');
  await page.goto(listPath(family));
  await expect(page.locator('tbody tr[aria-rowindex]')).toHaveCount(3);
  const names = await page.locator('tbody tr[aria-rowindex]').evaluateAll((rows) => rows.map((row) => row.textContent));
  const order = names.map((text) => /岑\d+[甲乙丙]/.exec(text)?.[0] ?? '');
  expect([...order].sort()).toEqual(['丙', '乙', '甲'].map((name) => family + name).sort());
  await rowOf(page, order[0] ?? '')
    .getByRole('button', { name: '查看', exact: true })
    .click();
  await page.getByRole('link', { name: '整页打开' }).click();
  const isShown = (index: number) =>
    expect(page.getByRole('main').getByRole('heading', { level: 1, name: order[index] ?? '' })).toBeVisible();
  const [previous, next] = ['上一例', '下一例'].map((name) => page.getByRole('main').getByRole('button', { name }));
  await isShown(0);
  await expect(previous!).toBeDisabled();
  await next!.click();
  await isShown(1);
  await expect(page).toHaveURL(/page=1&.*orderby=username&isasc=1&keyword=/);
  await page.reload();
  await isShown(1);
  await next!.click();
  await isShown(2);
  await expect(next!).toBeDisabled();
  await page.reload();
  await previous!.click();
  await isShown(1);
});

test('the filters of the cases fold, and the browser remembers the choice', async ({ page }) => {
  await signIn(page, 'demo_psych');
  await page.setViewportSize({ width: 1366, height: 768 });
  await page.goto(url('/earlyWarning/earlyWarningLevel'));
  const level = page.getByRole('search').getByLabel('触发日期');
  await expect(page.getByRole('button', { name: '更多条件' })).toHaveAttribute('aria-expanded', 'false');
  await expect(level).toBeHidden();
  await page.getByRole('button', { name: '更多条件' }).click();
  await expect(level).toBeVisible();
  await page.reload();
  await expect(level).toBeVisible();
  await page.getByRole('button', { name: '收起条件' }).click();
  await expect(level).toBeHidden();
  await page.reload();
  await expect(page.getByRole('button', { name: '更多条件' })).toBeVisible();
  await expect(level).toBeHidden();
});
