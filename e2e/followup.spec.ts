import type { Page } from '@playwright/test';
import { accessibilityFaults, expect, expectNotification, signIn, test, url } from './people.ts';

const list = '/registration/followUpManagement';
const run = Date.now().toString(36).slice(-5);
const drawer = (page: Page) => page.getByRole('dialog');

/** Opens the form for new follow-ups with a person of the demonstration; it proposes tomorrow at 9. */
async function planFor(page: Page, name: string, planname: string) {
  await page.goto(url(list));
  await page.getByRole('button', { name: '新增随访' }).click();
  const form = drawer(page);
  await form.getByRole('combobox', { name: '受测者' }).fill(name);
  await page
    .getByRole('option', { name: new RegExp(name) })
    .first()
    .click();
  await form.getByRole('textbox', { name: '计划名称' }).fill(planname);
  return form;
}

test('a series is planned with its days before, and recorded on a phone within a few taps', async ({ page }) => {
  const planname = `返校随访${run}`;
  await signIn(page, 'demo_psych');
  const form = await planFor(page, '林', planname);
  await form.getByText('每周 × 4', { exact: true }).click();
  await expect(form.getByText(/共 4 次/)).toBeVisible();
  expect(await accessibilityFaults(page)).toEqual([]);
  await form.getByRole('button', { name: '保存' }).click();
  await expectNotification(page, /已安排随访/);

  await page.setViewportSize({ width: 390, height: 844 });
  await page.goto(url(`${list}?status=01&orderby=duetime&isasc=1&pageSize=200`));
  const card = page.getByRole('listitem').filter({ hasText: planname }).first();
  await card.click({ position: { x: 80, y: 60 } });
  const record = drawer(page);
  await expect(record.getByText('第 1 次')).toBeVisible();
  await record.getByRole('button', { name: '情绪平稳' }).click();
  await expect(record.getByRole('textbox', { name: '随访记录' })).toHaveValue('情绪平稳');
  await record.getByText('无明显风险', { exact: true }).click();
  expect(await accessibilityFaults(page)).toEqual([]);
  await record.getByRole('button', { name: '保存' }).click();
  await expectNotification(page, /已登记随访/);
});

test('the end of the following needs a reason, and the typed text survives the refusal', async ({ page }) => {
  const planname = `单次随访${run}`;
  await signIn(page, 'demo_psych');
  const form = await planFor(page, '林', planname);
  await form.getByRole('button', { name: '保存' }).click();
  await expectNotification(page, /已安排随访/);
  await page.goto(url(`${list}?status=01&pageSize=200`));
  await page.getByRole('row').filter({ hasText: planname }).getByRole('button', { name: '登记' }).click();
  const record = drawer(page);
  await record.getByRole('textbox', { name: '随访记录' }).fill('本人表示已恢复');
  await record.getByText('结束随访', { exact: true }).click();
  await record.getByRole('button', { name: '保存' }).click();
  await expect(record.getByText('请填写结束原因')).toBeVisible();
  await expect(record.getByRole('textbox', { name: '随访记录' })).toHaveValue('本人表示已恢复');
  await record.getByRole('textbox', { name: '结束原因' }).fill('连续两次平稳');
  await record.getByRole('button', { name: '保存' }).click();
  await expectNotification(page, /已登记随访/);
  await page.goto(url(`${list}?status=02&pageSize=200`));
  await expect(page.getByRole('row').filter({ hasText: planname })).toContainText('结束随访：连续两次平稳');
});

test('the workload leads from a number to the same rows of the list', async ({ page }) => {
  await signIn(page, 'demo_psych');
  await page.goto(url(list));
  await page.getByRole('button', { name: '工作量' }).click();
  const link = drawer(page)
    .getByRole('link', { name: /待随访/ })
    .first();
  const number = (await link.textContent()) ?? '';
  expect(await accessibilityFaults(page)).toEqual([]);
  await link.click();
  await expect(page.getByText(new RegExp(`共 ${number} 条`)).first()).toBeVisible();
  await page.goto(url(list));
  await page.getByRole('button', { name: '工作量' }).click();
  await drawer(page)
    .getByRole('link', { name: /负责人数/ })
    .first()
    .click();
  await expect(page.getByRole('search')).not.toContainText('U_');
  await expect(page.getByRole('search').getByLabel('负责人')).toHaveValue(/[^…]/);
});
