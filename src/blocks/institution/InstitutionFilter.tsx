import { Select } from '@mantine/core';
import { useState } from 'react';
import { useFilter } from '#ui/list/filters.tsx';
import { useActionQuery } from '#ui/api/useAction.ts';
import { getMUserPageList } from '#features/muser/muser.contract.ts';

/**
 * The filter by institution. The server searches by the text, and the selected institution keeps its name. `without` says which
 * institutions are listed without a choice.
 */
export function InstitutionFilter({ without = '全部' }: { without?: string }) {
  const [value, setValue] = useFilter('musercode');
  const [searchText, setSearchText] = useState('');
  const selectedQuery = useActionQuery(getMUserPageList, value ? { page: 1, pageSize: 1, keyword: value } : undefined, {
    quiet: true,
  });
  const selected = selectedQuery.data?.rows.find((row) => row.musercode === value);
  const keyword = searchText === selected?.insname ? '' : searchText.trim();
  const query = useActionQuery(
    getMUserPageList,
    { page: 1, pageSize: 50, orderby: 'insname', isasc: '1', ...(keyword ? { keyword } : {}) },
    { quiet: true },
  );
  const options = new Map(
    [...(selected ? [selected] : []), ...(query.data?.rows ?? [])].map((row) => [row.musercode, row.insname]),
  );
  return (
    <Select
      label="机构"
      placeholder={`${without}，可输入名称查找`}
      clearable
      searchable
      filter={({ options: all }) => all}
      nothingFoundMessage="没有找到"
      data={[...options].map(([code, label]) => ({ value: code, label }))}
      value={value || null}
      onChange={setValue}
      searchValue={searchText}
      onSearchChange={setSearchText}
    />
  );
}
