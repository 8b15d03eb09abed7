import { CloseButton, Menu } from '@mantine/core';
import { useState } from 'react';
import { useNavigate } from 'react-router';
import type { Tab, Tabs } from '#console/shell/tabs.ts';
import classes from './Shell.module.css';

/** The strip of visited views; its context menu is 105 px wide (specification section 9). */
export function TabStrip({ tabs, current }: { tabs: Tabs; current: string }) {
  const navigate = useNavigate();
  const [menu, setMenu] = useState<{ tab: Tab; x: number; y: number }>();
  const go = (tab: Tab) => void navigate({ pathname: tab.key, search: tab.location.search });
  const choose = (act: (key: string) => void) => () => {
    if (menu) act(menu.tab.key);
    setMenu(undefined);
  };
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
      {menu && (
        <Menu opened onClose={() => setMenu(undefined)} width={105} position="bottom-start" withinPortal>
          <Menu.Target>
            <button
              type="button"
              tabIndex={-1}
              aria-label={`${menu.tab.title}的操作`}
              className={classes['anchor']}
              style={{ left: menu.x, top: menu.y }}
            />
          </Menu.Target>
          <Menu.Dropdown>
            <Menu.Item onClick={choose(tabs.refresh)}>刷新</Menu.Item>
            <Menu.Item disabled={menu.tab.affix} onClick={choose(tabs.close)}>
              关闭
            </Menu.Item>
            <Menu.Item onClick={choose(tabs.closeOthers)}>关闭其他</Menu.Item>
            <Menu.Item onClick={choose(tabs.closeAll)}>关闭所有</Menu.Item>
          </Menu.Dropdown>
        </Menu>
      )}
    </nav>
  );
}
