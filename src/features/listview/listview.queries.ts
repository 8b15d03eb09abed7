import { sql } from 'kysely';
import type { ListViewState } from '#contract/listView.ts';
import type { Scope } from '#server/db/scope.ts';
import type { Staff } from '#server/dispatch/caller.ts';

type Account = Pick<Staff, 'musercode' | 'accountid'>;

/** The own views of an account and the shared ones of its institution, in the order in which they were saved. */
export const findViews = (scope: Scope, { musercode, accountid }: Account) =>
  scope.db
    .selectFrom('listview as v')
    .leftJoin('listviewdefault as d', (join) => join.onRef('d.viewid', '=', 'v.viewid').on('d.accountid', '=', accountid))
    .select(['v.viewid', 'v.accountid', 'v.list', 'v.name', 'v.state', 'v.isshared', 'v.ownername'])
    .select(sql<number>`(d.viewid is not null)::int`.as('isdefault'))
    .where('v.musercode', '=', musercode)
    .where((is) => is.or([is('v.accountid', '=', accountid), is('v.isshared', '=', 1)]))
    .orderBy('v.viewid')
    .execute();

interface View {
  list: string;
  name: string;
  isshared: number;
  state: ListViewState;
}

/** Saves a new view and returns its number. */
export async function insertView(scope: Scope, { musercode, accountid, name: ownername }: Staff, view: View, now: Date) {
  const { viewid } = await scope.db
    .insertInto('listview')
    .values({ ...view, state: JSON.stringify(view.state), musercode, accountid, ownername, updatetime: now })
    .returning('viewid')
    .executeTakeFirstOrThrow();
  return viewid;
}

/** Changes an own view. */
export const updateView = (scope: Scope, { accountid }: Account, viewid: number, view: View, now: Date) =>
  scope.db
    .updateTable('listview')
    .set({ ...view, state: JSON.stringify(view.state), updatetime: now })
    .where('viewid', '=', viewid)
    .where('accountid', '=', accountid)
    .execute();

/** Deletes an own view; the defaults that name it end with it. Returns false when the account has no such view. */
export async function deleteView(scope: Scope, { accountid }: Account, viewid: number): Promise<boolean> {
  const gone = await scope.db
    .deleteFrom('listview')
    .where('viewid', '=', viewid)
    .where('accountid', '=', accountid)
    .returning('viewid')
    .execute();
  return gone.length > 0;
}

/** Ends the default of a list and sets another one. */
export async function saveDefault(scope: Scope, { musercode, accountid }: Account, list: string, viewid: number | null) {
  await scope.db.deleteFrom('listviewdefault').where('accountid', '=', accountid).where('list', '=', list).execute();
  if (viewid !== null) await scope.db.insertInto('listviewdefault').values({ accountid, musercode, list, viewid }).execute();
}

/** Ends the defaults of colleagues for a view that is not shared any more. */
export const endDefaultsOfOthers = (scope: Scope, { accountid }: Account, viewid: number) =>
  scope.db.deleteFrom('listviewdefault').where('viewid', '=', viewid).where('accountid', '<>', accountid).execute();
