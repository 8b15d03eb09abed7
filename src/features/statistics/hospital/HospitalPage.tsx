import { Button, Group } from '@mantine/core';
import { IconPrinter } from '@tabler/icons-react';
import { useCallback, useMemo } from 'react';
import { Appid } from '#domain/base/enums.ts';
import type { FilterValue } from '#ui/router/filtersInAddress.ts';
import { paramsFrom } from '#ui/router/filtersInAddress.ts';
import { can } from '#ui/api/session.ts';
import { useActionQuery } from '#ui/api/useAction.ts';
import { DateRangeFilter } from '#ui/dates/DateRangeFilter.tsx';
import { PageStack } from '#ui/display/Section.tsx';
import { StatTiles, type Tile } from '#ui/display/StatTiles.tsx';
import { ErrorState } from '#ui/feedback/states.tsx';
import { SelectFilter } from '#ui/list/filters.tsx';
import { ChartCard } from '#blocks/statistics/ChartCard.tsx';
import { DataStamp } from '#blocks/statistics/DataStamp.tsx';
import { FilterBar } from '#blocks/statistics/FilterBar.tsx';
import { personsPath, type CountedPersons } from '#blocks/statistics/personsPath.ts';
import { Cards, Question } from '#blocks/statistics/Question.tsx';
import { SchoolFilter } from '#blocks/statistics/SchoolFilter.tsx';
import { useStatisticFilters } from '#blocks/statistics/useStatisticFilters.ts';
import { getDuePageList } from '#features/archive/archive.contract.ts';
import { getCompleteAssessCount, getInterfereRecord } from '#features/statistics/hospital.contract.ts';
import * as charts from '#features/statistics/hospital/hospitalCharts.ts';
import { getStatisticOptions } from '#features/statistics/options/options.contract.ts';
import { getStageCoverage, getStagePersonPageList } from '#features/statistics/stages/stages.contract.ts';
import * as statistics from '#features/statistics/statistics.contract.ts';

/** The pages with the due list of a population. */
const DUE_PATHS: Readonly<Record<string, string>> = {
  [Appid.maternity]: '/empower/maternity',
  [Appid.students]: '/empower/youngsters',
  [Appid.workers]: '/empower/highPressure',
  [Appid.elders]: '/empower/theOld',
};
const rateWords = (name: string, rate: number | null | undefined) =>
  rate === null || rate === undefined ? '' : `${name} ${rate}%`;

/** The figures of the page. */
function useFigures(filters: Record<string, string | undefined> | undefined) {
  const { begindate, enddate, appid, musercode } = filters ?? {};
  const request = useMemo(
    () =>
      appid
        ? {
            appid,
            ...(musercode ? { musercode } : {}),
            ...(begindate ? { begindate } : {}),
            ...(enddate ? { enddate } : {}),
          }
        : undefined,
    [appid, musercode, begindate, enddate],
  );
  const keep = { keepPrevious: true, quiet: true };
  const due =
    request && can(getDuePageList) ? { appid: request.appid, ...(musercode ? { musercode } : {}), pageSize: 1 } : undefined;
  return {
    request,
    reads: {
      due: useActionQuery(getDuePageList, due, keep),
      coverage: useActionQuery(getStageCoverage, request, keep),
      funnel: useActionQuery(getCompleteAssessCount, request, keep),
      people: useActionQuery(statistics.getAssessPeopleCompleteCount, request, keep),
      abnormal: useActionQuery(statistics.getAssessAbnormalCount, request, keep),
      depressed: useActionQuery(statistics.getDepressedQuotaCountRatio, request, keep),
      anxious: useActionQuery(statistics.getAnxiousQuotaCountRatio, request, keep),
      interfere: useActionQuery(getInterfereRecord, request && { ...request, pageSize: 1 }, keep),
      days: useActionQuery(statistics.getAssessDayCountTrend, request, keep),
      scenes: useActionQuery(statistics.getSceneCountTrend, request, keep),
      time: useActionQuery(statistics.getStatisticTime, request, keep),
    },
  };
}

/** 数据分析 of a medical institution: who has not been tested, how much is done, who needs attention, what was done. */
export default function HospitalPage() {
  const options = useActionQuery(getStatisticOptions, {}, { quiet: true });
  // A hospital has no terms: its page opens on 12 months.
  const opening = useMemo(() => options.data && { today: options.data.today, terms: [] }, [options.data]);
  const { filters: chosen, set, reset, isChanged } = useStatisticFilters(opening);
  const appids = options.data?.appids ?? [];
  const appid = chosen?.appid ?? (appids.length === 0 || appids.includes(Appid.maternity) ? Appid.maternity : appids[0]);
  const filters = chosen && options.data ? { ...chosen, appid } : undefined;
  const { request, reads } = useFigures(filters);
  const period = `${filters?.begindate ?? '最早'} 至 ${filters?.enddate ?? '今天'}`;
  const note = `${Appid.label(appid)}，${period}`;

  const listPath = useCallback(
    (path: string, more: Record<string, FilterValue>) => `${path}?${paramsFrom({ ...request, ...more }).toString()}`,
    [request],
  );
  const stagePath = (stagecode: string | undefined, coverage: string) =>
    can(getStagePersonPageList) ? listPath('/statistics/stages', { stagecode, coverage }) : undefined;
  const persons = (counted: CountedPersons) => personsPath({ ...request }, counted);
  const interventions = (kind?: string) => listPath('/statistics/interventions', { kind });

  if (options.error) return <ErrorState error={options.error} retry={() => void options.refetch()} />;
  const { due, coverage, funnel, people, abnormal, depressed, anxious, interfere, days, scenes, time } = reads;
  const shown = [coverage, funnel, abnormal, interfere];
  const sumOf = (key: 'due' | 'tested' | 'untested' | 'missed') =>
    coverage.data?.reduce((sum, stage) => sum + stage[key], 0) ?? null;
  const link = (to: string | undefined): Pick<Tile, 'to'> => (to ? { to } : {});

  return (
    <PageStack>
      <FilterBar filters={filters ?? {}} set={set} reset={reset} isChanged={isChanged}>
        <DateRangeFilter from="begindate" to="enddate" label="日期" />
        {appids.length > 1 && (
          <SelectFilter name="appid" label="人群" options={appids.map((value) => ({ value, label: Appid.label(value) }))} />
        )}
        {(options.data?.institutions ?? 0) > 1 && <SchoolFilter />}
      </FilterBar>
      <Group justify="space-between">
        <DataStamp reads={shown} counted={time.data?.datatime} />
        <Button
          variant="default"
          size="xs"
          leftSection={<IconPrinter size={14} aria-hidden />}
          onClick={() => window.print()}
          data-noprint
        >
          打印
        </Button>
      </Group>

      <Question title="谁还没做" hint="人数">
        <StatTiles
          label="谁还没做"
          tiles={[
            ...(can(getDuePageList)
              ? [
                  {
                    name: '今天待测',
                    value: due.data ? due.data.counts.due + due.data.counts.overdue + due.data.counts.retest : null,
                    unit: '人',
                    definition: '在管档案中，今天处在测评窗口期还没有有效答卷的人，加上到期复测的人（人数）',
                    ...link(DUE_PATHS[appid ?? '']),
                  },
                  {
                    name: '其中逾期',
                    value: due.data?.counts.overdue ?? null,
                    unit: '人',
                    tone: 'red' as const,
                    definition: '窗口期只剩最后 14 天还没有测的人，和过了复测日期的人（人数）',
                    ...link(DUE_PATHS[appid ?? ''] && `${DUE_PATHS[appid ?? '']}?due=overdue`),
                  },
                ]
              : []),
            {
              name: '所选时间内未测',
              value: sumOf('untested'),
              unit: '人·阶段',
              definition: '所选时间内处在窗口期的在管人员中，没有该阶段有效答卷的；一人有几个阶段未测就计几次',
              ...link(stagePath(undefined, 'untested')),
            },
            {
              name: '其中漏测',
              value: sumOf('missed'),
              unit: '人·阶段',
              tone: 'amber',
              definition: '未测中，窗口期已经结束的',
              ...link(stagePath(undefined, 'missed')),
            },
          ]}
        />
        <Cards>
          <ChartCard
            read={coverage}
            chart={charts.coverageChart}
            isWide
            note={note}
            definition="应测：在管档案中，所选时间内处在该阶段窗口期的人数；已测：其中有该阶段有效答卷的人数；覆盖率 = 已测 ÷ 应测"
            emptyHint="建档并填写预产期后，会按阶段列出应测人数"
            link={(stages) => (row, at) => {
              const kind = (['', 'due', 'tested', 'untested'] as const)[at];
              return kind ? stagePath(stages[row]?.stagecode, kind) : undefined;
            }}
          />
        </Cards>
      </Question>

      <Question title="做完多少" hint="人次">
        <StatTiles
          label="做完多少"
          tiles={[
            {
              name: '授权',
              value: funnel.data?.authorised ?? null,
              unit: '人次',
              definition: '所选时间内发放的授权次数；已清零的授权只计用掉的次数',
            },
            {
              name: `完成${rateWords('，完成率', funnel.data?.rate)}`,
              value: funnel.data?.complete ?? null,
              unit: '人次',
              definition: '这些授权交回的有效答卷份数；完成率 = 完成 ÷ 授权',
            },
            {
              name: `需关注${rateWords('，占完成', funnel.data?.abnormalrate)}`,
              value: funnel.data?.abnormal ?? null,
              unit: '人次',
              definition: '完成的答卷中，结果达到本机构关注标准的份数；分母为完成',
            },
          ]}
        />
        <Cards>
          <ChartCard
            read={funnel}
            chart={charts.funnelChart}
            isWide
            note={note}
            definition="均为人次。授权：发放的次数；完成：这些授权的有效答卷；需关注：其中达到关注标准的；完成率 = 完成 ÷ 授权"
            emptyHint="在“孕产妇”中为受测者授权后，这里会显示进展"
          />
        </Cards>
      </Question>

      <Question title="多少人需关注" hint="人数，每人取最近一份有效答卷">
        <StatTiles
          label="多少人需关注"
          tiles={[
            {
              name: '实测',
              value: people.data?.tested ?? null,
              unit: '人',
              definition: '所选时间内交过答卷的人数',
              ...link(persons({ measure: 'tested' })),
            },
            {
              name: '有效',
              value: abnormal.data?.valid ?? null,
              unit: '人',
              definition: '有有效答卷的人数',
              ...link(persons({ measure: 'complete' })),
            },
            {
              name: `需关注${rateWords('，占有效', abnormal.data?.rate)}`,
              value: abnormal.data?.abnormal ?? null,
              unit: '人',
              tone: 'amber',
              definition: '最近一份有效答卷达到本机构关注标准的人数；分母为有效人数。筛查提示，不是诊断',
              ...link(persons({ measure: 'abnormal' })),
            },
            {
              name: '触发预警',
              value: abnormal.data?.alert ?? null,
              unit: '人',
              tone: 'red',
              definition: '最近一份有效答卷中，有题目触发预警的人数',
              ...link(persons({ measure: 'alert' })),
            },
          ]}
        />
        <Cards>
          {(
            [
              ['depressed', '抑郁程度', depressed],
              ['anxious', '焦虑程度', anxious],
            ] as const
          ).map(([measure, title, read]) => (
            <ChartCard
              key={measure}
              read={read}
              chart={(data) => charts.domainChart(title, data)}
              note={note}
              definition={`${title}：每人最近一份有效答卷中该方面的程度（人数）。筛查提示，不是诊断`}
              emptyHint="所选时间内没有测到这个方面的有效答卷"
              link={(data) => (row, at) => (at === 1 ? persons({ measure, value: data.items[row]?.level ?? 0 }) : undefined)}
            />
          ))}
        </Cards>
      </Question>

      <Question title="做了什么" hint="干预记录">
        <StatTiles
          label="做了什么"
          tiles={[
            {
              name: '干预',
              value: interfere.data?.summary.total ?? null,
              unit: '人次',
              definition: '所选时间内开始的干预记录数',
              to: interventions(),
            },
            {
              name: '涉及',
              value: interfere.data?.summary.people ?? null,
              unit: '人',
              definition: '有干预记录的人数，一人只计一次',
              to: interventions(),
            },
          ]}
        />
        <Cards>
          <ChartCard
            read={interfere}
            chart={charts.interfereChart}
            isWide
            note={note}
            definition="所选时间内开始的干预记录，按方式计人次"
            emptyHint="在个人档案或预警个案中登记干预后，会按方式列在这里"
            link={(data) => (row, at) => (at === 1 ? interventions(data.summary.kinds[row]?.kind) : undefined)}
          />
        </Cards>
      </Question>

      <Question title="什么时候、怎么做的" hint="人次">
        <Cards>
          <ChartCard
            read={days}
            chart={charts.dayChart}
            note={note}
            definition="按提交时间计答卷份数（人次）；需关注只计有效答卷"
            emptyHint="所选时间内没有人交卷"
          />
          <ChartCard
            read={scenes}
            chart={charts.sceneChart}
            note={note}
            definition="按提交月份和测评方式计答卷份数（人次）"
            emptyHint="所选时间内没有人交卷"
          />
        </Cards>
      </Question>
    </PageStack>
  );
}
