import { z } from 'zod';
import { GoodsType, VisibleScope } from '#domain/order/order.ts';
import { defineAction, forTypes, NON_AUTHORITY_TYPES, OPERATOR_TYPES, staffOf } from '#contract/action.ts';
import { editVersion, newVersion } from '#contract/field.ts';
import { pageOf, pageRequest, sortedBy } from '#contract/page.ts';

/**
 * 商品管理: what the platform and providers sell, and 选购: what the institutions below them find on sale. Prices are 分. A package of
 * counts belongs to the lineage of a plan, or to any plan ('*').
 */

const sellers = forTypes(OPERATOR_TYPES, staffOf('operations.goods'));
const shoppers = forTypes(NON_AUTHORITY_TYPES, staffOf('operations.goods', 'operations.orders'));

const goodsid = z.number().int().positive().describe('商品');
const MAX_PRICE = 1_000_000_00;
const price = z.number().int('价格精确到分').min(0, '价格不能为负').max(MAX_PRICE, '价格不超过 1,000,000 元');

const fields = {
  goodsname: z.string().trim().min(1, '请填写商品名称').max(60, '商品名称不超过 60 个字').describe('商品名称'),
  /** the lineage of a plan, or '*'; only for counts */
  plancode: z.string().min(1).max(20).nullable().describe('方案'),
  /** counts of one unit; only for counts */
  qty: z.number().int().min(1, '次数应大于 0').max(1_000_000, '每份不超过 1000000 次').nullable().describe('每份次数'),
  /** counts and courses are valid until the day of payment plus these days; null: without end */
  validdays: z.number().int().min(1, '有效天数应大于 0').max(3660, '有效天数不超过 3660').nullable().describe('有效天数'),
  courseid: z.number().int().positive().nullable().describe('课程'),
  price: price.describe('价格'),
  marketprice: price.nullable().describe('划线价'),
  /** null: without limit */
  stock: z.number().int().min(0, '库存不能为负').max(1_000_000, '库存不超过 1000000').nullable().describe('库存'),
  coverfileid: z.uuid().nullable().describe('封面'),
  /** HTML of the editor */
  detail: z.string().max(500_000, '详情过长').describe('详情'),
  appids: z.array(z.string().length(9)).max(4).describe('人群'),
  visiblescope: z.enum(VisibleScope.codes).describe('可见范围'),
  ordernum: z.number().int().min(0).max(9999, '顺序不超过 9999').describe('顺序'),
};

export const goodsRow = z.object({
  goodsid: z.number(),
  version: z.number(),
  musercode: z.string(),
  /** the name of the seller */
  insname: z.string(),
  goodsname: z.string(),
  goodstype: z.enum(GoodsType.codes),
  plancode: z.string().nullable(),
  planname: z.string(),
  qty: z.number().nullable(),
  validdays: z.number().nullable(),
  courseid: z.number().nullable(),
  coursename: z.string(),
  price: z.number(),
  marketprice: z.number().nullable(),
  stock: z.number().nullable(),
  coverfileid: z.string().nullable(),
  coverurl: z.string(),
  appids: z.array(z.string()),
  listingstatus: z.union([z.literal(0), z.literal(1), z.literal(2)]),
  visiblescope: z.enum(VisibleScope.codes),
  sales: z.number(),
  ordernum: z.number(),
  updatetime: z.string(),
});
export type GoodsRow = z.infer<typeof goodsRow>;

/**
 * A page of goods. `view` own: those of the caller's institution, for sellers (110004 for others); shop: those on sale that the
 * caller's institution may buy, of institutions above it.
 */
export const getGoodsPageList = defineAction({
  name: 'as.m.goods.getGoodsPageList',
  title: '查询商品',
  allow: shoppers,
  kind: 'read',
  request: pageRequest.extend({
    orderby: sortedBy('ordernum', 'price', 'sales', 'updatetime'),
    view: z.enum(['own', 'shop']).default('shop').describe('范围'),
    keyword: z.string().trim().max(60).optional().describe('商品名称'),
    goodstype: z.enum(GoodsType.codes).optional().describe('商品类型'),
    listingstatus: z.coerce
      .number()
      .pipe(z.union([z.literal(0), z.literal(1), z.literal(2)]))
      .optional()
      .describe('状态'),
    appid: z.string().length(9).optional().describe('人群'),
  }),
  response: pageOf(goodsRow),
});

/** Goods with their description: own ones, or those that the caller's institution may buy (130001 otherwise). */
export const getGoodsDetail = defineAction({
  name: 'as.m.goods.getGoodsDetail',
  title: '查看商品',
  allow: shoppers,
  kind: 'read',
  request: z.strictObject({ goodsid }),
  response: goodsRow.extend({ detail: z.string() }),
});

/** Adds goods as 待上架. A field that its type does not have is refused (120002). */
export const insertGoods = defineAction({
  name: 'as.m.goods.insertGoods',
  title: '新增商品',
  allow: sellers,
  kind: 'write',
  request: z.strictObject({
    ...fields,
    goodstype: z.enum(GoodsType.codes, '请选择商品类型').describe('商品类型'),
    plancode: fields.plancode.default(null),
    qty: fields.qty.default(null),
    validdays: fields.validdays.default(null),
    courseid: fields.courseid.default(null),
    marketprice: fields.marketprice.default(null),
    stock: fields.stock.default(null),
    coverfileid: fields.coverfileid.default(null),
    detail: fields.detail.default(''),
    appids: fields.appids.default([]),
    visiblescope: fields.visiblescope.default('01'),
    ordernum: fields.ordernum.default(0),
  }),
  response: z.object({ goodsid: z.number(), removed: z.array(z.string()) }),
});

/** Changes goods. Orders keep name, price and content as they were sold. Goods on sale must stay complete (140001). */
export const updateGoods = defineAction({
  name: 'as.m.goods.updateGoods',
  title: '修改商品',
  allow: sellers,
  kind: 'write',
  edits: { table: 'goods', key: 'goodsid' },
  request: z.strictObject({ goodsid, version: editVersion, ...z.object(fields).partial().shape }),
  response: z.object({ removed: z.array(z.string()), ...newVersion }),
});

/**
 * Puts goods on sale or takes them off: 0 → 1 ↔ 2 (140001 otherwise). On sale they need a cover and a live plan or course, and a plan
 * with a tier-B form costs nothing (150002).
 */
export const updateListingStatus = defineAction({
  name: 'as.m.goods.updateListingStatus',
  title: '上架或下架商品',
  allow: sellers,
  kind: 'write',
  request: z.strictObject({
    goodsid,
    listingstatus: z.union([z.literal(1), z.literal(2)]).describe('状态'),
  }),
  response: z.object({ listingstatus: z.number() }),
});

/** Deletes goods that are not on sale (140001 otherwise). Orders keep what they bought. */
export const deleteGoods = defineAction({
  name: 'as.m.goods.deleteGoods',
  title: '删除商品',
  allow: sellers,
  kind: 'write',
  request: z.strictObject({ goodsid }),
  response: z.object({}),
});
