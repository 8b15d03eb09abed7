import { accessibilityFaults, expect, signIn, signInByForm, startUsing, test, url } from './people.ts';
import { codeOf, enterCode, goToSecondStep, signOut } from './secondFactor.ts';

test('a provider allows trusted devices; a teacher then enters no code on her own computer, until she removes it', async ({
  page,
  browser,
}) => {
  const account = 'demo_dongshan';
  const provider = await browser.newPage();
  await signIn(provider, 'demo_fws');
  await provider.goto(url('/Service/terminal'));
  const row = provider.getByRole('row', { name: /东山高级中学/ }).first();
  await row.getByRole('button', { name: '修改' }).click();
  await provider.getByText('更多信息（选填）').click();
  await provider.getByRole('switch', { name: /此设备 30 天内免二次验证/ }).check();
  const form = provider.getByRole('dialog', { name: /修改.*东山高级中学/ });
  await form.getByRole('button', { name: '保存' }).click();
  await expect(form).toBeHidden();
  await provider.close();

  await signInByForm(page, account);
  await page.goto(url('/profile/factor'));
  await page.getByRole('button', { name: '设置二次验证' }).click();
  await page.getByRole('button', { name: '开始设置' }).click();
  const key = (await page.locator('code').first().innerText()).replaceAll(' ', '');
  await page.getByLabel('动态验证码').first().click();
  await page.keyboard.type(codeOf(key, 0));
  const list = page.getByRole('list', { name: '恢复码' });
  await expect(list).toBeVisible();
  const codes = await list.locator('code').allInnerTexts();
  await page.getByLabel('我已妥善保存恢复码').check();
  await page.getByRole('button', { name: '完成' }).click();
  await expect(page.getByText('没有免二次验证的设备')).toBeVisible();

  await signOut(page, account);
  await goToSecondStep(page, account);
  await page.getByLabel('此设备 30 天内免二次验证').check();
  expect(await accessibilityFaults(page)).toEqual([]);
  await enterCode(page, codeOf(key, 1));
  await page.waitForURL((address) => address.pathname !== '/login');
  await startUsing(page);
  await signOut(page, account);

  // The password alone.
  await signInByForm(page, account);
  await page.goto(url('/profile/factor'));
  const devices = page.getByRole('list', { name: '免二次验证的设备' });
  await expect(devices.getByText('当前设备')).toBeVisible();
  expect(await accessibilityFaults(page)).toEqual([]);
  await devices.getByRole('button', { name: '移除' }).click();
  await page.getByRole('dialog').getByRole('button', { name: '确定' }).click();
  await expect(page.getByText('没有免二次验证的设备')).toBeVisible();
  await signOut(page, account);
  await goToSecondStep(page, account);
  await enterCode(page, codes[0] ?? '');
  await page.waitForURL((address) => address.pathname !== '/login');
  await startUsing(page);
  await page.goto(url('/profile/factor'));
  await page.getByRole('button', { name: '关闭二次验证' }).click();
  await page.getByLabel('动态验证码').fill(codes[1] ?? '');
  await page.getByRole('button', { name: '确认关闭' }).click();
  await expect(page.getByText('未启用')).toBeVisible();
});
