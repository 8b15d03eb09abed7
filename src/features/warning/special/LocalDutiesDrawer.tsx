import { DEFAULT_LOCAL_DUTIES, LEAST_CASE_YEARS } from '#domain/warning/clock/caseduty.ts';
import type { ResponseOf } from '#contract/action.ts';
import { useActionQuery } from '#ui/api/useAction.ts';
import { Loaded } from '#ui/feedback/states.tsx';
import { NumberField, SwitchField } from '#ui/form/fields.tsx';
import { FormDrawer } from '#ui/form/FormDrawer.tsx';
import { useActionForm } from '#ui/form/useActionForm.ts';
import { getLocalDuties, updateLocalDuties } from '#features/warning/special/localDuties.contract.ts';
import classes from '#features/warning/warning.module.css';

/** 本地上报规定: the duties whose clocks local rules decide. */
export function LocalDutiesDrawer({ onClose }: { onClose: () => void }) {
  const read = useActionQuery(getLocalDuties, {});
  return <Loaded read={read}>{(local) => <LocalDutiesForm local={local} onClose={onClose} />}</Loaded>;
}

function LocalDutiesForm({ local, onClose }: { local: ResponseOf<typeof getLocalDuties>; onClose: () => void }) {
  const form = useActionForm(updateLocalDuties, {
    initial: { ...local, authority: local.authority },
    invalidates: [getLocalDuties],
    onDone: onClose,
    successMessage: '已保存，从下一条预警起生效',
  });
  return (
    <FormDrawer title="本地上报规定" onClose={onClose} form={form}>
      <p className={classes['script']}>
        {'以下为产品默认值，需按当地主管部门的规定确认后使用。“立即报告”的义务不因这里的时限而推迟；时限只用于提醒和督办。'}
      </p>
      <SwitchField {...form.field('authority')} label="" words="最高等级的个案须向主管部门报告" />
      {form.values.authority === 1 && <NumberField {...form.field('authorityhours')} min={1} max={72} suffix=" 小时" />}
      <NumberField {...form.field('abusehours')} min={1} max={24} suffix=" 小时" />
      <NumberField {...form.field('injuryhours')} min={1} max={72} suffix=" 小时" />
      <NumberField {...form.field('caseyears')} min={LEAST_CASE_YEARS} max={50} suffix=" 年" />
      <p className={classes['script']}>
        {`保存年限默认 ${DEFAULT_LOCAL_DUTIES.caseyears} 年，自结案之日起算，匿名化时按此保留处置记录。这一期限须按当地法律规定确认；改动后请同步修改知情同意书里的保存期限。`}
      </p>
    </FormDrawer>
  );
}
