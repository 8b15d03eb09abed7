import { Select, Text } from '@mantine/core';
import { useState } from 'react';
import { LineChart } from '#ui/charts/LineChart.tsx';
import { Section } from '#ui/display/Section.tsx';
import type { PersonFile } from '#features/archive/page/personFile.ts';

/** 得分变化: one indicator over the person's valid sheets. The one with most sheets is shown first. */
export function PersonTrend({ trend }: { trend: NonNullable<PersonFile['trend']> }) {
  const counts = new Map<string, { label: string; n: number }>();
  for (const { quotacode, quotaname } of trend)
    counts.set(quotacode, {
      label: quotaname,
      n: (counts.get(quotacode)?.n ?? 0) + 1,
    });
  const options = [...counts]
    .sort((a, b) => b[1].n - a[1].n)
    .map(([value, { label, n }]) => ({ value, label: `${label}（${n} 次）` }));
  const [chosen, setChosen] = useState<string | null>(null);
  const quotacode = chosen ?? options[0]?.value;
  if (!quotacode) return null;
  const points = trend.filter((point) => point.quotacode === quotacode);
  return (
    <Section
      title="得分变化"
      right={
        options.length > 1 && (
          <Select aria-label="指标" data={options} value={quotacode} onChange={setChosen} allowDeselect={false} w={240} />
        )
      }
    >
      {points.length < 2 ? (
        <Text size="sm">
          {points[0]?.date} 测评 {points[0]?.score} 分；两次以上有效测评后显示变化。
        </Text>
      ) : (
        <LineChart
          title={counts.get(quotacode)?.label ?? ''}
          labels={points.map(({ date }) => date)}
          series={[{ name: counts.get(quotacode)?.label ?? '', values: points.map(({ score }) => score) }]}
        />
      )}
    </Section>
  );
}
