import { useMediaQuery } from '@mantine/hooks';
import { IconArrowDown, IconArrowsSort, IconArrowUp } from '@tabler/icons-react';
import { memo, useEffect, useMemo, useRef, type MouseEvent, type ReactNode } from 'react';
import type { ListAction, RowOf } from '#contract/page.ts';
import type { Column } from '#ui/list/columns.ts';
import { isHiddenField } from '#ui/api/session.ts';
import { TextWithTooltip } from '#ui/feedback/TextWithTooltip.tsx';
import { RowActions } from '#ui/list/RowActions.tsx';
import { RowCards } from '#ui/list/RowCards.tsx';
import { isRowClick, onRowKeyDown } from '#ui/list/rowNavigation.ts';
import { SelectAll } from '#ui/list/SelectAll.tsx';
import { makeSelection, useIsSelected, type Selection } from '#ui/list/selection.ts';
import { EmptyState, ErrorState } from '#ui/feedback/states.tsx';
import { useChosenColumns } from '#ui/list/view/useChosenColumns.tsx';
import { WidthHandle } from '#ui/list/view/WidthHandle.tsx';
import type { List } from '#ui/list/useList.ts';
import { useScrollEdges } from '#ui/list/useScrollEdges.ts';
import classes from './DataTable.module.css';

interface Props<A extends ListAction> {
  list: List<A>;
  columns: readonly Column<RowOf<A>>[];
  rowKey: keyof RowOf<A> & string;
  /** Operations of a row, in the fixed column at the right. */
  actions?: (row: RowOf<A>) => ReactNode;
  /** Rows can be selected for bulk operations of `ListPage`. */
  selectable?: boolean;
  /** Opens a row on Enter or a click. */
  onOpen?: (row: RowOf<A>) => void;
  /** The next thing to do when the list is empty. */
  empty?: ReactNode;
  /** Label of the table for screen readers. */
  label: string;
}

/** The screen width is known at the first render, so that nothing renders twice. */
const AT_ONCE = { getInitialValueInEffect: false };

/** Replaces the rows: the error, or the empty state. */
function emptyContent<A extends ListAction>({ list, empty }: Pick<Props<A>, 'list' | 'empty'>): ReactNode {
  if (list.error) return <ErrorState error={list.error} retry={list.refresh} />;
  if (list.loading || list.rows.length > 0) return undefined;
  return empty ?? <EmptyState filtered={Object.keys(list.filters).length > 0} reset={() => list.setFilters({})} />;
}

/**
 * A list as a table with sticky sortable headers, fixed row operations, a choice of columns and selectable rows. On a phone each
 * row is a card. The server sorts, filters and pages. Rows are memoised, so that selecting one renders one row.
 */
export function DataTable<A extends ListAction>(props: Props<A>) {
  const { list, columns, rowKey, actions, selectable = false, onOpen, label } = props;
  const readableColumns = useMemo(
    () => columns.filter((column) => !isHiddenField(list.action, column.key)),
    [columns, list.action],
  );
  const { shown: shownColumns, chooser, resize } = useChosenColumns(list, readableColumns);
  const phone = useMediaQuery('(max-width: 600px)', false, AT_ONCE);
  const { rows, selection } = list;
  const keyOf = (row: RowOf<A>) => String(row[rowKey]);
  // Deselect rows that left the list: a bulk operation must never reach invisible rows.
  useEffect(() => {
    const here = new Set(rows.map((row) => String(row[rowKey])));
    const selectedKeys = [...selection.keys()];
    if (selectedKeys.some((key) => !here.has(key))) selection.set(selectedKeys.filter((key) => here.has(key)));
  }, [rows, rowKey, selection]);
  if (!phone) return <Table {...props} keyOf={keyOf} shown={shownColumns} chooser={chooser} resize={resize} />;
  return (
    <RowCards
      label={label}
      list={list}
      columns={shownColumns as readonly Column<unknown>[]}
      keyOf={keyOf as (row: unknown) => string}
      selection={selectable ? selection : undefined}
      actions={actions as ((row: unknown) => ReactNode) | undefined}
      open={onOpen as ((row: unknown) => void) | undefined}
      chooser={chooser}
      emptyContent={emptyContent(props)}
    />
  );
}

interface TableProps<A extends ListAction> extends Props<A> {
  keyOf: (row: RowOf<A>) => string;
  shown: readonly Column<RowOf<A>>[];
  chooser: ReactNode;
  resize: (key: string, width: number | undefined) => void;
}

function Table<A extends ListAction>(props: TableProps<A>) {
  const { list, actions, selectable = false, onOpen, label, keyOf, shown: columns, chooser, resize } = props;
  const { rows, selection, loading, error, refreshing } = list;
  const frame = useRef<HTMLDivElement>(null);
  useScrollEdges(frame);
  const narrow = useMediaQuery('(max-width: 768px)', false, AT_ONCE);
  const words = emptyContent(props);
  const span = columns.length + (selectable ? 1 : 0) + 1;
  return (
    <div
      ref={frame}
      className={classes['frame']}
      data-selectable={selectable || undefined}
      data-density={list.look.density}
      tabIndex={0}
      role="region"
      aria-label={label}
      aria-busy={refreshing}
      onMouseOver={showFullText}
    >
      {refreshing && !loading && <div className={classes['bar']} />}
      <table className={classes['table']} aria-rowcount={list.total}>
        <thead>
          <tr>
            {selectable && (
              <th className={classes['check']} scope="col">
                <SelectAll selection={selection} keys={rows.map(keyOf)} />
              </th>
            )}
            {columns.map((column, index) => (
              <Head key={column.key} column={column} list={list} first={index === 0} resize={resize} />
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
          {loading && !error && <SkeletonRows columns={span} />}
          {words && (
            <tr>
              <td colSpan={span} className={classes['said']}>
                <div className={classes['inView']}>{words}</div>
              </td>
            </tr>
          )}
          {!error &&
            rows.map((row, index) => (
              <Row
                key={keyOf(row)}
                id={keyOf(row)}
                index={index + 1}
                row={row}
                columns={columns as readonly Column<unknown>[]}
                selection={selectable ? selection : undefined}
                actions={actions as ((row: unknown) => ReactNode) | undefined}
                narrow={narrow}
                open={onOpen as ((row: unknown) => void) | undefined}
              />
            ))}
        </tbody>
      </table>
    </div>
  );
}

/** A text takes at most two lines of a table, so that one long name does not push the other rows off the screen. */
const clampedText = (cell: ReactNode): ReactNode => (typeof cell === 'string' ? <span data-long>{cell}</span> : cell);

/** The tooltip shows a text that does not fit. Details and cards on a phone show it whole. */
function showFullText({ target }: MouseEvent) {
  const text = (target as Element).closest<HTMLElement>('[data-long], td > a');
  if (text && !text.title && text.scrollHeight > text.clientHeight + 1) text.title = text.textContent;
}

/** Columns without a width share the rest, and wrap instead of becoming narrower than this. */
const LEAST = 96;

/** A cell of a column that the reader has sized grows no wider than that. */
const sizeOf = ({ isSized, width }: Column<never>) =>
  isSized ? { maxWidth: width, overflow: 'hidden', textOverflow: 'ellipsis' } : {};

/** The first column is sticky; numbers are aligned right. */
const columnClass = (column: Column<never>, first: boolean) =>
  [first && classes['first'], column.align && classes[column.align]].filter(Boolean).join(' ') || undefined;

interface HeadProps<A extends ListAction> {
  column: Column<RowOf<A>>;
  list: List<A>;
  first: boolean;
  resize: (key: string, width: number | undefined) => void;
}

function Head<A extends ListAction>({ column, list, first, resize }: HeadProps<A>) {
  const on = column.sort !== undefined && list.request.orderby === column.sort;
  const ascending = on && list.request.isasc === '1';
  const words = column.hint ? (
    <TextWithTooltip label={column.hint} className={classes['hint']}>
      {column.title}
    </TextWithTooltip>
  ) : (
    column.title
  );
  const next = () =>
    !on ? list.setSort(column.sort, '0') : ascending ? list.setSort(undefined) : list.setSort(column.sort, '1');
  return (
    <th
      scope="col"
      className={columnClass(column, first)}
      data-column={column.key}
      style={{ width: column.width, minWidth: column.width ?? LEAST, ...sizeOf(column) }}
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
      <WidthHandle resize={(width) => resize(column.key, width)} />
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

const none = makeSelection();

const Row = memo(function Row(props: RowProps) {
  const { id, index, row, columns, selection, actions, narrow, open } = props;
  const selected = useIsSelected(selection ?? none, id);
  return (
    <tr
      className={classes['row']}
      data-selected={selected || undefined}
      data-row={id}
      data-opens={open ? true : undefined}
      aria-rowindex={index}
      aria-selected={selection ? selected : undefined}
      tabIndex={open || selection ? (index === 1 ? 0 : -1) : undefined}
      onKeyDown={(event) => onRowKeyDown(event, props)}
      onClick={(event) => open && isRowClick(event) && open(row)}
    >
      {selection && (
        <td className={classes['check']}>
          <input type="checkbox" aria-label={`选择第 ${index} 行`} checked={selected} onChange={() => selection.toggle(id)} />
        </td>
      )}
      {columns.map((column, index) => (
        <td key={column.key} className={columnClass(column, index === 0)} style={sizeOf(column)}>
          {clampedText(column.cell(row))}
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

function SkeletonRows({ columns }: { columns: number }) {
  return Array.from({ length: 10 }, (_, line) => (
    <tr key={line} aria-hidden>
      {Array.from({ length: columns }, (_, index) => (
        <td key={index} style={{ height: 42 }}>
          <span className={classes['bone']} style={{ width: WIDTHS[(line + index) % WIDTHS.length] }} />
        </td>
      ))}
    </tr>
  ));
}
