import { Appid } from '#domain/base/enums.ts';
import { DateRangeFilter } from '#ui/dates/DateRangeFilter.tsx';
import { EnumFilter, SelectFilter } from '#ui/list/filters.tsx';
import { InstitutionFilter } from '#blocks/institution/InstitutionFilter.tsx';
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
