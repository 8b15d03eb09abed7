import { saveAiConsent } from '../src/features/aireport/aireport.contract.ts';
import { getCUserReportPageList } from '../src/features/report/report.contract.ts';
import { expect, signIn, test, url } from './people.ts';
import { as } from './school.ts';

test('staff ask for a text of the AI provider in a report and again in the row of the list, which says the state in words', async ({
  page,
}) => {
  const school = await as('demo_school');
  await school(saveAiConsent, { allowed: 1 });
  const psychologist = await as('demo_psych');
  const { rows } = await psychologist(getCUserReportPageList, { pageSize: 100 });
  const chosen = rows.find(({ valid, hasalert, aistatus }) => valid === 1 && hasalert === 0 && aistatus === 0);
  if (!chosen) throw new Error('no report without a text');
  await page.setViewportSize({ width: 1440, height: 900 });
  await signIn(page, 'demo_psych');
  await page.goto(url(`/empower/usersReport?reportcode=${chosen.reportcode}`));
  await page.getByRole('button', { name: '生成AI综合解读' }).click();
  const question = page.getByRole('dialog', { name: '系统提示' });
  await expect(question).toContainText('发送的内容不含姓名、编号、学校等信息。');
  await question.getByRole('button', { name: '确定' }).click();
  const refresh = page.getByRole('button', { name: '正在生成，点此刷新' });
  await expect(refresh).toBeVisible();
  await expect(async () => {
    if (await refresh.isVisible()) await refresh.click();
    await expect(page.getByRole('article')).toContainText('本段由人工智能辅助生成', { timeout: 3_000 });
  }).toPass({ timeout: 180_000 });

  await page.goto(url(`/empower/individualReport?taskcode=`));
  const row = page.getByRole('row').filter({ hasText: chosen.username });
  await expect(row).toContainText('已生成，待审核');
  await row.getByRole('button', { name: '重新生成AI综合解读' }).click();
  await expect(question).toContainText('现有文字将被替换。');
  await question.getByRole('button', { name: '确定' }).click();
  await expect(row).toContainText('生成中');
  const refreshRow = row.getByRole('button', { name: '刷新AI综合解读的状态' });
  await expect(async () => {
    if (await refreshRow.isVisible()) await refreshRow.click();
    await expect(row).toContainText('已生成，待审核', { timeout: 3_000 });
  }).toPass({ timeout: 180_000 });

  const tasks = page.getByRole('textbox', { name: '任务' }).or(page.getByRole('combobox', { name: '任务' }));
  await tasks.click();
  await page.getByRole('option', { name: chosen.taskname }).click();
  await page.getByRole('button', { name: '查询' }).click();
  await expect(page).toHaveURL(/taskcode=/);
  await expect(row).toBeVisible();
});
