import { readFile } from 'node:fs/promises';
import { getCUserReportPageList } from '../src/features/report/report.contract.ts';
import { getPHQ9ChartsData } from '../src/features/trend/trend.contract.ts';
import { accessibilityFaults, expect, expectFitsWindow, fileOf, signIn, test, url } from './people.ts';
import { as } from './school.ts';

/** A student with two tests of the PHQ-9 or more, and the number of the rows of the chart: its tests and its events. */
async function findRetested(): Promise<{ cuserid: string; username: string; marks: number }> {
  const psychologist = await as('demo_psych');
  const { rows } = await psychologist(getCUserReportPageList, { pageSize: 100, formcode: 'PHQ9' });
  const counts = new Map<string, number>();
  for (const { cuserid } of rows) counts.set(cuserid, (counts.get(cuserid) ?? 0) + 1);
  for (const { cuserid, username } of rows) {
    const { points, events } = await psychologist(getPHQ9ChartsData, { cuserid, formcode: 'PHQ9' });
    if (points.length > 1) return { cuserid, username, marks: points.length + events.length };
  }
  throw new Error('nobody was tested twice');
}

test('the trend page of a person shows a chart, all its numbers as a table, and downloads both; it fits a tablet', async ({
  page,
}) => {
  const { cuserid, username, marks } = await findRetested();
  await page.setViewportSize({ width: 820, height: 1180 });
  await signIn(page, 'demo_psych');
  await page.goto(url(`/trend/${cuserid}?formcode=PHQ9`));
  await expect(page.locator('main')).toContainText(username);
  await expect(page.locator('main')).toContainText('最近变化');
  const figure = page.locator('main figure').first();
  await expect(figure.locator('svg').first()).toBeVisible();
  await expectFitsWindow(page);
  expect(await accessibilityFaults(page)).toEqual([]);

  await figure.getByRole('button', { name: /^看数据：/ }).click();
  const table = figure.getByRole('region', { name: /的数据$/ });
  await expect(table.locator('tbody tr')).toHaveCount(marks);
  const cells = await table.locator('tbody tr').first().locator('th, td').allTextContents();

  const saveAs = async (item: string) => {
    await figure.getByRole('button', { name: /^下载：/ }).click();
    return fileOf(page, () => page.getByRole('menuitem', { name: item }).click());
  };
  const data = await saveAs('数据（CSV）');
  expect(data.suggestedFilename()).not.toContain(username);
  const lines = (await readFile(await data.path(), 'utf8')).trim().split(/\r?\n/);
  expect(lines).toHaveLength(marks + 1);
  for (const cell of cells.filter(Boolean)) expect(lines[1]).toContain(cell);
  const picture = await readFile(await (await saveAs('图片（PNG）')).path());
  expect(picture.subarray(1, 4).toString('latin1')).toBe('PNG');
  const vector = await readFile(await (await saveAs('矢量图（SVG）')).path(), 'utf8');
  expect(vector).toMatch(/^<svg/);
  expect(vector).not.toContain(username);

  await figure.getByRole('button', { name: /^看图：/ }).click();
  await expect(figure.locator('svg').first()).toBeVisible();
  await figure.getByRole('link', { name: /^全屏：/ }).click();
  await expect(page.locator('main svg').first()).toBeVisible();
  await page.goBack();
  await page
    .getByRole('textbox', { name: '量表' })
    .or(page.getByRole('combobox', { name: '量表' }))
    .click();
  await page.getByRole('option', { name: /GAD-7/ }).click();
  await expect(page).toHaveURL(/formcode=GAD7/);
  await expect(page.locator('main')).toContainText('广泛性焦虑');
});
