import { Modal } from '@mantine/core';
import { EntryPanel } from '#features/muser/entry/EntryPanel.tsx';
import type { MUserRow } from '#features/muser/muser.contract.ts';

/** The dialog for the entry of an institution: its QR code and settings. */
export const EntryDialog = ({ row, onClose }: { row: MUserRow; onClose: () => void }) => (
  <Modal opened onClose={onClose} title={`二维码：${row.insname}`} size={520}>
    <EntryPanel musercode={row.musercode} insname={row.insname} />
  </Modal>
);
