import { Secret, TOTP } from 'otpauth';
import type { Page } from '@playwright/test';
import { expect, password, url } from './people.ts';

/** Returns a code. The server also accepts the next code (`steps` = 1), so two sign-ins within 30 seconds need no waiting. */
export const codeOf = (key: string, steps = 0) =>
  new TOTP({ algorithm: 'SHA1', digits: 6, period: 30, secret: Secret.fromBase32(key) }).generate({
    timestamp: Date.now() + steps * 30_000,
  });

/** Signs in with the right password up to the second step. */
export async function goToSecondStep(page: Page, account: string) {
  await page.goto(url('/login'));
  await page.getByLabel('账号', { exact: true }).fill(account);
  await page.getByLabel('密码', { exact: true }).fill(password);
  await page.getByRole('button', { name: '登录', exact: true }).click();
  await expect(page.getByLabel('动态验证码')).toBeFocused();
}

/** Enters a code or a recovery code in the second step. */
export async function enterCode(page: Page, code: string) {
  await page.getByLabel('动态验证码').fill(code);
  await page.getByRole('button', { name: '验证并登录' }).click();
}

/** Signs out by the menu of the account. */
export async function signOut(page: Page, account: string) {
  await page.getByRole('button', { name: new RegExp(`账号 ${account}`) }).click();
  await page.getByRole('menuitem', { name: '退出登录' }).click();
  await page.getByRole('button', { name: '确定' }).click();
  await expect(page).toHaveURL(url('/login'));
}
