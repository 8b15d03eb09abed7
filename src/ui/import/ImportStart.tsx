import { Button, Group, Stack, Switch, Text, TextInput } from '@mantine/core';
import { IconFileTypeXls, IconUpload } from '@tabler/icons-react';
import { useState } from 'react';
import { importLimit, type ImportKind } from '#contract/importSheet.ts';
import { schoolYearOf } from '#domain/grades.ts';
import { shanghaiDate } from '#domain/calendar.ts';
import {
  checkAssessTeamRoster,
  checkZLBCUserFromExcel,
  exportRosterTemplate,
  getImport,
  getImportList,
  type StagedImport,
} from '#features/team/roster.contract.ts';
import { call } from '#ui/call.ts';
import { ExportButton } from '#ui/ExportButton.tsx';
import { sayError } from '#ui/say.ts';
import { upload } from '#ui/transfer.ts';
import { useRead } from '#ui/useAction.ts';
import classes from './import.module.css';

const STATES = { staged: '未导入', done: '已导入', undone: '已撤销' } as const;

/** First step: the file, by choosing or dropping it; and the imports of the last days, to go on with or take back. */
export function ImportStart({
  kind,
  teamcode,
  onStaged,
}: {
  kind: ImportKind;
  teamcode?: string | undefined;
  onStaged: (staged: StagedImport) => void;
}) {
  const [year, setYear] = useState(() => schoolYearOf(shanghaiDate(new Date())));
  const [createteam, setCreate] = useState(true);
  const [over, setOver] = useState(false);
  const [busy, setBusy] = useState('');
  const earlier = useRead(getImportList, { kind }, { quiet: true });

  const read = (file: File | undefined) => {
    if (!file || busy) return;
    setBusy(file.name);
    const sent =
      kind === 'roster'
        ? upload(checkAssessTeamRoster, file, { year, createteam: createteam ? '1' : '0' })
        : upload(checkZLBCUserFromExcel, file, { year, ...(teamcode ? { teamcode } : {}) });
    sent.then(onStaged, sayError).finally(() => setBusy(''));
  };
  const open = (importid: string) => {
    setBusy(importid);
    call(getImport, { importid })
      .then(onStaged, sayError)
      .finally(() => setBusy(''));
  };

  return (
    <Stack gap="md">
      <label
        className={classes['drop']}
        data-over={over || undefined}
        onDragOver={(event) => {
          event.preventDefault();
          setOver(true);
        }}
        onDragLeave={() => setOver(false)}
        onDrop={(event) => {
          event.preventDefault();
          setOver(false);
          read(event.dataTransfer.files[0]);
        }}
      >
        <input
          type="file"
          accept=".xlsx,.csv"
          aria-label="选择名单文件"
          disabled={busy !== ''}
          onChange={(event) => {
            read(event.currentTarget.files?.[0]);
            // The same file, mended in the meantime, can be chosen again.
            event.currentTarget.value = '';
          }}
        />
        {busy ? <IconUpload size={34} stroke={1.3} aria-hidden /> : <IconFileTypeXls size={34} stroke={1.3} aria-hidden />}
        <Text fw={500}>{busy ? '正在读取和检查，请稍候…' : '点击选择文件，或把文件拖到这里'}</Text>
        <Text size="sm" c="dimmed">
          支持 .xlsx 和 .csv，最多 {importLimit} 行；列的顺序不限，原来的表格可以直接上传
        </Text>
      </label>
      <Group align="flex-end" justify="space-between">
        <Group align="flex-end">
          <TextInput
            label="学年"
            description="表格中没有学年时使用"
            value={year}
            onChange={(event) => setYear(event.currentTarget.value)}
            w={150}
            maxLength={20}
          />
          {kind === 'roster' && (
            <Switch
              mb={8}
              label="自动创建没有的团体"
              checked={createteam}
              onChange={(event) => setCreate(event.currentTarget.checked)}
            />
          )}
        </Group>
        <ExportButton action={exportRosterTemplate} request={{ kind }} title="导入模板">
          下载模板
        </ExportButton>
      </Group>
      {earlier.data && earlier.data.length > 0 && (
        <section aria-label="最近的导入">
          <Text size="sm" fw={500} mb={6}>
            最近的导入
          </Text>
          <ul className={classes['list']}>
            {earlier.data.map((one) => (
              <li key={one.importid}>
                <span>
                  {one.filename}
                  <Text component="span" size="sm" c="dimmed">
                    {' '}
                    · {one.createtime.slice(5, 16)} · {STATES[one.state]}
                    {one.state === 'done' ? ` ${one.success} 行` : ''}
                  </Text>
                </span>
                {one.state !== 'undone' && (
                  <Button variant="subtle" size="compact-sm" loading={busy === one.importid} onClick={() => open(one.importid)}>
                    {one.state === 'staged' ? '继续' : '查看或撤销'}
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
