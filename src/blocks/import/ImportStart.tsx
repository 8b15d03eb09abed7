import { Button, Group, Stack, Text } from '@mantine/core';
import { IconFileTypeXls, IconUpload } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import type { ImportCounts, StagedImport } from '#contract/workbook/importJob.ts';
import { importLimit } from '#contract/workbook/importSheet.ts';
import { Dropzone } from '#ui/form/Dropzone.tsx';
import type { ImportCalls } from '#blocks/import/importCalls.ts';
import { notifyError } from '#ui/feedback/notify.ts';
import classes from './import.module.css';

const STATES = { staged: '未导入', done: '已导入', undone: '已撤销' } as const;

/** Props of the first step of an import. */
export interface FirstStep<S extends StagedImport> {
  /** Reads a chosen file. */
  check: (file: File) => Promise<S>;
  onStaged: (staged: S) => void;
  /** Options for reading the file, left of the template. */
  options?: ReactNode;
  template: ReactNode;
  /** Limits of one file, if the reader has to know them. */
  hint?: string;
}
interface Props<S extends StagedImport> extends FirstStep<S> {
  calls: ImportCalls<S, ImportCounts>;
}

/** First step: a file, chosen or dropped. It also lists the imports of the last days, to continue or undo them. */
export function ImportStart<S extends StagedImport>({ calls, check, onStaged, options, template, hint }: Props<S>) {
  const [busy, setBusy] = useState('');
  // Never from the cache: the import that was just made comes first.
  const earlier = useQuery({ queryKey: ['import', calls.kind], queryFn: calls.list, gcTime: 0, meta: { quiet: true } });

  const read = (file: File | undefined) => {
    if (!file || busy) return;
    setBusy(file.name);
    check(file)
      .then(onStaged, notifyError)
      .finally(() => setBusy(''));
  };
  const open = (importid: string) => {
    setBusy(importid);
    calls
      .get({ importid })
      .then(onStaged, notifyError)
      .finally(() => setBusy(''));
  };

  return (
    <Stack gap="md">
      <Dropzone
        label="选择名单文件"
        accept=".xlsx,.csv"
        busy={busy !== ''}
        icon={busy ? <IconUpload size={34} stroke={1.3} aria-hidden /> : <IconFileTypeXls size={34} stroke={1.3} aria-hidden />}
        onFiles={([file]) => read(file)}
      >
        <Text size="sm" c="dimmed">
          支持 .xlsx 和 .csv，最多 {importLimit} 行；列的顺序不限，原来的表格可以直接上传
        </Text>
        {hint && (
          <Text size="sm" c="dimmed">
            {hint}
          </Text>
        )}
      </Dropzone>
      <Group align="flex-end" justify="space-between">
        <Group align="flex-end">{options}</Group>
        {template}
      </Group>
      {earlier.data && earlier.data.length > 0 && (
        <section aria-label="最近的导入">
          <Text size="sm" fw={500} mb={6}>
            最近的导入
          </Text>
          <ul className={classes['list']}>
            {earlier.data.map((item) => (
              <li key={item.importid}>
                <span>
                  {item.filename}
                  <Text component="span" size="sm" c="dimmed">
                    {' '}
                    · {item.createtime.slice(5, 16)} · {STATES[item.state]}
                    {item.state === 'done' ? ` ${item.success} 行` : ''}
                  </Text>
                </span>
                {item.state !== 'undone' && (
                  <Button variant="subtle" size="compact-sm" loading={busy === item.importid} onClick={() => open(item.importid)}>
                    {item.state === 'staged' ? '继续' : '查看或撤销'}
                  </Button>
                )}
              </li>
            ))}
          </ul>
        </section>
      )}
    </Stack>
  );
}
