import { Alert, Stack } from '@mantine/core';
import { IconCircleCheck } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import type { ImportCounts } from '#contract/workbook/importJob.ts';
import { ConfirmButton } from '#ui/feedback/ConfirmButton.tsx';
import { ExportButton } from '#blocks/export/ExportButton.tsx';
import type { ImportCalls } from '#blocks/import/importCalls.ts';
import classes from './import.module.css';

/** Props of the last step of an import. */
export interface LastStep<R extends ImportCounts> {
  result: R;
  undone: boolean;
  onUndone: () => void;
  onClose: () => void;
  /** Starts the next import. */
  onMore: () => void;
}

interface Props {
  result: ImportCounts;
  undone: boolean;
  /** The result, the end of the undo time, and the rows that undoing left. */
  words: { done: string; until: string; undone: string };
  numbers: readonly (readonly [string, number])[];
  errors: ImportCalls<never, never>['errors'];
  undo: { question: string; onConfirm: () => Promise<unknown> };
  /** Notes besides the numbers. */
  children?: ReactNode;
  /** Actions at the right of the undo button. */
  buttons: ReactNode;
}

/** Shows the result of an import, its skipped rows, and the undo button (24 hours). */
export const ImportOutcome = ({ result, undone, words, numbers, errors, undo, children, buttons }: Props) => (
  <Stack gap="md">
    <Alert
      color={undone ? 'gray' : 'brand'}
      icon={<IconCircleCheck size={20} />}
      styles={{ title: { color: 'var(--ink)' } }}
      title={undone ? '本次导入已撤销' : words.done}
    >
      {undone ? words.undone : words.until}
    </Alert>
    <dl className={classes['numbers']}>
      {numbers.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
    {children}
    <div className={classes['foot']}>
      <span />
      {result.failed > 0 && (
        <ExportButton action={errors} request={{ importid: result.importid }} title="错误回执" small>
          下载错误回执
        </ExportButton>
      )}
      {!undone && (
        <ConfirmButton variant="default" size="sm" {...undo}>
          撤销本次导入
        </ConfirmButton>
      )}
      {buttons}
    </div>
  </Stack>
);
