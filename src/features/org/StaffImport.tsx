import { Modal } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { call } from '#ui/call.ts';
import { ExportButton } from '#ui/ExportButton.tsx';
import { ImportCheck } from '#ui/import/ImportCheck.tsx';
import type { ImportCalls } from '#ui/import/importCalls.ts';
import { ImportStart } from '#ui/import/ImportStart.tsx';
import { upload } from '#ui/transfer.ts';
import { refreshed } from '#ui/useAction.ts';
import { StaffImportDone } from '#features/org/StaffImportDone.tsx';
import {
  checkUserSheet,
  commitUserImport,
  exportUserImportErrors,
  exportUserTemplate,
  getUserImport,
  getUserImportList,
  saveUserImportEdits,
  type StaffImportResult,
  type StagedStaff,
} from '#features/org/userSheet.contract.ts';

const calls: ImportCalls<StagedStaff, StaffImportResult> = {
  kind: 'staff',
  get: (which) => call(getUserImport, which),
  list: () => call(getUserImportList, {}),
  save: (edits) => call(saveUserImportEdits, edits),
  commit: (request) => call(commitUserImport, request),
  errors: exportUserImportErrors,
};

/** Staff from a sheet: file → rows checked, mended in place → all or the good rows → first passwords, told this once, and a way back. */
export function StaffImport({ onClose }: { onClose: () => void }) {
  const client = useQueryClient();
  const phone = useMediaQuery('(max-width: 48em)');
  const [staged, setStaged] = useState<StagedStaff>();
  const [result, setResult] = useState<StaffImportResult>();
  const [undone, setUndone] = useState(false);
  const [holding, hold] = useState(false);
  const restart = () => {
    setStaged(undefined);
    setResult(undefined);
    setUndone(false);
  };
  const open = (next: StagedStaff) => {
    setStaged(next);
    setResult(next.result ?? undefined);
    setUndone(next.undone);
  };
  const wide = staged && !result;
  return (
    <Modal
      opened
      onClose={onClose}
      title={staged ? `批量新增用户 · ${staged.filename}` : '批量新增用户'}
      size={wide ? 'min(1280px, 96vw)' : 760}
      fullScreen={phone ?? false}
      closeOnClickOutside={false}
      closeOnEscape={!holding}
      withCloseButton={!holding}
    >
      {result ? (
        <StaffImportDone
          result={result}
          undone={undone}
          hold={hold}
          onUndone={() => setUndone(true)}
          onClose={onClose}
          onMore={restart}
        />
      ) : staged ? (
        <ImportCheck
          key={staged.importid}
          calls={calls}
          staged={staged}
          onBack={restart}
          onDone={(done) => {
            setResult(done);
            void refreshed(client);
          }}
        />
      ) : (
        <ImportStart
          calls={calls}
          check={(file) => upload(checkUserSheet, file, {})}
          onStaged={open}
          hint="先检查、后新增：确认前不会新增任何用户。每个账号会得到一次性初始密码，导入后显示一次"
          template={
            <ExportButton action={exportUserTemplate} request={{}} title="用户名单模板">
              下载模板
            </ExportButton>
          }
        />
      )}
    </Modal>
  );
}
