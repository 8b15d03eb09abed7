import { Button, Group, Text } from '@mantine/core';
import { IconPrinter } from '@tabler/icons-react';
import { useState } from 'react';
import { Appid } from '#domain/base/enums.ts';
import { PrintHead } from '#blocks/statistics/DataStamp.tsx';
import { FilterBar } from '#blocks/statistics/FilterBar.tsx';
import { termWords } from '#blocks/statistics/TermFilter.tsx';
import { useActionQuery } from '#ui/api/useAction.ts';
import { stamp } from '#ui/display/RelativeTime.tsx';
import { PageStack, Section } from '#ui/display/Section.tsx';
import { EmptyState, ErrorState, Loaded, Skeletons } from '#ui/feedback/states.tsx';
import { SelectFilter } from '#ui/list/filters.tsx';
import { Link, useSearchParams } from '#ui/router/router.tsx';
import { getReleaseOptions } from '#features/bureau/bureau.contract.ts';
import { BeginPart } from '#features/bureau/page/BeginPart.tsx';
import { CarePart } from '#features/bureau/page/CarePart.tsx';
import { PeriodFilter } from '#features/bureau/page/PeriodFilter.tsx';
import { ORDERS, ProgressPart } from '#features/bureau/page/ProgressPart.tsx';
import { ResultPart } from '#features/bureau/page/ResultPart.tsx';
import { TermPart } from '#features/bureau/page/TermPart.tsx';
import { bureauPath, useBureauFilters, type BureauFilters, type Options } from '#features/bureau/page/useBureauFilters.ts';
import { useBureauFigures } from '#features/bureau/page/useBureauFigures.ts';

/** 数据分析 of an authority: five questions about its schools, answered by the release. It names no person. */
export default function BureauPage() {
  const [params] = useSearchParams();
  const appid = params.get('appid');
  const options = useActionQuery(getReleaseOptions, appid ? { appid } : {}, { quiet: true, keepPrevious: true });
  const { filters, set, reset, isChanged } = useBureauFilters(options.data);
  if (options.error) return <ErrorState error={options.error} retry={() => void options.refetch()} />;
  if (!filters || !options.data) return <Skeletons.Page />;
  const { periods, appids, schools } = options.data;
  const districts = new Map(schools.map(({ districtcode, regionname }) => [districtcode, regionname]));
  const ofDistrict = schools.filter(({ districtcode }) => !filters.districtcode || districtcode === filters.districtcode);
  return (
    <PageStack>
      <FilterBar filters={filters} set={set} reset={reset} isChanged={isChanged}>
        <PeriodFilter periods={periods} />
        {districts.size > 1 && (
          <SelectFilter
            name="districtcode"
            label="区县"
            options={[...districts].filter(([code]) => code).map(([value, label]) => ({ value, label }))}
          />
        )}
        <SelectFilter
          name="musercode"
          label="学校"
          options={ofDistrict.map(({ musercode, insname }) => ({ value: musercode, label: insname }))}
        />
        {appids.length > 1 && (
          <SelectFilter name="appid" label="人群" options={appids.map((value) => ({ value, label: Appid.label(value) }))} />
        )}
      </FilterBar>
      {filters.year ? (
        <Figures filters={filters} options={options.data} />
      ) : (
        <Section>
          <EmptyState title="还没有可看的数据" hint="所辖学校有测评任务后，进度从第二天 02:00 起显示在这里" />
        </Section>
      )}
    </PageStack>
  );
}

function Figures({ filters, options }: { filters: BureauFilters; options: Options }) {
  const [order, setOrder] = useState('place');
  const figures = useBureauFigures(filters, ORDERS.find(({ value }) => value === order)?.order ?? {});
  const school = options.schools.find(({ musercode }) => musercode === filters.musercode);
  const district = options.schools.find(({ districtcode }) => districtcode === filters.districtcode);
  const { year = '', term } = filters;
  const note = [school?.insname ?? district?.regionname, termWords({ year, term }), Appid.label(filters.appid ?? '')]
    .filter(Boolean)
    .join(' · ');
  const isLoading = figures.schools.isPlaceholderData;
  const parts = { filters, note, isGrouped: order === 'place' };
  return (
    <div aria-busy={isLoading} style={isLoading ? { opacity: 0.6 } : undefined}>
      <PrintHead title="心理健康测评数据" />
      <Loaded read={figures.schools} skeleton={<Skeletons.Page />}>
        {(comparison) => (
          <>
            <Group justify="space-between" gap="sm">
              <div>
                <Text size="sm">{note}</Text>
                <Text size="sm" c="dimmed" role="status">
                  {[
                    comparison.counttime && `进度截至 ${stamp(comparison.counttime)}`,
                    comparison.datatime ? `结果数据截至 ${stamp(comparison.datatime)}` : '结果尚未公布',
                  ]
                    .filter(Boolean)
                    .join('；')}
                </Text>
              </div>
              <Group gap="xs" data-noprint>
                {school && (
                  <Button variant="default" size="xs" component={Link} to={bureauPath({ ...filters, musercode: undefined })}>
                    返回全部学校
                  </Button>
                )}
                <Button variant="default" size="xs" component={Link} to="/statistics/excel">
                  上报表格
                </Button>
                <Button
                  variant="default"
                  size="xs"
                  leftSection={<IconPrinter size={14} aria-hidden />}
                  onClick={() => window.print()}
                >
                  打印
                </Button>
              </Group>
            </Group>
            <BeginPart comparison={comparison} filters={filters} />
            <ProgressPart {...parts} comparison={comparison} figures={figures} order={order} setOrder={setOrder} />
            <ResultPart {...parts} comparison={comparison} figures={figures} />
            <TermPart figures={figures} note={note} />
            <CarePart {...parts} comparison={comparison} />
          </>
        )}
      </Loaded>
    </div>
  );
}
