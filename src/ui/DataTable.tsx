import { Tooltip } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { IconArrowDown, IconArrowsSort, IconArrowUp } from '@tabler/icons-react';
import { useVirtualizer } from '@tanstack/react-virtual';
import { memo, useRef, type ReactNode } from 'react';
import type { ListAction, RowOf } from '#contract/page.ts';
import type { Column } from '#ui/columns.ts';
import { RowActions } from '#ui/RowActions.tsx';
import { makeSelection, useIsSelected, useSelected, type Selection } from '#ui/selection.ts';
import { EmptyState, ErrorState } from '#ui/states.tsx';
import { useChosenColumns } from '#ui/useChosenColumns.tsx';
import type { List } from '#ui/useList.ts';
import classes from './DataTable.module.css';

interface Props<A extends ListAction> {
  list: List<A>;
  columns: readonly Column<RowOf<A>>[];
  rowKey: keyof RowOf<A> & string;
  /** Operations of a row, in the fixed column at the right. */
  actions?: (row: RowOf<A>) => ReactNode;
  /** Rows can be selected, for bulk operations of `ListPage`. */
  selectable?: boolean;
  /** What Enter or a click on a row opens. */
  onOpen?: (row: RowOf<A>) => void;
  /** What to do next when the list is empty. */
  empty?: ReactNode;
  /** Names the table to screen readers. */
  label: string;
}

/** Rows beyond this are drawn only while they are in view. */
const VIRTUAL_FROM = 100;

/**
 * The table of a list: heads that stay and sort, operations fixed at the right, columns to choose, rows to select.
 * Sorting, filters and pages are the server's; rows are memoised plain elements, so that selecting one costs one row.
 */
export function DataTable<A extends ListAction>({
  list,
  columns,
  rowKey,
  actions,
  selectable = false,
  onOpen,
  empty,
  label,
}: Props<A>) {
  const { shown, chooser } = useChosenColumns(list.action.name, columns);
  const { rows, selection, loading, error, refreshing } = list;
  const frame = useRef<HTMLDivElement>(null);
  const narrow = useMediaQuery('(max-width: 768px)') ?? false;
  const keyOf = (row: RowOf<A>) => String(row[rowKey]);
  const span = shown.length + (selectable ? 1 : 0) + 1;

  const virtual = rows.length > VIRTUAL_FROM;
  const virtualizer = useVirtualizer({
    count: virtual ? rows.length : 0,
    getScrollElement: () => frame.current,
    estimateSize: () => 42,
    overscan: 12,
  });
  const items = virtualizer.getVirtualItems();
  const visible = virtual ? items.map((item) => item.index) : rows.map((_, index) => index);
  const before = virtual ? (items[0]?.start ?? 0) : 0;
  const after = virtual ? virtualizer.getTotalSize() - (items.at(-1)?.end ?? 0) : 0;

  return (
    <div ref={frame} className={classes['frame']} tabIndex={0} role="region" aria-label={label} aria-busy={refreshing}>
      {refreshing && !loading && <div className={classes['bar']} />}
      <table className={classes['table']} aria-rowcount={list.total}>
        <thead>
          <tr>
            {selectable && <SelectAll selection={selection} keys={rows.map(keyOf)} />}
            {shown.map((column) => (
              <Head key={column.key} column={column} list={list} />
            ))}
            <th className={classes['fixed']} scope="col" style={{ width: actions ? undefined : 48 }}>
              <span className={classes['head']}>
                {actions && !narrow ? '操作' : <span />}
                {chooser}
              </span>
            </th>
          </tr>
        </thead>
        <tbody className={refreshing && !loading ? classes['stale'] : undefined}>
          {loading && !error && <Bones columns={span} />}
          {error && (
            <tr>
              <td colSpan={span} className={classes['said']}>
                <div className={classes['inView']}>
                  <ErrorState error={error} retry={list.refresh} />
                </div>
              </td>
            </tr>
          )}
          {!loading && !error && rows.length === 0 && (
            <tr>
              <td colSpan={span} className={classes['said']}>
                <div className={classes['inView']}>
                  {empty ?? <EmptyState filtered={Object.keys(list.filters).length > 0} reset={() => list.ask({})} />}
                </div>
              </td>
            </tr>
          )}
          {before > 0 && (
            <tr className={classes['gap']} aria-hidden>
              <td colSpan={span} style={{ height: before }} />
            </tr>
          )}
          {!error &&
            visible.map((index) => {
              const row = rows[index];
              if (row === undefined) return null;
              const key = keyOf(row);
              return (
                <Row
                  key={key}
                  id={key}
                  index={index + 1}
                  row={row}
                  columns={shown as readonly Column<unknown>[]}
                  selection={selectable ? selection : undefined}
                  actions={actions as ((row: unknown) => ReactNode) | undefined}
                  narrow={narrow}
                  open={onOpen as ((row: unknown) => void) | undefined}
                />
              );
            })}
          {after > 0 && (
            <tr className={classes['gap']} aria-hidden>
              <td colSpan={span} style={{ height: after }} />
            </tr>
          )}
        </tbody>
      </table>
    </div>
  );
}

function Head<A extends ListAction>({ column, list }: { column: Column<RowOf<A>>; list: List<A> }) {
  const on = column.sort !== undefined && list.request.orderby === column.sort;
  const ascending = on && list.request.isasc === '1';
  const words = column.hint ? (
    <Tooltip label={column.hint}>
      <span className={classes['hint']} tabIndex={0}>
        {column.title}
      </span>
    </Tooltip>
  ) : (
    column.title
  );
  const next = () => (!on ? list.sort(column.sort, '0') : ascending ? list.sort(undefined) : list.sort(column.sort, '1'));
  return (
    <th
      scope="col"
      className={column.align ? classes[column.align] : undefined}
      style={{ width: column.width, minWidth: column.width }}
      {...(on ? { 'aria-sort': ascending ? 'ascending' : 'descending' } : {})}
    >
      {column.sort ? (
        <button type="button" className={classes['sort']} data-on={on || undefined} onClick={next}>
          {words}
          {on ? (
            ascending ? (
              <IconArrowUp size={14} aria-hidden />
            ) : (
              <IconArrowDown size={14} aria-hidden />
            )
          ) : (
            <IconArrowsSort size={14} aria-hidden opacity={0.5} />
          )}
        </button>
      ) : (
        words
      )}
    </th>
  );
}

/** Selects or leaves the rows of this page. */
function SelectAll({ selection, keys }: { selection: Selection; keys: readonly string[] }) {
  const selected = useSelected(selection);
  const every = keys.length > 0 && keys.every((key) => selected.has(key));
  const some = !every && keys.some((key) => selected.has(key));
  return (
    <th className={classes['check']} scope="col">
      <input
        type="checkbox"
        aria-label="选择本页全部"
        checked={every}
        ref={(box) => void (box && (box.indeterminate = some))}
        onChange={() => selection.set(every ? [] : keys)}
      />
    </th>
  );
}

interface RowProps {
  id: string;
  index: number;
  row: unknown;
  columns: readonly Column<unknown>[];
  selection: Selection | undefined;
  actions: ((row: unknown) => ReactNode) | undefined;
  narrow: boolean;
  open: ((row: unknown) => void) | undefined;
}

/** Arrow keys walk over the rows, Enter opens, space selects. */
function walk(event: React.KeyboardEvent<HTMLTableRowElement>, { open, row, selection, id }: RowProps) {
  if (event.target !== event.currentTarget) return;
  const to =
    event.key === 'ArrowDown'
      ? event.currentTarget.nextElementSibling
      : event.key === 'ArrowUp'
        ? event.currentTarget.previousElementSibling
        : undefined;
  if (to instanceof HTMLElement) to.focus();
  else if (event.key === 'Enter' && open) open(row);
  else if (event.key === ' ' && selection) selection.toggle(id);
  else return;
  event.preventDefault();
}

const INTERACTIVE = 'a,button,input,label,select,textarea,[role="button"],[role="menuitem"],[role="dialog"]';

const none = makeSelection();

const Row = memo(function Row(props: RowProps) {
  const { id, index, row, columns, selection, actions, narrow, open } = props;
  const selected = useIsSelected(selection ?? none, id);
  const click = (event: React.MouseEvent) => {
    // A click inside a menu or dialog opened from the row comes through React's tree, not the page's.
    if (
      !open ||
      !(event.target instanceof Element) ||
      !event.currentTarget.contains(event.target) ||
      event.target.closest(INTERACTIVE)
    )
      return;
    if (window.getSelection()?.toString()) return;
    open(row);
  };
  return (
    <tr
      className={classes['row']}
      data-selected={selected || undefined}
      data-opens={open ? true : undefined}
      aria-rowindex={index}
      aria-selected={selection ? selected : undefined}
      tabIndex={open || selection ? (index === 1 ? 0 : -1) : undefined}
      onKeyDown={(event) => walk(event, props)}
      onClick={click}
    >
      {selection && (
        <td className={classes['check']}>
          <input type="checkbox" aria-label={`选择第 ${index} 行`} checked={selected} onChange={() => selection.toggle(id)} />
        </td>
      )}
      {columns.map((column) => (
        <td key={column.key} className={column.align ? classes[column.align] : undefined}>
          {column.cell(row)}
        </td>
      ))}
      <td className={classes['fixed']}>
        {actions &&
          (narrow ? (
            <RowActions index={index}>{actions(row)}</RowActions>
          ) : (
            <span className={classes['actions']}>{actions(row)}</span>
          ))}
      </td>
    </tr>
  );
});

const WIDTHS = ['62%', '84%', '48%', '70%', '56%'];

function Bones({ columns }: { columns: number }) {
  return Array.from({ length: 10 }, (_, line) => (
    <tr key={line} aria-hidden>
      {Array.from({ length: columns }, (_, at) => (
        <td key={at} style={{ height: 42 }}>
          <span className={classes['bone']} style={{ width: WIDTHS[(line + at) % WIDTHS.length] }} />
        </td>
      ))}
    </tr>
  ));
}
