import { sql, type SqlBool } from 'kysely';
import type { z } from 'zod';
import { ArticleStatus, type ArticlePhaseKey } from '#domain/content/content.ts';
import { paginate, toLikePattern } from '#server/db/pagination.ts';
import type { Scope } from '#server/db/scope.ts';
import type { getArticlePageList, insertArticle, updateArticle } from '#features/article/article.contract.ts';

/** The articles of one institution. What institutions above and below it own does not appear here. */

const selectArticles = (scope: Scope, musercode: string) =>
  scope.db.selectFrom('article').where('musercode', '=', musercode).where('isdeleted', '=', 0);

const ROW = [
  ...(['articleid', 'version', 'title', 'coverfileid', 'category', 'audience', 'appids', 'levels', 'author'] as const),
  ...(['status', 'publishtime', 'offlinetime', 'istop', 'viewcount', 'updatetime'] as const),
] as const;

/** The condition of a phase, as `phaseOf` computes it. */
function isInPhase(phase: ArticlePhaseKey, now: Date) {
  const published = sql`status = ${sql.lit(ArticleStatus.published)}`;
  const conditions: Record<ArticlePhaseKey, ReturnType<typeof sql<SqlBool>>> = {
    draft: sql<SqlBool>`status = ${sql.lit(ArticleStatus.draft)}`,
    offline: sql<SqlBool>`status = ${sql.lit(ArticleStatus.offline)}`,
    scheduled: sql<SqlBool>`${published} and publishtime > ${now}`,
    ended: sql<SqlBool>`${published} and publishtime <= ${now} and offlinetime <= ${now}`,
    visible: sql<SqlBool>`${published} and publishtime <= ${now} and (offlinetime is null or offlinetime > ${now})`,
  };
  return conditions[phase];
}

/** Returns a page of the institution's articles with their total: pinned ones first, then the latest, unless the request sorts. */
export async function findArticles(
  scope: Scope,
  musercode: string,
  {
    keyword,
    category,
    phase,
    appid,
    orderby,
    isasc,
    now,
    ...page
  }: z.output<(typeof getArticlePageList)['request']> & { now: Date },
) {
  let query = selectArticles(scope, musercode);
  if (keyword) query = query.where('title', 'like', toLikePattern(keyword));
  if (category) query = query.where('category', '=', category);
  if (phase) query = query.where(isInPhase(phase, now));
  // An article without populations is for every population.
  if (appid) query = query.where(sql<SqlBool>`(appids = '{}' or ${appid} = any (appids))`);
  const { total } = await query.select((eb) => eb.fn.countAll<number>().as('total')).executeTakeFirstOrThrow();
  const isAscending = orderby !== undefined && isasc === '1';
  const rows = await query
    .select(ROW)
    .$if(orderby === undefined, (latest) => latest.orderBy('istop', 'desc'))
    .orderBy(orderby ?? 'updatetime', (order) => (isAscending ? order.asc() : order.desc()).nullsLast())
    .orderBy('articleid', 'desc')
    .$call(paginate(page))
    .execute();
  return { total, rows };
}
export type FoundArticle = Awaited<ReturnType<typeof findArticles>>['rows'][number];

/** Returns one of the institution's articles with its text; undefined when it has none of this number. */
export const findArticle = (scope: Scope, musercode: string, articleid: number) =>
  selectArticles(scope, musercode)
    .select([...ROW, 'summary', 'content', 'source'])
    .where('articleid', '=', articleid)
    .executeTakeFirst();

/** Locks one of the institution's articles; undefined when it has none of this number. */
export const lockArticle = (scope: Scope, musercode: string, articleid: number) =>
  selectArticles(scope, musercode)
    .select(['title', 'status', 'coverfileid', 'content', 'publishtime', 'offlinetime'])
    .where('articleid', '=', articleid)
    .forUpdate()
    .executeTakeFirst();

/** Adds an article and returns its number. */
export const addArticle = async (
  scope: Scope,
  row: z.output<(typeof insertArticle)['request']> & { musercode: string; createby: string; createtime: Date; updatetime: Date },
): Promise<number> =>
  (await scope.db.insertInto('article').values(row).returning('articleid').executeTakeFirstOrThrow()).articleid;

type Change = Omit<z.output<(typeof updateArticle)['request']>, 'articleid' | 'version'> & {
  status?: number;
  publishtime?: Date;
  offlinetime?: Date | null;
  isdeleted?: number;
  updatetime: Date;
};

/** Changes an article; an absent field stays as it is. */
export const changeArticle = (scope: Scope, articleid: number, change: Change) =>
  scope.db.updateTable('article').set(change).where('articleid', '=', articleid).execute();
