import { useState, type ReactNode } from 'react';
import type { Action, RequestOf } from '#contract/action.ts';
import { ApiError } from '#contract/apiError.ts';
import { lazyDialog } from '#ui/router/lazyDialog.tsx';
import { notifyError } from '#ui/feedback/notify.ts';
import { download } from '#ui/api/transfer.ts';
import type { GatedCall } from '#features/approval/approval.contract.ts';

const Application = lazyDialog(() => import('#blocks/export/ExportApplication.tsx').then((file) => file.ExportApplication));

/** `problems.approvalNeeded` of contract/problem.ts. */
const APPROVAL_NEEDED = 140003;

interface Asking {
  call: GatedCall;
  filter: Record<string, unknown>;
  title: string;
  persons: number;
  minors: number;
}

/**
 * Downloads exports that may need a second person's approval. Then the application opens instead of the file; `dialog` shows it.
 */
export function useApprovedExport(): {
  isBusy: boolean;
  fetchFile: <A extends Action>(action: A, request: RequestOf<A>, title: string) => void;
  dialog: ReactNode;
} {
  const [isBusy, setIsBusy] = useState(false);
  const [asking, setAsking] = useState<Asking>();
  const fetchFile = <A extends Action>(action: A, request: RequestOf<A>, title: string) => {
    setIsBusy(true);
    download(action, request, { title })
      .catch((error: unknown) => {
        if (!(error instanceof ApiError) || error.code !== APPROVAL_NEEDED) return notifyError(error);
        const { persons, minors } = error.data as { persons: number; minors: number };
        setAsking({ call: action.name as GatedCall, filter: request as Record<string, unknown>, title, persons, minors });
      })
      .finally(() => setIsBusy(false));
  };
  return { isBusy, fetchFile, dialog: asking && <Application {...asking} onClose={() => setAsking(undefined)} /> };
}
