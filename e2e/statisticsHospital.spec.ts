import { expect, signIn, test, url, waitUntilSettled } from './people.ts';

const numberIn = async (text: Promise<string | null>) => Number(/\d+/.exec((await text) ?? '')?.[0] ?? NaN);

test('a head nurse reads who has not been tested in the third trimester, and the list has that many women', async ({ page }) => {
  await signIn(page, 'demo_hospital');
  await page.goto(url('/statisticsN/statisticsN'));
  await page.getByRole('button', { name: '看数据：各阶段覆盖' }).click();
  const row = page.getByRole('region', { name: '各阶段覆盖的数据' }).getByRole('row').filter({ hasText: '孕晚期' });
  const untested = row.getByRole('link', { name: /未测.*查看名单/ });
  const figure = Number(await untested.textContent());
  expect(figure).toBeGreaterThan(0);
  await untested.click();
  await expect(page.getByText(`共 ${figure} 人`, { exact: true })).toBeVisible();
  const list = page.getByRole('region', { name: '阶段覆盖人员列表' });
  await expect(list.getByRole('row')).toHaveCount(Math.min(figure, 20) + 1);
  await expect(list.getByText('已测', { exact: true })).toHaveCount(0);
});

test('a head nurse reads which women need attention and what was done about them', async ({ page }) => {
  await signIn(page, 'demo_hospital');
  await page.goto(url('/statisticsN/statisticsN'));
  const tiles = page.getByRole('list', { name: '多少人需关注' });
  const tile = tiles.getByRole('link', { name: /^需关注/ });
  await expect(tile).toContainText('人');
  await waitUntilSettled(page);
  const figure = await numberIn(tile.locator('span').last().textContent());
  expect(figure).toBeGreaterThan(0);
  await tile.click();
  await expect(page.getByText(`需关注，共 ${figure} 人`)).toBeVisible();
  await expect(page.getByRole('row').filter({ hasText: '陈静' })).toContainText(/\d+ 次/);

  await page.goBack();
  const done = page.getByRole('list', { name: '做了什么' }).getByRole('link', { name: /^干预/ });
  await waitUntilSettled(page);
  const interventions = await numberIn(done.locator('span').last().textContent());
  await done.click();
  await expect(page.getByText(new RegExp(`^共 ${interventions} 人次`))).toBeVisible();
  await expect(page.getByRole('row').filter({ hasText: '陈静' }).first()).toBeVisible();
});
