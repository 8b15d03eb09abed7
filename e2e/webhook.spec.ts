import { accessibilityFaults, expect, expectFitsWindow, expectNotification, signIn, test, url } from './people.ts';

test('an administrator registers an address for events, sees its secret once, tries it, and switches it off', async ({
  page,
}) => {
  await signIn(page, 'demo_school');
  await page.goto(url('/noticeChannels'));
  await page.getByRole('link', { name: '事件推送' }).click();
  await expect(page.getByText('还没有推送地址')).toBeVisible();
  await page.getByRole('button', { name: '新增地址' }).click();
  const drawer = page.getByRole('dialog', { name: '新增推送地址' });
  await drawer.getByLabel('接收地址').fill('https://10.0.0.8/events');
  await drawer.getByRole('button', { name: '保存' }).click();
  await expect(drawer.getByText('接收地址不能是本机或内网地址')).toBeVisible();
  await drawer.getByLabel('接收地址').fill('https://hook.example/events');
  await drawer.getByRole('checkbox', { name: '预警结案' }).uncheck();
  expect(await accessibilityFaults(page)).toEqual([]);
  await drawer.getByRole('button', { name: '保存' }).click();
  const secret = page.getByRole('dialog', { name: '签名密钥' });
  await expect(secret.getByLabel('签名密钥')).toHaveValue(/^whsec_/);
  expect(await accessibilityFaults(page)).toEqual([]);
  await page.keyboard.press('Escape');
  await page.mouse.click(20, 400);
  await expect(secret.getByLabel('签名密钥')).toHaveValue(/^whsec_/);
  await secret.getByRole('button', { name: '我已保存' }).click();

  const address = page.getByRole('listitem').filter({ hasText: 'https://hook.example/events' });
  await expect(address.getByText('答卷提交、预警产生')).toBeVisible();
  await address.getByRole('button', { name: '发送测试事件' }).click();
  await expectNotification(page, /测试没有送达：找不到主机 hook.example/);
  const testRow = page.getByRole('row').filter({ hasText: '测试' });
  await expect(testRow.getByText('发送失败')).toBeVisible();
  await testRow.getByRole('button', { name: '重新测试' }).click();
  await expect(testRow.filter({ hasText: '发送失败' })).toHaveCount(2);
  expect(await accessibilityFaults(page)).toEqual([]);

  await address.getByRole('button', { name: '停用' }).click();
  await page.getByRole('dialog').getByRole('button', { name: '确定' }).click();
  await expect(address.getByText('已停用')).toBeVisible();
  await page.setViewportSize({ width: 390, height: 844 });
  await expectFitsWindow(page);
  expect(await accessibilityFaults(page)).toEqual([]);
});
