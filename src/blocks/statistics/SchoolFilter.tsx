import { Select } from '@mantine/core';
import { useContext, useState } from 'react';
import { formatNumber } from '#domain/base/number.ts';
import { FilterContext, useRegisterFilter } from '#ui/list/filters.tsx';
import { useActionQuery } from '#ui/api/useAction.ts';
import { getSchoolList } from '#features/team/team.contract.ts';

/** The most institutions that the list shows at once; the reader finds others by name. */
const SHOWN = 100;
/** Marks the value of an institution with all below it. */
const BELOW = 'below/';

/** Chooses one of the account's institutions by name, or all below one of `parents`. */
export function SchoolFilter({
  parents = [],
}: {
  parents?: readonly { musercode: string; insname: string; institutions: number }[];
}) {
  const { draft, set } = useContext(FilterContext);
  useRegisterFilter('musercode', 'categorycode');
  const [searchText, setSearchText] = useState('');
  const query = useActionQuery(getSchoolList, {}, { quiet: true });
  const schools = (query.data ?? []).map(({ schoolcode, schoolname }) => ({ value: schoolcode, label: schoolname }));
  const above = parents.map(({ musercode, insname, institutions }) => ({
    value: BELOW + musercode,
    label: `${insname}及下级（${formatNumber(institutions)} 家）`,
  }));
  const value = draft['musercode'] ?? (draft['categorycode'] ? `${BELOW}${String(draft['categorycode'])}` : null);
  return (
    <Select
      label="机构"
      placeholder="全部，可输入名称查找"
      clearable
      searchable
      limit={SHOWN}
      nothingFoundMessage="没有找到"
      data={
        above.length > 0
          ? [
              { group: '上级机构', items: above },
              { group: '机构', items: schools },
            ]
          : schools
      }
      value={value === null ? null : String(value)}
      searchValue={searchText}
      onSearchChange={setSearchText}
      onChange={(next) => {
        const isBelow = next?.startsWith(BELOW) ?? false;
        set({
          musercode: next && !isBelow ? next : undefined,
          categorycode: next && isBelow ? next.slice(BELOW.length) : undefined,
        });
      }}
    />
  );
}
