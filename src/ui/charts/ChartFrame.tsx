import { Group, Text, UnstyledButton } from '@mantine/core';
import { useElementSize } from '@mantine/hooks';
import { useCallback, useState } from 'react';
import { heightOf, optionOf, tableOf, type Chart } from '#domain/chart/chart.ts';
import type { ChartLook } from '#domain/chart/chartLook.ts';
import { Link, useLocation } from '#ui/router/router.tsx';
import { ChartData, type CellLink } from '#ui/charts/ChartData.tsx';
import { ChartDownloads } from '#ui/charts/ChartTools.tsx';
import { CHART_PATH, keepOpenChart } from '#ui/charts/openChart.ts';
import { Picture } from '#ui/charts/Picture.tsx';
import classes from './charts.module.css';

interface Props {
  chart: Chart;
  /** the list behind a number of the table and behind its bar */
  link?: CellLink | undefined;
  /** what the figures cover, for the full page: filters and time */
  note?: string;
}

/**
 * A chart with its data, its downloads and its full page. The table is hidden until the reader opens it; screen readers always have
 * it.
 */
export function ChartFrame({ chart, link, note = '' }: Props) {
  const { ref, width } = useElementSize<HTMLDivElement>();
  const { pathname, search } = useLocation();
  const [isTable, setIsTable] = useState(false);
  const table = tableOf(chart);
  const isEmpty = table.rows.length === 0;
  const option = useCallback((look: ChartLook) => optionOf(chart, look), [chart]);
  return (
    <figure className={classes['figure']}>
      <Group justify="space-between" gap="xs" wrap="nowrap" align="flex-start">
        <figcaption className={classes['title']}>{chart.title}</figcaption>
        {!isEmpty && (
          <Group gap={4} wrap="nowrap" data-noprint>
            <UnstyledButton
              className={classes['toggle'] ?? ''}
              onClick={() => setIsTable(!isTable)}
              aria-label={`${isTable ? '看图' : '看数据'}：${chart.title}`}
            >
              {isTable ? '看图' : '看数据'}
            </UnstyledButton>
            <Link
              className={classes['toggle']}
              to={CHART_PATH}
              aria-label={`全屏：${chart.title}`}
              onClick={() => keepOpenChart({ chart, from: pathname + search, note })}
            >
              全屏
            </Link>
            <ChartDownloads chart={chart} />
          </Group>
        )}
      </Group>
      {isEmpty && (
        <Text size="sm" c="dimmed" py="xl" ta="center">
          暂无数据
        </Text>
      )}
      <div ref={ref} hidden={isTable || isEmpty}>
        {width > 0 && (
          <Picture title={chart.title} table={table} width={width} height={heightOf(chart)} option={option} link={link} />
        )}
      </div>
      <ChartData title={chart.title} table={table} isVisible={isTable} link={link} />
    </figure>
  );
}
