import { shanghaiDate, shiftDate } from '../src/domain/base/calendar.ts';
import { accessibilityFaults, expect, signIn, test, url } from './people.ts';

const today = shanghaiDate(new Date());

test('a hospital corrects its own sheet in the grid, with other columns than the template, and imports it', async ({ page }) => {
  const run = `${Date.now() % 1_000_000}`;
  const lmp = shiftDate(today, -84).replaceAll('-', '/');
  // The sheet of the outpatient system: a title, its own heads in its own order, and a column that nobody asked for.
  const sheet = [
    '产科门诊建册登记,,,,,',
    '序号,孕妇姓名,出生年月日,手机号码,末次月经日期,保健册号',
    `1,柳依然${run},1995.3.2,139${`${run}0000`.slice(0, 8)},${lmp},LA${run}1`,
    `2,温如玉${run},1992-06-18,1390000,${lmp},LA${run}2`,
  ].join('\n');
  await signIn(page, 'demo_hospital');
  await page.goto(url('/archives/archives_gl_yf'));
  await page.getByRole('button', { name: /^导入/ }).first().click();
  const dialog = page.getByRole('dialog', { name: /导入/ });
  await dialog.getByLabel(/选择.*文件/).setInputFiles({ name: '建册登记.csv', mimeType: 'text/csv', buffer: Buffer.from(sheet) });
  await expect(dialog.getByText('仅看有误 1')).toBeVisible();
  expect(await accessibilityFaults(page)).toEqual([]);
  const cell = dialog.getByLabel('第 4 行 联系电话');
  await cell.fill(`138${`${run}0000`.slice(0, 8)}`);
  await cell.press('Tab');
  await expect(dialog.getByText('修改已保存')).toBeVisible();
  await dialog.getByRole('button', { name: '全部导入' }).click();
  await expect(dialog.getByText('已导入 2 行')).toBeVisible();
  await dialog.getByRole('button', { name: '完成' }).click();
  await page.getByLabel('姓名/编号').fill(`LA${run}2`);
  await page.getByRole('button', { name: '查询' }).click();
  // The number of the hospital's own column finds her.
  await expect(page.getByRole('row')).toHaveCount(2);
  await expect(page.getByRole('row').nth(1)).toContainText(`温如玉${run}`);
  await expect(page.getByRole('row').nth(1)).toContainText('孕 12周+0天');
});
