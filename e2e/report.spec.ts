import { getCUserReportPageList } from '../src/features/report/report.contract.ts';
import { getReportBatch } from '../src/features/report/review/review.contract.ts';
import { expect, expectNotification, signIn, test, url } from './people.ts';
import { as } from './school.ts';

test('a psychologist reads reports one after the other, reviews with the keyboard, and reviews the calm rest at once', async ({
  page,
}) => {
  await page.setViewportSize({ width: 1440, height: 900 });
  await signIn(page, 'demo_psych');
  await page.goto(url('/reports?status=1&orderby=overalllevel&isasc=1'));
  const list = page.getByRole('region', { name: '个体报告列表' }).or(page.getByRole('table', { name: '个体报告列表' }));
  const first = list.locator('a[href*="reportcode="]').first();
  const name = await first.textContent();
  await first.click();
  await expect(page.getByRole('article')).toContainText(name ?? '');

  const place = page.getByRole('navigation', { name: '列表中的报告' });
  await expect(place).toContainText(/第 1 \/ \d+ 份/);
  await page.keyboard.press('j');
  await expect(place).toContainText(/第 2 \/ \d+ 份/);
  await page.keyboard.press('k');
  await expect(place).toContainText(/第 1 \/ \d+ 份/);

  await page.getByRole('button', { name: /^依据/ }).first().click();
  await expect(page.getByText(/^规则[A-Z_]+：/).first()).toBeVisible();
  await page.keyboard.press('Escape');

  const conclusion = page.getByLabel('结论', { exact: true });
  await conclusion.fill('近两周情绪平稳，已阅。');
  await conclusion.press('Control+Enter');
  await expectNotification(page, /已保存/);
  await expect(place).toContainText(/第 2 \/ \d+ 份/);
  await place.getByRole('button', { name: '上一份' }).click();
  await page.getByRole('button', { name: '版本与查看记录' }).click();
  const history = page.getByRole('dialog', { name: '版本与查看记录' });
  await expect(history).toContainText('第 2 版');
  await expect(history).toContainText('近两周情绪平稳，已阅。');
  await history.getByRole('link', { name: '第 1 版' }).click();
  await expect(page.getByRole('note').filter({ hasText: '第 1 版，不是现行版本' })).toBeVisible();

  await page.goto(url('/reports?status=1'));
  await page.getByRole('button', { name: '批量审核' }).click();
  const dialog = page.getByRole('dialog', { name: '批量审核' });
  await expect(dialog).toContainText('有关键条目预警，请逐份审核');
  await dialog.getByRole('button', { name: /^审核通过 \d+ 份$/ }).click();
  await expect(dialog).toContainText(/已审核通过 \d+ 份。/);
  await dialog.getByRole('button', { name: '关闭' }).last().click();
  const psychologist = await as('demo_psych');
  const left = await psychologist(getReportBatch, { status: 1 });
  expect(left.rows.every(({ reviewobstacle }) => reviewobstacle !== '')).toBe(true);
  expect((await psychologist(getCUserReportPageList, { status: 2 })).total).toBeGreaterThan(0);
});
