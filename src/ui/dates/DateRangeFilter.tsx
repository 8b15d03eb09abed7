import { useContext } from 'react';
import { DateRange } from '#ui/dates/DateRange.tsx';
import { FilterContext, useRegisterFilter } from '#ui/list/filters.tsx';

/** A filter of two days, both included, with 最近一周, 最近一个月, 最近三个月. `from` and `to` are fields of the request. */
export function DateRangeFilter({ from, to, label }: { from: string; to: string; label: string }) {
  const { draft, set } = useContext(FilterContext);
  useRegisterFilter(from, to);
  const day = (name: string) => (draft[name] ? String(draft[name]) : null);
  return <DateRange label={label} value={[day(from), day(to)]} onChange={([begin, end]) => set({ [from]: begin, [to]: end })} />;
}
