import { Select } from '@mantine/core';
import { useState } from 'react';
import { useFilter } from '#ui/list/filters.tsx';
import { useActionQuery } from '#ui/api/useAction.ts';
import { getSchoolList } from '#features/team/team.contract.ts';

/** The most institutions that the list shows at once; the reader finds others by name. */
const SHOWN = 100;

/** Chooses one of the account's institutions by name. */
export function SchoolFilter() {
  const [value, setValue] = useFilter('musercode');
  const [searchText, setSearchText] = useState('');
  const query = useActionQuery(getSchoolList, {}, { quiet: true });
  const schools = query.data ?? [];
  return (
    <Select
      label="机构"
      placeholder="全部，可输入名称查找"
      clearable
      searchable
      limit={SHOWN}
      nothingFoundMessage="没有找到"
      data={schools.map(({ schoolcode, schoolname }) => ({ value: schoolcode, label: schoolname }))}
      value={value || null}
      searchValue={searchText}
      onSearchChange={setSearchText}
      onChange={setValue}
    />
  );
}
