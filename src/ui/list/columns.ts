import type { ReactNode } from 'react';
import type { ListAction, RowOf } from '#contract/page.ts';

/** One column of a list's table. */
export interface Column<Row> {
  key: string;
  title: string;
  cell: (row: Row) => ReactNode;
  /** Width in px; columns without one share what is left. */
  width?: number;
  align?: 'left' | 'right' | 'center';
  /** The list sorts by this field on the server. */
  sort?: string;
  /** Not shown until the reader chooses it. */
  hidden?: boolean;
  /** What the head's definition says on hover and to screen readers. */
  hint?: string;
}
type More<Row> = Omit<Column<Row>, 'key' | 'title' | 'cell' | 'sort'> & { sort?: true | string };

/**
 * Columns of a list's table; a field that its rows do not have does not compile.
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
  /** A column of no single field. */
  column.of = made;
  return column;
}

/** What a value reads as when a column says nothing: an absent one is a dash, never an empty hole. */
export function plain(value: unknown): ReactNode {
  if (value === null || value === undefined || value === '') return '—';
  if (typeof value === 'boolean') return value ? '是' : '否';
  if (Array.isArray(value)) return value.length ? value.join('、') : '—';
  return String(value);
}
