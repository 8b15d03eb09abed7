import { accessibilityFaults, expect, password, test, url } from './people.ts';

/** The server of this worker by a name for which browsers make passkeys: they make none for 127.0.0.1. */
const local = (path = '/') => url(path).replace('127.0.0.1', 'localhost');

test('a user adds a passkey in the profile, signs in with it without a name and after the password, and removes it', async ({
  page,
}) => {
  const account = 'demo_zs';
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
