import { Menu } from '@mantine/core';
import type { Tab, Tabs } from '#console/shell/tabs/tabs.ts';
import classes from './TabStrip.module.css';

interface Props {
  tab: Tab;
  /** Position of the click, in px of the window. */
  x: number;
  y: number;
  tabs: Tabs;
  onClose: () => void;
}

/** The operations on a visited view; 105 px wide (specification section 9). */
export function TabMenu({ tab, x, y, tabs, onClose }: Props) {
  const choose = (act: (key: string) => void) => () => {
    act(tab.key);
    onClose();
  };
  return (
    <Menu opened onClose={onClose} width={105} position="bottom-start" withinPortal>
      <Menu.Target>
        <button
          type="button"
          tabIndex={-1}
          aria-label={`${tab.title}的操作`}
          className={classes['anchor']}
          style={{ left: x, top: y }}
        />
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item onClick={choose(tabs.refresh)}>刷新</Menu.Item>
        <Menu.Item disabled={tab.affix} onClick={choose(tabs.close)}>
          关闭
        </Menu.Item>
        <Menu.Item onClick={choose(tabs.closeOthers)}>关闭其他</Menu.Item>
        <Menu.Item onClick={choose(tabs.closeAll)}>关闭所有</Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
