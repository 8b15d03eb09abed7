import { accessibilityFaults, expect, expectFitsWindow, expectNotification, fileOf, signIn, test, url } from './people.ts';

// Every run uses new texts, so the tests can run again on the same server.
const run = String(Date.now() % 1_000_000).padStart(6, '0');

/** Opens a case of the demonstration that is in observation, on its own page. */
const openCase = async (page: Parameters<typeof signIn>[0]) => {
  await page.goto(url('/earlyWarning/earlyWarningLevel?states=06'));
  await page.getByRole('button', { name: '处理', exact: true }).first().click();
  await page.getByRole('link', { name: '整页打开' }).click();
  // The narrow view has 附件 too; only the page has 打印.
  await expect(page.getByRole('button', { name: '打印', exact: true })).toBeVisible();
};

test('Escape closes the confirmation above a form but not the form, and the typed text stays', async ({ page }) => {
  await signIn(page, 'demo_psych');
  await page.goto(url('/earlyWarning/earlyWarningLevel'));
  await page.getByRole('button', { name: '人工上报' }).click();
  const description = '同学反映近来常常独自哭泣，已约谈';
  await page.getByLabel('情况说明').fill(description);
  await page.keyboard.press('Escape');
  const question = page.getByRole('dialog', { name: '系统提示' });
  for (let round = 0; round < 2; round += 1) {
    await expect(question).toContainText('有未保存的修改');
    await page.keyboard.press('Escape');
    await expect(question).toBeHidden();
    await expect(page.getByLabel('情况说明')).toHaveValue(description);
    await page.keyboard.press('Escape');
  }
  // The default is to stay: Enter keeps the form too.
  await expect(question.getByRole('button', { name: '继续编辑' })).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(question).toBeHidden();
  await expect(page.getByLabel('情况说明')).toHaveValue(description);
  await page.keyboard.press('Escape');
  await question.getByRole('button', { name: '离开' }).click();
  await expect(page.getByLabel('情况说明')).toBeHidden();
});

test('a class teacher sees the names of persons with cases and none of the empty columns', async ({ page }) => {
  await signIn(page, 'demo_teacher');
  await page.goto(url('/earlyWarning/earlyWarningLevel'));
  await expect(page.getByRole('columnheader', { name: /姓名/ })).toBeVisible();
  for (const name of [/等级/, /时限/, /触发原因/]) await expect(page.getByRole('columnheader', { name })).toHaveCount(0);
  await expect(page.getByLabel('等级')).toHaveCount(0);
  await expect(page.getByRole('button', { name: /^超时/ })).toHaveCount(0);
  await expect(page.getByRole('button', { name: '导出' })).toHaveCount(0);
});

test('staff build a rule, try it on past exams, save, disable and delete it; platform rules are read-only', async ({ page }) => {
  await signIn(page, 'demo_psych');
  await page.goto(url('/earlyWarning/rules'));
  const platformRules = page.getByRole('list', { name: '平台规则' });
  await expect(platformRules.getByRole('listitem')).toHaveCount(12);
  await expect(platformRules.getByRole('button')).toHaveCount(0);
  await page.getByRole('button', { name: '新增规则' }).click();
  await page.getByLabel('规则名称').fill('考前重点关注');
  await page.getByRole('button', { name: '回放', exact: true }).click();
  await expect(page.getByLabel('回放既往答卷', { exact: true })).toContainText(/回放 \d+ 份答卷/);
  expect(await accessibilityFaults(page)).toEqual([]);
  await page.getByRole('button', { name: '保存' }).click();
  const rule = page.getByRole('list', { name: '本机构规则' }).getByRole('listitem').filter({ hasText: '考前重点关注' });
  await expect(rule).toContainText('PHQ-9 总分 ≥ 7');
  await rule.getByRole('switch').click();
  await expect(rule).toContainText('停用');
  await rule.getByRole('button', { name: '删除' }).click();
  await page.getByRole('dialog', { name: '系统提示' }).getByRole('button', { name: '确定' }).click();
  await expect(rule).toHaveCount(0);
});

test('the history of a case shows an attached document and an arranged re-test', async ({ page }) => {
  await signIn(page, 'demo_psych');
  const filename = `就诊记录${run}.pdf`;
  await openCase(page);
  await page.getByRole('button', { name: '上传附件' }).last().click();
  await page.getByRole('combobox', { name: '附件类型' }).click();
  await page.getByRole('option', { name: '就诊资料' }).click();
  await page.locator('input[type=file]').setInputFiles({
    name: filename,
    mimeType: 'application/pdf',
    buffer: Buffer.from('%PDF-1.4\n1 0 obj<</Type/Catalog>>endobj\ntrailer<</Root 1 0 R>>\n%%EOF\n'),
  });
  await expect(page.getByText(filename)).toBeVisible();
  await page.getByRole('button', { name: '保存' }).click();
  await expect(page.getByRole('main').getByText(filename)).toBeVisible();
  await page.getByRole('button', { name: '安排复测' }).first().click();
  expect(await accessibilityFaults(page)).toEqual([]);
  await page.getByRole('dialog').getByRole('button', { name: '安排复测' }).click();
  const history = page.getByRole('list', { name: '处置记录' }).or(page.locator('[aria-label="处置记录"]')).first();
  await expect(history).toContainText('安排复测');
  await expect(history).toContainText('上传附件');
  await expect(page.getByRole('list', { name: '复测', exact: true }).getByText('待作答').first()).toBeVisible();
});

test('an export with minors needs the approval of a second person; then the applicant can download it', async ({
  page,
  browser,
}) => {
  await signIn(page, 'demo_psych');
  await page.goto(url('/registration/followUpManagement'));
  const purpose = `学期末随访记录归档${run}`;
  await page.getByRole('button', { name: '导出', exact: true }).click();
  await expect(page.getByText(/其中未成年人/)).toBeVisible();
  await page.getByLabel('用途').fill(purpose);
  await page.getByRole('button', { name: '提交申请' }).click();
  await expectNotification(page, /已提交申请/);
  const approver = await browser.newPage();
  await signIn(approver, 'demo_school');
  await approver.goto(url('/approvals'));
  const application = approver.getByRole('row').filter({ hasText: purpose });
  await application.getByRole('button', { name: '审批', exact: true }).click();
  await approver.getByRole('radio', { name: '同意', exact: true }).check();
  await approver.getByRole('button', { name: '提交', exact: true }).click();
  await expect(application.getByText('已同意')).toBeVisible();
  await approver.close();
  await page.goto(url('/approvals'));
  const approvedRow = page.getByRole('row').filter({ hasText: purpose });
  const file = await fileOf(page, () => approvedRow.getByRole('button', { name: '下载', exact: true }).click());
  expect(file.suggestedFilename()).toMatch(/^随访记录_.*\.xlsx$/);
  expect(await accessibilityFaults(page)).toEqual([]);
});

test('on a phone a psychologist dials the guardian, records with one tap that nobody answered, and writes a line', async ({
  page,
}) => {
  await signIn(page, 'demo_psych');
  await openCase(page);
  await page.setViewportSize({ width: 390, height: 844 });
  await page.getByRole('button', { name: '查看电话' }).first().click();
  await expect(page.getByRole('link', { name: /^1\d{10}$/ }).first()).toHaveAttribute('href', /^tel:1\d{10}$/);
  const history = page.locator('[aria-label="处置记录"]');
  await page.getByRole('button', { name: '电话没打通' }).click();
  await expectNotification(page, /电话没打通/);
  await expect(history).toContainText('联系尝试');
  const line = `已请班主任陪同${run}`;
  const note = page.getByRole('textbox', { name: '写一句备注' });
  await note.fill('   ');
  await note.press('Enter');
  await expect(page.getByText('内容不能为空')).toBeVisible();
  await note.fill(line);
  await note.press('Enter');
  await expect(history).toContainText(line);
  await expect(note).toHaveValue('');
  await expect(note).toBeFocused();
  // @ offers the colleagues; Enter takes the first, and the next Enter sends the note.
  await note.pressSequentially('@');
  const colleague = page.getByRole('option').first();
  await expect(colleague).toBeVisible();
  const name = ((await colleague.textContent()) ?? '').split(' · ')[0] ?? '';
  expect(await accessibilityFaults(page)).toEqual([]);
  await note.press('Enter');
  await expect(note).toHaveValue(`@${name} `);
  await note.pressSequentially(`请看一下${run}`);
  await note.press('Enter');
  await expect(history).toContainText(`@${name} 请看一下${run}`);
  await expectFitsWindow(page);
  expect(await accessibilityFaults(page)).toEqual([]);
  await page.getByRole('button', { name: '电话打通了' }).click();
  await expect(page.getByRole('dialog', { name: '添加记录' })).toBeVisible();
});
