import { MultiSelect, Select } from '@mantine/core';
import { useContext } from 'react';
import { can } from '#ui/api/session.ts';
import { useActionQuery } from '#ui/api/useAction.ts';
import { FilterContext, useFilter, useRegisterFilter } from '#ui/list/filters.tsx';
import { getQuotaFilterConditions } from '#features/form/form.contract.ts';
import { getMUserExamPlanPage } from '#features/plan/plan.contract.ts';
import { joinConditions, splitConditions } from '#features/report/list/quotaConditions.ts';

/** 指标筛选: a plan, then levels of its indicators. Levels of one indicator are alternatives; all indicators must match. */
export function QuotaFilter({ appid }: { appid?: string | undefined }) {
  const { draft, set, isHidden } = useContext(FilterContext);
  const [plancode, setPlancode] = useFilter('plancode');
  useRegisterFilter('quotas');
  const plans = useActionQuery(
    getMUserExamPlanPage,
    can(getMUserExamPlanPage) ? { page: 1, pageSize: 200, ...(appid ? { appid } : {}) } : undefined,
    { quiet: true },
  );
  const conditions = useActionQuery(
    getQuotaFilterConditions,
    { ...(plancode ? { plancode } : {}), ...(appid ? { appid } : {}) },
    { quiet: true },
  );
  if (isHidden('quotas')) return null;
  const groups = (conditions.data ?? []).flatMap(({ formname, quotas }) =>
    quotas.map(({ quotacode, quotaname, options }) => ({
      group: formname.includes(quotaname) ? formname : `${formname} ${quotaname}`,
      items: options.map(({ level, levelname }) => ({ value: `${quotacode}:${level}`, label: `${quotaname} ${levelname}` })),
    })),
  );
  const given = draft['quotas'];
  const values = splitConditions(Array.isArray(given) ? given.map(String) : given ? [String(given)] : []);
  return (
    <>
      {can(getMUserExamPlanPage) && (
        <Select
          label="方案"
          placeholder="全部"
          clearable
          searchable
          data={(plans.data?.rows ?? []).map((plan) => ({ value: plan.plancode, label: plan.planname }))}
          value={plancode || null}
          onChange={(next) => {
            setPlancode(next ?? '');
            set({ plancode: next ?? '', quotas: [] });
          }}
        />
      )}
      <MultiSelect
        label="指标"
        placeholder={values.length > 0 ? '' : '各指标须同时满足'}
        searchable
        clearable
        data={groups}
        value={values}
        onChange={(next) => set({ quotas: joinConditions(next) })}
      />
    </>
  );
}
