import type { Browser, Page } from '@playwright/test';
import { getPlanAuthorizeCount } from '../src/features/assesscount/ledger.contract.ts';
import { updateToOSSPath } from '../src/features/file/file.contract.ts';
import { insertGoods, updateListingStatus } from '../src/features/goods/goods.contract.ts';
import { insertOrder } from '../src/features/order/order.contract.ts';
import { insertUser, selectUserList } from '../src/features/org/user/user.contract.ts';
import { png } from '../src/testing/files/picture.ts';
import { accessibilityFaults, expect, expectFitsWindow, expectNotification, signIn, signInFirst, test, url } from './people.ts';
import { as } from './school.ts';

/** 晨光中学 buys a package of counts of 安澜心理. 方敏 (demo_fws) and a new colleague are the two humans of the seller. */

const run = String(Date.now() % 1_000_000).padStart(6, '0');
const orderPath = (orderno: string) => url(`/operations/orderManagement/${orderno}`);

/** Puts a package of 100 counts for any plan on sale for 1,280.50 元. */
async function sellPackage(goodsname: string): Promise<number> {
  const fang = await as('demo_fws');
  const picture = Buffer.from(await png(320, 180)).toString('base64');
  const { fileid } = await fang(updateToOSSPath, { path: 'goods', filename: '封面.png', base64: picture, ispublic: 1 });
  const { goodsid } = await fang(insertGoods, {
    ...{ goodsname, goodstype: '01', plancode: '*', qty: 100, validdays: 365, courseid: null, price: 128_050, marketprice: null },
    ...{ stock: 20, coverfileid: fileid, detail: '', appids: [], visiblescope: '01', ordernum: 0 },
  });
  await fang(updateListingStatus, { goodsid, listingstatus: 1 });
  return goodsid;
}

const placeOrder = async (goodsid: number, qty: number) =>
  (await (await as('demo_school'))(insertOrder, { items: [{ goodsid, qty }], paychannel: '03' })).orderno;

/** The counts that 晨光中学 may still use for any plan. */
async function countFree(): Promise<number> {
  const { rows } = await (await as('demo_school'))(getPlanAuthorizeCount, { page: 1, pageSize: 50 });
  return rows.filter(({ plancode }) => plancode === '*').reduce((sum, { free }) => sum + free, 0);
}

/** A new colleague of 方敏 with the same roles, signed in for the first time. */
async function openColleague(browser: Browser): Promise<Page> {
  const fang = await as('demo_fws');
  const { rows } = await fang(selectUserList, { keyword: 'demo_fws' });
  const account = `finance${run}`;
  const { onetime } = await fang(insertUser, {
    ...{ sysusername: account, realname: '邵清', phonenumber: `139${run}11`, roleids: rows[0]!.roleids, validdays: 7 },
  });
  const page = await (await browser.newContext()).newPage();
  await signInFirst(page, { account, password: 'Changhe1985' }, onetime);
  return page;
}

test('a school pays by transfer, two humans confirm it, its counts rise, and half is refunded by two humans', async ({
  page,
  browser,
}) => {
  const goodsid = await sellPackage(`百次测评包${run}`);
  const orderno = await placeOrder(goodsid, 2);
  const free = await countFree();

  await signIn(page, 'demo_school');
  await page.goto(orderPath(orderno));
  await expect(page.getByText('请在截止时间前支付')).toBeVisible();
  await page.getByRole('button', { name: '去支付' }).click();
  const payment = page.getByRole('dialog', { name: '支付订单' });
  await expect(payment).toContainText('2,561.00 元');
  await payment.getByRole('button', { name: '提交' }).click();
  await expect(payment.getByText('请上传转账凭证')).toBeVisible();
  await payment
    .locator('input[type=file]')
    .setInputFiles({ name: '回单.png', mimeType: 'image/png', buffer: Buffer.from(await png(400, 260)) });
  await expect(payment.getByText('回单.png')).toBeVisible();
  expect(await accessibilityFaults(page)).toEqual([]);
  await payment.getByRole('button', { name: '提交' }).click();
  await expectNotification(page, /等待卖方核对到账/);
  await expect(page.getByText('等待卖方两人核对到账')).toBeVisible();

  const fang = await (await browser.newContext()).newPage();
  await signIn(fang, 'demo_fws');
  await fang.goto(url('/operations/orderManagement?side=sold'));
  await fang.getByRole('row').filter({ hasText: orderno }).getByRole('link', { name: /^查看/ }).click();
  await expect(fang.getByRole('img', { name: '转账凭证' })).toBeVisible();
  await fang.getByRole('button', { name: '登记到账' }).click();
  const record = fang.getByRole('dialog', { name: '登记到账' });
  await record.getByLabel('银行流水号').fill(`ICBC${run}`);
  await record.getByLabel('到账金额').fill('2561.01');
  await record.getByRole('button', { name: '登记', exact: true }).click();
  await expect(record.getByText(/到账金额应为 2,561.00 元/)).toBeVisible();
  await expect(record.getByLabel('到账金额')).toHaveValue('2561.01');
  await record.getByLabel('到账金额').fill('2,561');
  await record.getByRole('button', { name: '登记', exact: true }).click();
  await expect(fang.getByText('方敏已登记到账，等待另一位人员')).toBeVisible();
  const confirmTransfer = async (person: Page) => {
    await person.getByRole('button', { name: '确认到账' }).click();
    const drawer = person.getByRole('dialog', { name: '确认到账' });
    await drawer.getByLabel('银行流水号').fill(`ICBC${run}`);
    await drawer.getByLabel('到账金额').fill('2561.00');
    await drawer.getByRole('button', { name: '确认到账' }).click();
    return drawer;
  };
  const refused = await confirmTransfer(fang);
  await expect(refused.getByRole('alert')).toContainText('申请人以外的另一人');
  await expect(refused.getByLabel('银行流水号')).toHaveValue(`ICBC${run}`);
  expect(await accessibilityFaults(fang)).toEqual([]);

  const colleague = await openColleague(browser);
  await colleague.goto(orderPath(orderno));
  await confirmTransfer(colleague);
  await expect(colleague.getByText('次数已进入买方账户')).toBeVisible();
  expect(await countFree()).toBe(free + 200);
  await page.goto(url('/Datastatistics/Datastatisticst'));
  await expect(page.getByRole('row').filter({ hasText: '不限方案' }).first()).toContainText((free + 200).toLocaleString('en-US'));

  await fang.reload();
  await fang.getByRole('button', { name: '退款', exact: true }).click();
  const refund = fang.getByRole('dialog', { name: '退款' });
  await refund.getByLabel(/退款数量$/).fill('1');
  await expect(refund.getByLabel('退款金额')).toHaveValue('1280.50');
  await refund.getByLabel('退款原因').fill('学校少开一个年级，多买了一份');
  expect(await accessibilityFaults(fang)).toEqual([]);
  await refund.getByRole('button', { name: '提交退款' }).click();
  await expect(fang.getByText('方敏申请了退款，等待另一位人员复核')).toBeVisible();
  await fang.context().close();

  await colleague.reload();
  await colleague.getByRole('button', { name: '复核退款' }).click();
  const answer = colleague.getByRole('dialog', { name: '复核退款' });
  await answer.getByLabel('退款的银行流水号').fill(`BACK${run}`);
  await answer.getByRole('button', { name: '同意退款' }).click();
  await expect(colleague.getByText('已退 1,280.50 元，其余商品继续有效')).toBeVisible();
  await colleague.context().close();

  await page.goto(orderPath(orderno));
  await expect(page.getByText('已退 1,280.50 元，其余商品继续有效')).toBeVisible();
  expect(await countFree()).toBe(free + 100);
  const log = page.getByLabel('订单记录').last();
  for (const line of ['提交订单', '登记到账', '支付成功', '申请退款', '退款成功']) await expect(log).toContainText(line);
  expect(await accessibilityFaults(page)).toEqual([]);
});

test('on a phone a school finds its order among cards and cancels it', async ({ browser }) => {
  const goodsname = `掌上测评包${run}`;
  const orderno = await placeOrder(await sellPackage(goodsname), 1);
  const phone = await (await browser.newContext({ viewport: { width: 390, height: 844 } })).newPage();
  await signIn(phone, 'demo_school');
  await phone.goto(url('/operations/orderManagement'));
  await phone
    .getByRole('group', { name: '订单状态' })
    .getByRole('button', { name: /待支付/ })
    .click();
  const card = phone.getByRole('listitem').filter({ hasText: orderno });
  await expect(card).toContainText('1,280.50');
  expect(await accessibilityFaults(phone)).toEqual([]);
  await card.getByText(goodsname).click();
  await phone.getByRole('button', { name: '取消订单' }).click();
  const drawer = phone.getByRole('dialog', { name: '取消订单' });
  await drawer.getByRole('button', { name: '取消订单' }).click();
  await expect(drawer.getByText('原因不能为空')).toBeVisible();
  await drawer.getByLabel('取消原因').fill('改为购买另一个套餐');
  await drawer.getByRole('button', { name: '取消订单' }).click();
  await expect(phone.getByText('订单已取消：改为购买另一个套餐')).toBeVisible();
  await expectFitsWindow(phone);
  expect(await accessibilityFaults(phone)).toEqual([]);
  await phone.context().close();
});
