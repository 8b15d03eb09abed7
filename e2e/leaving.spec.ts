import type { Locator, Page } from '@playwright/test';
import { expect, expectNotification, signIn, test, url } from './people.ts';

/** Presses Escape and then clicks beside the dialog. Both ask for confirmation, and the dialog stays open. */
async function expectStaysOpen(page: Page, dialog: Locator) {
  const question = page.getByRole('dialog', { name: '系统提示' });
  await page.keyboard.press('Escape');
  await question.getByRole('button', { name: '继续编辑' }).click();
  await expect(question).toBeHidden();
  await page.mouse.click(5, 450);
  await question.getByRole('button', { name: '继续编辑' }).click();
  await expect(question).toBeHidden();
  await expect(dialog).toBeVisible();
  return question;
}
/** Lets the next call fail as if the connection were lost. */
const failNextCall = (page: Page, name: string) => page.route(`**/${name}/**`, (route) => route.abort(), { times: 1 });

test('代登录 and 调整上级 keep the entered data after an error and after an accidental close', async ({ page }) => {
  await signIn(page, 'demo_fws');
  await page.goto(url('/Service/terminal?keyword=晨光中学'));
  const openDialog = async (item: string) => {
    await page
      .getByRole('button', { name: /晨光中学的更多操作/ })
      .first()
      .click();
    await page.getByRole('menuitem', { name: item, exact: true }).click();
  };
  await openDialog('代登录');
  const acting = page.getByRole('dialog', { name: /^代登录：/ });
  await acting.getByLabel('原因').fill('应学校电话要求，协助核对名册');
  await expectStaysOpen(page, acting);
  await expect(acting.getByLabel('原因')).toHaveValue('应学校电话要求，协助核对名册');
  await acting.getByLabel('以谁的身份').click();
  await page.getByRole('listbox').getByRole('option').first().click();
  await failNextCall(page, 'as.m.user.loginAs');
  await acting.getByRole('button', { name: '开始代登录' }).click();
  await expect(page.getByText('网络连接不上，请检查网络后重试').first()).toBeVisible();
  await expect(acting.getByLabel('原因')).toHaveValue('应学校电话要求，协助核对名册');
  await expect(acting.getByLabel('以谁的身份')).not.toHaveValue('');
  const question = await expectStaysOpen(page, acting);
  await acting.getByRole('button', { name: '取消' }).click();
  await question.getByRole('button', { name: '离开' }).click();
  await expect(acting).toBeHidden();
  // Without entered data the dialog closes without a question.
  await openDialog('代登录');
  await expect(acting).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(acting).toBeHidden();

  await openDialog('调整上级');
  const moving = page.getByRole('dialog', { name: /^调整上级：/ });
  const newParent = moving.getByText('云栖市青蓝小学', { exact: true });
  await newParent.click();
  await expectStaysOpen(page, moving);
  await failNextCall(page, 'as.m.user.updateMUserCategory');
  await moving.getByRole('button', { name: '移到这里' }).click();
  await question.getByRole('button', { name: '移动' }).click();
  await expect(page.getByText('网络连接不上，请检查网络后重试').first()).toBeVisible();
  await expect(moving.getByRole('button', { name: '移到这里' })).toBeEnabled();
  await moving.getByRole('button', { name: '取消' }).click();
  await question.getByRole('button', { name: '离开' }).click();
  await expect(moving).toBeHidden();
});

test('补测/复测 keeps the entered data and asks nothing after the task was created', async ({ page }) => {
  await signIn(page, 'demo_psych');
  await page.goto(url('/task/administration'));
  await page
    .locator('main tbody tr')
    .filter({ hasText: '心理复查' })
    .filter({ hasText: '进行中' })
    .first()
    .getByRole('link')
    .first()
    .click();
  await page.getByRole('button', { name: '补测/复测' }).click();
  const dialog = page.getByRole('dialog', { name: '补测/复测' });
  const otherOption = dialog.getByRole('radio', { checked: false });
  const before = await dialog.getByRole('radio', { checked: true }).getAttribute('value');
  await otherOption.check();
  await expectStaysOpen(page, dialog);
  await expect(dialog.getByRole('radio', { checked: true })).not.toHaveAttribute('value', before ?? '');
  await failNextCall(page, 'as.m.assess.createRetestTask');
  await dialog.getByRole('button', { name: '创建' }).click();
  await expect(page.getByText('网络连接不上，请检查网络后重试').first()).toBeVisible();
  await expect(dialog.getByRole('radio', { checked: true })).not.toHaveAttribute('value', before ?? '');
  const address = page.url();
  await dialog.getByRole('button', { name: '创建' }).click();
  await expectNotification(page, /^已创建，共 \d+ 人/);
  await expect(page).not.toHaveURL(address);
  await expect(page.getByRole('dialog', { name: '系统提示' })).toBeHidden();
});

test('谁看过 has the same pager as every list', async ({ page }) => {
  await signIn(page, 'demo_school');
  const { rows } = await page.evaluate(async () => {
    const token = decodeURIComponent(/(?:^|; )\w*token=([^;]+)/i.exec(document.cookie)?.[1] ?? '');
    const answer = await fetch('/api/as.m.cuser.getCUserPageList/1.0.0/action', {
      method: 'POST',
      headers: { 'content-type': 'application/json', token },
      body: JSON.stringify({ pageSize: 1 }),
    });
    return ((await answer.json()) as { data: { rows: { cuserid: string }[] } }).data;
  });
  const tableRows = page.locator('main table').last().locator('tbody tr');
  for (let visit = 0; visit < 22; visit++) {
    await page.goto(url(`/authority/trail/${rows[0]?.cuserid}`));
    await expect(tableRows.first()).toBeVisible();
  }
  await expect(page.getByLabel('每页条数')).toHaveValue('20');
  await expect(tableRows).toHaveCount(20);
  expect(await page.getByLabel('每页条数').locator('option').allTextContents()).toEqual(
    [15, 20, 50, 100, 200].map((size) => `${size} 条/页`),
  );
  await page.getByRole('button', { name: '下一页' }).click();
  await expect(page.getByRole('button', { name: '第 2 页' })).toHaveAttribute('aria-current', 'page');
  await page.getByLabel('每页条数').selectOption('50');
  await expect(tableRows.nth(20)).toBeVisible();
});
