import { Tooltip, UnstyledButton } from '@mantine/core';
import { IconInfoCircle } from '@tabler/icons-react';
import { useMemo, type ReactNode } from 'react';
import type { Chart } from '#domain/chart/chart.ts';
import { ChartFrame } from '#ui/charts/ChartFrame.tsx';
import type { CellLink } from '#ui/charts/ChartData.tsx';
import { EmptyState, ErrorState, Skeletons } from '#ui/feedback/states.tsx';
import classes from './statistics.module.css';

/** A read of the page: its data, or why there is none. */
export interface Read<T> {
  data: T | undefined;
  error: unknown;
  refetch: () => unknown;
}

interface Props<T> {
  read: Read<T>;
  /** Makes the chart; undefined when there is nothing to draw. It is called again only for new data. */
  chart: (data: T) => Chart | undefined;
  /** how the numbers are counted: numerator, denominator, 人次 or 人数 */
  definition: string;
  /** what to do when there is nothing to draw */
  emptyHint?: string;
  /** the list behind a number of the chart's table */
  link?: ((data: T) => CellLink) | undefined;
  /** one or two sentences about the result */
  words?: ((data: T) => ReactNode) | undefined;
  /** a choice above the chart */
  control?: ReactNode;
  /** what the figures cover, for the full page */
  note?: string;
  /** the height while it loads, so that nothing jumps */
  height?: number;
  /** the card takes the whole width */
  isWide?: boolean;
}

/** A chart of a page of statistics in its card. An error of one card leaves the others as they are. */
export function ChartCard<T>({
  read,
  chart,
  definition,
  emptyHint = '可以放宽条件，或先完成一次测评',
  link,
  words,
  control,
  note = '',
  height = 300,
  isWide = false,
}: Props<T>) {
  const { data } = read;
  const drawing = useMemo(() => (data === undefined ? undefined : chart(data)), [data, chart]);
  return (
    <section className={classes['card']} data-wide={isWide || undefined}>
      {control && (
        <div className={classes['control']} data-noprint>
          {control}
        </div>
      )}
      {read.data !== undefined ? (
        drawing ? (
          <>
            <ChartFrame chart={drawing} link={link?.(read.data)} note={note} />
            {words && <div className={classes['words']}>{words(read.data)}</div>}
            <Definition text={definition} of={drawing.title} />
          </>
        ) : (
          <EmptyState hint={emptyHint} />
        )
      ) : read.error ? (
        <ErrorState error={read.error} retry={() => void read.refetch()} />
      ) : (
        <Skeletons.Chart height={height} />
      )}
    </section>
  );
}

/** Says how numbers are counted: on hover, on focus and on touch. */
export const Definition = ({ text, of }: { text: string; of: string }) => (
  <Tooltip label={text}>
    <UnstyledButton className={classes['definition'] ?? ''} aria-label={`${of}的口径：${text}`} data-noprint>
      <IconInfoCircle size={14} aria-hidden /> 统计口径
    </UnstyledButton>
  </Tooltip>
);
