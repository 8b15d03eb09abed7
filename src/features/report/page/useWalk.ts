import { useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { call } from '#ui/api/call.ts';
import { requestFrom } from '#ui/router/filtersInAddress.ts';
import { useNavigate } from '#ui/router/router.tsx';
import { can } from '#ui/api/session.ts';
import type { RequestOf } from '#contract/action.ts';
import { pathOf } from '#contract/menu.ts';
import { reportPathOf } from '#contract/population.ts';
import { getReportBatch } from '#features/report/review/review.contract.ts';

/** The request of the list at this address. */
function batchRequestOf(from: string): RequestOf<typeof getReportBatch> {
  const [pathname = '', search = ''] = from.split('?');
  const list = pathname === pathOf('individual.ai') ? '02' : pathname === pathOf('individual.maternity1') ? '03' : undefined;
  return { ...requestFrom(getReportBatch.request, new URLSearchParams(search)), ...(list ? { list } : {}) };
}

/** The place of a report in the list from which it was opened. */
export interface Walk {
  /** counts from 1 */
  index: number;
  total: number;
  goTo: { previous?: () => void; next?: () => void };
}

const isTyping = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement && (target.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName));

/**
 * The way through the list at the address `from`. The order is read once, so a report that a review takes out of the list keeps its
 * place. J and K go to the next and the previous report.
 */
export function useWalk(from: string | null, reportcode: string, page?: string): Walk | undefined {
  const navigate = useNavigate();
  const { data } = useQuery({
    queryKey: ['walk through reports', from],
    queryFn: ({ signal }) => call(getReportBatch, batchRequestOf(from ?? ''), signal),
    enabled: from !== null && can(getReportBatch),
    staleTime: Infinity,
    refetchOnWindowFocus: false,
    meta: { quiet: true },
  });
  const rows = data?.rows ?? [];
  const index = rows.findIndex((row) => row.reportcode === reportcode);
  const stepTo = (row: (typeof rows)[number] | undefined) =>
    row &&
    (() =>
      void navigate(
        `${page ? `${page}?reportcode=${row.reportcode}` : reportPathOf(row.appid, row.reportcode)}&from=${encodeURIComponent(from ?? '')}`,
        { replace: true },
      ));
  const previous = index > 0 ? stepTo(rows[index - 1]) : undefined;
  const next = index >= 0 ? stepTo(rows[index + 1]) : undefined;
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target)) return;
      if (document.querySelector('[aria-modal="true"]')) return;
      if (event.key === 'j') next?.();
      if (event.key === 'k') previous?.();
    };
    window.addEventListener('keydown', onKey);
    return () => window.removeEventListener('keydown', onKey);
  });
  if (index < 0) return undefined;
  return {
    index: index + 1,
    total: data?.total ?? rows.length,
    goTo: { ...(previous ? { previous } : {}), ...(next ? { next } : {}) },
  };
}
