import type { ReactNode } from 'react';
import type { ListAction } from '#contract/page.ts';
import { EmptyState, ErrorState, Skeletons } from '#ui/feedback/states.tsx';
import { Pager } from '#ui/list/Pager.tsx';
import type { List } from '#ui/list/useList.ts';
import classes from './shelf.module.css';

/** The categories as buttons of which one is chosen; 全部 first. */
export function Categories({
  of,
  chosen,
  choose,
}: {
  of: { options: readonly { value: string; label: string }[] };
  chosen: string;
  choose: (category: string) => void;
}) {
  return (
    <div className={classes['pills']} role="group" aria-label="分类">
      {[{ value: '', label: '全部' }, ...of.options].map(({ value, label }) => (
        <button key={value} type="button" aria-pressed={value === chosen} onClick={() => choose(value)}>
          {label}
        </button>
      ))}
    </div>
  );
}

/** The text of a filter in the address; '' without one. */
export const filterOf = (list: { filters: Readonly<Record<string, string | string[]>> }, name: string): string =>
  typeof list.filters[name] === 'string' ? list.filters[name] : '';

/** A list of the shelf: grey shapes, the error, an empty state or its rows, and the pager where there is more than one page. */
export function ShelfList<A extends ListAction>({
  list,
  empty,
  hint,
  reset,
  children,
}: {
  list: List<A>;
  empty: string;
  hint: string;
  /** clears the filters; undefined when none is set */
  reset: (() => void) | undefined;
  children: ReactNode;
}) {
  if (list.error) return <ErrorState error={list.error} retry={list.refresh} />;
  if (list.loading) return <Skeletons.Tiles count={3} />;
  if (list.rows.length === 0)
    return reset ? (
      <EmptyState title={`没有符合条件的${empty}`} filtered reset={reset} />
    ) : (
      <EmptyState title={`还没有${empty}`} hint={hint} />
    );
  return (
    <>
      {children}
      {list.total > Math.min(list.rows.length, list.pageSize) && <Pager list={list} />}
    </>
  );
}
