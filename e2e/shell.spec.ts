import { accessibilityFaults, expect, signIn, test, url } from './people.ts';

test('the sign-in page reports a wrong password and keeps the typed account', async ({ page }) => {
  await page.goto(url('/login'));
  await expect(page).toHaveTitle(/AI智慧心理-管理端/);
  await page.getByLabel('账号', { exact: true }).fill('  demo_psych ');
  await page.getByLabel('密码', { exact: true }).fill('Wrong1234');
  await page.getByRole('button', { name: '登录', exact: true }).click();
  await expect(page.getByText(/账号或密码错误，还可尝试 \d 次/)).toBeVisible();
  await expect(page.getByLabel('账号', { exact: true })).toHaveValue(/demo_psych/);
  expect(await accessibilityFaults(page)).toEqual([]);
});

test('without a session every address leads to the sign-in page; with a session the sign-in page leads home', async ({
  page,
}) => {
  await page.goto(url('/earlyWarning/earlyWarningLevel'));
  await expect(page).toHaveURL(url('/login'));
  await signIn(page, 'demo_psych');
  await page.goto(url('/login'));
  await page.waitForURL((address) => address.pathname !== '/login');
});

test('a duty officer lands on the crisis list', async ({ page }) => {
  await signIn(page, 'demo_duty');
  await expect(page).toHaveURL(/\/earlyWarning\/earlyWarning/);
});

test('an account without apps gets a message and is signed out', async ({ page }) => {
  await page.goto(url('/login'));
  await page.getByLabel('账号', { exact: true }).fill('demo_noapp');
  await page.getByLabel('密码', { exact: true }).fill('Demo1234');
  await page.getByRole('button', { name: '登录', exact: true }).click();
  await expect(page.getByText('该账号暂无应用，即将退出登录')).toBeVisible();
  await page.getByRole('button', { name: '确定' }).click();
  await expect(page).toHaveURL(url('/login'));
});

test('after signing out, the next account in the same tab finds no data of the previous one', async ({ page }) => {
  const requests: string[] = [];
  page.on('response', (response) => requests.push(response.url()));
  for (const account of ['demo_school', 'demo_teacher', 'demo_school']) {
    await signIn(page, account);
    const menu = page.getByRole('navigation').first();
    await expect(menu).toBeVisible();
    const screen = menu.getByText('个体测评', { exact: true });
    if (account === 'demo_teacher') await expect(screen).toHaveCount(0);
    else await expect(screen.first()).toBeVisible();
    await page.getByRole('button', { name: new RegExp(account) }).click();
    await page.getByRole('menuitem', { name: '退出登录' }).click();
    await page.getByRole('button', { name: '确定' }).click();
    await expect(page).toHaveURL(url('/login'));
    const storedData = await page.evaluate(() => ({ ...localStorage, cookies: document.cookie }));
    expect(JSON.stringify(storedData)).not.toMatch(/token|permissions|林小雨/);
  }
});
