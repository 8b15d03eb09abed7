import { Menu } from '@mantine/core';
import type { ReactNode } from 'react';
import { Anchored, useOpening } from '#ui/Anchored.tsx';
import { InMenu, type MenuParts } from '#ui/RowMenu.tsx';
import type { Popup } from '#ui/usePopup.ts';

const parts: MenuParts = { Item: Menu.Item, Divider: Menu.Divider };

/** What opens under a row's menu button. */
export function RowMenuPanel({ at, opened, onChange, children }: Popup & { children: ReactNode }) {
  return (
    <Menu opened={useOpening(opened)} onChange={onChange} position="bottom-end" withinPortal>
      <Menu.Target>
        <Anchored to={at} />
      </Menu.Target>
      <Menu.Dropdown>
        <InMenu value={parts}>{children}</InMenu>
      </Menu.Dropdown>
    </Menu>
  );
}
