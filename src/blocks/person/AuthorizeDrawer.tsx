import { Alert, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { Appid } from '#domain/base/enums.ts';
import type { ResponseOf } from '#contract/action.ts';
import { DayField } from '#ui/dates/dateFields.tsx';
import { NumberField, SelectField } from '#ui/form/fields.tsx';
import { FormDrawer } from '#ui/form/FormDrawer.tsx';
import { notify } from '#ui/feedback/notify.ts';
import { can, useUser } from '#ui/api/session.ts';
import { useActionQuery } from '#ui/api/useAction.ts';
import { useActionForm } from '#ui/form/useActionForm.ts';
import {
  authorizeCUserPlan,
  getCUserPlan,
  getCUserStagesAssessCount,
} from '#features/assesscount/authorizations/authorize.contract.ts';
import { anyPlan, getMUserAssessCount } from '#features/assesscount/wallet.contract.ts';
import { getMUserExamPlanPage } from '#features/plan/plan.contract.ts';

type Result = ResponseOf<typeof authorizeCUserPlan>;

/** 授权: authorises persons to take a plan. `appid` is present when all of them belong to one population. */
export function AuthorizeDrawer({
  cuserids,
  personText,
  appid,
  onClose,
}: {
  cuserids: string[];
  personText: string;
  appid?: string;
  onClose: () => void;
}) {
  const { appid: ownAppid, musertype } = useUser();
  const [population, setPopulation] = useState(appid ?? (ownAppid || Appid.students));
  const [result, setResult] = useState<Result>();
  const plans = useActionQuery(getMUserExamPlanPage, {
    page: 1,
    pageSize: 200,
    appid: population,
    status: 1,
    orderby: 'planname',
    isasc: '1',
  });
  // The persons' institution pays with its counts, so a provider's own wallet does not matter here.
  const wallet = useActionQuery(getMUserAssessCount, can(getMUserAssessCount) && musertype !== '002' ? {} : undefined);
  const form = useActionForm(authorizeCUserPlan, {
    initial: { cuserids, total: 1 },
    invalidates: [getCUserPlan, getCUserStagesAssessCount, getMUserAssessCount],
    successMessage: '',
    onDone: (response) => {
      if (response.granted > 0) notify.done(`已授权 ${response.granted} 人，冻结 ${response.frozen} 次`);
      if (response.skipped > 0) setResult(response);
      else onClose();
    },
  });
  const { plancode, total = 1 } = form.values;
  const plan = plans.data?.rows.find((row) => row.plancode === plancode);
  const free = Math.max(
    0,
    ...(wallet.data?.wallets ?? [])
      .filter((item) => item.expiring < 2 && (item.plancode === anyPlan || item.plancode === plancode))
      .map((item) => item.free),
  );
  const need = cuserids.length * Number(total);
  return (
    <FormDrawer title={`授权方案：${personText}`} onClose={onClose} form={form} save="授权">
      {result && <ExclusionList result={result} />}
      {!appid && (
        <SelectField
          label="人群"
          options={Appid.options}
          clearable={false}
          value={population}
          onChange={
            ((next: string) => (
              setPopulation(next as typeof population),
              form.set('plancode', undefined),
              form.set('stagecode', undefined)
            )) as never
          }
        />
      )}
      <SelectField
        {...form.field('plancode')}
        options={(plans.data?.rows ?? []).map((row) => ({
          value: row.plancode,
          label: `${row.planname}（约 ${row.minutes} 分钟）`,
        }))}
        clearable={false}
        onChange={((next: string) => (form.set('plancode', next), form.set('stagecode', undefined))) as never}
      />
      {plan && plan.stages.length > 0 && (
        <SelectField
          {...form.field('stagecode')}
          options={plan.stages.map((stage) => ({ value: stage.stagecode, label: stage.stagename }))}
          clearable
        />
      )}
      <NumberField {...form.field('total')} min={1} max={12} suffix=" 次" />
      <DayField {...form.field('begindate')} />
      <DayField {...form.field('enddate')} />
      {wallet.data && (
        <Alert color={free < need ? 'red' : free < need * 2 ? 'yellow' : 'blue'} variant="light">
          需要冻结 {need} 次，本机构剩余 {free} 次{free < need ? '，次数不足，请联系服务商' : ''}
        </Alert>
      )}
      <Text size="xs" c="dimmed">
        授权时冻结次数，交卷时使用；清零、删除或到期未作答的次数退回机构。受测者扫机构二维码即可作答。
      </Text>
    </FormDrawer>
  );
}

/** Lists the persons who were not authorised, with the reasons. */
function ExclusionList({ result }: { result: Result }) {
  return (
    <Alert color="yellow" title={`已授权 ${result.granted} 人，${result.skipped} 人未授权`} role="status">
      <Stack gap={2} style={{ maxHeight: 200, overflow: 'auto' }} tabIndex={0} role="group" aria-label="未授权的人员">
        {result.exclusions.map((exclusion) => (
          <Text key={exclusion.cuserid} size="sm">
            {exclusion.username}：{exclusion.reason}
          </Text>
        ))}
      </Stack>
    </Alert>
  );
}
