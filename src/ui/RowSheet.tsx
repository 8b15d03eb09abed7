import { Popover } from '@mantine/core';
import type { MouseEvent, ReactNode } from 'react';
import { Anchored, useOpening } from '#ui/Anchored.tsx';
import { InSheet } from '#ui/RowMenu.tsx';
import type { Popup } from '#ui/usePopup.ts';
import classes from './DataTable.module.css';

/** The operations of a row, one under the other. Once opened it stays in the page: a dialog that one of them opened belongs to it. */
export function RowSheet({ at, opened, onChange, children }: Popup & { children: ReactNode }) {
  const follow = (event: MouseEvent) => {
    if (!(event.target instanceof Element)) return;
    // A button that opens a menu of its own would take the menu's place with it.
    const button = event.target.closest('button,a');
    if (button && button.getAttribute('aria-haspopup') !== 'menu') onChange(false);
  };
  return (
    <Popover
      opened={useOpening(opened)}
      onChange={onChange}
      position="bottom-end"
      shadow="md"
      withinPortal
      trapFocus
      returnFocus
      keepMounted
    >
      <Popover.Target>
        <Anchored to={at} />
      </Popover.Target>
      <Popover.Dropdown p={6} aria-label="操作" className={classes['sheet'] ?? ''} onClick={follow}>
        <InSheet value={true}>{children}</InSheet>
      </Popover.Dropdown>
    </Popover>
  );
}
