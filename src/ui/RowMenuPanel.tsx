import { Menu } from '@mantine/core';
import type { ReactNode } from 'react';
import { PopupMenu } from '#ui/PopupMenu.tsx';
import { InMenu, type MenuParts } from '#ui/RowMenu.tsx';
import type { Popup } from '#ui/usePopup.ts';

const parts: MenuParts = { Item: Menu.Item, Divider: Menu.Divider };

/** What opens under a row's menu button. */
export function RowMenuPanel({ children, ...popup }: Popup & { children: ReactNode }) {
  return (
    <PopupMenu {...popup}>
      <InMenu value={parts}>{children}</InMenu>
    </PopupMenu>
  );
}
