import { Select } from '@mantine/core';
import { useState } from 'react';
import { Appid } from '#domain/base/enums.ts';
import { DateRangeFilter } from '#ui/dates/DateRangeFilter.tsx';
import { EnumFilter, SelectFilter, useFilter } from '#ui/list/filters.tsx';
import { RegionFilter } from '#blocks/region/RegionFilter.tsx';
import { can } from '#ui/api/session.ts';
import { useActionQuery } from '#ui/api/useAction.ts';
import { anyPlan } from '#features/assesscount/wallet.contract.ts';
import { getMUserPageList } from '#features/muser/muser.contract.ts';
import { getMUserExamPlanPage } from '#features/plan/plan.contract.ts';

/** The filters of both screens. Only staff with several institutions see the filter by institution. */
export function CountFilters() {
  const plans = usePlans();
  return (
    <>
      {can(getMUserPageList) && <InstitutionFilter />}
      <SelectFilter name="plancode" label="方案" options={[{ value: anyPlan, label: '不限方案' }, ...plans]} />
      <EnumFilter name="appid" label="人群" of={Appid} />
      {can(getMUserPageList) && <RegionFilter />}
      <DateRangeFilter from="begindate" to="enddate" label="日期" />
    </>
  );
}

/** The filter by the plan for which counts were frozen or used, of every wallet. */
export const ForPlanFilter = () => <SelectFilter name="forplan" label="使用方案" options={usePlans()} />;

function usePlans() {
  const plans = useActionQuery(
    getMUserExamPlanPage,
    can(getMUserExamPlanPage) ? { page: 1, pageSize: 200, orderby: 'planname', isasc: '1' } : undefined,
    { quiet: true },
  );
  return (plans.data?.rows ?? []).map(({ plancode, planname }) => ({ value: plancode, label: planname }));
}

/** The filter by institution. The server searches by the text, and the selected institution keeps its name. */
function InstitutionFilter() {
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
      placeholder="全部，可输入名称查找"
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
