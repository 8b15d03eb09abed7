import { Select } from '@mantine/core';
import { useContext } from 'react';
import { Term } from '#domain/base/enums.ts';
import type { SchoolTerm } from '#domain/statistics/term.ts';
import { FilterContext, useRegisterFilter } from '#ui/list/filters.tsx';

const keyOf = ({ year, term }: { year: string; term?: string }) => (term ? `${year}/${term}` : year);
/** The words of a term: 2025-2026 秋季学期. A year without term is the whole year; Q3 is a quarter of a calendar year. */
export const termWords = ({ year, term }: { year: string; term?: string | undefined }): string =>
  term?.startsWith('Q') ? `${year} 年第 ${term.slice(1)} 季度` : `${year} ${term ? Term.label(term) : '全学年'}`;

/** A term in the few words that tiles and axes have room for: 25-26 春季学期. */
export const shortTermWords = (term: SchoolTerm): string => termWords(term).replace(/20(\d\d)-20(\d\d)/, '$1-$2');

/** Chooses a school year or one of its terms; the newest first. Without a choice the figures cover all time. */
export function TermFilter({ terms }: { terms: readonly SchoolTerm[] }) {
  const { draft, set } = useContext(FilterContext);
  useRegisterFilter('year', 'term');
  const [year, term] = [String(draft['year'] ?? ''), String(draft['term'] ?? '')];
  const years = [...new Set([...terms.map((one) => one.year), ...(year ? [year] : [])])];
  const chosen = year ? keyOf({ year, term }) : null;
  const options = years.flatMap((one) => [
    ...terms.filter((candidate) => candidate.year === one).map(keyOf),
    ...(one === year && term && !terms.some((candidate) => keyOf(candidate) === chosen) ? [keyOf({ year, term })] : []),
    one,
  ]);
  return (
    <Select
      label="学年学期"
      placeholder="全部时间"
      clearable
      searchable={options.length > 8}
      value={chosen}
      data={options.map((key) => {
        const [first = '', second] = key.split('/');
        return { value: key, label: termWords({ year: first, term: second }) };
      })}
      onChange={(key) => {
        const [nextYear, nextTerm] = (key ?? '').split('/');
        // Tasks, grades and classes of another term may not exist in this one.
        const others = { taskcode: undefined, gradecode: undefined, classname: undefined };
        const dates = nextYear ? { begindate: undefined, enddate: undefined } : {};
        set({ ...others, ...dates, year: nextYear || undefined, term: nextTerm });
      }}
    />
  );
}
