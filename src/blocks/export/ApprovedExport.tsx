import { Button } from '@mantine/core';
import { IconDownload } from '@tabler/icons-react';
import type { Action, RequestOf } from '#contract/action.ts';
import { can } from '#ui/api/session.ts';
import { useApprovedExport } from '#blocks/export/useApprovedExport.tsx';

interface Props<A extends Action> {
  action: A & { name: string };
  request: RequestOf<A>;
  title: string;
  children?: string;
}

/**
 * A button for an export that may need a second person's approval, for example with minors. Then it opens the application instead of
 * the file.
 */
export function ApprovedExport<A extends Action>({ action, request, title, children = '导出' }: Props<A>) {
  const { isBusy, fetchFile, dialog } = useApprovedExport();
  if (!can(action)) return null;
  return (
    <>
      <Button
        variant="default"
        leftSection={<IconDownload size={16} aria-hidden />}
        loading={isBusy}
        onClick={() => fetchFile(action, request, title)}
      >
        {children}
      </Button>
      {dialog}
    </>
  );
}
