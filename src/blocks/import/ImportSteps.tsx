import { Modal } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { useQueryClient } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import type { ImportCounts, StagedImport } from '#contract/workbook/importJob.ts';
import { ImportCheck } from '#blocks/import/ImportCheck.tsx';
import type { ImportCalls } from '#blocks/import/importCalls.ts';
import type { LastStep } from '#blocks/import/ImportOutcome.tsx';
import { ImportStart, type FirstStep } from '#blocks/import/ImportStart.tsx';
import { invalidateActions } from '#ui/api/useAction.ts';

interface Props<S extends StagedImport, R extends ImportCounts> extends Omit<FirstStep<S>, 'onStaged'> {
  calls: ImportCalls<S, R>;
  title: string;
  /** Width in px of the first and last step. The step with the rows uses the whole width. */
  width: number;
  /** The last step shows data that closing would lose: only its own buttons close the dialog. */
  held?: boolean;
  onClose: () => void;
  /** Effects of the import besides its rows. */
  summary?: (verdict: S['verdict']) => ReactNode;
  /** The last step. */
  done: (last: LastStep<R>) => ReactNode;
}

/** The dialog of any import: file → corrections in place → result and undo. */
export function ImportSteps<S extends StagedImport & { result: R | null }, R extends ImportCounts>({
  calls,
  title,
  width,
  held: isHeld = false,
  onClose,
  summary,
  done,
  ...first
}: Props<S, R>) {
  const client = useQueryClient();
  const phone = useMediaQuery('(max-width: 48em)');
  const [staged, setStaged] = useState<S>();
  const [result, setResult] = useState<R>();
  const [undone, setUndone] = useState(false);
  const restart = () => {
    setStaged(undefined);
    setResult(undefined);
    setUndone(false);
  };
  const open = (next: S) => {
    setStaged(next);
    setResult(next.result ?? undefined);
    setUndone(next.undone);
  };
  return (
    <Modal
      opened
      onClose={onClose}
      title={staged ? `${title} · ${staged.filename}` : title}
      size={staged && !result ? 'min(1280px, 96vw)' : width}
      fullScreen={phone ?? false}
      closeOnClickOutside={false}
      closeOnEscape={!isHeld}
      withCloseButton={!isHeld}
    >
      {result ? (
        done({ result, undone, onUndone: () => setUndone(true), onClose, onMore: restart })
      ) : staged ? (
        <ImportCheck
          key={staged.importid}
          calls={calls}
          staged={staged}
          {...(summary && { summary })}
          onBack={restart}
          onDone={(came) => {
            setResult(came);
            void invalidateActions(client);
          }}
        />
      ) : (
        <ImportStart calls={calls} onStaged={open} {...first} />
      )}
    </Modal>
  );
}
