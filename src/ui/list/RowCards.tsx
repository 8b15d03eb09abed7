import { NativeSelect, Skeleton } from '@mantine/core';
import { memo, type ReactNode } from 'react';
import type { Column } from '#ui/list/columns.ts';
import { RowActions } from '#ui/list/RowActions.tsx';
import { isRowClick, onRowKeyDown } from '#ui/list/rowNavigation.ts';
import { SelectAll } from '#ui/list/SelectAll.tsx';
import { makeSelection, useIsSelected, type Selection } from '#ui/list/selection.ts';
import classes from './RowCards.module.css';

interface List {
  rows: readonly unknown[];
  loading: boolean;
  refreshing: boolean;
  error: unknown;
  request: Readonly<Record<string, unknown>>;
  look: { density: string };
  setSort: (orderby: string | undefined, isasc?: '0' | '1') => void;
}
interface Props {
  list: List;
  columns: readonly Column<unknown>[];
  keyOf: (row: unknown) => string;
  selection: Selection | undefined;
  actions: ((row: unknown) => ReactNode) | undefined;
  open: ((row: unknown) => void) | undefined;
  chooser: ReactNode;
  label: string;
  /** The error, or the empty state. */
  emptyContent: ReactNode;
}

/**
 * Shows the rows of `DataTable` on a phone: the first column is the card's title, the others stand below it with their labels. The
 * reader never has to scroll sideways.
 */
export function RowCards({ list, columns, keyOf, selection, actions, open, chooser, label, emptyContent }: Props) {
  const sortable = columns.filter((column) => column.sort !== undefined);
  const { orderby, isasc } = list.request;
  return (
    <div role="region" aria-label={label} aria-busy={list.refreshing} data-density={list.look.density}>
      <div className={classes['bar']}>
        {selection && list.rows.length > 0 && (
          <label className={classes['all']}>
            <SelectAll selection={selection} keys={list.rows.map(keyOf)} /> 全选
          </label>
        )}
        {sortable.length > 0 && (
          <NativeSelect
            size="xs"
            aria-label="排序"
            value={typeof orderby === 'string' ? `${orderby} ${isasc === '1' ? '1' : '0'}` : ''}
            onChange={(event) => {
              const [by, way] = event.currentTarget.value.split(' ');
              list.setSort(by === '' ? undefined : by, way === '1' ? '1' : '0');
            }}
            data={[
              { value: '', label: '默认排序' },
              ...sortable.flatMap(({ sort, title }) => [
                { value: `${sort} 0`, label: `${title} ↓` },
                { value: `${sort} 1`, label: `${title} ↑` },
              ]),
            ]}
          />
        )}
        <span className={classes['chooser']}>{chooser}</span>
      </div>
      {list.loading && list.error === null && <SkeletonCards />}
      {emptyContent && <div className={classes['said']}>{emptyContent}</div>}
      {!emptyContent && (
        <ul className={classes['cards']} data-stale={(list.refreshing && !list.loading) || undefined}>
          {list.rows.map((row, index) => (
            <Card
              key={keyOf(row)}
              id={keyOf(row)}
              index={index + 1}
              row={row}
              columns={columns}
              selection={selection}
              actions={actions}
              open={open}
            />
          ))}
        </ul>
      )}
    </div>
  );
}

interface CardProps {
  id: string;
  index: number;
  row: unknown;
  columns: readonly Column<unknown>[];
  selection: Selection | undefined;
  actions: ((row: unknown) => ReactNode) | undefined;
  open: ((row: unknown) => void) | undefined;
}
const none = makeSelection();

const Card = memo(function Card(props: CardProps) {
  const { id, index, row, columns, selection, actions, open } = props;
  const selected = useIsSelected(selection ?? none, id);
  const [title, ...rest] = columns;
  return (
    <li
      className={classes['card']}
      data-selected={selected || undefined}
      data-row={id}
      data-opens={open ? true : undefined}
      tabIndex={open || selection ? (index === 1 ? 0 : -1) : undefined}
      onKeyDown={(event) => onRowKeyDown(event, props)}
      onClick={(event) => open && isRowClick(event) && open(row)}
    >
      <div className={classes['top']}>
        {selection && (
          <input type="checkbox" aria-label={`选择第 ${index} 行`} checked={selected} onChange={() => selection.toggle(id)} />
        )}
        <div className={classes['title']}>{title?.cell(row)}</div>
        {actions && <RowActions index={index}>{actions(row)}</RowActions>}
      </div>
      <dl className={classes['facts']}>
        {rest.map((column) => {
          const value = column.cell(row);
          // An empty value takes no room on a phone.
          return value === '—' || value === '' ? null : (
            <div key={column.key}>
              <dt>{column.title}</dt>
              <dd>{value}</dd>
            </div>
          );
        })}
      </dl>
    </li>
  );
});

const SkeletonCards = () => (
  <div className={classes['cards']} aria-hidden>
    {Array.from({ length: 5 }, (_, index) => (
      <Skeleton key={index} height={96} radius={8} />
    ))}
  </div>
);
