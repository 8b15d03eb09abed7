import { ActionIcon } from '@mantine/core';
import { IconColumns3 } from '@tabler/icons-react';
import type { Choosing } from '#ui/ColumnPanel.tsx';
import { later } from '#ui/later.tsx';
import { usePopup } from '#ui/usePopup.ts';

const ColumnPanel = later(() => import('#ui/ColumnPanel.tsx').then((file) => file.ColumnPanel));

/** The button that lets a reader choose columns; the choice is kept by `useChosenColumns`. */
export function ColumnChooser(choosing: Choosing) {
  const { button, popup } = usePopup('dialog', ColumnPanel.warm);
  return (
    <>
      <ActionIcon variant="subtle" color="gray" size="sm" aria-label="选择显示的列" title="选择显示的列" {...button}>
        <IconColumns3 size={16} />
      </ActionIcon>
      {popup && <ColumnPanel {...popup} {...choosing} />}
    </>
  );
}
