import { formatNumber } from '#domain/base/number.ts';
import { percent } from '#domain/task/taskprogress.ts';
import { pathOf } from '#contract/menu.ts';
import { ChartCard } from '#blocks/statistics/ChartCard.tsx';
import { personsPath, sheetsPath } from '#blocks/statistics/personsPath.ts';
import { Cards, Question } from '#blocks/statistics/Question.tsx';
import type { Filters } from '#blocks/statistics/useStatisticFilters.ts';
import { hasPermission } from '#ui/api/session.ts';
import { Loaded, Skeletons } from '#ui/feedback/states.tsx';
import { paramsFrom } from '#ui/router/filtersInAddress.ts';
import { StatTiles, type Tile } from '#ui/display/StatTiles.tsx';
import { DEFINITIONS } from '#features/statistics/page/definitions.ts';
import { completionChart, rateText } from '#features/statistics/page/schoolCharts.ts';
import type { SchoolFigures } from '#features/statistics/page/useSchoolFigures.ts';

const institutionsPath = ({ musercode, provincecode, citycode, districtcode, categorycode }: Filters): string | undefined =>
  hasPermission('service.institutions')
    ? `${pathOf('service.institutions')}?${paramsFrom({ musercode, provincecode, citycode, districtcode, categorycode }).toString()}`
    : undefined;

/** A path as a property, absent without a path. */
export const linkTo = (to: string | undefined): { to?: string } => (to ? { to } : {});

/** 谁还没测: the persons to test, who was tested, who was not and why. */
export function CompletionPart({
  figures: { completion, rows, schools, grades },
  filters,
  before,
  note,
}: {
  figures: SchoolFigures;
  filters: Filters;
  /** the figures of the term before */
  before: { words: string; total: number; rate: number | null } | undefined;
  note: string;
}) {
  return (
    <Question title="谁还没测" hint="点数字或图形看名单">
      <Loaded read={completion} skeleton={<Skeletons.Tiles count={6} />}>
        {({ total, complete, rate, tested, exempt, absent, ratenet }) => {
          const listOf = (measure: Parameters<typeof personsPath>[1]['measure']) => linkTo(personsPath(filters, { measure }));
          const tiles: Tile[] = [
            {
              ...{ name: '应测', value: total, unit: '人', definition: DEFINITIONS.total, ...listOf('total') },
              ...(before ? { note: `${before.words} ${formatNumber(before.total)} 人` } : {}),
            },
            {
              ...{ name: '完成率', value: rateText(rate), definition: DEFINITIONS.rate },
              note: [
                // The progress of a task counts the sheets handed in, so a reader who compares finds its number here.
                tested > complete ? `按提交 ${rateText(percent(tested, total))}` : '',
                exempt > 0 ? `扣除免测 ${rateText(ratenet)}` : '',
                before ? `${before.words} ${rateText(before.rate)}` : '',
              ]
                .filter(Boolean)
                .join('；'),
            },
            { name: '实测', value: tested, unit: '人', definition: DEFINITIONS.tested, ...listOf('tested') },
            {
              ...{ name: '有效', value: complete, unit: '人', definition: DEFINITIONS.complete, ...listOf('complete') },
              ...(tested > complete ? { note: `${formatNumber(tested - complete)} 人作答存疑或待同意` } : {}),
            },
            {
              ...{ name: '未测', value: total - tested, unit: '人', definition: DEFINITIONS.untested, ...listOf('untested') },
              ...(total > tested ? { tone: 'amber' as const } : {}),
            },
            { name: '免测', value: exempt, unit: '人', definition: DEFINITIONS.exempt, ...listOf('exempt') },
            { name: '缺测', value: absent, unit: '人', definition: DEFINITIONS.absent, ...listOf('absent') },
            ...(rows.data
              ? [
                  {
                    ...{ name: '提交', value: rows.data.examcount, unit: '人次', definition: DEFINITIONS.rows },
                    ...linkTo(sheetsPath(filters)),
                    note: `${formatNumber(rows.data.taskcount)} 个任务，名单 ${formatNumber(rows.data.rostercount)} 人次`,
                  },
                ]
              : []),
            ...(schools.data && schools.data.total > 1
              ? [
                  {
                    ...{ name: '机构', value: schools.data.total, unit: '家', definition: DEFINITIONS.schools },
                    ...linkTo(institutionsPath(filters)),
                    note: `${formatNumber(schools.data.active)} 家有测评，${formatNumber(schools.data.inactive)} 家还没有`,
                  },
                ]
              : []),
          ];
          return <StatTiles label="完成情况" tiles={tiles} width={236} />;
        }}
      </Loaded>
      <div style={{ marginTop: 12 }}>
        <Cards>
          <ChartCard
            read={grades}
            chart={completionChart}
            definition={DEFINITIONS.grades}
            note={note}
            height={340}
            isWide
            link={(data) => (row, column) =>
              column === 1 || column === 2
                ? personsPath(filters, { measure: column === 1 ? 'total' : 'complete', ofgrade: data[row]?.gradecode ?? '' })
                : undefined
            }
          />
        </Cards>
      </div>
    </Question>
  );
}
