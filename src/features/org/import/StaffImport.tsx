import { useMemo, useState } from 'react';
import { call } from '#ui/api/call.ts';
import { ExportButton } from '#blocks/export/ExportButton.tsx';
import type { ImportCalls } from '#blocks/import/importCalls.ts';
import { ImportSteps } from '#blocks/import/ImportSteps.tsx';
import { upload } from '#ui/api/transfer.ts';
import { StaffImportDone } from '#features/org/import/StaffImportDone.tsx';
import { VALID_DAYS, type ValidDays } from '#features/org/batch/oneTime.contract.ts';
import { ValidDaysField } from '#features/org/batch/ValidDaysField.tsx';
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
} from '#features/org/import/staffImport.contract.ts';

const callsWith = (validdays: ValidDays): ImportCalls<StagedStaff, StaffImportResult> => ({
  kind: 'staff',
  get: (request) => call(getUserImport, request),
  list: () => call(getUserImportList, {}),
  save: (edits) => call(saveUserImportEdits, edits),
  commit: (request) => call(commitUserImport, { ...request, validdays }),
  errors: exportUserImportErrors,
});

/** The import of a staff list: check the file, correct rows, import all or the valid rows, show the first passwords once, undo. */
export function StaffImport({ onClose }: { onClose: () => void }) {
  const [validdays, setValiddays] = useState<ValidDays>(VALID_DAYS[0]);
  const calls = useMemo(() => callsWith(validdays), [validdays]);
  const [hasUnsavedSecrets, setHasUnsavedSecrets] = useState(false);
  return (
    <ImportSteps
      calls={calls}
      title="批量新增用户"
      width={760}
      held={hasUnsavedSecrets}
      onClose={onClose}
      check={(file) => upload(checkUserSheet, file, {})}
      hint="先检查、后新增：确认前不会新增任何用户。每个账号会得到一次性初始密码，导入后显示一次"
      template={
        <ExportButton action={exportUserTemplate} request={{}} title="用户名单模板">
          下载模板
        </ExportButton>
      }
      options={<ValidDaysField value={validdays} onChange={setValiddays} />}
      done={(lastStep) => (
        <StaffImportDone {...lastStep} onUnsaved={setHasUnsavedSecrets} validdays={validdays} onValiddays={setValiddays} />
      )}
    />
  );
}
