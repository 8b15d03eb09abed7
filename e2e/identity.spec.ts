import { TOTP, Secret } from 'otpauth';
import type { Page } from '@playwright/test';
import { accessibilityFaults, expect, hasSaid, password, signIn, startUsing, test, url } from './people.ts';

/** The code of half a minute from now is taken as well, so that two sign-ins within one half minute need no waiting. */
const codeOf = (key: string, later = 0) =>
  new TOTP({ algorithm: 'SHA1', digits: 6, period: 30, secret: Secret.fromBase32(key) }).generate({
    timestamp: Date.now() + later * 30_000,
  });

/** Password right, second step shown. */
async function toSecondStep(page: Page, account: string) {
  await page.goto(url('/login'));
  await page.getByLabel('账号', { exact: true }).fill(account);
  await page.getByLabel('密码', { exact: true }).fill(password);
  await page.getByRole('button', { name: '登录', exact: true }).click();
  await expect(page.getByLabel('动态验证码')).toBeFocused();
}
async function enter(page: Page, code: string) {
  await page.getByLabel('动态验证码').fill(code);
  await page.getByRole('button', { name: '验证并登录' }).click();
}
async function signOut(page: Page, account: string) {
  await page.getByRole('button', { name: new RegExp(`账号 ${account}`) }).click();
  await page.getByRole('menuitem', { name: '退出登录' }).click();
  await page.getByRole('button', { name: '确定' }).click();
  await expect(page).toHaveURL(url('/login'));
}

test('a second factor: set up, signed in with, recovered, seen among the sessions, taken away', async ({ page, browser }) => {
  const account = 'demo_psych2';
  await signIn(page, account);
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
  await toSecondStep(page, account);
  expect(await accessibilityFaults(page)).toEqual([]);
  await enter(page, '000000');
  await expect(page.getByText(/验证码不正确或已使用，还可尝试 \d 次/)).toBeVisible();
  await enter(page, codeOf(key, 1));
  await page.waitForURL((at) => at.pathname !== '/login');
  await startUsing(page);

  // At home, without the telephone.
  const home = await browser.newPage();
  await toSecondStep(home, account);
  await enter(home, codes[0] ?? '');
  await home.waitForURL((at) => at.pathname !== '/login');
  await startUsing(home);

  await page.goto(url('/profile/sessions'));
  const devices = page.getByRole('list', { name: '正在登录的设备' });
  await expect(devices.getByText('本次登录')).toBeVisible();
  expect(await accessibilityFaults(page)).toEqual([]);
  await expect(devices.getByRole('listitem').nth(1)).toBeVisible();
  await page.getByRole('button', { name: '结束其他所有登录' }).click();
  await page.getByRole('button', { name: '确定' }).click();
  await expect(devices.getByRole('listitem')).toHaveCount(1);
  await home.goto(url('/profile'));
  await expect(home).toHaveURL(url('/login'));
  await home.close();

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

test('the provider acts for a school: reason, banner, nothing taken away, and back; the school finds it in its trail', async ({
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
  // Of the thirty minutes, whatever this machine has used.
  await expect(banner).toContainText(/剩余 (30:00|[012]\d:\d\d)/);
  await startUsing(page);
  expect(await accessibilityFaults(page)).toEqual([]);
  await page.goto(url('/empower/individualAssessment'));
  await expect(page.getByRole('table').first()).toBeVisible();
  await expect(banner).toBeVisible();
  await expect(page.getByRole('button', { name: '导出' })).toHaveCount(0);
  await banner.getByRole('button', { name: '退出代登录' }).click();
  await hasSaid(page, /已退出代登录/);
  await expect(banner).toHaveCount(0);
  await expect(page.getByRole('button', { name: /账号 demo_fws/ })).toBeVisible();

  await signOut(page, 'demo_fws');
  await signIn(page, 'demo_school');
  await page.goto(url('/authority/auditLog'));
  await expect(page.getByText(/代登录/).first()).toBeVisible();
});
