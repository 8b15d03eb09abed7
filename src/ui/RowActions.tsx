import { ActionIcon } from '@mantine/core';
import { IconDots } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { later } from '#ui/later.tsx';
import { usePopup } from '#ui/usePopup.ts';

const RowSheet = later(() => import('#ui/RowSheet.tsx').then((file) => file.RowSheet));

/** Operations of a row where there is no room for a column of them: behind one button, each as wide as a thumb. */
export function RowActions({ index, children }: { index: number; children: ReactNode }) {
  const { button, popup } = usePopup('dialog', RowSheet.warm);
  return (
    <>
      <ActionIcon variant="subtle" color="gray" size={40} aria-label={`第 ${index} 行的操作`} {...button}>
        <IconDots size={20} stroke={1.6} />
      </ActionIcon>
      {popup && <RowSheet {...popup}>{children}</RowSheet>}
    </>
  );
}
