import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { readWorkbook } from '../src/server/workbook/read.ts';
import { expect, expectFitsWindow, expectNotification, fileOf, signIn, test, url } from './people.ts';

const form = fileURLToPath(new URL('../src/testing/files/bureauForm.xlsx', import.meta.url));

test('a bureau uploads its form, chooses cells by mouse and keyboard, and fills it for a term', async ({ page }) => {
  await page.setViewportSize({ width: 1440, height: 900 });
  await signIn(page, 'demo_jyj');
  await page.goto(url('/statistics/excel'));
  const chooser = page.waitForEvent('filechooser');
  await page.getByRole('button', { name: '上传表格' }).click();
  await (await chooser).setFiles(form);
  await expectNotification(page, /请选择要填写的单元格/);
  const grid = page.getByRole('grid', { name: '工作表 汇总' });
  await expect(grid.getByRole('gridcell', { name: 'A1，云栖市中小学心理健康监测情况报表' })).toBeVisible();

  // By mouse: one number for the whole region.
  await grid.getByRole('gridcell', { name: 'B2，空' }).click();
  const drawer = page.getByRole('dialog', { name: '单元格 B2' });
  await drawer.getByRole('combobox', { name: '指标' }).click();
  await page.getByRole('option', { name: '填报单位' }).click();
  await drawer.getByRole('button', { name: '保存' }).click();
  await expectNotification(page, /已选择 B2 的内容/);
  await expect(grid.getByRole('gridcell', { name: /^B2，填写 填报单位/ })).toContainText('云栖市教育局');

  // By keyboard: from B2 down to B5, then a column that is filled by the names of column A.
  await grid.getByRole('gridcell', { name: /^B2/ }).focus();
  for (const key of ['ArrowDown', 'ArrowDown', 'ArrowDown', 'Enter']) await page.keyboard.press(key);
  const column = page.getByRole('dialog', { name: '单元格 B5' });
  await column.getByRole('combobox', { name: '指标' }).click();
  await page.getByRole('option', { name: '应测', exact: true }).click();
  await column.getByRole('combobox', { name: '范围' }).click();
  await page.getByRole('option', { name: '每行的学校（机构）' }).click();
  await column.getByRole('combobox', { name: '名称所在的列' }).click();
  await page.getByRole('option', { name: /^A 列/ }).click();
  await column.getByRole('button', { name: '保存' }).click();
  await expectNotification(page, /已选择 B5 的内容/);
  await expect(grid.getByRole('gridcell', { name: /^B5，填写 应测，预览 \d+$/ })).toBeVisible();
  await expect(page.getByRole('status').filter({ hasText: '名称没有对上' })).toContainText('晨光中学(分校)');

  // A formula cannot be chosen.
  await grid.getByRole('gridcell', { name: /^B8/ }).click();
  await expect(page.getByRole('dialog')).toHaveCount(0);

  const file = await fileOf(page, () => page.getByRole('button', { name: '填写并下载' }).click());
  expect(file.suggestedFilename()).toMatch(/^bureauForm_\d{4}-\d{4}学年.季学期_\d{4}-\d\d-\d\d\.xlsx$/);
  const { rows, others } = await readWorkbook(await readFile(await file.path()), 'a.xlsx');
  expect(rows[1]?.[1]).toBe('云栖市教育局');
  expect(Number(rows[4]?.[1])).toBeGreaterThan(100);
  expect(others?.map(({ sheetname }) => sheetname)).toContain('数据来源');
});

test('学生心理健康排查统计表 opens with all cells chosen, and can be read on a phone', async ({ page }) => {
  await page.setViewportSize({ width: 1366, height: 768 });
  await signIn(page, 'demo_jyj');
  await page.goto(url('/statistics/excel'));
  await page.getByRole('button', { name: '使用现成表格' }).click();
  const grid = page.getByRole('grid', { name: '工作表 学校汇总' });
  await expect(grid.getByRole('gridcell', { name: /^A1，学生心理健康排查统计表/ })).toBeVisible();
  await expect(grid.getByRole('gridcell', { name: /^C5，填写 应测，预览 \d+$/ })).toBeVisible();
  await page.getByRole('tab', { name: '分年级' }).click();
  await expect(page.getByRole('grid', { name: '工作表 分年级' }).getByRole('gridcell', { name: /^B3，填写 应测/ })).toBeVisible();
  await page.setViewportSize({ width: 390, height: 844 });
  await page.getByRole('button', { name: '修改 B3' }).click();
  await expect(page.getByRole('dialog', { name: '单元格 B3' })).toContainText('向下填写');
  await page.getByRole('dialog', { name: '单元格 B3' }).getByRole('button', { name: '取消' }).click();
  await expectFitsWindow(page);

  await page.goto(url('/statistics/excel'));
  const item = page.getByRole('listitem').filter({ hasText: '学生心理健康排查统计表' }).first();
  await item.getByRole('button', { name: /^删除/ }).click();
  await page.getByRole('dialog').getByRole('button', { name: '确定' }).click();
  await expectNotification(page, /删除成功/);
});
