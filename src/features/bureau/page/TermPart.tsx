import { Text } from '@mantine/core';
import { SMALLEST_TO_COMPARE, twoProportionTest } from '#domain/statistics/compare.ts';
import { newcombeInterval, shareOf } from '#domain/statistics/interval.ts';
import { ChartCard, Definition } from '#blocks/statistics/ChartCard.tsx';
import { Cards, Question } from '#blocks/statistics/Question.tsx';
import { termWords } from '#blocks/statistics/TermFilter.tsx';
import { Section } from '#ui/display/Section.tsx';
import { Loaded } from '#ui/feedback/states.tsx';
import { attentionTermsChart, completionTermsChart, rateText, type Terms } from '#features/bureau/page/bureauCharts.ts';
import { DEFINITIONS } from '#features/bureau/page/definitions.ts';
import type { BureauFigures } from '#features/bureau/page/useBureauFigures.ts';

const signed = (fraction: number): string =>
  `${fraction > 0 ? '+' : fraction < 0 ? '−' : ''}${Math.abs(fraction * 100).toFixed(1)}`;
const pText = (p: number): string => (p < 0.001 ? 'p < .001' : `p = ${p.toFixed(3).replace(/^0/, '')}`);

/** 和以前有没有不同: the last two released terms in words, and the trend of the terms. */
export function TermPart({ figures: { terms }, note }: { figures: BureauFigures; note: string }) {
  return (
    <Question title="和以前有没有不同">
      <Section>
        <Loaded read={terms}>{(rows) => <Change terms={rows} />}</Loaded>
      </Section>
      {terms.data && terms.data.length > 1 && (
        <div style={{ marginTop: 12 }}>
          <Cards>
            {attentionTermsChart(terms.data) && (
              <ChartCard read={terms} chart={attentionTermsChart} definition={DEFINITIONS.terms} note={note} height={310} />
            )}
            <ChartCard read={terms} chart={completionTermsChart} definition={DEFINITIONS.terms} note={note} height={310} />
          </Cards>
        </div>
      )}
    </Question>
  );
}

function Change({ terms }: { terms: Terms }) {
  const shares = terms.flatMap(({ year, term, abnormal, complete }) =>
    abnormal === null || complete === null || complete < SMALLEST_TO_COMPARE
      ? []
      : [{ words: termWords({ year, term }), count: abnormal, total: complete }],
  );
  const [before, now] = shares.slice(-2);
  if (!before || !now)
    return <Text size="sm">可比较的学期不足两个：结果公布、没有隐藏且不少于 {SMALLEST_TO_COMPARE} 人的学期才能比较。</Text>;
  const { z, p } = twoProportionTest(before, now);
  const { low, high } = newcombeInterval(before, now);
  return (
    <>
      <Text fz={15} fw={600}>
        {p >= 0.05 ? '差异在随机波动范围内' : '变化有统计学差异'}
      </Text>
      <Text size="sm" mt={4}>
        需关注率：{before.words} {rateText(shareOf(before) * 100)}（{before.count}/{before.total} 人），{now.words}{' '}
        {rateText(shareOf(now) * 100)}（{now.count}/{now.total} 人）；相差 {signed(shareOf(now) - shareOf(before))} 个百分点（95%
        区间 {signed(low)} 至 {signed(high)}）。
      </Text>
      <Text size="sm" c="dimmed" mt={4}>
        两比例 z 检验，z = {z.toFixed(2)}，{pText(p)}。
      </Text>
      <Definition text={DEFINITIONS.change} of="和以前相比" />
    </>
  );
}
