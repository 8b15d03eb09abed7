import { Text } from '@mantine/core';
import { Question } from '#blocks/statistics/Question.tsx';
import { Section } from '#ui/display/Section.tsx';
import { StatTiles } from '#ui/display/StatTiles.tsx';
import { Link } from '#ui/router/router.tsx';
import { countText, rateText, type Comparison } from '#features/bureau/page/bureauCharts.ts';
import { DEFINITIONS } from '#features/bureau/page/definitions.ts';
import { SchoolTable } from '#features/bureau/page/SchoolTable.tsx';
import type { BureauFilters } from '#features/bureau/page/useBureauFilters.ts';

/** The page of 督办 with a school. */
const supervisionPath = (musercode: string) => `/statistics/supervision?musercode=${encodeURIComponent(musercode)}`;

/** 关怀有没有跟上: cases closed or without an overdue duty, and the schools with one. */
export function CarePart({
  comparison,
  filters,
  isGrouped,
}: {
  comparison: Comparison;
  filters: BureauFilters;
  isGrouped: boolean;
}) {
  const { region, rows } = comparison;
  const [only] = rows;
  const shown = filters.musercode && only ? only : region;
  const overdue = rows.filter(({ hasoverdue }) => hasoverdue === 1).length;
  return (
    <Question title="关怀有没有跟上" hint="只看机构，不涉及姓名">
      <StatTiles
        label="处置情况"
        tiles={[
          {
            ...{ name: '有超时的学校', value: overdue, unit: '所', definition: DEFINITIONS.overdue },
            ...(overdue > 0 ? { tone: 'amber' as const } : {}),
          },
          { name: '开启个案', value: shown.opened, unit: '个', definition: DEFINITIONS.opened },
          { name: '结案率', value: rateText(shown.closerate), definition: DEFINITIONS.closerate },
          { name: '闭环率', value: rateText(shown.looprate), definition: DEFINITIONS.looprate },
        ]}
      />
      {rows.length > 0 && (
        <div style={{ marginTop: 12 }}>
          <Section>
            <SchoolTable
              title="各校处置情况"
              schools={rows}
              filters={filters}
              isGrouped={isGrouped}
              columns={[
                {
                  head: '超时',
                  cell: ({ hasoverdue, musercode, insname }) =>
                    hasoverdue === 1 ? (
                      <span>
                        有超时 ·{' '}
                        <Link to={supervisionPath(musercode)} aria-label={`督办${insname}`}>
                          督办
                        </Link>
                      </span>
                    ) : (
                      '无'
                    ),
                },
                { head: '开启个案', isNumber: true, cell: ({ opened }) => countText(opened) },
                { head: '结案率', isNumber: true, cell: ({ closerate }) => rateText(closerate) },
                { head: '闭环率', isNumber: true, cell: ({ looprate }) => rateText(looprate) },
              ]}
            />
            <Text size="xs" c="dimmed" mt={6}>
              个案数与比率随结果一起公布；是否超时每日更新。
            </Text>
          </Section>
        </div>
      )}
    </Question>
  );
}
