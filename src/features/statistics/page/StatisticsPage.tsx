import { Button, Group, Text } from '@mantine/core';
import { IconPrinter } from '@tabler/icons-react';
import { useState } from 'react';
import type { ResponseOf } from '#contract/action.ts';
import { Appid } from '#domain/base/enums.ts';
import { pathOf } from '#contract/menu.ts';
import { compareTermOrder, termBefore, type SchoolTerm } from '#domain/statistics/term.ts';
import { DataStamp, PrintHead } from '#blocks/statistics/DataStamp.tsx';
import { FilterBar } from '#blocks/statistics/FilterBar.tsx';
import { SchoolFilter } from '#blocks/statistics/SchoolFilter.tsx';
import { shortTermWords, TermFilter, termWords } from '#blocks/statistics/TermFilter.tsx';
import { useStatisticFilters, type Filters } from '#blocks/statistics/useStatisticFilters.ts';
import { DateRangeFilter } from '#ui/dates/DateRangeFilter.tsx';
import { PageStack, Section } from '#ui/display/Section.tsx';
import { EmptyState, ErrorState, Skeletons } from '#ui/feedback/states.tsx';
import { SelectFilter } from '#ui/list/filters.tsx';
import { Link, useSearchParams } from '#ui/router/router.tsx';
import { hasPermission } from '#ui/api/session.ts';
import { useActionQuery } from '#ui/api/useAction.ts';
import { getStatisticOptions } from '#features/statistics/options/options.contract.ts';
import { getSchoolList } from '#features/team/team.contract.ts';
import { AttentionPart } from '#features/statistics/page/AttentionPart.tsx';
import { Comparison } from '#features/statistics/page/Comparison.tsx';
import { CompletionPart } from '#features/statistics/page/CompletionPart.tsx';
import { KindPart } from '#features/statistics/page/KindPart.tsx';
import { PlacePart } from '#features/statistics/page/PlacePart.tsx';
import { TimePart } from '#features/statistics/page/TimePart.tsx';
import { useComparison, useSchoolFigures } from '#features/statistics/page/useSchoolFigures.ts';

type Options = ResponseOf<typeof getStatisticOptions>;

/** 数据分析 of a school: who has not been tested, how many need attention, where, what, when. */
export default function StatisticsPage() {
  const [params] = useSearchParams();
  const chosen = (name: string) => params.get(name) ?? undefined;
  const [musercode, categorycode] = [chosen('musercode'), chosen('categorycode')];
  const place = { ...(musercode && { musercode }), ...(categorycode && { categorycode }) };
  // The terms decide on which period the page opens, so they are asked without a period.
  const opening = useActionQuery(getStatisticOptions, place, { quiet: true });
  const { filters, set, reset, isChanged } = useStatisticFilters(opening.data);
  const { year, term, taskcode } = filters ?? {};
  const options = useActionQuery(
    getStatisticOptions,
    filters && { ...place, ...(year && { year }), ...(term && { term }), ...(taskcode && { taskcode }) },
    { quiet: true, keepPrevious: true },
  );
  if (opening.error) return <ErrorState error={opening.error} retry={() => void opening.refetch()} />;
  if (!filters || !opening.data) return <Skeletons.Page />;
  const shown = options.data ?? opening.data;
  return (
    <PageStack>
      <FilterBar filters={filters} set={set} reset={reset} isChanged={isChanged}>
        <TermFilter terms={opening.data.terms} />
        <SelectFilter name="gradecode" label="年级" options={toOptions(shown.grades, 'gradecode', 'gradename')} />
        <SelectFilter name="classname" label="班级" options={classOptions(shown, filters)} />
        <SelectFilter name="taskcode" label="任务" options={toOptions(shown.tasks, 'taskcode', 'taskname')} />
        {(opening.data.institutions > 1 || musercode || categorycode) && <SchoolFilter parents={opening.data.parents} />}
        {opening.data.appids.length > 1 && (
          <SelectFilter
            name="appid"
            label="人群"
            options={opening.data.appids.map((appid) => ({ value: appid, label: Appid.label(appid) }))}
          />
        )}
        <SelectFilter name="plancode" label="方案" options={toOptions(opening.data.plans, 'plancode', 'planname')} />
        <DateRangeFilter from="begindate" to="enddate" label="提交日期" />
      </FilterBar>
      <Figures filters={filters} options={shown} terms={opening.data.terms} reset={isChanged ? reset : undefined} />
    </PageStack>
  );
}

const toOptions = <Code extends string, Name extends string>(
  rows: readonly (Record<Code, string> & Record<Name, string>)[],
  code: Code,
  name: Name,
) => rows.map((row) => ({ value: row[code], label: row[name] }));

/** The classes of the chosen grade; without a grade those of all grades, once each. */
function classOptions({ grades }: Options, { gradecode }: Filters) {
  const classes = grades.filter((grade) => !gradecode || grade.gradecode === gradecode).flatMap((grade) => grade.classes);
  return [...new Set(classes)]
    .sort((a, b) => a.localeCompare(b, 'zh', { numeric: true }))
    .map((name) => ({ value: name, label: name }));
}

function Figures({
  filters,
  options,
  terms,
  reset,
}: {
  filters: Filters;
  options: Options;
  terms: readonly SchoolTerm[];
  /** undefined while no filter is set */
  reset: (() => void) | undefined;
}) {
  const figures = useSchoolFigures(filters);
  const [chosenBefore, setChosenBefore] = useState<SchoolTerm>();
  const term = filters.year && filters.term ? { year: filters.year, term: filters.term } : undefined;
  const earlierTerms = term ? terms.filter((one) => compareTermOrder(one, term) < 0) : [];
  const isEarlier = chosenBefore && term && compareTermOrder(chosenBefore, term) < 0;
  const before = isEarlier ? chosenBefore : term && termBefore(terms, term);
  const comparison = useComparison(filters, before);
  // The filter of institutions has read the same list.
  const schools = useActionQuery(getSchoolList, filters.musercode ? {} : undefined, { quiet: true });
  const school = schools.data?.find(({ schoolcode }) => schoolcode === filters.musercode)?.schoolname;
  const above = options.parents.find(({ musercode }) => musercode === filters.categorycode);
  const note = [school, above && `${above.insname}及下级`, describeFilters(filters, options)].filter(Boolean).join(' · ');
  const isEmpty = figures.completion.data?.total === 0;
  const result = comparison.data;
  // Old figures stay until the new ones are there.
  const isLoading = figures.completion.isPlaceholderData;
  return (
    <div aria-busy={isLoading} style={isLoading ? { opacity: 0.6 } : undefined}>
      <PrintHead title="测评数据分析" />
      <Group justify="space-between" gap="sm">
        <div>
          <Text size="sm">{note}</Text>
          <DataStamp reads={[figures.completion, figures.attention, figures.rows]} counted={figures.time.data?.datatime} />
        </div>
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
      {isEmpty ? (
        <Section>
          <EmptyState title="所选条件下还没有测评" hint="可以换一个学期或放宽条件；还没有任务时，先到任务管理新建任务">
            {reset && (
              <Button variant="default" onClick={reset}>
                重置条件
              </Button>
            )}
            {hasPermission('group.tasks') && (
              <Button variant={reset ? 'default' : 'filled'} component={Link} to={pathOf('group.tasks')}>
                去任务管理
              </Button>
            )}
          </EmptyState>
        </Section>
      ) : (
        <>
          <CompletionPart
            figures={figures}
            filters={filters}
            note={note}
            before={result && before && { words: shortTermWords(before), total: result.before.total, rate: result.before.rate }}
          />
          <AttentionPart
            figures={figures}
            filters={filters}
            note={note}
            before={result && before && { words: shortTermWords(before), abnormalrate: result.before.abnormalrate }}
            comparison={
              term && before && (comparison.isFetching || comparison.isFetched) ? (
                <Comparison read={comparison} term={term} before={before} earlierTerms={earlierTerms} choose={setChosenBefore} />
              ) : undefined
            }
          />
          <PlacePart figures={figures} filters={filters} note={note} />
          <KindPart figures={figures} filters={filters} note={note} />
          <TimePart figures={figures} filters={filters} note={note} />
        </>
      )}
    </div>
  );
}

/** The filters in words, for the head of the page and for charts on paper. */
function describeFilters(filters: Filters, options: Options): string {
  const nameOf = <T,>(rows: readonly T[], has: (row: T) => boolean, name: (row: T) => string) => {
    const row = rows.find(has);
    return row ? name(row) : '';
  };
  const { year, term, begindate, enddate, gradecode, classname, taskcode, plancode, appid } = filters;
  return [
    year ? termWords({ year, term }) : begindate || enddate ? '' : '全部时间',
    begindate || enddate ? `${begindate ?? '开始'} 至 ${enddate ?? '今天'}提交` : '',
    gradecode &&
      nameOf(
        options.grades,
        (row) => row.gradecode === gradecode,
        (row) => row.gradename,
      ),
    classname,
    taskcode &&
      nameOf(
        options.tasks,
        (row) => row.taskcode === taskcode,
        (row) => row.taskname,
      ),
    plancode &&
      nameOf(
        options.plans,
        (row) => row.plancode === plancode,
        (row) => row.planname,
      ),
    appid && Appid.label(appid),
  ]
    .filter(Boolean)
    .join(' · ');
}
