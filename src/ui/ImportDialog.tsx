import { Modal } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { ImportKind } from '#contract/importSheet.ts';
import type { ImportResult, StagedImport } from '#features/team/roster.contract.ts';
import { ImportCheck } from '#ui/import/ImportCheck.tsx';
import { ImportDone } from '#ui/import/ImportDone.tsx';
import { ImportStart } from '#ui/import/ImportStart.tsx';
import { refreshed } from '#ui/useAction.ts';

interface Props {
  kind: ImportKind;
  title: string;
  onClose: () => void;
  /** Students only: the team they join. */
  teamcode?: string;
}

/**
 * The import, the same everywhere: file → columns and rows checked, mended in place → all or the good rows → result with a way
 * back. Mount it while it is open. Closing loses nothing: every edit lies with the server, 最近的导入 goes on with it.
 */
export function ImportDialog({ kind, title, onClose, teamcode }: Props) {
  const client = useQueryClient();
  const phone = useMediaQuery('(max-width: 48em)');
  const [staged, setStaged] = useState<StagedImport>();
  const [result, setResult] = useState<ImportResult>();
  const [undone, setUndone] = useState(false);
  const changed = () => void refreshed(client);
  const restart = () => {
    setStaged(undefined);
    setResult(undefined);
    setUndone(false);
  };
  const open = (next: StagedImport) => {
    setStaged(next);
    setResult(next.result ?? undefined);
    setUndone(next.undone);
  };
  const wide = staged && !result;
  return (
    <Modal
      opened
      onClose={onClose}
      title={staged ? `${title} · ${staged.filename}` : title}
      size={wide ? 'min(1280px, 96vw)' : 640}
      fullScreen={phone ?? false}
      closeOnClickOutside={false}
    >
      {result ? (
        <ImportDone result={result} undone={undone} onUndone={() => setUndone(true)} onClose={onClose} onMore={restart} />
      ) : staged ? (
        <ImportCheck
          key={staged.importid}
          kind={kind}
          staged={staged}
          onBack={restart}
          onDone={(done) => {
            setResult(done);
            changed();
          }}
        />
      ) : (
        <ImportStart kind={kind} teamcode={teamcode} onStaged={open} />
      )}
    </Modal>
  );
}
