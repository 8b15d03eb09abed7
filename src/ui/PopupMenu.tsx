import { Menu } from '@mantine/core';
import type { ReactNode } from 'react';
import { Anchored, useOpening } from '#ui/Anchored.tsx';
import type { Popup } from '#ui/usePopup.ts';

interface Props extends Popup {
  /** Which edge of its button it keeps to; the right one when not given. */
  side?: 'start' | 'end';
  width?: number;
  children: ReactNode;
}

/** The menu of a button that stands in the page (`usePopup`): `Menu.Item`s are its children. */
export const PopupMenu = ({ at, opened, onChange, side = 'end', width, children }: Props) => (
  <Menu
    opened={useOpening(opened)}
    onChange={onChange}
    position={`bottom-${side}`}
    withinPortal
    {...(width === undefined ? {} : { width })}
  >
    <Menu.Target>
      <Anchored to={at} />
    </Menu.Target>
    <Menu.Dropdown>{children}</Menu.Dropdown>
  </Menu>
);
