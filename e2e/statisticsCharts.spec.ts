import { readFile } from 'node:fs/promises';
import type { Page } from '@playwright/test';
import { expect, fileOf, signIn, test, url, waitUntilSettled } from './people.ts';

const figure = (page: Page, title: RegExp) => page.getByRole('figure').filter({ hasText: title });
const numberOf = (text: string) => Number((/[\d,]+/.exec(text)?.[0] ?? '').replaceAll(',', ''));

async function openStatistics(page: Page, query = '') {
  await signIn(page, 'demo_school');
  await page.goto(url(`/statistics/statistics${query}`));
}

test('a click on a segment of a chart opens the persons that it counts', async ({ page }) => {
  await openStatistics(page);
  const levels = figure(page, /总体程度分布/);
  await expect(levels.locator('svg')).toBeVisible();
  await waitUntilSettled(page);
  // Screen readers have the table also while the picture is visible.
  const count = numberOf(await levels.locator('tbody td').first().innerText());
  const segment = levels.locator('svg path[fill="#2f8f5b"]').first();
  await segment.scrollIntoViewIfNeeded();
  const box = await segment.boundingBox();
  if (!box) throw new Error('no segment');
  await page.mouse.click(box.x + 6, box.y + box.height / 2);
  await expect(page).toHaveURL(/\/statistics\/persons\?.*measure=level/);
  await expect(page.getByText(`总体程度：0 级，共 ${count.toLocaleString('en-US')} 人`)).toBeVisible();
});

test('the number of submitted sheets opens a list with as many sheets', async ({ page }) => {
  await openStatistics(page);
  const tile = page.getByRole('list', { name: '完成情况' }).getByRole('listitem').filter({ hasText: /^提交/ });
  await expect(tile).toBeVisible();
  await waitUntilSettled(page);
  const count = numberOf(await tile.innerText());
  await tile.getByRole('link').click();
  await expect(page).toHaveURL(/\/statistics\/sheets\?/);
  await expect(page.getByText(`共 ${count.toLocaleString('en-US')} 人次`)).toBeVisible();
  await expect(page.getByText(/^统计范围：/)).toBeVisible();
});

test('when one chart fails it says so and loads again, and the others stay', async ({ page }) => {
  const scenes = '**/api/as.m.assess.getSceneCountTrend/**';
  await page.route(scenes, (route) => route.abort());
  await openStatistics(page);
  await expect(figure(page, /每日提交/).locator('svg')).toBeVisible();
  const part = page.getByRole('region', { name: '什么时候' });
  const retry = part.getByRole('button', { name: /重试/ });
  await expect(retry).toBeVisible();
  await expect(page.getByRole('alert')).toHaveCount(1);
  await page.unroute(scenes);
  await retry.click();
  await expect(figure(page, /各月测评场景/).locator('svg')).toBeVisible();
  await expect(page.getByRole('alert')).toHaveCount(0);
});

test('without anything to count the page leads on', async ({ page }) => {
  await openStatistics(page, '?year=2019-2020&term=1');
  await expect(page.getByText('所选条件下还没有测评')).toBeVisible();
  await expect(page.getByRole('link', { name: '去任务管理' })).toHaveAttribute('href', /\/task/i);
  await page.getByRole('button', { name: '重置条件' }).click();
  await expect(page.getByRole('list', { name: '完成情况' })).toBeVisible();
});

test('every chart gives its picture and its data', async ({ page }) => {
  await openStatistics(page);
  await expect(figure(page, /各月测评场景/).locator('svg')).toBeVisible();
  await waitUntilSettled(page);
  const buttons = page.getByRole('button', { name: /^下载：/ });
  const charts = await buttons.count();
  expect(charts).toBeGreaterThanOrEqual(9);
  for (let at = 0; at < charts; at++) {
    const button = buttons.nth(at);
    // A chart is drawn when it comes into sight and may push its button away, and a menu without its button in sight hides.
    await button.scrollIntoViewIfNeeded();
    await waitUntilSettled(page);
    const title = ((await button.getAttribute('aria-label')) ?? '').replace('下载：', '');
    const save = async (kind: string) => {
      const file = await fileOf(page, async () => {
        await button.click();
        await page
          .getByRole('menu', { name: `下载：${title}` })
          .getByRole('menuitem', { name: kind })
          .click();
      });
      return { name: file.suggestedFilename(), bytes: await readFile((await file.path()) ?? '') };
    };
    const png = await save('图片（PNG）');
    expect(png.name).toBe(`${title}.png`);
    expect(png.bytes.subarray(1, 4).toString('latin1')).toBe('PNG');
    // Width and height stand in the first block: twice 900 px.
    expect(png.bytes.readUInt32BE(16)).toBe(1800);
    const csv = await save('数据（CSV）');
    const lines = csv.bytes.toString('utf8').trim().split(/\r?\n/);
    expect(lines.length).toBeGreaterThanOrEqual(2);
    expect(new Set(lines.map((line) => line.split('","').length)).size, `${title}: each row has each column`).toBe(1);
  }
});
