import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query';
import { useCallback, useEffect, useMemo, useState } from 'react';
import type { ResponseOf } from '#contract/action.ts';
import type { ListViewState } from '#contract/listView.ts';
import { pagerSize, type ListAction, type Page, type RowOf } from '#contract/page.ts';
import { paramsFrom, requestFrom, type FilterValue } from '#ui/router/filtersInAddress.ts';
import { call } from '#ui/api/call.ts';
import { useSearchParams } from '#ui/router/router.tsx';
import { makeSelection } from '#ui/list/selection.ts';
import { PLAIN_LOOK, useLook } from '#ui/list/view/useLook.ts';

/** Parameters of the address bar that are not filters. */
const PAGING = ['page', 'pageSize', 'orderby', 'isasc', 'savedview'] as const;

/** The parts of a list's address: the filters, and size and order of the page. */
interface ListAddress {
  filters: Record<string, string | string[]>;
  paging: { pageSize: string | null; orderby: string | null; isasc: string | null; savedview: string | null };
}

const pagingOf = (params: URLSearchParams): ListAddress['paging'] => ({
  pageSize: params.get('pageSize'),
  orderby: params.get('orderby'),
  isasc: params.get('isasc'),
  savedview: params.get('savedview'),
});

function filtersOf(params: URLSearchParams): ListAddress['filters'] {
  const filters: ListAddress['filters'] = {};
  for (const key of new Set(params.keys()))
    if (!(PAGING as readonly string[]).includes(key))
      filters[key] = params.getAll(key).length > 1 ? params.getAll(key) : (params.get(key) ?? '');
  return filters;
}

const isSamePage = (params: URLSearchParams, { page, pageSize }: { page: number; pageSize: number }): boolean =>
  Number(params.get('page') ?? 1) === page && Number(params.get('pageSize') ?? pagerSize) === pageSize;

/**
 * Reads a page of a list. Its filters, page and order live in the address bar: back, reload and a shared link restore them. `fixed`
 * are fields that the screen sets itself. Old rows stay visible while the next page loads.
 */
export function useList<A extends ListAction>(action: A, fixed: Readonly<Record<string, unknown>> = {}) {
  const [params, setParams] = useSearchParams();
  const client = useQueryClient();
  const [selection] = useState(makeSelection);
  const request = { page: 1, pageSize: pagerSize, ...requestFrom(action.request, params), ...fixed } as {
    page: number;
    pageSize: number;
    orderby?: string;
    isasc?: '0' | '1';
  } & Record<string, unknown>;
  const page = Number(request.page);
  const pageSize = Number(request.pageSize);
  const { data, isFetching, isPending, isPlaceholderData, error, refetch, dataUpdatedAt } = useQuery({
    queryKey: [action.name, request],
    queryFn: ({ signal }) => call(action, request as never, signal) as Promise<Page<RowOf<A>>>,
    placeholderData: keepPreviousData,
    meta: { quiet: true },
  });

  // The page no longer exists (its last row was deleted, or the link is old): go to the last page.
  const last = data && !isPlaceholderData ? Math.max(1, Math.ceil(data.total / pageSize)) : page;
  useEffect(() => {
    if (page <= last) return;
    setParams(
      (newest) => {
        // Another page or size was chosen meanwhile: its rows decide.
        if (isSamePage(newest, { page, pageSize })) newest.set('page', String(last));
        return newest;
      },
      { replace: true },
    );
  }, [page, pageSize, last, setParams]);

  // Each choice changes its own part of the newest address. So two choices in quick succession both count.
  const go = useCallback(
    (change: (newest: ListAddress) => Readonly<Record<string, FilterValue>>) => {
      selection.set([]);
      setParams((newest) => paramsFrom(change({ filters: filtersOf(newest), paging: pagingOf(newest) })));
    },
    [setParams, selection],
  );
  const filters = useMemo(() => filtersOf(params), [params]);
  const { look, setLook, showLook } = useLook(action.name);

  return {
    action,
    /** The request: page, size, order, filters. Exports take their filters from it. */
    request,
    /** The filters alone, as in the address bar. */
    filters,
    rows: (data?.rows ?? []) as readonly RowOf<A>[],
    total: data?.total ?? 0,
    /** The whole response, for lists that return more than rows. */
    answer: data as ResponseOf<A> | undefined,
    page,
    pageSize,
    /** The first load: there are no rows to show yet. */
    loading: isPending,
    /** Newer rows are loading. */
    refreshing: isFetching,
    error,
    /** The time when the rows were read, in milliseconds. */
    readAt: dataUpdatedAt,
    refresh: () => void refetch(),
    /** Sets the filters and goes to the first page. */
    setFilters: (next: Readonly<Record<string, FilterValue>>) => {
      // 查询 asks the server each time, also with filters whose rows the browser still has.
      void client.invalidateQueries({ queryKey: [action.name] });
      go(({ paging }) => ({ ...next, ...paging }));
    },
    setPage: (to: number, size?: number) =>
      go((newest) => ({
        ...newest.filters,
        ...newest.paging,
        page: to,
        pageSize: size === undefined ? newest.paging.pageSize : size === pagerSize ? null : size,
      })),
    /** Sorts by a field. The same order again removes it. */
    setSort: (orderby: string | undefined, isasc: '0' | '1' = '0') =>
      go((newest) => ({
        ...newest.filters,
        pageSize: newest.paging.pageSize,
        orderby,
        isasc: orderby ? isasc : undefined,
        savedview: newest.paging.savedview,
      })),
    selection,
    /** Columns, density and widths of the table. */
    look,
    setLook,
    showLook,
    /** The view in the address bar: the number of a saved one, or the name of one that comes with the list. */
    viewKey: params.get('savedview') ?? undefined,
    /** Opens a view, or with an empty state all rows in the list's own order. A state without columns shows the reader's own look. */
    openView: ({ key, state }: OpenedView, options?: { replace?: boolean }) => {
      selection.set([]);
      const { filters: viewFilters, orderby, isasc, pageSize: size, ...viewLook } = state;
      setParams(paramsFrom({ ...viewFilters, pageSize: size, orderby, isasc, savedview: key }), options);
      showLook(viewLook.columns && { ...PLAIN_LOOK, ...viewLook });
    },
  };
}

/** A view that a list opens: its number or name for the address, and what it restores. */
export interface OpenedView {
  key?: string | undefined;
  state: Partial<ListViewState>;
}

export type List<A extends ListAction = ListAction> = ReturnType<typeof useList<A>>;
