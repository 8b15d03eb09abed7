import { Drawer } from '@mantine/core';
import { useOpening } from '#ui/Anchored.tsx';
import { InstitutionTree } from '#features/muser/InstitutionTree.tsx';

interface Props {
  opened: boolean;
  onClose: () => void;
  /** The chosen institution; '' for none. */
  value: string;
  onPick: (musercode: string, insname: string) => void;
}

/** The tree of institutions where there is no room for it beside the list. */
export const TreeDrawer = ({ opened, onClose, value, onPick }: Props) => (
  <Drawer opened={useOpening(opened)} onClose={onClose} title="机构树" size="min(320px, 90vw)">
    <InstitutionTree label="机构树" value={value} onPick={onPick} />
  </Drawer>
);
