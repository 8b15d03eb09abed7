import { useCallback, useEffect, useState } from 'react';
import type { Location } from '#ui/router/address.ts';
import { useNavigate } from '#ui/router/router.tsx';
import { session } from '#ui/api/session.ts';
import { names } from '#console/storage.ts';

/** One visited view. `location` is frozen while another view is in front, so that its filters stay its own. */
export interface Tab {
  key: string;
  location: Location;
  title: string;
  /** Stays and cannot be closed. */
  affix: boolean;
  /** Counts refreshes: a new number draws the view anew. */
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
    const kept = JSON.parse(sessionStorage.getItem(names.tabs) ?? 'null') as { owner: string; tabs: Tab[] } | null;
    // Views of another account are not shown, not even their titles.
    if (kept?.owner === owner()) return [first, ...kept.tabs.filter((tab) => tab.key !== home)];
  } catch {
    // Damaged memory is no memory.
  }
  return [first];
}

/** The visited views and what the tab strip does with them. The view in front always is the address bar's. */
export function useTabs(
  location: Location,
  title: string | undefined,
  home: { path: string; title: string },
  /** what a view is called now: 菜单管理 may have renamed it since it was visited */
  titleOf: (path: string) => string | undefined = () => undefined,
) {
  const navigate = useNavigate();
  const [tabs, setTabs] = useState<Tab[]>(() => restored(home.path, home.title));
  /** A view closed while in front: it is not taken up again before the address bar has left it. */
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
  const leave = useCallback(
    (stay: (tab: Tab) => boolean, front: string) => {
      const leftTabs = shownTabs.filter((tab) => tab.affix || stay(tab));
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
    refresh: (which: string) => setTabs(shownTabs.map((tab) => (tab.key === which ? { ...tab, turn: tab.turn + 1 } : tab))),
    close: (which: string) => {
      const index = shownTabs.findIndex((tab) => tab.key === which);
      leave((tab) => tab.key !== which, which === key ? ((shownTabs[index + 1] ?? shownTabs[index - 1])?.key ?? home.path) : key);
    },
    closeOthers: (which: string) => leave((tab) => tab.key === which, which),
    closeAll: () => leave(() => false, home.path),
  };
}
export type Tabs = ReturnType<typeof useTabs>;
