import { accessibilityFaults, expect, test, url } from './people.ts';

test('the demonstration offers its accounts; one click signs in', async ({ page }) => {
  await page.goto(url('/login'));
  const accounts = page.getByRole('region', { name: '演示账号' });
  await expect(accounts.getByRole('button', { name: /陈静怡.*危机预警/ })).toBeVisible();
  expect(await accessibilityFaults(page)).toEqual([]);
  await accounts.getByRole('button', { name: /demo_zs/ }).click();
  await page.waitForURL((address) => address.pathname !== '/login');
  await expect(page.getByRole('main')).toBeVisible();
});

test('the sign-in page loads its own small script and none of the console', async ({ page }) => {
  await page.goto(url('/login'));
  const own = await page
    .locator('script[src], link[rel=modulepreload]')
    .evaluateAll((parts) =>
      parts.map((part) => (part.getAttribute('src') ?? part.getAttribute('href') ?? '').replace(/-[\w-]{8}\.js$/, '')),
    );
  expect(own.sort()).toEqual(['/assets/login', '/assets/md5', '/assets/sign-in', '/assets/storage']);
});

test('/404 is public: a visitor without an account reads it and finds the way to the sign-in page', async ({ page }) => {
  await page.goto(url('/404'));
  await expect(page.getByRole('heading', { name: '抱歉，您访问的页面不存在' })).toBeVisible();
  await expect(page).toHaveURL(url('/404'));
  await page.getByRole('link', { name: '返回首页' }).click();
  await expect(page).toHaveURL(url('/login'));
});

for (const [title, stored] of Object.entries({
  'an empty object': '{}',
  'a text that is no JSON': '{"userid":',
  'the word null': 'null',
  'a list': '[]',
  'no list of permissions': '{"userid":null,"musercode":"M1","musertype":"005"}',
  'permissions that are null': '{"userid":null,"musercode":"M1","musertype":"005","permissions":null}',
}))
  test(`a damaged record of the account (${title}) leads to the sign-in page with its reason, never to a white page`, async ({
    page,
  }) => {
    await page.goto(url('/login'));
    await page.evaluate((text) => {
      document.cookie = 'token=forged; Path=/';
      sessionStorage.setItem('signedIn', text);
    }, stored);
    await page.goto(url('/'));
    await expect(page).toHaveURL(url('/login'));
    await expect(page.getByText('登录状态已过期，请重新登录', { exact: true })).toBeVisible();
    expect(await page.evaluate(() => document.cookie)).not.toContain('token');
  });
