import { shanghaiTime } from '#domain/base/calendar.ts';
import { canList } from '#domain/order/listing.ts';
import { GoodsType, ListingStatus, type GoodsTypeCode, type ListingStatusCode } from '#domain/order/order.ts';
import { OPERATOR_TYPES } from '#contract/action.ts';
import { problems } from '#contract/problem.ts';
import { handle, type Context, type ReadContext } from '#server/dispatch/handle.ts';
import type { Scope } from '#server/db/scope.ts';
import { findPlace } from '#features/access/institutionAccess.queries.ts';
import { filesOf, openText, toStoredText } from '#features/article/articleText.ts';
import { planNameOf } from '#features/assesscount/planName.ts';
import {
  findContentLinks,
  releaseUsedFiles,
  requireFiles,
  setUsedFiles,
  type ContentLink,
} from '#features/file/content/contentFiles.ts';
import * as contract from '#features/goods/goods.contract.ts';
import * as queries from '#features/goods/goods.queries.ts';
import { assertSellable } from '#features/goods/sellable.ts';
import { findPlanRoot } from '#features/plan/lineage/planRoot.queries.ts';

/** 商品管理 and the goods of 选购. A seller edits its own goods; institutions below read those on sale that are visible to them. */

const DETAIL = { use: 'goods', field: 'detail', title: '商品详情' } as const;

const toRow = (row: queries.FoundGoods, links: ReadonlyMap<string, ContentLink>): contract.GoodsRow => ({
  ...row,
  goodstype: row.goodstype as GoodsTypeCode,
  planname: row.plancode === null ? '' : planNameOf(row.plancode, row.planname),
  coverurl: links.get(row.coverfileid ?? '')?.url ?? '',
  listingstatus: row.listingstatus as ListingStatusCode,
  visiblescope: row.visiblescope as contract.GoodsRow['visiblescope'],
  updatetime: shanghaiTime(row.updatetime),
});

/** The caller's institution as a buyer. */
async function findBuyer({ scope, caller }: Pick<ReadContext<'staff'>, 'scope' | 'caller'>): Promise<queries.Buyer> {
  const { musercode } = caller;
  return { musercode, parentmusercode: (await findPlace(scope, musercode))?.parentmusercode ?? null };
}

const getGoodsPageList = handle(contract.getGoodsPageList, async ({ view, ...filters }, ctx) => {
  const { scope, caller } = ctx;
  if (view === 'own' && !(OPERATOR_TYPES as readonly string[]).includes(caller.musertype)) throw problems.notAllowed();
  const { total, rows } =
    view === 'own'
      ? await queries.findOwnGoods(scope, caller.musercode, filters)
      : await queries.findShopGoods(scope, await findBuyer(ctx), filters);
  const links = await findContentLinks(
    ctx,
    rows.map(({ coverfileid }) => coverfileid),
  );
  return { total, rows: rows.map((row) => toRow(row, links)) };
});

const getGoodsDetail = handle(contract.getGoodsDetail, async ({ goodsid }, ctx) => {
  const row = await queries.findGoods(ctx.scope, await findBuyer(ctx), goodsid);
  if (!row) throw problems.notFound({ what: '商品' });
  return { ...toRow(row, await findContentLinks(ctx, [row.coverfileid])), detail: await openText(ctx, row.detail) };
});

/** Locks goods of the caller's institution. Throws 130001 when it has none of this number. */
async function requireGoods({ scope, caller }: Pick<Context<'staff'>, 'scope' | 'caller'>, goodsid: number) {
  const row = await queries.lockGoods(scope, caller.musercode, goodsid);
  if (!row) throw problems.notFound({ what: '商品' });
  return row;
}

interface TypedFields {
  plancode?: string | null | undefined;
  qty?: number | null | undefined;
  validdays?: number | null | undefined;
  courseid?: number | null | undefined;
}
/** The fields that only some types have. */
const FIELD_TYPES: Readonly<Record<keyof TypedFields, { types: readonly string[]; title: string }>> = {
  plancode: { types: [GoodsType.counts], title: '方案' },
  qty: { types: [GoodsType.counts], title: '每份次数' },
  validdays: { types: [GoodsType.counts, GoodsType.course], title: '有效天数' },
  courseid: { types: [GoodsType.course], title: '课程' },
};

/** Refuses (120002) a field that the type does not have. */
function assertFieldsFit(goodstype: string, fields: TypedFields): void {
  for (const field of Object.keys(FIELD_TYPES) as (keyof TypedFields)[]) {
    const { types, title } = FIELD_TYPES[field];
    if (fields[field] !== null && fields[field] !== undefined && !types.includes(goodstype))
      throw problems.invalid({ message: `${GoodsType.label(goodstype as GoodsTypeCode)}没有“${title}”` }, { field });
  }
}

/** Returns the lineage of a plan and checks the course. Refuses (130001) what the seller does not have. */
async function findContents(
  { scope, caller }: { scope: Scope; caller: { musercode: string } },
  { plancode, courseid }: TypedFields,
): Promise<{ plancode?: string | null }> {
  if (typeof courseid === 'number' && !(await queries.findOwnCourse(scope, caller.musercode, courseid)))
    throw problems.notFound({ what: '课程' }, { field: 'courseid' });
  if (plancode === undefined) return {};
  if (plancode === null || plancode === '*') return { plancode };
  const planroot = await findPlanRoot(scope, plancode);
  const plan = await queries.findCurrentPlan(scope, planroot);
  const path = (await findPlace(scope, caller.musercode))?.orgpath ?? '';
  if (!plan || !path.split('.').includes(plan.musercode)) throw problems.notFound({ what: '方案' }, { field: 'plancode' });
  return { plancode: planroot };
}

const insertGoods = handle(contract.insertGoods, async (fields, ctx) => {
  const { scope, caller, now } = ctx;
  assertFieldsFit(fields.goodstype, fields);
  const contents = await findContents(ctx, fields);
  const { content: detail, removed } = await toStoredText(ctx, fields.detail, DETAIL);
  const files = filesOf(detail, fields.coverfileid, DETAIL.field);
  await requireFiles(ctx, 'goods', files);
  const goodsid = await queries.addGoods(scope, {
    ...fields,
    ...contents,
    detail,
    musercode: caller.musercode,
    createby: caller.accountid,
    createtime: now,
    updatetime: now,
  });
  await setUsedFiles(ctx, `goods:${goodsid}`, 'goods', files);
  ctx.audit({ objectid: String(goodsid), detail: { goodsname: fields.goodsname, price: fields.price } });
  return { goodsid, removed };
});

const updateGoods = handle(contract.updateGoods, async ({ goodsid, version: _, ...fields }, ctx) => {
  const { scope, now } = ctx;
  const before = await requireGoods(ctx, goodsid);
  assertFieldsFit(before.goodstype, fields);
  const contents = await findContents(ctx, fields);
  const { content: detail, removed } =
    fields.detail === undefined ? { content: undefined, removed: [] } : await toStoredText(ctx, fields.detail, DETAIL);
  const after = { ...before, ...withoutAbsent({ ...fields, ...contents }) };
  if (before.listingstatus === ListingStatus.onsale) await assertSellable(scope, after, now);
  await setUsedFiles(ctx, `goods:${goodsid}`, 'goods', filesOf(detail ?? before.detail, after.coverfileid, DETAIL.field));
  await queries.changeGoods(scope, goodsid, { ...fields, ...contents, detail, updatetime: now });
  ctx.audit({
    objectid: String(goodsid),
    detail: { goodsname: after.goodsname, ...(fields.price === undefined ? {} : { price: fields.price }) },
  });
  return { removed };
});

/** The fields that the request names. */
const withoutAbsent = <T extends object>(fields: T) =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as {
    [K in keyof T]?: Exclude<T[K], undefined>;
  };

const updateListingStatus = handle(contract.updateListingStatus, async ({ goodsid, listingstatus }, ctx) => {
  const { scope, now } = ctx;
  const before = await requireGoods(ctx, goodsid);
  if (!canList(before.listingstatus as ListingStatusCode, listingstatus))
    throw problems.wrongState({
      why: listingstatus === ListingStatus.onsale ? '商品已经在售' : '只有在售的商品可以下架',
    });
  if (listingstatus === ListingStatus.onsale) await assertSellable(scope, before, now);
  await queries.changeGoods(scope, goodsid, { listingstatus, updatetime: now });
  ctx.audit({ objectid: String(goodsid), detail: { goodsname: before.goodsname, to: ListingStatus.label(listingstatus) } });
  return { listingstatus };
});

const deleteGoods = handle(contract.deleteGoods, async ({ goodsid }, ctx) => {
  const { scope, now } = ctx;
  const { goodsname, listingstatus } = await requireGoods(ctx, goodsid);
  if (listingstatus === ListingStatus.onsale) throw problems.wrongState({ why: '在售的商品不能删除，请先下架' });
  await queries.changeGoods(scope, goodsid, { isdeleted: 1, updatetime: now });
  await releaseUsedFiles(scope, `goods:${goodsid}`);
  ctx.audit({ objectid: String(goodsid), detail: { goodsname } });
  return {};
});

export const goodsHandlers = [getGoodsPageList, getGoodsDetail, insertGoods, updateGoods, updateListingStatus, deleteGoods];
