import { expect, test } from 'vitest';
import * as file from '#features/file/file.contract.ts';
import * as goods from '#features/goods/goods.contract.ts';
import { insertOrder } from '#features/order/order.contract.ts';
import * as plan from '#features/plan/plan.contract.ts';
import { aCourse } from '#testing/content/contents.ts';
import { openCounter, sellGoods } from '#testing/content/counter.ts';
import { setPermission } from '#testing/factories.ts';
import { png } from '#testing/files/picture.ts';
import { sharedServer, startServer } from '#testing/server.ts';

const server = sharedServer();
const upload = async (ispublic: 0 | 1 = 0) => {
  const picture = { filename: '封面.png', mime: 'image/png', content: await png(20, 20) };
  return (await server().as('fang')(file.updateToOSS, { biztype: 'goods', ispublic }, picture)).fileid;
};
/** A common plan of 安澜心理. */
const aPlan = async (formcode = 'PHQ9') => {
  const { plancode } = await server().as('fang')(plan.insertMUserExamPlan, {
    ...{ appid: '000000002', planname: '学期普查', forms: [{ formcode: 'PHQ9' }], iscommon: 1 },
  });
  // The conditions of a tier-B form are accepted elsewhere; the plan only has to contain it.
  if (formcode !== 'PHQ9')
    await server().sqlAsOwner('update planform set formcode = $1 where plancode = $2', [formcode, plancode]);
  return plancode;
};
const pack = { goodsname: '测评次数包', goodstype: '01' as const, plancode: '*', qty: 100, price: 50_000 };
const inShop = async (who: 'ma' | 'super' = 'ma') =>
  (await server().as(who)(goods.getGoodsPageList, { pageSize: 100 })).rows.map(({ goodsid }) => goodsid);

test('方敏 puts a package on sale, and 马主任 finds it with its cover until she takes it off', async () => {
  const fang = server().as('fang');
  const { goodsid } = await fang(goods.insertGoods, { ...pack, coverfileid: await upload(), detail: '<p>一学期够用。</p>' });
  expect(await inShop()).not.toContain(goodsid);
  await expect(server().as('ma')(goods.getGoodsDetail, { goodsid })).rejects.toMatchObject({ code: 130001 });
  await fang(goods.updateListingStatus, { goodsid, listingstatus: 1 });
  expect(await server().as('ma')(goods.getGoodsDetail, { goodsid })).toMatchObject({
    ...{ goodsname: '测评次数包', insname: '安澜心理', planname: '不限方案', price: 50_000, detail: '<p>一学期够用。</p>' },
    coverurl: expect.stringMatching(/^\/files\?k=/),
  });
  await fang(goods.updateListingStatus, { goodsid, listingstatus: 2 });
  expect(await inShop()).not.toContain(goodsid);
  await fang(goods.updateListingStatus, { goodsid, listingstatus: 1 });
  expect(await inShop()).toContain(goodsid);
});

test('goods go 待上架 → 在售 ↔ 下架 and no other way, and only those off sale are deleted', async () => {
  const fang = server().as('fang');
  const { goodsid } = await fang(goods.insertGoods, { ...pack, coverfileid: await upload() });
  const list = (listingstatus: 1 | 2) => fang(goods.updateListingStatus, { goodsid, listingstatus });
  await expect(list(2)).rejects.toMatchObject({ code: 140001 });
  await list(1);
  await expect(list(1)).rejects.toMatchObject({ code: 140001 });
  await expect(fang(goods.deleteGoods, { goodsid })).rejects.toMatchObject({ code: 140001, message: /请先下架/ });
  await list(2);
  await fang(goods.deleteGoods, { goodsid });
  await expect(fang(goods.getGoodsDetail, { goodsid })).rejects.toMatchObject({ code: 130001 });
});

test('goods without a cover are not sold, and goods on sale keep theirs', async () => {
  const fang = server().as('fang');
  const { goodsid } = await fang(goods.insertGoods, pack);
  const refusal = { code: 140001, data: { field: 'coverfileid' } };
  await expect(fang(goods.updateListingStatus, { goodsid, listingstatus: 1 })).rejects.toMatchObject(refusal);
  const coverfileid = await upload();
  await fang(goods.updateGoods, { goodsid, coverfileid });
  await fang(goods.updateListingStatus, { goodsid, listingstatus: 1 });
  await expect(fang(goods.updateGoods, { goodsid, coverfileid: null })).rejects.toMatchObject(refusal);
  await expect(fang(file.deleteFile, { fileid: coverfileid })).rejects.toMatchObject({ code: 130003 });
});

test('a plan with a tier-B form is sold for nothing only', async () => {
  const fang = server().as('fang');
  const fields = { ...pack, plancode: await aPlan('WHO5'), coverfileid: await upload() };
  const { goodsid } = await fang(goods.insertGoods, fields);
  const refusal = { code: 150002, data: { field: 'price' } };
  await expect(fang(goods.updateListingStatus, { goodsid, listingstatus: 1 })).rejects.toMatchObject(refusal);
  await fang(goods.updateGoods, { goodsid, price: 0 });
  await fang(goods.updateListingStatus, { goodsid, listingstatus: 1 });
  await expect(fang(goods.updateGoods, { goodsid, price: 100 })).rejects.toMatchObject(refusal);
});

test('a package whose plan was put aside is neither put on sale nor ordered', async () => {
  const fang = server().as('fang');
  const plancode = await aPlan();
  const { goodsid } = await fang(goods.insertGoods, { ...pack, plancode, price: 0, coverfileid: await upload() });
  await fang(goods.updateListingStatus, { goodsid, listingstatus: 1 });
  await fang(plan.updateMUserExamPlan, { plancode, status: 0 });
  await expect(server().as('ma')(insertOrder, { items: [{ goodsid, qty: 1 }] })).rejects.toMatchObject({
    ...{ code: 140001, message: /暂时不能选购/ },
  });
  await fang(goods.updateListingStatus, { goodsid, listingstatus: 2 });
  await expect(fang(goods.updateListingStatus, { goodsid, listingstatus: 1 })).rejects.toMatchObject({
    ...{ code: 140001, data: { field: 'plancode' } },
  });
});

test('a course is sold while it is on the shelf and not free', async () => {
  const fang = server().as('fang');
  const { courseid } = await aCourse(server(), { free: 1 });
  const course = { goodsname: '情绪课', goodstype: '02' as const, courseid, price: 9_900, coverfileid: await upload() };
  const { goodsid } = await fang(goods.insertGoods, course);
  const list = () => fang(goods.updateListingStatus, { goodsid, listingstatus: 1 });
  await expect(list()).rejects.toMatchObject({ code: 140001, message: /免费/ });
  await server().sqlAsOwner('update course set free = 0, status = 0 where courseid = $1', [courseid]);
  await expect(list()).rejects.toMatchObject({ code: 140001, message: /还没有上架/ });
  await server().sqlAsOwner('update course set status = 1 where courseid = $1', [courseid]);
  await list();
  expect((await server().as('ma')(goods.getGoodsDetail, { goodsid })).coursename).toBe('情绪课');
});

test('a field of another type, a plan of a school and a course of others are refused at the field', async () => {
  const fang = server().as('fang');
  const add = (more: object) => fang(goods.insertGoods, { ...pack, ...more });
  await expect(add({ goodstype: '04' })).rejects.toMatchObject({ code: 120002, data: { field: 'plancode' } });
  await expect(add({ courseid: 1 })).rejects.toMatchObject({ code: 120002, data: { field: 'courseid' } });
  const { plancode } = await server().as('chen')(plan.insertMUserExamPlan, {
    ...{ appid: '000000002', planname: '本校方案', forms: [{ formcode: 'PHQ9' }] },
  });
  await expect(add({ plancode })).rejects.toMatchObject({ code: 130001, data: { field: 'plancode' } });
  const { courseid } = await aCourse(server(), { musercode: 'M_CHENGUANG' });
  const course = { goodsname: '课', goodstype: '02' as const, price: 1, courseid };
  await expect(fang(goods.insertGoods, course)).rejects.toMatchObject({ code: 130001, data: { field: 'courseid' } });
});

test('the description loses what could run in a browser, when it is saved and when it is read', async () => {
  const fang = server().as('fang');
  const detail = '<p onclick="steal()">包邮</p><script>steal()</script>';
  const { goodsid, removed } = await fang(goods.insertGoods, { ...pack, detail });
  expect(removed.length).toBeGreaterThan(0);
  expect((await fang(goods.getGoodsDetail, { goodsid })).detail).toBe('<p>包邮</p>');
  await server().sqlAsOwner('update goods set detail = $1 where goodsid = $2', [detail, goodsid]);
  expect((await fang(goods.getGoodsDetail, { goodsid })).detail).toBe('<p>包邮</p>');
});

test('the description shows the public pictures of its seller', async () => {
  const fang = server().as('fang');
  const fileid = await upload(1);
  const picture = (id: string) => `<p>样张</p><img data-fileid="${id}" alt="">`;
  const { goodsid, removed } = await fang(goods.insertGoods, { ...pack, detail: picture(fileid) });
  expect(removed).toEqual([]);
  expect((await fang(goods.getGoodsDetail, { goodsid })).detail).toMatch(/src="\/files\?k=/);
  const { removed: foreign } = await fang(goods.updateGoods, {
    goodsid,
    detail: picture('0b8d0e9a-6a51-4ac5-93f1-0d4bb5d7c001'),
  });
  expect(foreign).toEqual(['不属于本机构或已删除的图片 1 张']);
});

test('goods for institutions directly below are visible to them only', async () => {
  const { as, sqlAsOwner } = server();
  const ofPlatform = await sellGoods(server(), { musercode: 'AS000001', visiblescope: '02', goodsname: '平台次数包' });
  expect(await inShop()).not.toContain(ofPlatform);
  const shop = await as('fang')(goods.getGoodsPageList, { pageSize: 100 });
  expect(shop.rows.map(({ goodsid }) => goodsid)).toContain(ofPlatform);
  await sqlAsOwner("update goods set visiblescope = '01' where goodsid = $1", [ofPlatform]);
  expect(await inShop()).toContain(ofPlatform);
  expect(await inShop('super')).toEqual([]);
});

test('a school has no goods of its own, and no institution changes those of another', async () => {
  const { as } = server();
  const goodsid = await sellGoods(server());
  await expect(as('ma')(goods.getGoodsPageList, { view: 'own' })).rejects.toMatchObject({ code: 110004 });
  await expect(as('ma')(goods.insertGoods, pack)).rejects.toMatchObject({ code: 110004 });
  await expect(as('super')(goods.updateGoods, { goodsid, price: 1 })).rejects.toMatchObject({ code: 130001 });
  await expect(as('super')(goods.deleteGoods, { goodsid })).rejects.toMatchObject({ code: 130001 });
});

test('an education bureau buys nothing, also with the permission', async () => {
  const one = await startServer();
  await setPermission(one, 'U_ZHOU', '00027', 'grant');
  await expect(one.as('zhou')(goods.getGoodsPageList, {})).rejects.toMatchObject({ code: 110004 });
});

test('an order keeps name and price of the day on which it was placed', async () => {
  const one = await startServer();
  const { buy } = await openCounter(one);
  const goodsid = await sellGoods(one);
  const orderno = await buy([{ goodsid, qty: 1 }]);
  await one.as('fang')(goods.updateGoods, { goodsid, goodsname: '新名字', price: 1 });
  const rows = await one.sqlAsOwner('select goodsname, price from orderitem where orderno = $1', [orderno]);
  expect(rows).toEqual([{ goodsname: '测评次数包（100 次）', price: 50_000 }]);
});
