import { sql, type SqlBool } from 'kysely';
import type { z } from 'zod';
import { paginate, toLikePattern } from '#server/db/pagination.ts';
import type { Scope } from '#server/db/scope.ts';
import type { getNormPageList } from '#features/norm/norm.contract.ts';

/** Returns a page of the norms that an institution may use. Row-level security shows those above; those below are not on the shelf. */
export async function findNorms(
  scope: Scope,
  musercode: string,
  { keyword, quotacode, formcode, owner, ...page }: z.output<(typeof getNormPageList)['request']>,
) {
  let query = scope.db
    .selectFrom('norm as n')
    .innerJoin('quota as q', 'q.quotacode', 'n.quotacode')
    .innerJoin('form as f', 'f.formcode', 'q.formcode')
    .where('n.isdeleted', '=', 0)
    .where(sql<SqlBool>`(n.musercode = ${musercode} or n.orgpath = any ((select access.ancestor_paths())::text[]))`);
  if (keyword)
    query = query.where(sql<SqlBool>`(n.normname like ${toLikePattern(keyword)} or n.source like ${toLikePattern(keyword)})`);
  if (quotacode) query = query.where('n.quotacode', '=', quotacode);
  if (formcode) query = query.where('q.formcode', '=', formcode);
  if (owner === 'own') query = query.where('n.musercode', '=', musercode);
  if (owner === 'platform') query = query.where('n.isplatform', '=', 1);
  if (owner === 'above') query = query.where('n.musercode', '<>', musercode).where('n.isplatform', '=', 0);
  const { total } = await query.select((eb) => eb.fn.countAll<number>().as('total')).executeTakeFirstOrThrow();
  const rows = await query
    .leftJoin('muser as m', 'm.musercode', 'n.musercode')
    .select(['n.normid', 'n.quotacode', 'q.quotaname', 'f.formname', 'n.normname', 'n.gender', 'n.agemin', 'n.agemax'])
    .select(['n.gradecode', 'n.region', 'n.mean', 'n.sd', 'n.n', 'n.source', 'n.year', 'n.enabled', 'n.version'])
    .select(['n.musercode', 'n.isplatform', 'm.insname'])
    .orderBy('f.ordernum')
    .orderBy('q.ordernum')
    .orderBy('n.normid')
    .$call(paginate(page))
    .execute();
  return { total, rows };
}

/** Whether the caller sees the score. */
export const hasQuota = async (scope: Scope, quotacode: string): Promise<boolean> =>
  (await scope.db.selectFrom('quota').select('quotacode').where('quotacode', '=', quotacode).executeTakeFirst()) !== undefined;

/** The columns of a norm that people write. */
export interface NormColumns {
  normname: string;
  gender?: string | null;
  agemin?: number | null;
  agemax?: number | null;
  gradecode?: string | null;
  region?: string | null;
  mean: number;
  sd: number;
  n?: number | null;
  source: string;
  year?: number | null;
  enabled: number;
  updateby: string;
}

/** Adds a norm and returns its number. */
export const addNorm = async (
  scope: Scope,
  row: NormColumns & { quotacode: string; musercode: string; isplatform: number },
): Promise<number> => (await scope.db.insertInto('norm').values(row).returning('normid').executeTakeFirstOrThrow()).normid;

/** Changes an own norm. Returns undefined when the institution has none of this number. */
export const changeNorm = (
  scope: Scope,
  { normid, musercode }: { normid: number; musercode: string },
  changes: Partial<NormColumns> & { isdeleted?: number },
  now: Date,
) =>
  scope.db
    .updateTable('norm')
    .set({ ...changes, updatetime: now })
    .where('normid', '=', normid)
    .where('musercode', '=', musercode)
    .where('isdeleted', '=', 0)
    .returning('normid')
    .executeTakeFirst();
