import type { ChartTable } from '#domain/chart/chartLook.ts';
import { Link } from '#ui/router/router.tsx';
import classes from './charts.module.css';

/** The path of the list that a number of a chart's table counts; undefined when it has none. Rows and columns begin at 0. */
export type CellLink = (row: number, column: number) => string | undefined;

/** The data of a chart as a table. Without `isVisible` only screen readers have it. */
export function ChartData({
  title,
  table,
  isVisible,
  link,
}: {
  title: string;
  table: ChartTable;
  isVisible: boolean;
  link?: CellLink | undefined;
}) {
  const renderCell = (cell: string, row: number, column: number) => {
    const to = isVisible ? link?.(row, column) : undefined;
    return to ? (
      <Link to={to} aria-label={`${table.rows[row]?.[0] ?? ''} ${table.heads[column] ?? ''} ${cell}，查看名单`}>
        {cell}
      </Link>
    ) : (
      cell
    );
  };
  return (
    <div
      className={isVisible ? classes['data'] : classes['unseen']}
      {...(isVisible ? { tabIndex: 0, role: 'region', 'aria-label': `${title}的数据` } : {})}
    >
      <table>
        <caption className={classes['unseen']}>{title}</caption>
        <thead>
          <tr>
            {table.heads.map((head) => (
              <th key={head} scope="col">
                {head}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {table.rows.map((row, index) => (
            <tr key={index}>
              {row.map((cell, at) =>
                at === 0 ? (
                  <th key={at} scope="row">
                    {renderCell(cell, index, at)}
                  </th>
                ) : (
                  <td key={at}>{renderCell(cell, index, at)}</td>
                ),
              )}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
