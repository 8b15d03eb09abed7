import { accessibilityFaults, expect, expectNotification, signIn, signInByForm, startUsing, test, url } from './people.ts';
import { codeOf, enterCode, goToSecondStep, signOut } from './secondFactor.ts';

test('a user sets up a second factor, signs in with it and with a recovery code, ends sessions and disables it', async ({
  page,
  browser,
}) => {
  const account = 'demo_psych2';
  await signInByForm(page, account);
  await page.getByRole('button', { name: new RegExp(`账号 ${account}`) }).click();
  await page.getByRole('menuitem', { name: '个人中心' }).click();
  await expect(page).toHaveURL(url('/profile'));
  expect(await accessibilityFaults(page)).toEqual([]);
  await page.getByRole('tab', { name: '二次验证' }).click();
  await page.getByRole('button', { name: '设置二次验证' }).click();
  await page.getByRole('button', { name: '开始设置' }).click();
  await expect(page.getByAltText('二次验证二维码')).toBeVisible();
  expect(await accessibilityFaults(page)).toEqual([]);
  const key = (await page.locator('code').first().innerText()).replaceAll(' ', '');
  await page.getByLabel('动态验证码').first().click();
  await page.keyboard.type(codeOf(key));
  const list = page.getByRole('list', { name: '恢复码' });
  await expect(list).toBeVisible();
  const codes = await list.locator('code').allInnerTexts();
  expect(codes).toHaveLength(10);
  expect(await accessibilityFaults(page)).toEqual([]);
  await page.getByLabel('我已妥善保存恢复码').check();
  await page.getByRole('button', { name: '完成' }).click();
  await expect(page.getByText('已启用').first()).toBeVisible();

  await signOut(page, account);
  await goToSecondStep(page, account);
  expect(await accessibilityFaults(page)).toEqual([]);
  await enterCode(page, '000000');
  await expect(page.getByText(/验证码不正确或已使用，还可尝试 \d 次/)).toBeVisible();
  await enterCode(page, codeOf(key, 1));
  await page.waitForURL((address) => address.pathname !== '/login');
  await startUsing(page);

  // In another browser she signs in with a recovery code.
  const otherPage = await browser.newPage();
  await goToSecondStep(otherPage, account);
  await enterCode(otherPage, codes[0] ?? '');
  await otherPage.waitForURL((address) => address.pathname !== '/login');
  await startUsing(otherPage);

  await page.goto(url('/profile/sessions'));
  const devices = page.getByRole('list', { name: '正在登录的设备' });
  await expect(devices.getByText('本次登录')).toBeVisible();
  expect(await accessibilityFaults(page)).toEqual([]);
  await expect(devices.getByRole('listitem').nth(1)).toBeVisible();
  await page.getByRole('button', { name: '结束其他所有登录' }).click();
  await page.getByRole('button', { name: '确定' }).click();
  await expect(devices.getByRole('listitem')).toHaveCount(1);
  await otherPage.goto(url('/profile'));
  await expect(otherPage).toHaveURL(url('/login'));
  await otherPage.close();

  await page.goto(url('/profile/factor'));
  await expect(page.getByText('9 个')).toBeVisible();
  await page.getByRole('button', { name: '关闭二次验证' }).click();
  await page.getByRole('button', { name: '确认关闭' }).click();
  await expect(page.getByText('请输入 6 位动态验证码或恢复码')).toBeVisible();
  expect(await accessibilityFaults(page)).toEqual([]);
  await page.getByLabel('动态验证码').fill(codes[0] ?? '');
  await page.getByRole('button', { name: '确认关闭' }).click();
  await expect(page.getByText(/验证码不正确或已使用/)).toBeVisible();
  await page.getByLabel('动态验证码').fill(codes[1] ?? '');
  await page.getByRole('button', { name: '确认关闭' }).click();
  await expect(page.getByText('未启用')).toBeVisible();
});

test('a provider acts for a school with a reason and a banner, without exports; the school sees it in the audit log', async ({
  page,
}) => {
  const reason = '学校马主任来电，协助核对名册导入';
  await signIn(page, 'demo_fws');
  await page.goto(url('/Service/terminal'));
  const row = page.getByRole('row', { name: /晨光中学/ }).first();
  await row.getByRole('button', { name: /更多操作/ }).click();
  await page.getByRole('menuitem', { name: '代登录' }).click();
  await page.getByRole('button', { name: '开始代登录' }).click();
  await expect(page.getByText('请选择账号', { exact: true })).toBeVisible();
  await page.getByRole('combobox', { name: '以谁的身份' }).click();
  await page.getByRole('option', { name: /陈静怡/ }).click();
  await page.getByLabel('代登录原因').fill(reason);
  await page.getByRole('button', { name: '开始代登录' }).click();
  const banner = page.getByRole('region', { name: '代登录' });
  await expect(banner).toContainText(/正以 .*晨光中学 · 陈静怡 的身份操作/);
  // Up to ten minutes of the thirty may have passed on a slow machine.
  await expect(banner).toContainText(/剩余 (30:00|[012]\d:\d\d)/);
  await startUsing(page);
  expect(await accessibilityFaults(page)).toEqual([]);
  await page.goto(url('/empower/individualAssessment'));
  await expect(page.getByRole('table').first()).toBeVisible();
  await expect(banner).toBeVisible();
  await expect(page.getByRole('button', { name: '导出' })).toHaveCount(0);
  await banner.getByRole('button', { name: '退出代登录' }).click();
  await expectNotification(page, /已退出代登录/);
  await expect(banner).toHaveCount(0);
  await expect(page.getByRole('button', { name: /账号 demo_fws/ })).toBeVisible();

  await signOut(page, 'demo_fws');
  await signIn(page, 'demo_school');
  await page.goto(url('/authority/auditLog'));
  await expect(
    page
      .getByRole('row')
      .filter({ hasText: /代登录/ })
      .first(),
  ).toBeVisible();
});
