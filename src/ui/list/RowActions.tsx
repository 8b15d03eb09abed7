import { ActionIcon, Popover } from '@mantine/core';
import { IconDots } from '@tabler/icons-react';
import { useState, type MouseEvent, type ReactNode } from 'react';
import { InSheet } from '#ui/list/RowMenu.tsx';
import classes from './DataTable.module.css';

/**
 * Shows the operations of a row behind one button, where a column for them does not fit. They stand one below the other and are
 * wide enough for a thumb. They stay mounted while hidden, because a dialog that one of them opened belongs to it.
 */
export function RowActions({ index, children }: { index: number; children: ReactNode }) {
  const [opened, setOpened] = useState(false);
  const closeAfterChoice = ({ target }: MouseEvent) => {
    // A button that opens its own menu must stay in place until the menu closes.
    const button = target instanceof Element ? target.closest('button,a') : null;
    if (button && button.getAttribute('aria-haspopup') !== 'menu') setOpened(false);
  };
  return (
    <Popover
      opened={opened}
      onChange={setOpened}
      position="bottom-end"
      shadow="md"
      withinPortal
      trapFocus
      returnFocus
      keepMounted
      // The other mode, an Activity, also hides the dialogs that belong to these operations.
      keepMountedMode="display-none"
    >
      <Popover.Target>
        <ActionIcon
          variant="subtle"
          color="gray"
          size={40}
          aria-label={`第 ${index} 行的操作`}
          onClick={() => setOpened(!opened)}
        >
          <IconDots size={20} stroke={1.6} />
        </ActionIcon>
      </Popover.Target>
      <Popover.Dropdown p={6} aria-label="操作" className={classes['sheet'] ?? ''} onClick={closeAfterChoice}>
        <InSheet value={true}>{children}</InSheet>
      </Popover.Dropdown>
    </Popover>
  );
}
