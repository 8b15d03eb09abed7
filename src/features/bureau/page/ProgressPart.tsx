import { Select } from '@mantine/core';
import { ChartCard } from '#blocks/statistics/ChartCard.tsx';
import { Cards, Question } from '#blocks/statistics/Question.tsx';
import { Section } from '#ui/display/Section.tsx';
import { StatTiles } from '#ui/display/StatTiles.tsx';
import { Loaded, Skeletons } from '#ui/feedback/states.tsx';
import { formatNumber } from '#domain/base/number.ts';
import { districtsChart, gradeEffortChart, rateText, type Comparison } from '#features/bureau/page/bureauCharts.ts';
import { DEFINITIONS } from '#features/bureau/page/definitions.ts';
import { SchoolTable } from '#features/bureau/page/SchoolTable.tsx';
import type { BureauFilters } from '#features/bureau/page/useBureauFilters.ts';
import type { BureauFigures, Order } from '#features/bureau/page/useBureauFigures.ts';

/** The orders of the schools. There is none by results. */
export const ORDERS: readonly { value: string; label: string; order: Order }[] = [
  { value: 'place', label: '按区县和名称', order: {} },
  { value: 'name', label: '按名称', order: { orderby: 'insname', isasc: '1' } },
  { value: 'rate', label: '完成率从低到高', order: { orderby: 'rate', isasc: '1' } },
  { value: 'closing', label: '结案率从低到高', order: { orderby: 'closerate', isasc: '1' } },
];

/** 测到哪里了: the effort of the region, its districts, grades and schools. */
export function ProgressPart({
  comparison,
  figures: { completion, grades },
  filters,
  order,
  setOrder,
  note,
}: {
  comparison: Comparison;
  figures: BureauFigures;
  filters: BureauFilters;
  order: string;
  setOrder: (order: string) => void;
  note: string;
}) {
  return (
    <Question title="测到哪里了" hint="人数取整到 5，每日更新">
      <Loaded read={completion} skeleton={<Skeletons.Tiles count={4} />}>
        {({ total, tested, exempt, rate, ratenet }) => (
          <StatTiles
            label="完成情况"
            tiles={[
              { name: '应测（约）', value: total, unit: '人', definition: DEFINITIONS.total },
              { name: '实测（约）', value: tested, unit: '人', definition: DEFINITIONS.tested },
              { name: '免测（约）', value: exempt, unit: '人', definition: DEFINITIONS.exempt },
              {
                ...{ name: '完成率', value: rateText(rate), definition: DEFINITIONS.rate },
                ...(exempt ? { note: `扣除免测 ${rateText(ratenet)}` } : {}),
              },
            ]}
          />
        )}
      </Loaded>
      <div style={{ marginTop: 12 }}>
        <Cards>
          {!filters.musercode && comparison.districts.length > 1 && (
            <ChartCard
              read={{ data: comparison, error: null, refetch: () => undefined }}
              chart={districtsChart}
              definition={DEFINITIONS.rate}
              note={note}
              height={340}
              isWide
            />
          )}
          <ChartCard read={grades} chart={gradeEffortChart} definition={DEFINITIONS.rate} note={note} height={340} isWide />
        </Cards>
      </div>
      {!filters.musercode && comparison.rows.length > 0 && (
        <div style={{ marginTop: 12 }}>
          <Section
            title="各校完成情况"
            right={
              <Select
                aria-label="排序"
                size="xs"
                w={170}
                allowDeselect={false}
                value={order}
                data={ORDERS.map(({ value, label }) => ({ value, label }))}
                onChange={(value) => setOrder(value ?? 'place')}
                wrapperProps={{ 'data-noprint': true }}
              />
            }
          >
            <SchoolTable
              title="各校完成情况"
              hasCaption={false}
              schools={comparison.rows}
              filters={filters}
              isGrouped={order === 'place'}
              columns={[
                { head: '应测（约）', isNumber: true, cell: ({ total }) => formatNumber(total) },
                { head: '实测（约）', isNumber: true, cell: ({ tested }) => formatNumber(tested) },
                {
                  head: '完成率',
                  isNumber: true,
                  cell: ({ hasbegun, rate }) => (hasbegun === 1 ? rateText(rate) : '未开始或少于5人'),
                },
              ]}
            />
          </Section>
        </div>
      )}
    </Question>
  );
}
