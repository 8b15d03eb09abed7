import { Button, Menu } from '@mantine/core';
import { IconBookmark, IconCheck, IconStar } from '@tabler/icons-react';
import { useEffect, useRef, useState } from 'react';
import {
  deleteListView,
  getListViews,
  saveListView,
  setDefaultListView,
  type ListViewState,
  type ListView,
} from '#contract/listView.ts';
import { pagerSize } from '#contract/page.ts';
import { call } from '#ui/api/call.ts';
import { can } from '#ui/api/session.ts';
import { useActionMutation, useActionQuery } from '#ui/api/useAction.ts';
import { useDeletion } from '#ui/api/useDeletion.ts';
import { copyText } from '#ui/display/copyText.ts';
import { confirm } from '#ui/feedback/confirm.tsx';
import { notify } from '#ui/feedback/notify.ts';
import { paramsFrom } from '#ui/router/filtersInAddress.ts';
import type { List } from '#ui/list/useList.ts';
import type { BuiltInView } from '#ui/list/view/builtInView.ts';
import { ViewDrawer } from '#ui/list/view/ViewDrawer.tsx';

type ViewedList = { action: { name: string } } & Pick<
  List,
  'filters' | 'request' | 'pageSize' | 'page' | 'look' | 'showLook' | 'viewKey' | 'openView'
>;

/** Returns what a view of the list would keep now. */
function stateOf({ filters, request, pageSize, look }: ViewedList): ListViewState {
  const { orderby, isasc } = request as Pick<ListViewState, 'orderby' | 'isasc'>;
  return {
    filters,
    ...(orderby ? { orderby, isasc: isasc ?? '0' } : {}),
    ...(pageSize === pagerSize ? {} : { pageSize }),
    ...look,
  };
}

/** Formats a state so that two equal ones have equal texts, in whatever order their members stand. */
const textOf = (value: unknown): string =>
  JSON.stringify(value, (_, item: unknown) =>
    item && typeof item === 'object' && !Array.isArray(item) ? Object.fromEntries(Object.entries(item).sort()) : item,
  );

const builtInState = ({ filters, orderby, isasc }: BuiltInView) => ({
  filters: Object.fromEntries(
    [...new Set(paramsFrom(filters).keys())].map((key) => {
      const values = paramsFrom(filters).getAll(key);
      return [key, values.length > 1 ? values : (values[0] ?? '')];
    }),
  ),
  ...(orderby ? { orderby, isasc: isasc ?? ('0' as const) } : {}),
});

/**
 * Opens a view once: the one of the address, or the reader's default when the address asks for nothing. A link with the number of a view
 * alone opens it whole; filters in the link win over those of the view.
 */
function useFirstView(list: ViewedList, views: readonly ListView[] | undefined, builtIn: readonly BuiltInView[]) {
  const isDecided = useRef(false);
  const { viewKey, filters, request, page, openView, showLook } = list;
  useEffect(() => {
    if (!views || isDecided.current) return;
    isDecided.current = true;
    const asksNothing = Object.keys(filters).length === 0 && request['orderby'] === undefined && page === 1;
    const view = views.find(({ viewid, isdefault }) => (viewKey === undefined ? isdefault === 1 : String(viewid) === viewKey));
    if (!view) {
      const own = builtIn.find(({ name }) => name === viewKey);
      if (own && asksNothing) openView({ key: own.name, state: builtInState(own) }, { replace: true });
      if (viewKey !== undefined && !own) notify.warn('视图不存在，或没有共享给您');
      return;
    }
    const { columns, density, widths } = view.state;
    if (asksNothing) openView({ key: String(view.viewid), state: view.state }, { replace: true });
    else if (viewKey !== undefined) showLook({ columns, density, widths });
  }, [views, builtIn, viewKey, filters, request, page, openView, showLook]);
}

const NONE: readonly BuiltInView[] = [];

/** 视图: opens, saves, shares and deletes the views of a list, and chooses the one with which it opens. */
export function ViewMenu({ list, builtIn = NONE }: { list: ViewedList; builtIn?: readonly BuiltInView[] | undefined }) {
  const { data } = useActionQuery(getListViews, {}, { quiet: true });
  const name = list.action.name;
  const views = data?.views.filter((view) => view.list === name);
  useFirstView(list, views, builtIn);
  const [edited, setEdited] = useState<{ view: ListView | undefined } | null>(null);
  const save = useActionMutation(saveListView, { invalidates: [getListViews], successMessage: '视图已更新' });
  const choose = useActionMutation(setDefaultListView, { invalidates: [getListViews] });
  const removeOwn = useDeletion(deleteListView);
  const remove = useActionMutation(deleteListView, {
    invalidates: [getListViews],
    successMessage: '视图已删除',
    onDone: () => list.openView({ state: {} }),
  });

  const state = stateOf(list);
  const saved = views?.find(({ viewid }) => String(viewid) === list.viewKey);
  const ready = builtIn.find((view) => view.name === list.viewKey);
  const isChanged = saved
    ? textOf(saved.state) !== textOf(state)
    : ready !== undefined && textOf(builtInState(ready).filters) !== textOf(state.filters);
  const title = saved?.name ?? ready?.name;

  const share = async () => {
    const isCopied = await copyText(window.location.href);
    if (!isCopied) return notify.error('浏览器没有允许复制，请从地址栏复制');
    notify.done(saved?.isshared === 0 ? '链接已复制。这个视图没有共享，同事打开时只有条件，没有列和行距' : '链接已复制');
  };
  const askDelete = async (view: ListView) => {
    const { viewid, isshared, isdefault, state } = view;
    // A colleague may open the list with a shared view, and would not get it back.
    if (isshared === 1) {
      if (await confirm({ text: `是否删除视图“${view.name}”？同事也不能再打开它，删除后不能恢复。`, danger: true }))
        remove.mutate({ viewid });
      return;
    }
    list.openView({ state: {} });
    await removeOwn({ viewid }, '视图已删除', async () => {
      const again = await call(saveListView, { list: name, name: view.name, isshared, state });
      if (isdefault === 1) await call(setDefaultListView, { list: name, viewid: again.viewid });
      list.openView({ key: String(again.viewid), state });
    });
  };
  const mark = (isOn: boolean) => (isOn ? <IconCheck size={14} aria-hidden /> : <span style={{ width: 14 }} />);
  const item = (view: ListView) => (
    <Menu.Item
      key={view.viewid}
      leftSection={mark(view === saved)}
      rightSection={view.isdefault === 1 ? <IconStar size={14} aria-label="默认视图" /> : undefined}
      onClick={() => list.openView({ key: String(view.viewid), state: view.state })}
    >
      {view.name}
      {view.isown === 0 && `（${view.ownername}）`}
    </Menu.Item>
  );
  const own = views?.filter(({ isown }) => isown === 1) ?? [];
  const shared = views?.filter(({ isown }) => isown === 0) ?? [];
  return (
    <>
      <Menu position="bottom-end" withinPortal shadow="md" width={250}>
        <Menu.Target>
          <Button variant="default" leftSection={<IconBookmark size={16} aria-hidden />} maw={240}>
            {title === undefined ? '视图' : `视图：${title}${isChanged ? '（已改）' : ''}`}
          </Button>
        </Menu.Target>
        <Menu.Dropdown mah="70dvh" style={{ overflow: 'auto' }}>
          <Menu.Item leftSection={mark(title === undefined)} onClick={() => list.openView({ state: {} })}>
            不用视图
          </Menu.Item>
          {builtIn.map((view) => (
            <Menu.Item
              key={view.name}
              leftSection={mark(view === ready)}
              onClick={() => list.openView({ key: view.name, state: builtInState(view) })}
            >
              {view.name}
            </Menu.Item>
          ))}
          {own.length > 0 && <Menu.Label>我的视图</Menu.Label>}
          {own.map(item)}
          {shared.length > 0 && <Menu.Label>同事共享的</Menu.Label>}
          {shared.map(item)}
          <Menu.Divider />
          {can(saveListView) && (
            <>
              {saved?.isown === 1 && isChanged && (
                <Menu.Item
                  onClick={() =>
                    save.mutate({ viewid: saved.viewid, list: name, name: saved.name, isshared: saved.isshared, state })
                  }
                >
                  更新“{saved.name}”
                </Menu.Item>
              )}
              <Menu.Item onClick={() => setEdited({ view: undefined })}>保存为新视图</Menu.Item>
              {saved && (
                <Menu.Item onClick={() => choose.mutate({ list: name, viewid: saved.isdefault === 1 ? null : saved.viewid })}>
                  {saved.isdefault === 1 ? '打开列表时不再用它' : '打开列表时就用它'}
                </Menu.Item>
              )}
            </>
          )}
          <Menu.Item onClick={() => void share()}>复制链接</Menu.Item>
          {saved?.isown === 1 && can(saveListView) && (
            <>
              <Menu.Item onClick={() => setEdited({ view: saved })}>改名或共享</Menu.Item>
              <Menu.Item color="red" onClick={() => void askDelete(saved)}>
                删除视图
              </Menu.Item>
            </>
          )}
        </Menu.Dropdown>
      </Menu>
      {edited && (
        <ViewDrawer
          list={name}
          view={edited.view}
          state={edited.view?.state ?? state}
          onClose={() => setEdited(null)}
          onSaved={(viewid) => list.openView({ key: String(viewid), state: edited.view?.state ?? state })}
        />
      )}
    </>
  );
}
