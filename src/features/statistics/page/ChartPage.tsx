import { Button, Group, Text } from '@mantine/core';
import { useElementSize } from '@mantine/hooks';
import { useCallback } from 'react';
import { heightOf, optionOf, tableOf, type Chart } from '#domain/chart/chart.ts';
import type { ChartLook } from '#domain/chart/chartLook.ts';
import { ChartData } from '#ui/charts/ChartData.tsx';
import { ChartDownloads } from '#ui/charts/ChartTools.tsx';
import { useOpenChart } from '#ui/charts/openChart.ts';
import { Picture } from '#ui/charts/Picture.tsx';
import { Section } from '#ui/display/Section.tsx';
import { EmptyState } from '#ui/feedback/states.tsx';
import { Link } from '#ui/router/router.tsx';

/** A chart on a page of its own is at least this high, in px. */
const LEAST_HEIGHT = 420;

/** 详情页: one chart with its data. It shows what the reader opened last; a reload of the page shows the same. */
export default function ChartPage() {
  const opened = useOpenChart();
  if (!opened)
    return (
      <Section>
        <EmptyState title="没有打开的图表" hint="请从带图表的页面点“全屏”进入">
          <Button variant="default" component={Link} to="/workbench">
            返回工作台
          </Button>
        </EmptyState>
      </Section>
    );
  const { chart, from, note } = opened;
  return (
    <Section
      title={chart.title}
      right={
        <Group gap="sm" data-noprint>
          <ChartDownloads chart={chart} />
          <Button variant="default" size="sm" onClick={() => window.print()}>
            打印
          </Button>
          <Button variant="default" size="sm" component={Link} to={from}>
            返回
          </Button>
        </Group>
      }
    >
      {note && (
        <Text size="sm" c="dimmed" mb="sm">
          {note}
        </Text>
      )}
      <LargePicture chart={chart} />
      <ChartData title={chart.title} table={tableOf(chart)} isVisible />
    </Section>
  );
}

function LargePicture({ chart }: { chart: Chart }) {
  const { ref, width } = useElementSize<HTMLDivElement>();
  const option = useCallback((look: ChartLook) => optionOf(chart, look), [chart]);
  const height = Math.max(LEAST_HEIGHT, heightOf(chart));
  return (
    <div ref={ref} style={{ minHeight: height }}>
      {width > 0 && <Picture title={chart.title} table={tableOf(chart)} width={width} height={height} option={option} />}
    </div>
  );
}
