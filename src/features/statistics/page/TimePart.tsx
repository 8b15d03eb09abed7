import { ChartCard } from '#blocks/statistics/ChartCard.tsx';
import { Cards, Question } from '#blocks/statistics/Question.tsx';
import type { Filters } from '#blocks/statistics/useStatisticFilters.ts';
import { sheetsPath } from '#features/statistics/page/CompletionPart.tsx';
import { DEFINITIONS } from '#features/statistics/page/definitions.ts';
import { daysChart, scenesChart } from '#features/statistics/page/schoolCharts.ts';
import type { SchoolFigures } from '#features/statistics/page/useSchoolFigures.ts';

/** 什么时候: sheets by day, and by month and scene. */
export function TimePart({
  figures: { days, scenes },
  filters,
  note,
}: {
  figures: SchoolFigures;
  filters: Filters;
  note: string;
}) {
  return (
    <Question title="什么时候">
      <Cards>
        <ChartCard
          read={days}
          chart={daysChart}
          definition={DEFINITIONS.days}
          note={note}
          height={310}
          link={(data) => (row, column) => {
            const date = data[row]?.date;
            return date && column === 1 ? sheetsPath({ ...filters, begindate: date, enddate: date }) : undefined;
          }}
        />
        <ChartCard read={scenes} chart={scenesChart} definition={DEFINITIONS.scenes} note={note} height={340} />
      </Cards>
    </Question>
  );
}
