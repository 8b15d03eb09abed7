import { Select } from '@mantine/core';
import { useContext } from 'react';
import type { SchoolTerm } from '#domain/statistics/term.ts';
import { termWords } from '#blocks/statistics/TermFilter.tsx';
import { FilterContext, useRegisterFilter } from '#ui/list/filters.tsx';

/** Chooses one of the periods of the release, the newest first; a period that is not released says so. */
export function PeriodFilter({ periods }: { periods: readonly (SchoolTerm & { datatime: string })[] }) {
  const { draft, set } = useContext(FilterContext);
  useRegisterFilter('year', 'term');
  return (
    <Select
      label="学年学期"
      allowDeselect={false}
      value={draft['year'] ? `${String(draft['year'])}/${String(draft['term'])}` : null}
      data={periods.map(({ year, term, datatime }) => ({
        value: `${year}/${term}`,
        label: `${termWords({ year, term })}${datatime ? '' : '（结果未公布）'}`,
      }))}
      onChange={(key) => {
        const [year, term] = (key ?? '').split('/');
        set({ year, term });
      }}
    />
  );
}
