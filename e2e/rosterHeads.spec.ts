import { accessibilityFaults, expect, signIn, test, url } from './people.ts';

const list = `晨光中学名单,,,,,,,
学生信息,,,,,监护人信息,,
年级,班级,姓名,性别,班内学号,姓名,与学生关系,电话
初一,93班,林大雨,女,7,林建国,父亲,13900000001
初一,93班,张大北,男,8,张伟,父亲,13900000002
`;

test('an import reads heads of two rows, asks about 班内学号, and makes it unique with the class', async ({ page }) => {
  await signIn(page, 'demo_psych');
  await page.goto(url('/task/teamManagement'));
  await page.getByRole('button', { name: '导入名单' }).click();
  const file = { name: '名单.csv', mimeType: 'text/csv', buffer: Buffer.from(list) };
  await page.getByLabel('选择名单文件').setInputFiles(file);
  await expect(page.getByText('“监护人信息”下的“姓名”读作“监护人姓名”')).toBeVisible();
  await expect(page.getByText('名单没有学号，只有“班内学号”。要用它作为学号吗？')).toBeVisible();
  expect(await accessibilityFaults(page)).toEqual([]);
  await page.getByRole('button', { name: '与班级合成学号' }).click();
  await expect(page.getByText('“班内学号”只在班内唯一，已与班级合成学号')).toBeVisible();
  await expect(page.getByLabel('第 4 行 学号/工号')).toHaveValue(/^20\d{2}9307$/);
  await expect(page.getByText('修改已保存，关闭后可继续')).toBeVisible();
  // Another class number than the one in the file stays as the user writes it.
  await page.getByLabel('第 4 行 学号/工号').fill('20269399');
  await page.getByLabel('第 4 行 学号/工号').press('Tab');
  await expect(page.getByLabel('第 4 行 学号/工号')).toHaveValue('20269399');
});
