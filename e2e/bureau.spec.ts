import type { Page } from '@playwright/test';
import { accessibilityFaults, expect, expectFitsWindow, signIn, test, url } from './people.ts';

const section = (page: Page, name: string) => page.getByRole('region', { name, exact: true });
const QUESTIONS = ['哪些学校还没开始', '测到哪里了', '结果怎么样', '和以前有没有不同', '关怀有没有跟上'];

async function openBureau(page: Page) {
  await signIn(page, 'demo_jyj');
  await expect(page).toHaveURL(/\/statistics\/statistics/);
  await expect(section(page, '测到哪里了')).toBeVisible();
}

/** Chooses a term whose results are released. */
async function chooseReleasedTerm(page: Page) {
  await page.getByRole('combobox', { name: '学年学期' }).click();
  await page.getByRole('option').filter({ hasNotText: '未公布' }).first().click();
  await expect(page).toHaveURL(/year=.*term=/);
  await expect(page.getByText(/结果数据截至/)).toBeVisible();
}

test('demo_jyj lands on five questions about the schools, and no person is named', async ({ page }) => {
  await openBureau(page);
  for (const question of QUESTIONS) await expect(section(page, question)).toBeVisible();
  await expect(page.getByRole('list', { name: '完成情况' })).toContainText('应测（约）');
  const links = await page.locator('main a').evaluateAll((all) => all.map((link) => link.getAttribute('href') ?? ''));
  expect(links.filter((href) => /persons|cuserid|reportcode|warning/.test(href))).toEqual([]);
  expect(await accessibilityFaults(page)).toEqual([]);
});

test('demo_jyj reads released results, opens a school and comes back', async ({ page }) => {
  await openBureau(page);
  await chooseReleasedTerm(page);
  await expect(page.getByRole('list', { name: '结果', exact: true })).toContainText('需关注率');
  const schools = page.getByRole('region', { name: '各校结果' });
  await expect(schools.getByRole('columnheader')).toContainText([
    '学校',
    '有效',
    '需关注',
    '需关注率',
    '95% 区间',
    '与本区县相比',
    '年级校正',
  ]);
  await schools.getByRole('link').first().click();
  await expect(page).toHaveURL(/musercode=/);
  await page.getByRole('link', { name: '返回全部学校' }).click();
  await expect(page).not.toHaveURL(/musercode=/);
});

test('demo_jyj sorts schools by completion or closing, never by results', async ({ page }) => {
  await openBureau(page);
  await page.getByRole('combobox', { name: '排序' }).click();
  await expect(page.getByRole('option')).toHaveText(['按区县和名称', '按名称', '完成率从低到高', '结案率从低到高']);
  await page.getByRole('option', { name: '完成率从低到高' }).click();
  const rates = page.getByRole('region', { name: '各校完成情况' }).getByRole('row');
  await expect(rates.nth(1)).toContainText(/%|未开始/);
});

test('the page of the bureau fits a phone', async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 844 });
  await openBureau(page);
  await expectFitsWindow(page);
  await page.goto(url('/statistics/statistics'));
  for (const question of QUESTIONS) await expect(section(page, question)).toBeVisible();
});
