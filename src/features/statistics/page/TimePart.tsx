import { ChartCard } from '#blocks/statistics/ChartCard.tsx';
import { sheetsPath } from '#blocks/statistics/personsPath.ts';
import { Cards, Question } from '#blocks/statistics/Question.tsx';
import type { Filters } from '#blocks/statistics/useStatisticFilters.ts';
import { DEFINITIONS } from '#features/statistics/page/definitions.ts';
import { daysChart, scenesChart, scenesOf } from '#features/statistics/page/schoolCharts.ts';
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
            if (!date || (column !== 1 && column !== 2)) return undefined;
            return sheetsPath({ ...filters, begindate: date, enddate: date }, column === 2 ? { isabnormal: 1 } : {});
          }}
        />
        <ChartCard
          read={scenes}
          chart={scenesChart}
          definition={DEFINITIONS.scenes}
          note={note}
          height={340}
          link={(data) => (row, column) => {
            const [month, scene] = [data[row]?.period, scenesOf(data)[column - 1]];
            return month && scene ? sheetsPath({ ...filters }, { month, scenecode: scene.scenecode }) : undefined;
          }}
        />
      </Cards>
    </Question>
  );
}
