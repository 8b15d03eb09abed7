import type { ReactNode } from 'react';
import { formatNumber } from '#domain/base/number.ts';
import type { ListAction, RowOf } from '#contract/page.ts';

/** One column of a list's table. */
export interface Column<Row> {
  key: string;
  title: string;
  cell: (row: Row) => ReactNode;
  /** Width in px; columns without a width share the rest. */
  width?: number;
  align?: 'left' | 'right' | 'center';
  /** The server sorts the list by this field. */
  sort?: string;
  /** Hidden until the reader chooses it. */
  hidden?: boolean;
  /** The tooltip of the header, also for screen readers. */
  hint?: string;
  /** The reader has set the width. */
  isSized?: boolean;
}
type More<Row> = Omit<Column<Row>, 'key' | 'title' | 'cell' | 'sort'> & { sort?: true | string };

/**
 * Defines a column of a list's table. A field that the rows lack does not compile.
 * `column('username', '姓名')`, `column('gender', '性别', Gender.label)`, `column.of('who', '学生', (row) => …)`.
 */
export function columnsOf<A extends ListAction>(_list: A) {
  type Row = RowOf<A>;
  const made = (key: string, title: string, cell: (row: Row) => ReactNode, { sort, ...more }: More<Row> = {}): Column<Row> => ({
    key,
    title,
    cell,
    ...(sort ? { sort: sort === true ? key : sort } : {}),
    ...more,
  });
  const column = <K extends keyof Row & string>(
    key: K,
    title: string,
    render?: ((value: Row[K], row: Row) => ReactNode) | More<Row>,
    more?: More<Row>,
  ): Column<Row> => {
    const draw = typeof render === 'function' ? render : undefined;
    const options = typeof render === 'function' ? more : (render ?? more);
    return made(key, title, (row) => (draw ? draw(row[key], row) : plain(row[key])), options);
  };
  /** A column that belongs to no single field. */
  column.of = made;
  return column;
}

/** Formats a value of a column without its own format: an absent value is a dash. */
export function plain(value: unknown): ReactNode {
  if (value === null || value === undefined || value === '') return '—';
  if (typeof value === 'boolean') return value ? '是' : '否';
  if (Array.isArray(value)) return value.length ? value.join('、') : '—';
  return typeof value === 'number' ? formatNumber(value) : String(value);
}
