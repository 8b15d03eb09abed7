import { Alert, Button, Group } from '@mantine/core';
import { useState } from 'react';
import type { RequestOf } from '#contract/action.ts';
import { useActionQuery } from '#ui/api/useAction.ts';
import { getReportMaxTime } from '#features/report/report.contract.ts';

const EVERY_MINUTE = 60_000;

/** Says “有 n 份新报告” when reports came since the list was opened, and shows them on request. */
export function NewReports({ filters, show }: { filters: Omit<RequestOf<typeof getReportMaxTime>, 'since'>; show: () => void }) {
  const first = useActionQuery(getReportMaxTime, filters, { quiet: true });
  const [seen, setSeen] = useState<string>();
  const since = seen ?? (first.data ? (first.data.maxtime ?? '2000-01-01 00:00:00') : undefined);
  // The first answer says where to begin; a later reading of it must not move the beginning.
  if (seen === undefined && since !== undefined) setSeen(since);
  const newer = useActionQuery(getReportMaxTime, since ? { ...filters, since } : undefined, { quiet: true, every: EVERY_MINUTE });
  const { newcount = 0, maxtime } = newer.data ?? {};
  if (newcount === 0) return null;
  return (
    <Alert variant="light" py={6} role="status">
      <Group gap="sm">
        有 {newcount} 份新报告
        <Button
          size="compact-sm"
          variant="default"
          onClick={() => {
            setSeen(maxtime ?? since);
            show();
          }}
        >
          显示
        </Button>
      </Group>
    </Alert>
  );
}
