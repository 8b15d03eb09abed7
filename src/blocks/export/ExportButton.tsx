import { Button, Menu } from '@mantine/core';
import { IconChevronDown, IconDownload } from '@tabler/icons-react';
import { useState } from 'react';
import { maxDirectExportRows } from '#domain/files/exportJob.ts';
import type { Action, RequestOf } from '#contract/action.ts';
import { getExportPageList, insertExport } from '#contract/exportJob.ts';
import { confirm } from '#ui/feedback/confirm.tsx';
import { notify, notifyError } from '#ui/feedback/notify.ts';
import { can } from '#ui/api/session.ts';
import { download } from '#ui/api/transfer.ts';
import { useActionMutation } from '#ui/api/useAction.ts';

interface Props<A extends Action> {
  action: A;
  request: RequestOf<A>;
  /** Name of the file when the server sends none. */
  title: string;
  children?: string;
  /** Number of rows, if the screen knows it. A long export goes to 下载中心 automatically. */
  total?: number | undefined;
  /** The server has the file at once, such as a receipt: the button does not offer 下载中心. */
  small?: boolean;
}

/**
 * Downloads a file; hidden without the right. The arrow runs the export in the background, and a slow download offers the same.
 * Leave page and size out of the request: they belong to the list.
 */
export function ExportButton<A extends Action>({ action, request, title, children = '导出', total = 0, small }: Props<A>) {
  const [busy, setBusy] = useState(false);
  const start = useActionMutation(insertExport, {
    invalidates: [getExportPageList],
    onDone: () => notify.done('已转到后台导出，完成后在右上角“下载中心”下载'),
  });
  if (!can(action)) return null;
  const direct = small === true || action.containsNoData === true;
  const inBackground = () => start.mutate({ action: action.name, request: request as Record<string, unknown> });
  const offer = () =>
    confirm({ text: '数据较多，还需要一些时间。要转到下载中心在后台导出吗？', title: '导出', yes: '转到后台', no: '继续等待' });
  const fetchFile = () => {
    if (!direct && total > maxDirectExportRows) return inBackground();
    setBusy(true);
    download(action, request, { title, ...(direct ? {} : { whenSlow: offer }) })
      .then((got) => (got === 'left' ? inBackground() : undefined))
      .catch(notifyError)
      .finally(() => setBusy(false));
  };
  const icon = <IconDownload size={16} aria-hidden />;
  const main = (
    <Button variant="default" leftSection={icon} loading={busy || start.isPending} onClick={fetchFile}>
      {children}
    </Button>
  );
  if (direct) return main;
  return (
    <Button.Group>
      {main}
      <Menu position="bottom-end" withinPortal>
        <Menu.Target>
          <Button variant="default" px={8} aria-label={`${children}的其他方式`} disabled={busy || start.isPending}>
            <IconChevronDown size={16} aria-hidden />
          </Button>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item onClick={fetchFile}>直接下载</Menu.Item>
          <Menu.Item onClick={inBackground}>后台导出（下载中心）</Menu.Item>
        </Menu.Dropdown>
      </Menu>
    </Button.Group>
  );
}

/** Returns a list's request without page, size and order: the filters that an export shares with its list. */
export function filtersOf(request: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const { page: _page, pageSize: _pageSize, orderby: _orderby, isasc: _isasc, ...filters } = request;
  return filters;
}
