import { accessibilityFaults, expect, fileOf, hasSaid, signIn, test, url } from './people.ts';

// Words of their own every time: the same may be done again on the same server.
const run = String(Date.now() % 1_000_000).padStart(6, '0');

/** An opened case of the demonstration in observation, on a page of its own. */
const openCase = async (page: Parameters<typeof signIn>[0]) => {
  await page.goto(url('/earlyWarning/earlyWarningLevel?states=06'));
  await page.getByRole('button', { name: '处理', exact: true }).first().click();
  await page.getByRole('link', { name: '整页打开' }).click();
  await expect(page.getByRole('heading', { name: '附件' })).toBeVisible();
};

test('Escape closes the question above a form, never the form with it, and nothing typed is lost', async ({ page }) => {
  await signIn(page, 'demo_psych');
  await page.goto(url('/earlyWarning/earlyWarningLevel'));
  await page.getByRole('button', { name: '人工上报' }).click();
  const words = '同学反映近来常常独自哭泣，已约谈';
  await page.getByLabel('情况说明').fill(words);
  await page.keyboard.press('Escape');
  const question = page.getByRole('dialog', { name: '系统提示' });
  for (let round = 0; round < 2; round += 1) {
    await expect(question).toContainText('有未保存的修改');
    await page.keyboard.press('Escape');
    await expect(question).toBeHidden();
    await expect(page.getByLabel('情况说明')).toHaveValue(words);
    await page.keyboard.press('Escape');
  }
  await question.getByRole('button', { name: '离开' }).click();
  await expect(page.getByLabel('情况说明')).toBeHidden();
});

test('a class teacher sees whom to look after, and no column that would stand empty', async ({ page }) => {
  await signIn(page, 'demo_teacher');
  await page.goto(url('/earlyWarning/earlyWarningLevel'));
  await expect(page.getByRole('columnheader', { name: /姓名/ })).toBeVisible();
  for (const name of [/等级/, /时限/, /触发原因/]) await expect(page.getByRole('columnheader', { name })).toHaveCount(0);
  await expect(page.getByLabel('等级')).toHaveCount(0);
  await expect(page.getByRole('button', { name: /^超时/ })).toHaveCount(0);
  await expect(page.getByRole('button', { name: '导出' })).toHaveCount(0);
});

test('a rule is built, tried on past sheets, saved, switched off and removed; the platform’s stay locked', async ({ page }) => {
  await signIn(page, 'demo_psych');
  await page.goto(url('/earlyWarning/rules'));
  const floor = page.getByRole('list', { name: '平台规则' });
  await expect(floor.getByRole('listitem')).toHaveCount(9);
  await expect(floor.getByRole('button')).toHaveCount(0);
  await page.getByRole('button', { name: '新增规则' }).click();
  await page.getByLabel('规则名称').fill('考前重点关注');
  await page.getByRole('button', { name: '试运行' }).click();
  await expect(page.getByLabel('试运行', { exact: true })).toContainText(/核对 \d+ 份答卷/);
  expect(await accessibilityFaults(page)).toEqual([]);
  await page.getByRole('button', { name: '保存' }).click();
  const own = page.getByRole('list', { name: '本机构规则' }).getByRole('listitem').filter({ hasText: '考前重点关注' });
  await expect(own).toContainText('PHQ-9 总分 ≥ 7');
  await own.getByRole('switch').click();
  await expect(own).toContainText('停用');
  await own.getByRole('button', { name: '删除' }).click();
  await page.getByRole('dialog', { name: '系统提示' }).getByRole('button', { name: '确定' }).click();
  await expect(own).toHaveCount(0);
});

test('a paper is attached to a case and a re-test asked for; both stand in its history', async ({ page }) => {
  await signIn(page, 'demo_psych');
  const paper = `就诊记录${run}.pdf`;
  await openCase(page);
  await page.getByRole('button', { name: '上传附件' }).last().click();
  await page.getByRole('combobox', { name: '附件类型' }).click();
  await page.getByRole('option', { name: '就诊资料' }).click();
  await page.locator('input[type=file]').setInputFiles({
    name: paper,
    mimeType: 'application/pdf',
    buffer: Buffer.from('%PDF-1.4\n1 0 obj<</Type/Catalog>>endobj\ntrailer<</Root 1 0 R>>\n%%EOF\n'),
  });
  await expect(page.getByText(paper)).toBeVisible();
  await page.getByRole('button', { name: '保存' }).click();
  await expect(page.getByRole('main').getByText(paper)).toBeVisible();
  await page.getByRole('button', { name: '安排复测' }).first().click();
  expect(await accessibilityFaults(page)).toEqual([]);
  await page.getByRole('dialog').getByRole('button', { name: '安排复测' }).click();
  const history = page.getByRole('list', { name: '处置记录' }).or(page.locator('[aria-label="处置记录"]')).first();
  await expect(history).toContainText('安排复测');
  await expect(history).toContainText('上传附件');
  await expect(page.getByRole('list', { name: '复测', exact: true }).getByText('待作答').first()).toBeVisible();
});

test('an export with minors asks a second person, who decides; the file is open to who asked', async ({ page, browser }) => {
  await signIn(page, 'demo_psych');
  await page.goto(url('/registration/followUpManagement'));
  const purpose = `学期末随访记录归档${run}`;
  await page.getByRole('button', { name: '导出', exact: true }).click();
  await expect(page.getByText(/其中未成年人/)).toBeVisible();
  await page.getByLabel('用途').fill(purpose);
  await page.getByRole('button', { name: '提交申请' }).click();
  await hasSaid(page, /已提交申请/);
  const other = await browser.newPage();
  await signIn(other, 'demo_school');
  await other.goto(url('/approvals'));
  const byRole = other.getByRole('row').filter({ hasText: purpose });
  await byRole.getByRole('button', { name: '审批', exact: true }).click();
  await other.getByRole('radio', { name: '同意', exact: true }).check();
  await other.getByRole('button', { name: '提交', exact: true }).click();
  await expect(byRole.getByText('已同意')).toBeVisible();
  await other.close();
  await page.goto(url('/approvals'));
  const agreed = page.getByRole('row').filter({ hasText: purpose });
  const file = await fileOf(page, () => agreed.getByRole('button', { name: '下载', exact: true }).click());
  expect(file.suggestedFilename()).toMatch(/^随访记录_.*\.xlsx$/);
  expect(await accessibilityFaults(page)).toEqual([]);
});
