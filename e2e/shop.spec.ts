import type { Page } from '@playwright/test';
import { updateToOSSPath } from '../src/features/file/file.contract.ts';
import { insertGoods, updateListingStatus } from '../src/features/goods/goods.contract.ts';
import { png } from '../src/testing/files/picture.ts';
import { accessibilityFaults, expect, expectFitsWindow, expectNotification, signIn, test, url } from './people.ts';
import { as } from './school.ts';

const run = String(Date.now() % 100_000).padStart(5, '0');
const goodsname = `开学普查 500 次${run}`;

const question = (page: Page) => page.getByRole('dialog').filter({ hasText: `上架“${goodsname}”` });

test('a provider puts a package on sale by the keyboard, a school orders it, and its order counts once', async ({
  page,
  browser,
}) => {
  await signIn(page, 'demo_fws');
  await page.goto(url('/operations/goodsManagement'));
  await page.getByRole('button', { name: '新增商品' }).first().press('Enter');
  const detail = page.getByRole('textbox', { name: '商品详情', exact: true });
  await expect(detail).toBeVisible();
  const name = page.getByRole('textbox', { name: '商品名称' });
  await name.focus();
  await page.keyboard.type(goodsname);
  await detail.focus();
  await page.keyboard.type('适合初中新生，结果由心理教师查看。');
  const plan = page.getByRole('combobox', { name: '方案' });
  const chosen = page.locator('[role=option][data-combobox-selected]');
  await plan.press('ArrowDown');
  await expect(page.getByRole('option', { name: '不限方案' })).toBeVisible();
  while ((await chosen.allInnerTexts()).join() !== '不限方案') await plan.press('ArrowDown');
  await plan.press('Enter');
  await page.getByRole('textbox', { name: '每份次数' }).focus();
  await page.keyboard.type('5');
  const price = page.getByRole('textbox', { name: '价格', exact: true });
  await price.focus();
  await page.keyboard.type('19.9');
  await page.getByRole('textbox', { name: '库存' }).focus();
  await page.keyboard.type('3');

  // The server refuses goods without a cover, and says so at the cover.
  await page.getByRole('button', { name: '上架', exact: true }).press('Enter');
  await expect(question(page)).toContainText('19.90 元');
  await expect(question(page)).toContainText('库存 3 件');
  await page.keyboard.press('Enter');
  await expect(page.getByText('请先上传封面，再上架')).toBeVisible();
  await expect(page.locator('[data-path=coverfileid]')).toBeFocused();
  expect(await accessibilityFaults(page)).toEqual([]);

  // Typed text survives a closed page; then the cover, the preview and the sale.
  await name.fill(`${goodsname}（草稿）`);
  await expect.poll(() => page.evaluate(() => Object.values(localStorage).some((text) => text.includes('（草稿）')))).toBe(true);
  page.once('dialog', (dialog) => void dialog.accept());
  await page.reload();
  await expect(name).toHaveValue(`${goodsname}（草稿）`);
  await name.fill(goodsname);
  const chooser = page.waitForEvent('filechooser');
  await page.getByRole('button', { name: '选择图片' }).press('Enter');
  await (await chooser).setFiles({ name: '封面.png', mimeType: 'image/png', buffer: await png(640, 360) });
  await expect(page.getByRole('img', { name: '封面' })).toBeVisible();
  await page.getByRole('button', { name: '预览' }).press('Enter');
  const preview = page.getByRole('dialog', { name: '买方看到的样子' });
  await expect(preview).toContainText('不限方案 × 5 次');
  await expect(preview).toContainText('适合初中新生');
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: '上架', exact: true }).press('Enter');
  await expect(question(page)).toBeVisible();
  await page.keyboard.press('Enter');
  await expectNotification(page, /已上架/);
  await expect(page.getByText('在售', { exact: true })).toBeVisible();
  await page.setViewportSize({ width: 390, height: 844 });
  await expectFitsWindow(page);
  await page.goto(url('/operations/goodsManagement'));
  await expect(page.getByText(goodsname)).toBeVisible();
  await expectFitsWindow(page);
  expect(await accessibilityFaults(page)).toEqual([]);

  const school = await (await browser.newContext()).newPage();
  await signIn(school, 'demo_school');
  await school.goto(url('/operations/orderManagement'));
  await school.getByRole('link', { name: '选购' }).first().press('Enter');
  await expect(school.getByRole('list', { name: '商品' })).toBeVisible();
  const search = school.getByRole('searchbox', { name: '商品名称' });
  await search.fill(goodsname);
  await search.press('Enter');
  await expect(school.getByRole('list', { name: '商品' }).getByRole('listitem')).toHaveCount(1);
  expect(await accessibilityFaults(school)).toEqual([]);
  await school.getByRole('link', { name: goodsname }).press('Enter');
  await expect(school.getByText('适合初中新生')).toBeVisible();
  const count = school.getByRole('textbox', { name: '数量' });
  await count.fill('4');
  await expect(school.getByText('库存只有 3 件')).toBeVisible();
  await count.press('ArrowDown');
  await count.fill('1');
  await count.press('ArrowUp');
  await expect(count).toHaveValue('2');
  expect(await accessibilityFaults(school)).toEqual([]);
  await school.getByRole('button', { name: '立即选购' }).press('Enter');
  const cart = school.getByRole('dialog', { name: '选购清单' });
  await expect(cart).toContainText('39.80 元');
  expect(await accessibilityFaults(school)).toEqual([]);
  await cart.getByText('需要发票').click();
  await cart.getByRole('textbox', { name: '发票抬头' }).fill('云栖市晨光中学');
  const requests: string[] = [];
  school.on('request', (request) => request.url().includes('insertOrder') && requests.push(request.url()));
  await cart.getByRole('button', { name: /^提交订单/ }).dblclick();
  await expect(school).toHaveURL(/\/operations\/orderManagement\/\d{20}$/);
  await expect(school.locator('main')).toContainText(goodsname);
  await expect(school.locator('main')).toContainText('39.80');
  expect(requests).toHaveLength(1);
  await school.close();
});

/** 安澜心理 sells three sets of things. */
async function sellThing(name: string) {
  const fang = await as('demo_fws');
  const base64 = Buffer.from(await png(640, 360)).toString('base64');
  const { fileid } = await fang(updateToOSSPath, { path: 'goods', filename: '封面.png', base64, ispublic: 1 });
  const { goodsid } = await fang(insertGoods, {
    goodsname: name,
    goodstype: '04',
    price: 356_050,
    stock: 3,
    coverfileid: fileid,
  });
  await fang(updateListingStatus, { goodsid, listingstatus: 1 });
}

test('on a phone a school orders things, and the receiver is asked for at its field', async ({ page }) => {
  const thing = `沙盘器材${run}`;
  await sellThing(thing);
  await page.setViewportSize({ width: 390, height: 844 });
  await signIn(page, 'demo_school');
  await page.goto(url(`/operations/orderManagement/shop?goodstype=04&keyword=${encodeURIComponent(thing)}`));
  await page.getByRole('button', { name: `把${thing}加入清单` }).click();
  await expect(page.getByRole('button', { name: '选购清单（1 件）' })).toBeVisible();
  await expectFitsWindow(page);
  expect(await accessibilityFaults(page)).toEqual([]);
  await page.getByRole('button', { name: '选购清单（1 件）' }).click();
  const cart = page.getByRole('dialog', { name: '选购清单' });
  await cart.getByRole('textbox', { name: `${thing}的数量` }).fill('2');
  await cart.getByRole('button', { name: '提交订单 7,121.00 元' }).click();
  await expect(cart.getByRole('textbox', { name: '收货人' })).toBeFocused();
  await expect(cart).toContainText('收货人不能为空');
  expect(await accessibilityFaults(page)).toEqual([]);
  await cart.getByRole('textbox', { name: '收货人' }).fill('马骏');
  await cart.getByRole('textbox', { name: '收货电话' }).fill('139 0000 0001');
  await cart.getByRole('textbox', { name: '收货地址' }).fill('云栖市晨光路 1 号');
  await cart.getByRole('button', { name: /^提交订单/ }).click();
  await expect(page).toHaveURL(/\/operations\/orderManagement\/\d{20}$/);
  await expect(page.locator('main')).toContainText(thing);
  await page.goto(url('/operations/orderManagement/shop'));
  await expect(page.getByRole('button', { name: '选购清单', exact: true })).toBeVisible();
});
