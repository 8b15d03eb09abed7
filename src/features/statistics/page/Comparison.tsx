import { Select, Text } from '@mantine/core';
import type { ResponseOf } from '#contract/action.ts';
import { formatNumber } from '#domain/base/number.ts';
import type { SchoolTerm } from '#domain/statistics/term.ts';
import { Definition } from '#blocks/statistics/ChartCard.tsx';
import { termWords } from '#blocks/statistics/TermFilter.tsx';
import { Section } from '#ui/display/Section.tsx';
import { Loaded } from '#ui/feedback/states.tsx';
import type { compareTerms } from '#features/statistics/compare/compare.contract.ts';
import { DEFINITIONS } from '#features/statistics/page/definitions.ts';
import { rateText } from '#features/statistics/page/schoolCharts.ts';
import type { useComparison } from '#features/statistics/page/useSchoolFigures.ts';

type Result = ResponseOf<typeof compareTerms>;

const signed = (value: number): string => `${value > 0 ? '+' : value < 0 ? '−' : ''}${Math.abs(value).toFixed(1)}`;
const pText = (p: number): string => (p < 0.001 ? 'p < .001' : `p = ${p.toFixed(3).replace(/^0/, '')}`);

/** The test in words, with its statistic. */
function testText({ test, statistic, p }: Result): string {
  if (p === null) return '';
  const value = statistic === null ? '' : statistic.toFixed(2);
  if (test === 'z') return `两比例 z 检验，z = ${value}，${pText(p)}`;
  return test === 'mcnemar' ? `配对 McNemar 检验，χ² = ${value}，${pText(p)}` : `配对精确检验，${pText(p)}`;
}

/** 比上学期: whether the share who need attention has changed, and whether that is more than chance. */
export function Comparison({
  read,
  term,
  before,
  earlierTerms,
  choose,
}: {
  read: ReturnType<typeof useComparison>;
  term: SchoolTerm;
  before: SchoolTerm;
  earlierTerms: readonly SchoolTerm[];
  choose: (term: SchoolTerm) => void;
}) {
  return (
    <Section
      title="与之前相比"
      right={
        earlierTerms.length > 1 ? (
          <Select
            aria-label="对比学期"
            size="xs"
            w={190}
            allowDeselect={false}
            value={termWords(before)}
            data={earlierTerms.map(termWords)}
            onChange={(words) => {
              const next = earlierTerms.find((candidate) => termWords(candidate) === words);
              if (next) choose(next);
            }}
          />
        ) : undefined
      }
    >
      <Loaded read={read}>
        {(result) => (
          <>
            <Text fz={15} fw={600}>
              {result.iscomparable === 0 ? '不可比' : result.words}
            </Text>
            <Text size="sm" mt={4}>
              需关注率：{termWords(before)} {shareText(result.before)}，{termWords(term)} {shareText(result.now)}
              {result.difference !== null && (
                <>
                  {result.test === 'z' ? '；相差' : `；两次都有有效结果的 ${formatNumber(result.pairs.both)} 人相差`}{' '}
                  {signed(result.difference)} 个百分点（95% 区间 {signed(result.low ?? 0)} 至 {signed(result.high ?? 0)}）
                </>
              )}
              。
            </Text>
            <Text size="sm" c="dimmed" mt={4}>
              {result.iscomparable === 0 ? `${result.words}，不作比较。` : `${testText(result)}。`}
              {result.iscomparable === 1 && result.pairs.both > 0 && ` ${pairsText(result.pairs)}`}
            </Text>
            <Definition text={DEFINITIONS.comparison} of="与之前相比" />
          </>
        )}
      </Loaded>
    </Section>
  );
}

const shareText = ({ abnormal, complete, abnormalrate }: Result['now']): string =>
  `${rateText(abnormalrate)}（${formatNumber(abnormal)}/${formatNumber(complete)} 人）`;

const pairsText = ({ both, onlybefore, onlynow }: Result['pairs']): string =>
  `两次都有有效结果的 ${formatNumber(both)} 人中，${formatNumber(onlybefore)} 人由需关注转为未提示，` +
  `${formatNumber(onlynow)} 人新提示需关注。`;
