import type { Page } from '@playwright/test';
import { updateMUser } from '../src/features/muser/edit/updateMUser.contract.ts';
import { getMUserPageList } from '../src/features/muser/muser.contract.ts';
import { accessibilityFaults, expect, password, test, url } from './people.ts';
import { openSession, withToken } from './session.ts';

/** The server of this worker by a name for which browsers make passkeys: they make none for 127.0.0.1. */
const local = (path = '/') => url(path).replace('127.0.0.1', 'localhost');

/** Gives the browser a device that makes passkeys and always agrees. */
async function addDevice(page: Page) {
  const devtools = await page.context().newCDPSession(page);
  await devtools.send('WebAuthn.enable');
  await devtools.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  });
}

test('a user adds a passkey in the profile, signs in with it without a name and after the password, and removes it', async ({
  page,
}) => {
  const account = 'demo_zs';
  await addDevice(page);
  await page.goto(local('/login'));
  await page.getByLabel('账号', { exact: true }).fill(account);
  await page.getByLabel('密码', { exact: true }).fill(password);
  await page.getByRole('button', { name: '登录', exact: true }).click();
  await page.waitForURL((address) => address.pathname !== '/login');
  await page.goto(local('/profile/factor'));
  await page.getByLabel('通行密钥名称').fill('我的手机');
  await page.getByRole('button', { name: '添加通行密钥' }).click();
  const codes = page.getByRole('dialog', { name: '恢复码' });
  await expect(codes.getByRole('list', { name: '恢复码' }).getByRole('listitem')).toHaveCount(10);
  await codes.getByRole('checkbox').check();
  await codes.getByRole('button', { name: '完成' }).click();
  const list = page.getByRole('list', { name: '通行密钥' });
  await expect(list).toContainText('我的手机');
  await expect(list).toContainText('还没有用过');
  expect(await accessibilityFaults(page)).toEqual([]);
  // Another person at this browser: the session is gone, the device stays.
  await page.context().clearCookies();
  await page.goto(local('/login'));
  await page.getByRole('button', { name: '用通行密钥登录' }).click();
  await page.waitForURL((address) => address.pathname !== '/login');
  await page.goto(local('/profile/factor'));
  await expect(list).toContainText('最近使用');
  // After the password, the passkey is the second factor.
  await page.context().clearCookies();
  await page.goto(local('/login'));
  await page.getByLabel('账号', { exact: true }).fill(account);
  await page.getByLabel('密码', { exact: true }).fill(password);
  await page.getByRole('button', { name: '登录', exact: true }).click();
  await page.getByRole('button', { name: '用通行密钥验证' }).click();
  await page.waitForURL((address) => address.pathname !== '/login');
  await page.goto(local('/profile/factor'));
  await list.getByRole('button', { name: '移除' }).click();
  await page.getByRole('dialog').getByRole('button', { name: '确定' }).click();
  await expect(page.getByText('还没有通行密钥')).toBeVisible();
});

test('where the address allows no passkeys the page says at which address they work', async ({ page }) => {
  await page.goto(url('/login'));
  await page.getByRole('button', { name: '用通行密钥登录' }).click();
  await expect(page.getByRole('alert')).toContainText(`请从 ${new URL(local()).origin} 打开`);
});

test('where a second factor is required, a passkey is one of the two ways to set it up', async ({ page }) => {
  const provider = withToken(await openSession('demo_fws'));
  const { rows } = await provider(getMUserPageList, { keyword: '青蓝小学' });
  const musercode = rows[0]?.musercode ?? '';
  await provider(updateMUser, { musercode, mustfactor: 1 });
  await addDevice(page);
  await page.goto(local('/login'));
  await page.getByLabel('账号', { exact: true }).fill('demo_qinglan');
  await page.getByLabel('密码', { exact: true }).fill(password);
  await page.getByRole('button', { name: '登录', exact: true }).click();
  const dialog = page.getByRole('dialog', { name: '请先设置二次验证' });
  await expect(dialog.getByRole('button', { name: '开始设置' })).toBeVisible();
  await dialog.getByLabel('通行密钥名称').fill('办公室电脑');
  expect(await accessibilityFaults(page)).toEqual([]);
  await dialog.getByRole('button', { name: '添加通行密钥' }).click();
  await dialog.getByLabel('我已妥善保存恢复码').check();
  await dialog.getByRole('button', { name: '完成' }).click();
  await expect(dialog).toBeHidden();
  await page.getByRole('button', { name: '开始使用' }).click();
  // The other tests of this server sign in with the password alone.
  await provider(updateMUser, { musercode, mustfactor: 0 });
  await page.goto(local('/profile/factor'));
  await expect(page.getByText('已启用')).toBeVisible();
  await page.getByRole('list', { name: '通行密钥' }).getByRole('button', { name: '移除' }).click();
  await page.getByRole('dialog').getByRole('button', { name: '确定' }).click();
  await expect(page.getByText('还没有通行密钥')).toBeVisible();
});
