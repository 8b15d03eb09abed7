import { Button, Skeleton, Stack, Text } from '@mantine/core';
import { useEffect, useLayoutEffect, useRef, useState, type KeyboardEvent } from 'react';
import type { ChartLook, ChartOption, ChartTable } from '#domain/chart/chartLook.ts';
import { useChartLook } from '#ui/charts/useChartLook.ts';
import { useNavigate } from '#ui/router/router.tsx';
import type { CellLink } from '#ui/charts/ChartData.tsx';
import { loadCharts } from '#ui/charts/drawing.ts';
import classes from './charts.module.css';

type Drawing = ReturnType<Awaited<ReturnType<typeof loadCharts>>['init']>;

interface Props {
  title: string;
  table: ChartTable;
  width: number;
  height: number;
  option: (look: ChartLook) => ChartOption;
  /** the list behind a number of the table; a click on its bar or point opens it */
  link?: CellLink | undefined;
}
/** What the library tells about a click on a bar or a point. */
interface Click {
  componentType?: string;
  seriesIndex?: number;
  dataIndex?: number;
}

/**
 * Draws a picture as soon as the library is there. The arrow keys go through its points; the text below says the point, for eyes and
 * for screen readers.
 */
export function Picture({ title, table, width, height, option, link }: Props) {
  const navigate = useNavigate();
  const box = useRef<HTMLDivElement>(null);
  const [drawing, setDrawing] = useState<Drawing | null>(null);
  const [attempt, setAttempt] = useState(0);
  const [hasFailed, setHasFailed] = useState(false);
  const [row, setRow] = useState<number | null>(null);
  const look = useChartLook(width);
  // A text, so that the picture is drawn again only when other columns have lists.
  const linkedColumns = table.heads.flatMap((_, column) => (link?.(0, column) ? [column] : [])).join();

  useEffect(() => {
    let current: Drawing | undefined;
    let isGone = false;
    loadCharts().then(
      ({ init }) => {
        if (isGone || !box.current) return;
        current = init(box.current, null, { renderer: 'svg', width: box.current.clientWidth || 320, height: 100 });
        setDrawing(current);
      },
      () => setHasFailed(true),
    );
    return () => {
      isGone = true;
      current?.dispose();
      setDrawing(null);
    };
  }, [attempt]);

  useLayoutEffect(() => {
    if (!drawing || drawing.isDisposed()) return;
    drawing.resize({ width: look.width, height });
    drawing.setOption(withCursors(option(look), linkedColumns), { notMerge: true });
  }, [drawing, look, height, option, linkedColumns]);

  useEffect(() => {
    if (!drawing || drawing.isDisposed()) return undefined;
    const open = ({ componentType, seriesIndex = 0, dataIndex = 0 }: Click) => {
      const to = componentType === 'series' ? link?.(dataIndex, seriesIndex + 1) : undefined;
      if (to) navigate(to);
    };
    drawing.on('click', open);
    return () => {
      if (!drawing.isDisposed()) drawing.off('click', open);
    };
  }, [drawing, link, navigate]);

  const show = (next: number | null) => {
    setRow(next);
    drawing?.dispatchAction({ type: 'hideTip' });
    const place = next === null ? undefined : findDatum(option(look), next);
    if (place) drawing?.dispatchAction({ type: 'showTip', ...place });
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const last = table.rows.length - 1;
    const target = {
      ArrowRight: Math.min(last, (row ?? -1) + 1),
      ArrowLeft: Math.max(0, (row ?? last + 1) - 1),
      Home: 0,
      End: last,
    }[event.key];
    if (target !== undefined) {
      event.preventDefault();
      show(target);
    } else if (event.key === 'Escape') show(null);
  };
  if (hasFailed)
    return (
      <Stack align="flex-start" gap="xs" py="md">
        <Text size="sm">图没有加载成功，可以先看数据。</Text>
        <Button
          size="xs"
          variant="default"
          onClick={() => {
            setHasFailed(false);
            setAttempt(attempt + 1);
          }}
        >
          重新加载
        </Button>
      </Stack>
    );
  return (
    <>
      <div
        className={classes['picture']}
        role="group"
        aria-label={`${title}，按左右方向键逐点查看`}
        tabIndex={0}
        style={{ height }}
        onKeyDown={onKeyDown}
        onBlur={() => show(null)}
      >
        {!drawing && <Skeleton height={height} radius="sm" />}
        <div ref={box} className={classes['drawing']} />
      </div>
      <p className={classes['readout']} role="status" data-noprint>
        {row === null ? '' : describeRow(table, row)}
      </p>
    </>
  );
}

/** The option with a hand over the series that have lists. The series of a linked chart are the columns of its table in their order. */
function withCursors(option: ChartOption, linkedColumns: string): ChartOption {
  const columns = linkedColumns.split(',');
  const series = option['series'] as readonly object[];
  const cursorOf = (at: number) => (columns.includes(String(at + 1)) ? 'pointer' : 'default');
  return { ...option, series: series.map((one, at) => ({ ...one, cursor: cursorOf(at) })) };
}

/** One row of the table as a line of text. */
const describeRow = ({ heads, rows }: ChartTable, row: number): string =>
  (rows[row] ?? [])
    .flatMap((cell, at) => (cell === '' || cell === '—' ? [] : at === 0 ? [cell] : [`${heads[at]} ${cell}`]))
    .join('，');

/** The place of a row of the table in the picture. Points may name their row; otherwise the places of the axis are the rows. */
function findDatum(option: ChartOption, row: number) {
  const series = (option['series'] ?? []) as { data?: readonly unknown[] }[];
  const named = series.map(({ data = [] }) => data.findIndex((datum) => (datum as { row?: number } | null)?.row === row));
  const seriesIndex = named.findIndex((dataIndex) => dataIndex >= 0);
  if (seriesIndex >= 0) return { seriesIndex, dataIndex: named[seriesIndex] };
  return option['xAxis'] && (option['xAxis'] as { type?: string }).type === 'category'
    ? { seriesIndex: 0, dataIndex: row }
    : undefined;
}
