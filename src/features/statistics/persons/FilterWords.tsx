import { Text } from '@mantine/core';
import { Appid, Term } from '#domain/base/enums.ts';
import { gradeOf } from '#domain/person/grades.ts';
import { useActionQuery } from '#ui/api/useAction.ts';
import { getStatisticOptions } from '#features/statistics/options/options.contract.ts';

/** The filters of the figure in words; the task and the plan by their names. */
export function FilterWords({ filters }: { filters: Readonly<Record<string, unknown>> }) {
  const { year, term, taskcode, plancode, gradecode, classname, appid, begindate, enddate } = filters as Record<
    string,
    string | undefined
  >;
  const options = useActionQuery(getStatisticOptions, taskcode || plancode ? {} : undefined, { quiet: true }).data;
  const words = [
    year && `${year}学年${term ? Term.label(term) : ''}`,
    taskcode && (options?.tasks.find((task) => task.taskcode === taskcode)?.taskname ?? '所选任务'),
    plancode && (options?.plans.find((plan) => plan.plancode === plancode)?.planname ?? '所选方案'),
    gradecode && (gradeOf(gradecode)?.name ?? gradecode),
    classname,
    appid && Appid.label(appid),
    (begindate || enddate) && `${begindate ?? '最早'} 至 ${enddate ?? '今天'}`,
  ].filter(Boolean);
  return words.length === 0 ? null : (
    <Text size="sm" c="dimmed">
      统计范围：{words.join(' · ')}
    </Text>
  );
}

/** Filters that the words above the list show. */
export const WORDED_FILTERS = [
  'year',
  'term',
  'taskcode',
  'plancode',
  'gradecode',
  'classname',
  'appid',
  'begindate',
  'enddate',
] as const;
