import { Select } from '@mantine/core';
import { useFilter } from '#ui/list/filters.tsx';
import { useInstitutionSearch } from '#blocks/institution/useInstitutionSearch.ts';

/**
 * The filter by institution. The server searches by the text, and the selected institution keeps its name. `without` says which
 * institutions are listed without a choice.
 */
export function InstitutionFilter({ without = '全部', label = '机构' }: { without?: string; label?: string }) {
  const [value, setValue] = useFilter('musercode');
  const search = useInstitutionSearch(value);
  return <Select label={label} placeholder={`${without}，可输入名称查找`} {...search} onChange={setValue} />;
}
