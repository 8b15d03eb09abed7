import { ActionIcon, Popover } from '@mantine/core';
import { IconDots } from '@tabler/icons-react';
import { useState, type MouseEvent, type ReactNode } from 'react';
import { InSheet } from '#ui/RowMenu.tsx';
import classes from './DataTable.module.css';

/** Operations of a row where there is no room for a column of them: behind one button, each as wide as a thumb. */
export function RowActions({ index, children }: { index: number; children: ReactNode }) {
  const [opened, setOpened] = useState(false);
  // Once opened it stays in the page: a dialog that an operation opened belongs to it.
  const [used, setUsed] = useState(false);
  const follow = (event: MouseEvent) => {
    if (!(event.target instanceof Element)) return;
    // A button that opens a menu of its own would take the menu's place with it.
    const button = event.target.closest('button,a');
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
      keepMounted={used}
    >
      <Popover.Target>
        <ActionIcon
          variant="subtle"
          color="gray"
          size={40}
          aria-label={`第 ${index} 行的操作`}
          onClick={() => {
            setUsed(true);
            setOpened(!opened);
          }}
        >
          <IconDots size={20} stroke={1.6} />
        </ActionIcon>
      </Popover.Target>
      <Popover.Dropdown p={6} aria-label="操作" className={classes['sheet'] ?? ''} onClick={follow}>
        <InSheet value={true}>{children}</InSheet>
      </Popover.Dropdown>
    </Popover>
  );
}
