import { Button, Text } from '@mantine/core';
import { useState, type ReactNode } from 'react';
import plain from '#ui/display/PlainTable.module.css';
import { Link } from '#ui/router/router.tsx';
import type { Comparison } from '#features/bureau/page/bureauCharts.ts';
import { bureauPath, type BureauFilters } from '#features/bureau/page/useBureauFilters.ts';
import classes from '#features/bureau/page/bureau.module.css';

export type School = Comparison['rows'][number];

/** The rows that a table shows at first. A city has hundreds of schools. */
const SHOWN = 20;

interface Column {
  head: string;
  cell: (school: School) => ReactNode;
  isNumber?: boolean;
}

/** Schools as a table, by district in the order of names. A name opens the released page of the school. */
export function SchoolTable({
  title,
  schools,
  columns,
  filters,
  isGrouped,
  hasCaption = true,
}: {
  title: string;
  schools: readonly School[];
  columns: readonly Column[];
  filters: BureauFilters;
  /** rows stand below the name of their district */
  isGrouped: boolean;
  /** the title stands above the table already */
  hasCaption?: boolean;
}) {
  const [isAll, setIsAll] = useState(false);
  const shown = isAll ? schools : schools.slice(0, SHOWN);
  const districts = new Set(schools.map(({ districtcode }) => districtcode));
  const hasHeads = isGrouped && districts.size > 1;
  return (
    <>
      <div className={plain['frame']} tabIndex={0} role="region" aria-label={title}>
        <table className={`${plain['table'] ?? ''} ${plain['cards'] ?? ''} ${classes['schools'] ?? ''}`}>
          {hasCaption && <caption className={classes['caption']}>{title}</caption>}
          <thead>
            <tr>
              <th scope="col">学校</th>
              {!hasHeads && districts.size > 1 && <th scope="col">区县</th>}
              {columns.map(({ head, isNumber }) => (
                <th key={head} scope="col" data-number={isNumber || undefined}>
                  {head}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {shown.flatMap((school, at) => [
              ...(hasHeads && school.districtcode !== shown[at - 1]?.districtcode
                ? [
                    <tr key={`of ${school.districtcode}`}>
                      <th scope="rowgroup" colSpan={columns.length + 1} className={classes['district']}>
                        {school.regionname || '市直属'}
                      </th>
                    </tr>,
                  ]
                : []),
              <tr key={school.musercode}>
                <th scope="row" className={classes['name']}>
                  <Link to={bureauPath({ ...filters, musercode: school.musercode })}>{school.insname}</Link>
                </th>
                {!hasHeads && districts.size > 1 && <td data-head="区县">{school.regionname || '市直属'}</td>}
                {columns.map(({ head, cell, isNumber }) => (
                  <td key={head} data-head={head} data-number={isNumber || undefined}>
                    {cell(school)}
                  </td>
                ))}
              </tr>,
            ])}
          </tbody>
        </table>
      </div>
      {schools.length > SHOWN && (
        <Button variant="subtle" size="xs" mt={6} onClick={() => setIsAll(!isAll)} aria-expanded={isAll} data-noprint>
          {isAll ? '收起' : `显示全部 ${schools.length} 所`}
        </Button>
      )}
      {schools.length === 0 && (
        <Text size="sm" c="dimmed" py="sm">
          没有符合条件的学校
        </Text>
      )}
    </>
  );
}
