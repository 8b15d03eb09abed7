import { Button } from '@mantine/core';
import { IconDownload } from '@tabler/icons-react';
import { useState } from 'react';
import type { Action, RequestOf } from '#contract/action.ts';
import { ApiError } from '#contract/apiError.ts';
import { lazyDialog } from '#ui/router/lazyDialog.tsx';
import { notifyError } from '#ui/feedback/notify.ts';
import { can } from '#ui/api/session.ts';
import { download } from '#ui/api/transfer.ts';
import type { GatedCall } from '#features/approval/approval.contract.ts';

const Application = lazyDialog(() => import('#blocks/export/ExportApplication.tsx').then((file) => file.ExportApplication));

/** `problems.approvalNeeded` of contract/problem.ts. */
const APPROVAL_NEEDED = 140003;

interface Props<A extends Action> {
  action: A & { name: string };
  request: RequestOf<A>;
  title: string;
}

/**
 * A button for an export that needs a second person's approval when it contains minors. Then it opens the application instead of
 * the file.
 */
export function ApprovedExport<A extends Action>({ action, request, title }: Props<A>) {
  const [busy, setBusy] = useState(false);
  const [asking, setAsking] = useState<{ persons: number; minors: number }>();
  if (!can(action)) return null;
  const fetchFile = () => {
    setBusy(true);
    download(action, request, { title })
      .catch((error: unknown) => {
        if (error instanceof ApiError && error.code === APPROVAL_NEEDED)
          setAsking(error.data as { persons: number; minors: number });
        else notifyError(error);
      })
      .finally(() => setBusy(false));
  };
  return (
    <>
      <Button variant="default" leftSection={<IconDownload size={16} aria-hidden />} loading={busy} onClick={fetchFile}>
        导出
      </Button>
      {asking && (
        <Application
          call={action.name as GatedCall}
          filter={request as Record<string, unknown>}
          title={title}
          {...asking}
          onClose={() => setAsking(undefined)}
        />
      )}
    </>
  );
}
