import { ActionIcon, Indicator } from '@mantine/core';
import { IconDownload } from '@tabler/icons-react';
import { useEffect, useRef, useState } from 'react';
import { ExportStatus } from '#domain/files/exportJob.ts';
import { getExportPageList } from '#contract/exportJob.ts';
import type { RowOf } from '#contract/page.ts';
import { notify } from '#ui/feedback/notify.ts';
import { useActionQuery } from '#ui/api/useAction.ts';
import { DownloadsDrawer } from '#console/shell/downloads/DownloadsDrawer.tsx';
import classes from '../frame/Shell.module.css';

/** 下载中心: exports in the background. The badge counts the running ones. */
export function Downloads() {
  const [open, setOpen] = useState(false);
  const [busy, setBusy] = useState(false);
  const list = useActionQuery(getExportPageList, { page: 1, pageSize: 50 }, { quiet: true, ...(busy ? { every: 2_000 } : {}) });
  const unfinished = list.data?.unfinished ?? 0;
  if (busy !== unfinished > 0) setBusy(unfinished > 0);
  useTellEnded(list.data?.rows);
  return (
    <>
      <Indicator label={unfinished} disabled={unfinished === 0} size={16} offset={5} className={classes['bell'] ?? ''}>
        <ActionIcon
          variant="subtle"
          color="gray"
          size="lg"
          aria-label={unfinished > 0 ? `下载中心，${unfinished} 个正在导出` : '下载中心'}
          onClick={() => setOpen(true)}
        >
          <IconDownload size={20} stroke={1.6} />
        </ActionIcon>
      </Indicator>
      <DownloadsDrawer opened={open} onClose={() => setOpen(false)} list={list} />
    </>
  );
}

/** Shows a message on any page when a running export has ended. */
function useTellEnded(rows: readonly RowOf<typeof getExportPageList>[] | undefined) {
  const under = useRef(new Set<string>());
  useEffect(() => {
    for (const { jobid, status, title, error } of rows ?? []) {
      if (status === ExportStatus.waiting || status === ExportStatus.running) under.current.add(jobid);
      else if (under.current.delete(jobid)) {
        if (status === ExportStatus.done) notify.done(`“${title}”已完成，可在右上角“下载中心”下载`);
        if (status === ExportStatus.failed) notify.warn(`“${title}”没有完成：${error}`);
      }
    }
  }, [rows]);
}
