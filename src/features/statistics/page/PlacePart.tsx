import { Select } from '@mantine/core';
import { useState } from 'react';
import type { Share } from '#domain/statistics/interval.ts';
import { ChartCard } from '#blocks/statistics/ChartCard.tsx';
import { personsPath } from '#blocks/statistics/personsPath.ts';
import { Cards, Question } from '#blocks/statistics/Question.tsx';
import type { Filters } from '#blocks/statistics/useStatisticFilters.ts';
import { useActionQuery } from '#ui/api/useAction.ts';
import { measureOfColumn } from '#features/statistics/page/AttentionPart.tsx';
import { DEFINITIONS } from '#features/statistics/page/definitions.ts';
import { classLevelsChart, gradeLevelsChart } from '#features/statistics/page/schoolCharts.ts';
import type { SchoolFigures } from '#features/statistics/page/useSchoolFigures.ts';
import { getClassReportCountRatio } from '#features/statistics/statistics.contract.ts';

/** The name of the server for persons without a class. */
const NO_CLASS = '未填班级';

/** 在哪里: levels by grade and by class, in school order and never ranked by the rate. */
export function PlacePart({
  figures: { attention, grades, gradeLevels },
  filters,
  note,
}: {
  figures: SchoolFigures;
  filters: Filters;
  note: string;
}) {
  const [chosen, setChosen] = useState<string | null>(null);
  const listed = gradeLevels.data?.filter(({ gradecode }) => gradecode !== '') ?? [];
  const gradecodeChosen = filters.gradecode ?? chosen;
  const grade = listed.find(({ gradecode }) => gradecode === gradecodeChosen) ?? listed[0];
  const classes = useActionQuery(getClassReportCountRatio, grade ? { ...filters, gradecode: grade.gradecode } : undefined, {
    quiet: true,
  });
  const whole: Share = { count: attention.data?.abnormal ?? 0, total: attention.data?.valid ?? 0 };
  return (
    <Question title="在哪里" hint="按年级、班级顺序排列，不排名">
      <Cards>
        <ChartCard
          read={gradeLevels}
          chart={(data) => gradeLevelsChart(data, grades.data ?? [], whole)}
          definition={DEFINITIONS.places}
          note={note}
          isWide
          link={(data) => (row, column) => {
            const counted = measureOfColumn(column);
            return counted && personsPath(filters, { ...counted, ofgrade: data[row]?.gradecode ?? '' });
          }}
        />
        {grade && (
          <ChartCard
            read={classes}
            chart={(data) => classLevelsChart(data, grade.gradename, whole)}
            definition={DEFINITIONS.places}
            note={note}
            isWide
            link={(data) => (row, column) => {
              const counted = measureOfColumn(column);
              const name = data[row]?.classname ?? '';
              const ofclass = name === NO_CLASS ? '' : name;
              return counted && personsPath({ ...filters }, { ...counted, ofgrade: grade.gradecode, ofclass });
            }}
            control={
              !filters.gradecode && listed.length > 1 ? (
                <Select
                  aria-label="年级"
                  size="xs"
                  w={160}
                  allowDeselect={false}
                  value={grade.gradecode}
                  data={listed.map(({ gradecode, gradename }) => ({ value: gradecode, label: gradename }))}
                  onChange={setChosen}
                />
              ) : undefined
            }
          />
        )}
      </Cards>
    </Question>
  );
}
