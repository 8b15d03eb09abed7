import { readFile } from 'node:fs/promises';
import type { Locator, Page } from '@playwright/test';
import { accessibilityFaults, expect, expectFitsWindow, fileOf, signIn, test, url, waitUntilSettled } from './people.ts';

const page390 = { width: 390, height: 844 };
const tile = (page: Page, list: string, name: string) =>
  page
    .getByRole('list', { name: list })
    .getByRole('listitem')
    .filter({ hasText: new RegExp(`^${name}`) });
/** The number of a tile, such as 216 of 未测216人. */
const numberOf = async (of: Locator) => Number((/[\d,]+/.exec(await of.innerText())?.[0] ?? '').replaceAll(',', ''));
const section = (page: Page, name: string) => page.getByRole('region', { name });
const figure = (page: Page, title: RegExp) => page.getByRole('figure').filter({ hasText: title });

async function openStatistics(page: Page) {
  await signIn(page, 'demo_school');
  await page.goto(url('/statistics/statistics'));
  await expect(page.getByText(/^数据截至/)).toBeVisible();
}

test('a head of school reads who has not been tested, and the list behind the number has as many persons', async ({ page }) => {
  await openStatistics(page);
  await expect(page.getByLabel('学年学期').first()).toHaveValue(/学期/);
  const untested = tile(page, '完成情况', '未测');
  const count = await numberOf(untested);
  expect(count).toBeGreaterThan(0);
  await untested.getByRole('link').focus();
  await expect(page.getByRole('tooltip')).toContainText('未测人数 = 应测人数 − 实测人数');
  await untested.getByRole('link').click();
  await expect(page).toHaveURL(/\/statistics\/persons\?.*measure=untested/);
  await expect(page.getByText(`共 ${count.toLocaleString('en-US')} 条`)).toBeVisible();
});

test('a head of school filters a grade, reads where, and the address keeps the filter', async ({ page }) => {
  await openStatistics(page);
  const whole = await numberOf(tile(page, '完成情况', '应测'));
  await page.getByRole('combobox', { name: '年级' }).first().click();
  const grade = page.getByRole('option').first();
  const name = (await grade.innerText()).trim();
  await grade.click();
  await expect(page).toHaveURL(/gradecode=/);
  await expect.poll(() => numberOf(tile(page, '完成情况', '应测'))).toBeLessThan(whole);
  const part = await numberOf(tile(page, '完成情况', '应测'));
  const classes = figure(page, new RegExp(`${name}各班程度分布`));
  await classes.getByRole('button', { name: /^看数据/ }).click();
  await expect(classes.getByRole('columnheader')).toHaveText(
    ['项目', '良好', '轻度', '中度', '较重', '严重', '合计', '需关注率', '95% 区间', '与总体相比'].map(
      (text) => new RegExp(text),
    ),
  );
  await expect(classes.getByRole('row').nth(1)).toContainText(/波动内|偏离|人数少/);
  await page.reload();
  await expect.poll(() => numberOf(tile(page, '完成情况', '应测'))).toBe(part);
});

test('a head of school compares the term with an earlier one and reads whether the change is real', async ({ page }) => {
  await openStatistics(page);
  const heading = page.getByRole('heading', { name: '与之前相比' });
  await expect(heading).toBeVisible();
  const card = section(page, '多少人需关注');
  await expect(card.getByText(/差异在随机波动范围内|变化有统计学差异|不可比/).first()).toBeVisible();
  await expect(card.getByText(/需关注率：.*学期 [\d.]+%（\d+\/\d+ 人），/)).toBeVisible();
});

test('a chart opens full page with its data, survives a reload, and its data is downloaded', async ({ page }) => {
  await openStatistics(page);
  await figure(page, /各年级完成情况/)
    .getByRole('link', { name: /^全屏/ })
    .click();
  await expect(page).toHaveURL(/\/echarts\/web$/);
  const shows = async () => {
    await expect(page.getByRole('heading', { name: '各年级完成情况（人数）' })).toBeVisible();
    await expect(page.getByRole('rowheader').first()).toBeVisible();
  };
  await shows();
  await page.reload();
  await shows();
  const file = await fileOf(page, async () => {
    await page.getByRole('button', { name: '下载：各年级完成情况（人数）' }).click();
    await page.getByRole('menuitem', { name: '数据（CSV）' }).click();
  });
  const text = await readFile((await file.path()) ?? '', 'utf8');
  expect(text).toContain('"年级","应测（人）","有效（人）","完成率"');
  await waitUntilSettled(page);
  expect(await accessibilityFaults(page)).toEqual([]);
  await page.getByRole('link', { name: '返回', exact: true }).click();
  await expect(page).toHaveURL(/\/statistics\/statistics/);
});

test('the page is accessible on a phone and without a mouse', async ({ page }) => {
  await page.setViewportSize(page390);
  await openStatistics(page);
  await waitUntilSettled(page);
  expect(await accessibilityFaults(page)).toEqual([]);
  await expectFitsWindow(page);
  const picture = figure(page, /各年级完成情况/).getByRole('group');
  await picture.focus();
  await page.keyboard.press('ArrowRight');
  await expect(figure(page, /各年级完成情况/).getByRole('status')).toContainText('应测（人）');
});
