import { Button } from '@mantine/core';
import { IconDownload } from '@tabler/icons-react';
import { useState } from 'react';
import type { Action, RequestOf } from '#contract/action.ts';
import { sayError } from '#ui/say.ts';
import { may } from '#ui/session.ts';
import { download } from '#ui/transfer.ts';

interface Props<A extends Action> {
  action: A;
  request: RequestOf<A>;
  /** Name of the file when the server gives none. */
  title: string;
  children?: string;
}

/** Fetches a file; not there for those who may not. Page and size are the list's, never the export's: leave them out. */
export function ExportButton<A extends Action>({ action, request, title, children = '导出' }: Props<A>) {
  const [busy, setBusy] = useState(false);
  if (!may(action)) return null;
  const fetchFile = () => {
    setBusy(true);
    download(action, request, { title })
      .catch(sayError)
      .finally(() => setBusy(false));
  };
  return (
    <Button variant="default" leftSection={<IconDownload size={16} aria-hidden />} loading={busy} onClick={fetchFile}>
      {children}
    </Button>
  );
}

/** A list's request without page, size and order: the filters an export shares with its list. */
export function filtersOf(request: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const { page: _page, pageSize: _pageSize, orderby: _orderby, isasc: _isasc, ...filters } = request;
  return filters;
}
