import { Text } from '@mantine/core';
import { formatNumber } from '#domain/base/number.ts';
import { Section } from '#ui/display/Section.tsx';
import { stamp } from '#ui/display/RelativeTime.tsx';
import { Question } from '#blocks/statistics/Question.tsx';
import type { Comparison } from '#features/bureau/page/bureauCharts.ts';
import { SchoolTable } from '#features/bureau/page/SchoolTable.tsx';
import type { BureauFilters } from '#features/bureau/page/useBureauFilters.ts';

/** What stands here when no school waits; by the number of schools. */
const BEGUN: Partial<Record<number, string>> = { 0: '所选条件下没有学校。', 1: '这所学校已开始测评。' };

/** 哪些学校还没开始: schools with fewer than five tested persons. */
export function BeginPart({ comparison, filters }: { comparison: Comparison; filters: BureauFilters }) {
  const waiting = comparison.rows.filter(({ hasbegun }) => hasbegun === 0);
  const begun = comparison.rows.length - waiting.length;
  return (
    <Question title="哪些学校还没开始" hint={`${comparison.rows.length} 所学校，${begun} 所已开始`}>
      <Section>
        {waiting.length === 0 ? (
          <Text size="sm">{BEGUN[comparison.rows.length] ?? '全部学校都已开始测评。'}</Text>
        ) : (
          <SchoolTable
            title={`未开始或少于5人（${waiting.length} 所）`}
            schools={waiting}
            filters={filters}
            isGrouped
            columns={[
              { head: '应测（约）', isNumber: true, cell: ({ total }) => (total === 0 ? '—' : formatNumber(total)) },
              { head: '任务截止', cell: ({ lasttaskend }) => (lasttaskend ? stamp(lasttaskend) : '还没有任务') },
            ]}
          />
        )}
      </Section>
    </Question>
  );
}
