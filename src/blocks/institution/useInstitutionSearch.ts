import { useState } from 'react';
import type { RequestOf } from '#contract/action.ts';
import { useActionQuery } from '#ui/api/useAction.ts';
import { getMUserPageList } from '#features/muser/muser.contract.ts';

type Filters = Omit<Partial<RequestOf<typeof getMUserPageList>>, 'page' | 'pageSize' | 'keyword'>;

/**
 * The properties of a select of institutions: the server searches by the entered text, and the selected institution keeps its name.
 * Without `filters` nothing is asked.
 */
export function useInstitutionSearch(value: string | undefined, filters: Filters | undefined = {}) {
  const [searchText, setSearchText] = useState('');
  const selectedQuery = useActionQuery(getMUserPageList, value ? { page: 1, pageSize: 1, keyword: value } : undefined, {
    quiet: true,
  });
  const selected = selectedQuery.data?.rows.find((row) => row.musercode === value);
  const keyword = searchText === selected?.insname ? '' : searchText.trim();
  const query = useActionQuery(
    getMUserPageList,
    filters && { page: 1, pageSize: 50, orderby: 'insname', isasc: '1', ...filters, ...(keyword ? { keyword } : {}) },
    { quiet: true },
  );
  const options = new Map(
    [...(selected ? [selected] : []), ...(query.data?.rows ?? [])].map((row) => [row.musercode, row.insname]),
  );
  return {
    searchable: true,
    clearable: true,
    filter: <T>({ options: all }: { options: T[] }) => all,
    nothingFoundMessage: '没有找到',
    data: [...options].map(([code, label]) => ({ value: code, label })),
    value: value || null,
    searchValue: searchText,
    onSearchChange: setSearchText,
  };
}
