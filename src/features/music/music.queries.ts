import type { z } from 'zod';
import { paginate, toLikePattern } from '#server/db/pagination.ts';
import type { Scope } from '#server/db/scope.ts';
import type { getMusicPageList, insertMusic, updateMusic } from '#features/music/music.contract.ts';

const SORT_COLUMNS = { ordernum: 'ordernum', updatetime: 'updatetime', playcount: 'playcount' } as const;

/** Returns a page of an institution's own music with its total, by its order unless the request names another. */
export async function findMusic(
  scope: Scope,
  musercode: string,
  { keyword, musicid, category, status, orderby, isasc, ...page }: z.output<(typeof getMusicPageList)['request']>,
) {
  let query = scope.db.selectFrom('music').where('musercode', '=', musercode).where('isdeleted', '=', 0);
  if (keyword) query = query.where('title', 'like', toLikePattern(keyword));
  if (musicid !== undefined) query = query.where('musicid', '=', musicid);
  if (category) query = query.where('category', '=', category);
  if (status !== undefined) query = query.where('status', '=', status);
  const { total } = await query.select((eb) => eb.fn.countAll<number>().as('total')).executeTakeFirstOrThrow();
  const rows = await query
    .select(['musicid', 'version', 'title', 'coverfileid', 'fileid', 'duration', 'category', 'audience', 'appids'])
    .select(['levels', 'licence', 'status', 'playcount', 'ordernum', 'updatetime'])
    .orderBy(SORT_COLUMNS[orderby ?? 'ordernum'], orderby === undefined || isasc === '1' ? 'asc' : 'desc')
    .orderBy('musicid', 'desc')
    .$call(paginate(page))
    .execute();
  return { total, rows };
}

/** Adds a piece of music and returns its number. */
export const addMusic = async (
  scope: Scope,
  row: z.output<(typeof insertMusic)['request']> & { musercode: string; createby: string; createtime: Date; updatetime: Date },
): Promise<number> => (await scope.db.insertInto('music').values(row).returning('musicid').executeTakeFirstOrThrow()).musicid;

/** Locks a piece of the institution's own music; undefined when it has none of this number. */
export const lockMusic = (scope: Scope, musercode: string, musicid: number) =>
  scope.db
    .selectFrom('music')
    .select(['title', 'status', 'fileid', 'duration', 'coverfileid'])
    .where('musicid', '=', musicid)
    .where('musercode', '=', musercode)
    .where('isdeleted', '=', 0)
    .forUpdate()
    .executeTakeFirst();

/** Changes a piece of music; an absent field stays as it is. */
export const changeMusic = (
  scope: Scope,
  musicid: number,
  changes: Omit<z.output<(typeof updateMusic)['request']>, 'musicid' | 'version'> & { isdeleted?: number; updatetime: Date },
) => scope.db.updateTable('music').set(changes).where('musicid', '=', musicid).execute();
