import { Button, Drawer, Group, Progress, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { formatNumber } from '#domain/base/number.ts';
import { ExportStatus, exportRetentionHours } from '#domain/files/exportJob.ts';
import { cancelExport, downloadExport, getExportPageList } from '#contract/exportJob.ts';
import type { RowOf } from '#contract/page.ts';
import { RelativeTime, stamp } from '#ui/display/RelativeTime.tsx';
import { EnumBadge } from '#ui/display/badges.tsx';
import { notifyError } from '#ui/feedback/notify.ts';
import { EmptyState, Loaded } from '#ui/feedback/states.tsx';
import { download } from '#ui/api/transfer.ts';
import { useActionMutation } from '#ui/api/useAction.ts';
import classes from './DownloadsDrawer.module.css';

type Row = RowOf<typeof getExportPageList>;
const tones = { 1: 'amber', 2: 'green', 3: 'red' } as const;

interface Props {
  opened: boolean;
  onClose: () => void;
  list: { data: { rows: Row[] } | undefined; error: unknown; refetch: () => unknown };
}

/** Lists the background exports with their progress. */
export function DownloadsDrawer({ opened, onClose, list }: Props) {
  return (
    <Drawer opened={opened} onClose={onClose} title="下载中心" position="right" size="min(460px, 100vw)">
      <Text size="sm" c="dimmed" mb="md">
        文件保留 {exportRetentionHours} 小时，含个人信息，请妥善保管。关闭页面不影响导出。
      </Text>
      <Loaded read={list}>
        {({ rows }) =>
          rows.length === 0 ? (
            <EmptyState title="还没有后台导出" hint="在列表的“导出”旁点箭头，选择“后台导出”，完成后在这里下载" />
          ) : (
            <Stack component="ul" gap={0} p={0} m={0} aria-label="后台导出">
              {rows.map((row) => (
                <Entry key={row.jobid} row={row} />
              ))}
            </Stack>
          )
        }
      </Loaded>
    </Drawer>
  );
}

function Entry({ row }: { row: Row }) {
  const cancel = useActionMutation(cancelExport, { invalidates: [getExportPageList], successMessage: '已取消导出' });
  const [fetching, setFetching] = useState(false);
  const { jobid, title, status, filename } = row;
  const pending = status === ExportStatus.waiting || status === ExportStatus.running;
  const fetchFile = () => {
    setFetching(true);
    download(downloadExport, { jobid }, { title: filename || title })
      .catch(notifyError)
      .finally(() => setFetching(false));
  };
  return (
    <li className={classes['export']}>
      <Group justify="space-between" gap="xs" wrap="nowrap" align="flex-start">
        <Text size="sm" fw={600} className={classes['exportName'] ?? ''}>
          {filename || title}
        </Text>
        <EnumBadge of={ExportStatus} code={status} tones={tones} />
      </Group>
      {status === ExportStatus.running && <Advance row={row} />}
      {status === ExportStatus.failed && (
        <Text size="sm" c="var(--level-4-ink)">
          {row.error}
        </Text>
      )}
      <Group justify="space-between" gap="xs" mt={8} mih={26}>
        <Text size="xs" c="dimmed">
          <RelativeTime at={row.createtime} />
          {status === ExportStatus.done && ` · ${sizeWords(row.size)} · 保留至 ${stamp(row.expiretime).slice(5)}`}
          {status === ExportStatus.expired && ' · 文件已删除，请重新导出'}
        </Text>
        {status === ExportStatus.done && (
          <Button size="compact-sm" loading={fetching} onClick={fetchFile} aria-label={`下载 ${filename}`}>
            下载
          </Button>
        )}
        {pending && (
          <Button
            size="compact-sm"
            variant="subtle"
            color="gray"
            loading={cancel.isPending}
            onClick={() => cancel.mutate({ jobid })}
            aria-label={`取消 ${title}`}
          >
            取消
          </Button>
        )}
      </Group>
    </li>
  );
}

/** Progress of an export: rows read of all rows, or a running bar while the total is unknown. */
function Advance({ row: { progress, total, title } }: { row: Row }) {
  const share = total > 0 ? Math.min(100, Math.round((progress / total) * 100)) : 0;
  return (
    <>
      <Progress.Root size="sm" mt={6}>
        <Progress.Section
          value={total > 0 ? share : 100}
          animated={total === 0}
          striped={total === 0}
          aria-label={`${title}进度`}
        />
      </Progress.Root>
      <Text size="xs" c="dimmed" mt={2} role="status">
        {total > 0 ? `已读取 ${formatNumber(progress)} / ${formatNumber(total)}` : '正在读取数据'}
      </Text>
    </>
  );
}

const sizeWords = (bytes: number) =>
  bytes < 1024 * 1024 ? `${Math.max(1, Math.round(bytes / 1024))} KB` : `${(bytes / 1024 / 1024).toFixed(1)} MB`;
