import { Group, Text, UnstyledButton } from '@mantine/core';
import { useElementSize } from '@mantine/hooks';
import { useState, type ReactNode } from 'react';
import classes from './charts.module.css';

interface Props {
  title: string;
  heads: readonly string[];
  /** The same data as rows, for screen readers and readers who prefer numbers. */
  rows: readonly (readonly (string | number)[])[];
  height: number;
  /** Draws the chart at this width, in px. */
  children: (width: number) => ReactNode;
  legend?: ReactNode;
}

/** A chart with its data. The table is hidden until the reader opens it; screen readers always have it. */
export function ChartFrame({ title, heads, rows, height, children, legend }: Props) {
  const { ref, width } = useElementSize<HTMLDivElement>();
  const [asTable, setAsTable] = useState(false);
  return (
    <figure className={classes['figure']}>
      <Group justify="space-between" gap="xs" wrap="nowrap" align="flex-start">
        <figcaption className={classes['title']}>{title}</figcaption>
        <UnstyledButton className={classes['toggle'] ?? ''} data-noprint onClick={() => setAsTable(!asTable)}>
          {asTable ? '看图' : '看数据'}
        </UnstyledButton>
      </Group>
      {rows.length === 0 && (
        <Text size="sm" c="dimmed" py="xl" ta="center">
          暂无数据
        </Text>
      )}
      {!asTable && rows.length > 0 && legend}
      <div ref={ref} aria-hidden hidden={asTable || rows.length === 0} style={{ height }}>
        {width > 0 && children(width)}
      </div>
      <div className={asTable ? classes['data'] : classes['unseen']} tabIndex={asTable ? 0 : undefined}>
        <table>
          <caption className={classes['unseen']}>{title}</caption>
          <thead>
            <tr>
              {heads.map((head) => (
                <th key={head} scope="col">
                  {head}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.map((row, index) => (
              <tr key={index}>
                {row.map((cell, index) =>
                  index === 0 ? (
                    <th key={index} scope="row">
                      {cell}
                    </th>
                  ) : (
                    <td key={index}>{cell}</td>
                  ),
                )}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </figure>
  );
}

/** The legend of the series. */
export function Legend({ series }: { series: readonly { name: string; color: string }[] }) {
  return (
    <ul className={classes['legend']} aria-hidden>
      {series.map(({ name, color }) => (
        <li key={name}>
          <svg width="12" height="12">
            <rect width="12" height="12" rx="3" fill={color} />
          </svg>
          {name}
        </li>
      ))}
    </ul>
  );
}
