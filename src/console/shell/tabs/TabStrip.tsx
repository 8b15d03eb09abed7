import { CloseButton } from '@mantine/core';
import { useState } from 'react';
import { useNavigate } from '#ui/router/router.tsx';
import { TabMenu } from '#console/shell/tabs/TabMenu.tsx';
import type { Tab, Tabs } from '#console/shell/tabs/tabs.ts';
import classes from './TabStrip.module.css';

/** The strip of visited views. */
export function TabStrip({ tabs, current }: { tabs: Tabs; current: string }) {
  const navigate = useNavigate();
  const [menu, setMenu] = useState<{ tab: Tab; x: number; y: number }>();
  const go = (tab: Tab) => navigate({ pathname: tab.key, search: tab.location.search });
  return (
    <nav className={classes['tabs']} aria-label="已打开的页面">
      {tabs.tabs.map((tab) => (
        <span
          key={tab.key}
          className={classes['tab']}
          data-on={tab.key === current || undefined}
          onContextMenu={(event) => {
            event.preventDefault();
            setMenu({ tab, x: event.clientX, y: event.clientY });
          }}
        >
          <button
            type="button"
            aria-current={tab.key === current ? 'page' : undefined}
            onClick={() => go(tab)}
            onKeyDown={(event) => {
              if (event.key === 'Delete' && !tab.affix) tabs.close(tab.key);
              if (event.key !== 'ContextMenu' && !(event.shiftKey && event.key === 'F10')) return;
              event.preventDefault();
              const box = event.currentTarget.getBoundingClientRect();
              setMenu({ tab, x: box.left, y: box.bottom });
            }}
          >
            {tab.title}
          </button>
          {!tab.affix && <CloseButton size="xs" aria-label={`关闭 ${tab.title}`} onClick={() => tabs.close(tab.key)} />}
        </span>
      ))}
      {menu && <TabMenu key={`${menu.x} ${menu.y}`} {...menu} tabs={tabs} onClose={() => setMenu(undefined)} />}
    </nav>
  );
}
