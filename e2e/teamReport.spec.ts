import { stat } from 'node:fs/promises';
import { fileOf, expect, expectNotification, signIn, test, url } from './people.ts';

test('a psychologist makes the report of a task, shows it and downloads it; the class teacher reads the parts without results', async ({
  browser,
  page,
}) => {
  await page.setViewportSize({ width: 1440, height: 900 });
  await signIn(page, 'demo_psych');
  await page.goto(url('/statistics/usersReportS'));
  await page.getByRole('button', { name: '生成团体报告' }).first().click();
  const dialog = page.getByRole('dialog', { name: '生成团体报告' });
  await dialog.getByPlaceholder('请选择任务').click();
  await page
    .getByRole('option', { name: /学年.*学期心理普测$/ })
    .first()
    .click();
  await dialog.getByRole('button', { name: '生成', exact: true }).click();
  await expectNotification(page, /团体报告已生成/);

  const report = page.getByRole('article', { name: '团体心理健康测评报告' });
  for (const title of [
    '范围与参加情况',
    '方法与口径',
    '总体情况',
    '指标',
    '分组',
    '与上次比较',
    '重点条目',
    '预警与处置',
    '建议',
    '说明',
  ])
    await expect(report.getByRole('heading', { level: 2, name: title })).toBeVisible();
  await expect(report).toContainText(/名有效受测者中，\d+ 名需要关注/);
  await expect(report.getByRole('group', { name: /^总体程度分布/ })).toBeVisible();
  const address = new URL(page.url()).pathname;

  for (const [button, extension] of [
    ['下载 PDF', 'pdf'],
    ['下载 Word', 'docx'],
  ] as const) {
    const file = await fileOf(page, () => page.getByRole('button', { name: button }).click());
    expect(file.suggestedFilename()).toMatch(new RegExp(`^团体报告_TR\\d{8}_第1版\\.${extension}$`));
    expect((await stat(await file.path())).size).toBeGreaterThan(20_000);
  }

  await page.getByRole('button', { name: '全部显示' }).click();
  await expect(page.getByRole('button', { name: '全部隐藏' })).toBeVisible();

  const teacher = await (await browser.newContext({ locale: 'zh-CN', timezoneId: 'Asia/Shanghai' })).newPage();
  await teacher.setViewportSize({ width: 1366, height: 768 });
  await signIn(teacher, 'demo_teacher');
  await teacher.goto(url('/task/teamReports'));
  await teacher.locator(`a[href$="${address}"]`).first().click();
  const part = teacher.getByRole('article', { name: '团体心理健康测评报告' });
  await expect(part.getByRole('heading', { level: 2 })).toHaveText(['1. 范围与参加情况', '2. 方法与口径', '3. 建议', '4. 说明']);
  await expect(part).not.toContainText('需要关注，占');
  await expect(teacher.getByRole('button', { name: '下载 PDF' })).toHaveCount(0);
});
