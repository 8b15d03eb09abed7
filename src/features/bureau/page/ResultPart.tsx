import { Text } from '@mantine/core';
import type { Chart } from '#domain/chart/chart.ts';
import { ChartCard, Definition } from '#blocks/statistics/ChartCard.tsx';
import { Cards, Question } from '#blocks/statistics/Question.tsx';
import { Section } from '#ui/display/Section.tsx';
import { StatTiles } from '#ui/display/StatTiles.tsx';
import { stamp } from '#ui/display/RelativeTime.tsx';
import { Loaded, Skeletons } from '#ui/feedback/states.tsx';
import {
  anxiousChart,
  countText,
  depressedChart,
  genderChart,
  gradeResultsChart,
  intervalOf,
  levelsChart,
  rateText,
  type Comparison,
} from '#features/bureau/page/bureauCharts.ts';
import { DEFINITIONS } from '#features/bureau/page/definitions.ts';
import { SchoolTable } from '#features/bureau/page/SchoolTable.tsx';
import type { BureauFilters } from '#features/bureau/page/useBureauFilters.ts';
import type { BureauFigures } from '#features/bureau/page/useBureauFigures.ts';
import classes from '#features/bureau/page/bureau.module.css';

/** Whether a chart has something to draw, or may have when its answer arrives. A hidden one stands in a sentence instead. */
const isShown = <T,>({ data }: { data: T | undefined }, chart: (data: T) => Chart | undefined): boolean =>
  data === undefined || chart(data) !== undefined;
/** How many names the notice lists. */
const NAMED = 8;

/** 结果怎么样: the released results; before the release, when they come out and which schools it waits for. */
export function ResultPart({
  comparison,
  figures,
  filters,
  note,
  isGrouped,
}: {
  comparison: Comparison;
  figures: BureauFigures;
  filters: BureauFilters;
  note: string;
  isGrouped: boolean;
}) {
  const { attention, depressed, anxious, genders, grades } = figures;
  if (!figures.isReleased)
    return (
      <Question title="结果怎么样">
        <BeforeRelease comparison={comparison} />
      </Question>
    );
  const hidden = [
    ...(isShown(attention, levelsChart) ? [] : ['总体程度分布']),
    ...(isShown(depressed, depressedChart) ? [] : ['抑郁相关程度']),
    ...(isShown(anxious, anxiousChart) ? [] : ['焦虑相关程度']),
    ...(isShown(genders, genderChart) ? [] : ['男女需关注情况']),
    ...(isShown(grades, gradeResultsChart) ? [] : ['各年级需关注情况']),
  ];
  return (
    <Question title="结果怎么样" hint="筛查提示，不是诊断；公布后不再变化">
      <Loaded read={attention} skeleton={<Skeletons.Tiles count={4} />}>
        {({ valid, abnormal, rate, alert }) => (
          <StatTiles
            label="结果"
            tiles={[
              { name: '有效', value: valid, unit: '人', definition: DEFINITIONS.valid },
              { name: '需关注', value: abnormal, unit: '人', definition: DEFINITIONS.abnormal, tone: 'amber' },
              {
                ...{ name: '需关注率', value: rateText(rate), definition: DEFINITIONS.abnormalrate },
                note: abnormal === null || !valid ? '' : `95% 区间 ${intervalOf(abnormal, valid)}`,
              },
              { name: '条目提示', value: alert, unit: '人', definition: DEFINITIONS.alert, tone: 'red' },
            ]}
          />
        )}
      </Loaded>
      <Text size="sm" c="dimmed" mt={8}>
        “—” 表示不公布：人数太少，或与别的数字相减后，会让人猜到某一位学生。
        {hidden.length > 0 && `${hidden.join('、')}也因此不显示。`}
        {!filters.musercode &&
          !filters.districtcode &&
          comparison.districts.length > 1 &&
          '有区县被隐藏时，全市合计也不显示，可按区县查看。'}
      </Text>
      <div style={{ marginTop: 12 }}>
        <Cards>
          {isShown(attention, levelsChart) && (
            <ChartCard read={attention} chart={levelsChart} definition={DEFINITIONS.levels} note={note} height={140} isWide />
          )}
          {isShown(depressed, depressedChart) && (
            <ChartCard read={depressed} chart={depressedChart} definition={DEFINITIONS.topic} note={note} height={340} />
          )}
          {isShown(anxious, anxiousChart) && (
            <ChartCard read={anxious} chart={anxiousChart} definition={DEFINITIONS.topic} note={note} height={340} />
          )}
          {isShown(genders, genderChart) && (
            <ChartCard read={genders} chart={genderChart} definition={DEFINITIONS.groups} note={note} height={340} />
          )}
          {isShown(grades, gradeResultsChart) && (
            <ChartCard read={grades} chart={gradeResultsChart} definition={DEFINITIONS.groups} note={note} height={340} />
          )}
        </Cards>
      </div>
      {comparison.rows.length > 0 && (
        <div style={{ marginTop: 12 }}>
          <Section>
            <SchoolTable
              title="各校结果"
              schools={comparison.rows}
              filters={filters}
              isGrouped={isGrouped}
              columns={[
                { head: '有效', isNumber: true, cell: ({ valid }) => countText(valid) },
                { head: '需关注', isNumber: true, cell: ({ abnormal }) => countText(abnormal) },
                { head: '需关注率', isNumber: true, cell: ({ abnormalrate }) => rateText(abnormalrate) },
                {
                  head: '95% 区间',
                  cell: ({ low, high }) => (low === null ? '—' : `${rateText(low)}–${rateText(high)}`),
                },
                { head: '与本区县相比', cell: ({ place }) => place ?? '—' },
                {
                  head: '年级校正',
                  isNumber: true,
                  cell: ({ adjustedrate }) => (adjustedrate === null ? '—' : `${adjustedrate}%`),
                },
              ]}
            />
            <Definition text={DEFINITIONS.place} of="各校结果" />
          </Section>
        </div>
      )}
    </Question>
  );
}

function BeforeRelease({ comparison: { releaseday, rows } }: { comparison: Comparison }) {
  const awaited = rows.filter(({ isawaited }) => isawaited === 1);
  const names = awaited
    .slice(0, NAMED)
    .map(({ insname, lasttaskend }) =>
      lasttaskend ? `${insname}（任务 ${stamp(lasttaskend)} 截止）` : `${insname}（还没有任务）`,
    );
  return (
    <div className={classes['notice']} role="note">
      <Text fw={600}>{releaseday ? `结果将在 ${releaseday} 公布` : '结果还没有公布'}</Text>
      <p>
        结果每学期公布一次：全部学校的任务结束满 7 天后，最晚学期结束满 7
        天后。公布前只看进度，公布后不再变化，这样没有人能从前后两天的差推出某一位学生。
      </p>
      {awaited.length > 0 && (
        <p>
          还在等的学校：{names.join('、')}
          {awaited.length > NAMED && `等 ${awaited.length} 所`}。
        </p>
      )}
    </div>
  );
}
