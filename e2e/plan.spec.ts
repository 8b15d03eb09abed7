import type { Page } from '@playwright/test';
import { getMUserExamPlanPage } from '../src/features/plan/plan.contract.ts';
import { choose, consent } from './phone.ts';
import { as, createScreening } from './school.ts';
import { accessibilityFaults, expect, expectNotification, signIn, test, url } from './people.ts';

// Every run uses new names, so the test can run again on the same server.
const planname = `期中筛查${String(Date.now() % 100_000).padStart(5, '0')}`;
const libraryPath = '/evaluating/newInstitutionalEvaluation';

/** The names of the forms of the editor, in their order. */
const formNames = (page: Page) => page.locator('[data-path="forms"] ol > li').allInnerTexts();

test('a psychologist makes a plan with stages by keyboard, previews it to the last page, saves it, and changes it', async ({
  page,
  context,
}) => {
  await signIn(page, 'demo_psych');
  await page.goto(url(libraryPath));
  await page.getByRole('button', { name: '新建方案' }).first().click();

  await test.step('forms are added, and the arrow keys move one up', async () => {
    await page.getByRole('heading', { name: '新建方案' }).waitFor();
    await page.getByLabel('方案名称').fill(planname);
    await page.getByRole('button', { name: '加入量表' }).click();
    const picker = page.getByRole('dialog', { name: '加入量表' });
    for (const form of ['PHQ-9', 'GAD-7']) {
      await picker.getByLabel('查找量表').fill(form);
      await picker.getByRole('button', { name: new RegExp(`^加入.*${form}`) }).click();
    }
    await picker.getByRole('button', { name: '完成' }).click();
    const handle = page.getByRole('button', { name: /GAD-7.*拖动或按上下方向键/ });
    await handle.focus();
    await page.keyboard.press('ArrowUp');
    await expect.poll(async () => (await formNames(page))[0]).toContain('GAD-7');
    await expect(handle).toBeFocused();
    await expect(page.getByText('2 份 · 17 题 · 约 5 分钟')).toBeVisible();
  });

  await test.step('a form belongs to one stage, and a stage without a scored form is refused at its place', async () => {
    const stages = page.getByRole('combobox', { name: '阶段' });
    await stages.click();
    for (const stage of ['新生入学', '秋季学期']) await page.getByRole('option', { name: stage }).click();
    await page.keyboard.press('Escape');
    for (const form of ['PHQ-9', 'GAD-7']) {
      await page.getByRole('combobox', { name: new RegExp(`${form}.*的阶段`) }).click();
      await page.getByRole('option', { name: '新生入学' }).filter({ visible: true }).click();
    }
    await page.getByRole('button', { name: '保存', exact: true }).click();
    await expect(page.getByText(/没有计分量表，请加入一份，或取消这个阶段/).first()).toBeVisible();
    await expect(page.getByLabel('方案名称')).toHaveValue(planname);
    await page.getByRole('combobox', { name: /PHQ-9.*的阶段/ }).click();
    await page.getByRole('option', { name: '每个阶段' }).filter({ visible: true }).click();
  });

  await test.step('the page has no fault of accessibility', async () => {
    expect(await accessibilityFaults(page)).toEqual([]);
  });

  await test.step('the preview goes to the last page and saves nothing', async () => {
    const popup = context.waitForEvent('page');
    await page.getByRole('button', { name: /^预览/ }).first().click();
    const phone = await popup;
    await phone.getByLabel('姓名').fill('随便');
    await phone.getByLabel('学号').fill('1');
    await phone.getByRole('button', { name: '下一步' }).click();
    await phone.getByRole('button', { name: '是我，开始' }).click();
    await consent(phone);
    for (let number = 1; number <= 17; number += 1) await choose(phone, number, 3);
    await phone.getByRole('button', { name: '交卷' }).click();
    await expect(phone.getByRole('heading', { name: '谢谢你，已经交卷' })).toBeVisible();
    await phone.close();
  });

  await test.step('the plan is saved and is in the list', async () => {
    await page.getByRole('button', { name: '保存', exact: true }).click();
    await page.waitForURL((address) => address.pathname === libraryPath);
    await expect(page.getByRole('row').filter({ hasText: planname })).toBeVisible();
    await expectNotification(page, /保存成功/);
  });

  await test.step('a task uses the plan: a change of its forms asks first, and makes the second version', async () => {
    const call = await as('demo_psych');
    const { rows } = await call(getMUserExamPlanPage, { keyword: planname });
    await createScreening(['2011-03-18'], rows[0]?.plancode ?? '');
    await page.reload();
    await page.getByRole('row').filter({ hasText: planname }).getByRole('button', { name: '修改', exact: true }).click();
    await expect(page.getByText('方案已被使用', { exact: false })).toBeVisible();
    await page.getByRole('button', { name: /^移除.*GAD-7/ }).click();
    await page.getByRole('button', { name: '保存', exact: true }).click();
    const question = page.getByRole('dialog', { name: '保存为第 2 版' });
    await expect(question).toContainText('1 个未结束的任务仍使用原来的版本');
    expect(await accessibilityFaults(page)).toEqual([]);
    await question.getByRole('button', { name: '保存新版本' }).click();
    const versions = page.getByRole('list', { name: '版本' });
    await expect(versions).toContainText('第 2 版');
    await expect(versions).toContainText('移除量表“广泛性焦虑量表（GAD-7）”（新生入学）');
  });
});
