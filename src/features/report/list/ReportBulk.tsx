import { Button, Group, SegmentedControl } from '@mantine/core';
import { useState } from 'react';
import { ReportZipButton } from '#blocks/reportpdf/ReportZipButton.tsx';
import type { ZipRequest } from '#blocks/reportpdf/useReportZip.ts';
import { Can } from '#ui/api/Can.tsx';
import { lazyDialog } from '#ui/router/lazyDialog.tsx';
import type { FilterValue } from '#ui/router/filtersInAddress.ts';
import type { RequestOf } from '#contract/action.ts';
import { showOrHiddenReport } from '#features/report/report.contract.ts';
import type { BatchAct } from '#features/report/list/BatchDialog.tsx';
import { reviewReports, type getReportBatch } from '#features/report/review/review.contract.ts';

const BatchDialog = lazyDialog(() => import('#features/report/list/BatchDialog.tsx').then((file) => file.BatchDialog));

type BatchRequest = RequestOf<typeof getReportBatch>;

/** The request of a list without its page, as the bulk steps take it. */
export const toBatchRequest = (
  { page: _page, pageSize: _size, ...filters }: Record<string, unknown>,
  more: Partial<BatchRequest> = {},
): BatchRequest => ({ ...filters, ...more }) as BatchRequest;

/** The reports of a bulk step as an export takes them. 孕产妇1.0 is printed in its short form. */
const toZipRequest = ({ orderby: _orderby, isasc: _isasc, ...request }: BatchRequest): ZipRequest => ({
  ...request,
  ...(request.list === '03' ? { shortform: 1 } : {}),
});

/** The bulk steps: buttons for the selected rows and for all rows of the filters, and the dialog with the preview. */
export function useReportBulk(all: BatchRequest) {
  const [open, setOpen] = useState<{ act: BatchAct; request: BatchRequest }>();
  const start = (act: BatchAct, request: BatchRequest) => setOpen({ act, request });
  return {
    bulk: (reportcodes: string[]) => (
      <Group gap="xs">
        <Can call={reviewReports}>
          <Button size="compact-sm" onClick={() => start('review', { reportcodes })}>
            审核通过
          </Button>
        </Can>
        <Can call={showOrHiddenReport}>
          <Button size="compact-sm" variant="default" onClick={() => start('show', { reportcodes })}>
            向本人显示
          </Button>
          <Button size="compact-sm" variant="default" onClick={() => start('hide', { reportcodes })}>
            隐藏
          </Button>
        </Can>
        <ReportZipButton request={toZipRequest({ reportcodes, list: all.list })} isSmall />
      </Group>
    ),
    toolbar: (
      <>
        <Can call={reviewReports}>
          <Button variant="default" onClick={() => start('review', all)}>
            批量审核
          </Button>
          <Button variant="default" onClick={() => start('show', all)}>
            批量显示
          </Button>
        </Can>
        <ReportZipButton request={toZipRequest(all)} />
      </>
    ),
    dialog: open && <BatchDialog act={open.act} request={open.request} onClose={() => setOpen(undefined)} />,
  };
}

/** The tabs 全部, 待审核 and 已审核 above a list. */
export function StatusTabs({
  list,
}: {
  list: { filters: Readonly<Record<string, FilterValue>>; setFilters: (filters: Readonly<Record<string, FilterValue>>) => void };
}) {
  const value = String(list.filters['status'] ?? '');
  return (
    <SegmentedControl
      aria-label="审核"
      size="xs"
      value={value}
      onChange={(status) => list.setFilters({ ...list.filters, status })}
      data={[
        { value: '', label: '全部' },
        { value: '1', label: '待审核' },
        { value: '2', label: '已审核' },
      ]}
    />
  );
}
