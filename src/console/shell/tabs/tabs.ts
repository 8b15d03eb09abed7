import { useCallback, useEffect, useState } from 'react';
import type { Location } from '#ui/router/address.ts';
import { useNavigate } from '#ui/router/router.tsx';
import { session } from '#ui/api/session.ts';
import { names } from '#console/storage.ts';

/** One visited view. Its `location` is frozen while another view is in front, so that its filters stay its own. */
export interface Tab {
  key: string;
  location: Location;
  title: string;
  /** The view is permanent and cannot be closed. */
  affix: boolean;
  /** Counts refreshes: a new number renders the view again. */
  turn: number;
}

const owner = () => `${session().user?.musercode}/${session().user?.userid}`;

function restored(home: string, homeTitle: string): Tab[] {
  const first: Tab = {
    key: home,
    location: { pathname: home, search: '', hash: '', key: 'home' },
    title: homeTitle,
    affix: true,
    turn: 0,
  };
  try {
    const stored = JSON.parse(sessionStorage.getItem(names.tabs) ?? 'null') as { owner: string; tabs: Tab[] } | null;
    // Do not show views of another account, nor their titles.
    if (stored?.owner === owner()) return [first, ...stored.tabs.filter((tab) => tab.key !== home)];
  } catch {
    // Ignore damaged stored views.
  }
  return [first];
}

/** The visited views and the operations of the tab strip. The address bar always decides which view is in front. */
export function useTabs(
  location: Location,
  title: string | undefined,
  home: { path: string; title: string },
  /** the current title of a view: 菜单管理 may have renamed it since the visit */
  titleOf: (path: string) => string | undefined = () => undefined,
) {
  const navigate = useNavigate();
  const [tabs, setTabs] = useState<Tab[]>(() => restored(home.path, home.title));
  /** A view that was closed while in front: do not add it again before the address changes. */
  const [closing, setClosing] = useState<string>();
  const key = location.pathname;
  const knownTab = tabs.find((tab) => tab.key === key);
  const moved = title !== undefined && key !== closing && (knownTab?.location !== location || knownTab.title !== title);
  const shownTabs = !moved
    ? tabs
    : knownTab
      ? tabs.map((tab) => (tab.key === key ? { ...tab, location, title } : tab))
      : [...tabs, { key, location, title, affix: false, turn: 0 }];
  useEffect(() => {
    if (moved) setTabs(shownTabs);
    if (closing !== undefined && closing !== key) setClosing(undefined);
    sessionStorage.setItem(names.tabs, JSON.stringify({ owner: owner(), tabs: shownTabs }));
  });
  const closeTabs = useCallback(
    (staysOpen: (tab: Tab) => boolean, front: string) => {
      const leftTabs = shownTabs.filter((tab) => tab.affix || staysOpen(tab));
      setTabs(leftTabs);
      const next = leftTabs.find((tab) => tab.key === front) ?? leftTabs.at(-1);
      if (!next || next.key === key) return;
      if (!leftTabs.some((tab) => tab.key === key)) setClosing(key);
      navigate({ pathname: next.key, search: next.location.search });
    },
    [shownTabs, key, navigate],
  );
  return {
    tabs: shownTabs.map((tab) => ({ ...tab, title: titleOf(tab.key) ?? tab.title })),
    refresh: (target: string) => setTabs(shownTabs.map((tab) => (tab.key === target ? { ...tab, turn: tab.turn + 1 } : tab))),
    close: (target: string) => {
      const index = shownTabs.findIndex((tab) => tab.key === target);
      closeTabs(
        (tab) => tab.key !== target,
        target === key ? ((shownTabs[index + 1] ?? shownTabs[index - 1])?.key ?? home.path) : key,
      );
    },
    closeOthers: (target: string) => closeTabs((tab) => tab.key === target, target),
    closeAll: () => closeTabs(() => false, home.path),
  };
}
export type Tabs = ReturnType<typeof useTabs>;
