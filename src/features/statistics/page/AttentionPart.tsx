import type { ReactNode } from 'react';
import { ChartCard } from '#blocks/statistics/ChartCard.tsx';
import { personsPath } from '#blocks/statistics/personsPath.ts';
import { Cards, Question } from '#blocks/statistics/Question.tsx';
import type { Filters } from '#blocks/statistics/useStatisticFilters.ts';
import { Loaded, Skeletons } from '#ui/feedback/states.tsx';
import { StatTiles } from '#ui/display/StatTiles.tsx';
import { linkTo } from '#features/statistics/page/CompletionPart.tsx';
import { DEFINITIONS } from '#features/statistics/page/definitions.ts';
import {
  attentionTermsChart,
  completionTermsChart,
  intervalText,
  levelsChart,
  rateText,
} from '#features/statistics/page/schoolCharts.ts';
import { groupOf, type SchoolFigures } from '#features/statistics/page/useSchoolFigures.ts';

/** The columns of the levels 0–4 in the table of a stack chart begin here. */
const FIRST_LEVEL = 1;
const LEVELS = 5;
const SUM = FIRST_LEVEL + LEVELS;

/** The measure of a column of a stack chart; undefined for notes. */
export const measureOfColumn = (column: number) =>
  column >= FIRST_LEVEL && column < SUM
    ? ({ measure: 'level', value: column - FIRST_LEVEL } as const)
    : column === SUM
      ? ({ measure: 'complete' } as const)
      : column === SUM + 1
        ? ({ measure: 'abnormal' } as const)
        : undefined;

/** 多少人需关注: the persons, their share with its interval, the levels, and the change. */
export function AttentionPart({
  figures: { attention, terms },
  filters,
  before,
  comparison,
  note,
}: {
  figures: SchoolFigures;
  filters: Filters;
  before: { words: string; abnormalrate: number | null } | undefined;
  /** the card that compares terms */
  comparison: ReactNode;
  note: string;
}) {
  return (
    <Question title="多少人需关注" hint="筛查提示，不是诊断">
      <Loaded read={attention} skeleton={<Skeletons.Tiles count={4} />}>
        {({ valid, abnormal, rate, alert }) => (
          <StatTiles
            label="需关注情况"
            tiles={[
              {
                ...{ name: '有效', value: valid, unit: '人', definition: DEFINITIONS.complete },
                ...linkTo(personsPath(filters, { measure: 'complete' })),
              },
              {
                ...{ name: '需关注', value: abnormal, unit: '人', definition: DEFINITIONS.abnormal, tone: 'amber' },
                ...linkTo(personsPath(filters, { measure: 'abnormal' })),
              },
              {
                ...{ name: '需关注率', value: rateText(rate), definition: DEFINITIONS.abnormalrate },
                note: [
                  valid > 0 ? `95% 区间 ${intervalText({ count: abnormal, total: valid })}` : '',
                  before ? `${before.words} ${rateText(before.abnormalrate)}` : '',
                ]
                  .filter(Boolean)
                  .join('；'),
              },
              {
                ...{ name: '条目提示', value: alert, unit: '人', definition: DEFINITIONS.alert, tone: 'red' },
                ...linkTo(personsPath(filters, { measure: 'alert' })),
              },
            ]}
          />
        )}
      </Loaded>
      <div style={{ marginTop: 12 }}>
        <Cards>
          <ChartCard
            read={attention}
            chart={levelsChart}
            definition={DEFINITIONS.levels}
            note={note}
            height={140}
            isWide
            link={() => (_, column) => {
              const counted = measureOfColumn(column);
              return counted && personsPath(filters, counted);
            }}
          />
          {comparison && <div style={{ gridColumn: '1 / -1' }}>{comparison}</div>}
          {terms.data && terms.data.length > 1 && (
            <>
              <ChartCard read={terms} chart={attentionTermsChart} definition={DEFINITIONS.terms} height={310} />
              <ChartCard
                read={terms}
                chart={completionTermsChart}
                definition={DEFINITIONS.terms}
                height={310}
                link={(data) => (row, column) => {
                  const { year, term } = data[row] ?? {};
                  if (!year || !term || (column !== 1 && column !== 2)) return undefined;
                  return personsPath({ ...groupOf(filters), year, term }, { measure: column === 1 ? 'total' : 'complete' });
                }}
              />
            </>
          )}
        </Cards>
      </div>
    </Question>
  );
}
