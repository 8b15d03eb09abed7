import { saveAiConsent } from '../src/features/aireport/aireport.contract.ts';
import { insertTeamReport } from '../src/features/teamreport/teamreport.contract.ts';
import { expect, signIn, test, url } from './people.ts';
import { as } from './school.ts';

test('staff ask for a text on a group report, review it, and find it in the report; without one stands the narrative of the rules', async ({
  page,
}) => {
  const school = await as('demo_school');
  await school(saveAiConsent, { allowed: 1 });
  const psychologist = await as('demo_psych');
  const { teamreportcode } = await psychologist(insertTeamReport, {
    scope: { kind: 'institution', year: '2025-2026', term: '2' },
  });
  await page.setViewportSize({ width: 1440, height: 900 });
  await signIn(page, 'demo_psych');
  await page.goto(url('/task/groupReport'));
  const row = page.getByRole('row').filter({ hasText: '2025-2026学年春季学期' }).first();
  await expect(row).toContainText('未生成，用规则文字');
  await row.getByRole('button', { name: /^综合解读/ }).click();
  const drawer = page.getByRole('dialog', { name: '综合解读' });
  await expect(drawer).toContainText('本段由规则引擎生成，未使用人工智能');
  await expect(drawer).toContainText(/名有效受测者中，\d+ 名需要关注/);

  await drawer.getByRole('button', { name: '生成AI综合解读' }).click();
  const question = page.getByRole('dialog', { name: '系统提示' });
  await expect(question).toContainText('发送的内容不含姓名、学校、班级、单位和人数少的分组。');
  await question.getByRole('button', { name: '确定' }).click();
  const refresh = drawer.getByRole('button', { name: '正在生成，点此刷新' });
  await expect(async () => {
    if (await refresh.isVisible()) await refresh.click();
    await expect(drawer).toContainText('本段由人工智能辅助生成，经人工审核后使用（尚未审核）', { timeout: 3_000 });
  }).toPass({ timeout: 180_000 });
  await drawer.getByRole('button', { name: '审核通过' }).click();
  await expect(drawer).toContainText('已审核');
  await expect(drawer).not.toContainText('尚未审核');

  await drawer.getByRole('link', { name: '打开整份报告' }).click();
  await expect(page).toHaveURL(new RegExp(teamreportcode));
  const report = page.getByRole('article', { name: '团体心理健康测评报告' });
  await expect(report.getByRole('heading', { level: 2, name: 'AI综合解读' })).toBeVisible();
  await expect(report).toContainText('本段由人工智能辅助生成，经人工审核后使用');
  await expect(page.getByRole('complementary', { name: '版本与显示' })).toContainText('已审核');
});
