import { Button, type ButtonProps } from '@mantine/core';
import { useState } from 'react';
import { Can } from '#ui/api/Can.tsx';
import { lazyDialog } from '#ui/router/lazyDialog.tsx';
import { insertStaffExam } from '#features/staffexam/staffexam.contract.ts';

const EntryDrawer = lazyDialog(() => import('#blocks/staffexam/EntryDrawer.tsx').then((file) => file.EntryDrawer));

interface Props extends ButtonProps {
  row: { cuserid: string; username: string; appid: string; stagecode?: string };
}

/** 录入结果 for one person, for staff who may. */
export function EntryButton({ row, children = '录入结果', ...look }: Props) {
  const [isOpen, setIsOpen] = useState(false);
  return (
    <Can call={insertStaffExam}>
      <Button {...look} onClick={() => setIsOpen(true)}>
        {children}
      </Button>
      {isOpen && <EntryDrawer row={row} onClose={() => setIsOpen(false)} />}
    </Can>
  );
}
