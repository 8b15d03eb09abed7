import { ChartCard } from '#blocks/statistics/ChartCard.tsx';
import { personsPath } from '#blocks/statistics/personsPath.ts';
import { Cards, Question } from '#blocks/statistics/Question.tsx';
import type { Filters } from '#blocks/statistics/useStatisticFilters.ts';
import { DEFINITIONS } from '#features/statistics/page/definitions.ts';
import { genderChart, topicChart } from '#features/statistics/page/schoolCharts.ts';
import type { SchoolFigures } from '#features/statistics/page/useSchoolFigures.ts';
import type { getDepressedQuotaCountRatio, OwnFigures } from '#features/statistics/statistics.contract.ts';

type Shares = OwnFigures<typeof getDepressedQuotaCountRatio>;
const depressedChart = (data: Shares) => topicChart('抑郁相关程度', data);
const anxiousChart = (data: Shares) => topicChart('焦虑相关程度', data);

/** 是什么: depression and anxiety by level, and men and women. */
export function KindPart({
  figures: { depressed, anxious, genders },
  filters,
  note,
}: {
  figures: SchoolFigures;
  filters: Filters;
  note: string;
}) {
  const levelLink = (measure: 'depressed' | 'anxious') => (data: Shares) => (row: number, column: number) => {
    const visible = data.items.filter(({ level, count }) => level < 4 || count > 0);
    const value = visible[row]?.level;
    return column === 1 && value !== undefined ? personsPath(filters, { measure, value }) : undefined;
  };
  return (
    <Question title="是什么">
      <Cards isDense>
        <ChartCard
          read={depressed}
          chart={depressedChart}
          definition={DEFINITIONS.topic}
          note={note}
          height={340}
          link={levelLink('depressed')}
        />
        <ChartCard
          read={anxious}
          chart={anxiousChart}
          definition={DEFINITIONS.topic}
          note={note}
          height={340}
          link={levelLink('anxious')}
        />
        <ChartCard
          read={genders}
          chart={genderChart}
          definition={DEFINITIONS.genders}
          note={note}
          height={340}
          link={(data) => (row, column) => {
            const gender = data[row]?.gender;
            if ((gender !== '01' && gender !== '02') || (column !== 1 && column !== 2)) return undefined;
            return personsPath(filters, { measure: column === 1 ? 'complete' : 'abnormal', ofgender: gender });
          }}
        />
      </Cards>
    </Question>
  );
}
