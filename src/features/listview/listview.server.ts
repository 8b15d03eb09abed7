import * as contract from '#contract/listView.ts';
import { problems } from '#contract/problem.ts';
import { handle } from '#server/dispatch/handle.ts';
import * as queries from '#features/listview/listview.queries.ts';

/** Views that one account may have. */
const MOST = 50;

const getListViews = handle(contract.getListViews, async (_, { scope, caller }) => ({
  views: (await queries.findViews(scope, caller)).map(({ accountid, state, ...view }) => ({
    ...view,
    state: state as contract.ListViewState,
    isown: accountid === caller.accountid ? 1 : 0,
  })),
}));

const saveListView = handle(contract.saveListView, async ({ viewid, ...view }, { scope, caller, now }) => {
  const own = (await queries.findViews(scope, caller)).filter(({ accountid }) => accountid === caller.accountid);
  // Names are sealed, so the database cannot compare them.
  if (own.some((other) => other.list === view.list && other.name === view.name && other.viewid !== viewid))
    throw problems.invalid({ message: `已有名为“${view.name}”的视图` }, { field: 'name' });
  if (viewid === undefined) {
    if (own.length >= MOST) throw problems.wrongState({ why: `最多保存 ${MOST} 个视图，请先删除不用的` });
    return { viewid: await queries.insertView(scope, caller, view, now) };
  }
  if (!own.some((other) => other.viewid === viewid && other.list === view.list)) throw problems.notFound({ what: '视图' });
  await queries.updateView(scope, caller, viewid, view, now);
  if (view.isshared === 0) await queries.endDefaultsOfOthers(scope, caller, viewid);
  return { viewid };
});

const deleteListView = handle(contract.deleteListView, async ({ viewid }, { scope, caller }) => {
  if (!(await queries.deleteView(scope, caller, viewid))) throw problems.notFound({ what: '视图' });
  return {};
});

const setDefaultListView = handle(contract.setDefaultListView, async ({ list, viewid }, { scope, caller }) => {
  const isOpen = (view: { viewid: number; list: string }) => view.viewid === viewid && view.list === list;
  if (viewid !== null && !(await queries.findViews(scope, caller)).some(isOpen)) throw problems.notFound({ what: '视图' });
  await queries.saveDefault(scope, caller, list, viewid);
  return {};
});

/** The handlers of saved views. */
export const listViewHandlers = [getListViews, saveListView, deleteListView, setDefaultListView];
