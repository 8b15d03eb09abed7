import { sql, type SqlBool } from 'kysely';
import type { z } from 'zod';
import { ListingStatus } from '#domain/order/order.ts';
import { paginate, toLikePattern } from '#server/db/pagination.ts';
import type { Scope } from '#server/db/scope.ts';
import type { getGoodsPageList, insertGoods, updateGoods } from '#features/goods/goods.contract.ts';

/** The goods of one seller, and those on sale that an institution may buy. */

/** An institution as a buyer. */
export interface Buyer {
  musercode: string;
  parentmusercode: string | null;
}

const selectGoods = (scope: Scope) => scope.db.selectFrom('goods as g').where('g.isdeleted', '=', 0);
type GoodsQuery = ReturnType<typeof selectGoods>;

const ownedBy = (query: GoodsQuery, musercode: string): GoodsQuery => query.where('g.musercode', '=', musercode);

/** Restricts a query to goods on sale of institutions above the buyer that are visible to it. */
const buyableBy = (query: GoodsQuery, { musercode, parentmusercode }: Buyer): GoodsQuery =>
  query
    .where('g.listingstatus', '=', ListingStatus.onsale)
    .where('g.musercode', '<>', musercode)
    .where(sql<SqlBool>`g.orgpath = any ((select access.ancestor_paths())::text[])`)
    .where(sql<SqlBool>`(g.visiblescope = '01' or g.musercode = ${parentmusercode})`);

/** SQL: the name of the newest version of the plan's lineage. */
const plannameOf = sql<string | null>`(select p.planname from plan p
  where p.planroot = g.plancode and p.isdeleted = 0 order by p.lineageno desc limit 1)`;

const withNames = (query: GoodsQuery) =>
  query
    .leftJoin('muser as m', 'm.musercode', 'g.musercode')
    .leftJoin('course as c', 'c.courseid', 'g.courseid')
    .select(['g.goodsid', 'g.version', 'g.musercode', 'g.goodsname', 'g.goodstype', 'g.plancode', 'g.qty', 'g.validdays'])
    .select(['g.courseid', 'g.price', 'g.marketprice', 'g.stock', 'g.coverfileid', 'g.appids', 'g.listingstatus'])
    .select(['g.visiblescope', 'g.sales', 'g.ordernum', 'g.updatetime'])
    .select([sql<string>`coalesce(m.insname, '')`.as('insname'), sql<string>`coalesce(c.title, '')`.as('coursename')])
    .select(plannameOf.as('planname'));

type Filters = Omit<z.output<(typeof getGoodsPageList)['request']>, 'view'>;

async function findPage(base: GoodsQuery, { keyword, goodstype, listingstatus, appid, orderby, isasc, ...page }: Filters) {
  let query = base;
  if (keyword) query = query.where('g.goodsname', 'like', toLikePattern(keyword));
  if (goodstype) query = query.where('g.goodstype', '=', goodstype);
  if (listingstatus !== undefined) query = query.where('g.listingstatus', '=', listingstatus);
  // Goods without populations are for every population.
  if (appid) query = query.where(sql<SqlBool>`(g.appids = '{}' or ${appid} = any (g.appids))`);
  const { total } = await query.select((eb) => eb.fn.countAll<number>().as('total')).executeTakeFirstOrThrow();
  const rows = await withNames(query)
    .orderBy(`g.${orderby ?? 'ordernum'}`, orderby === undefined || isasc === '1' ? 'asc' : 'desc')
    .orderBy('g.goodsid', 'desc')
    .$call(paginate(page))
    .execute();
  return { total, rows };
}
export type FoundGoods = Awaited<ReturnType<typeof findPage>>['rows'][number];

/** A page of the seller's own goods with their total, by their order unless the request names another. */
export const findOwnGoods = (scope: Scope, musercode: string, filters: Filters) =>
  findPage(ownedBy(selectGoods(scope), musercode), filters);

/** A page of the goods that an institution may buy, with their total. */
export const findShopGoods = (scope: Scope, buyer: Buyer, filters: Filters) =>
  findPage(buyableBy(selectGoods(scope), buyer), filters);

/** Goods with their description: own ones or those that the institution may buy; undefined for all others. */
export const findGoods = async (scope: Scope, buyer: Buyer, goodsid: number) => {
  const find = (base: GoodsQuery) => withNames(base).select('g.detail').where('g.goodsid', '=', goodsid).executeTakeFirst();
  return (await find(ownedBy(selectGoods(scope), buyer.musercode))) ?? find(buyableBy(selectGoods(scope), buyer));
};

/** Locks goods of a seller; undefined when it has none of this number. */
export const lockGoods = (scope: Scope, musercode: string, goodsid: number) =>
  ownedBy(selectGoods(scope), musercode).selectAll('g').where('g.goodsid', '=', goodsid).forUpdate().executeTakeFirst();
export type GoodsRecord = NonNullable<Awaited<ReturnType<typeof lockGoods>>>;

/** Goods on sale that an institution may buy, by number: of institutions above it, and visible to it. */
export const findBuyable = (scope: Scope, buyer: Buyer, goodsids: readonly number[]) =>
  buyableBy(selectGoods(scope), buyer)
    .select(['g.goodsid', 'g.musercode', 'g.orgpath', 'g.goodsname', 'g.goodstype', 'g.price', 'g.plancode', 'g.qty'])
    .select(['g.validdays', 'g.courseid', 'g.stock', 'g.coverfileid'])
    .where('g.goodsid', 'in', [...goodsids])
    .execute();
export type BuyableGoods = Awaited<ReturnType<typeof findBuyable>>[number];

/** Adds goods and returns their number. */
export const addGoods = async (
  scope: Scope,
  row: z.output<(typeof insertGoods)['request']> & { musercode: string; createby: string; createtime: Date; updatetime: Date },
): Promise<number> => (await scope.db.insertInto('goods').values(row).returning('goodsid').executeTakeFirstOrThrow()).goodsid;

type Change = Omit<z.output<(typeof updateGoods)['request']>, 'goodsid' | 'version'> & {
  listingstatus?: number;
  isdeleted?: number;
  updatetime: Date;
};

/** Changes goods; an absent field stays as it is. */
export const changeGoods = (scope: Scope, goodsid: number, change: Change) =>
  scope.db.updateTable('goods').set(change).where('goodsid', '=', goodsid).execute();

/** The plan of a lineage that new exams use, as far as sellers ask; undefined when the seller sees none. */
export const findCurrentPlan = (scope: Scope, planroot: string) =>
  scope.db
    .selectFrom('plan')
    .select(['plancode', 'musercode', 'status', 'iscommon', 'validend', 'formcode'])
    .where('planroot', '=', planroot)
    .where('isdeleted', '=', 0)
    .where('supersededby', 'is', null)
    .orderBy('lineageno', 'desc')
    .executeTakeFirst();

/** Whether the plan has a form that may not be used for money (tier B). */
export const hasTierB = async (scope: Scope, plancode: string): Promise<boolean> =>
  (await scope.db
    .selectFrom('planform as pf')
    .innerJoin('form as f', 'f.formcode', 'pf.formcode')
    .select('f.formcode')
    .where('pf.plancode', '=', plancode)
    .where('f.tier', '=', 'B')
    .executeTakeFirst()) !== undefined;

/** The course of a seller as far as a sale asks; undefined when it has none of this number. */
export const findOwnCourse = (scope: Scope, musercode: string, courseid: number) =>
  scope.db
    .selectFrom('course')
    .select(['status', 'free'])
    .where('courseid', '=', courseid)
    .where('musercode', '=', musercode)
    .where('isdeleted', '=', 0)
    .executeTakeFirst();
