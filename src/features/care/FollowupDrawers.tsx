import { useUser } from '#ui/api/session.ts';
import { Group, TextInput } from '@mantine/core';
import { shanghaiDate } from '#domain/base/calendar.ts';
import { FollowMethod } from '#domain/base/enums.ts';
import { conclusionOptions } from '#domain/warning/levels.ts';
import { MomentField } from '#ui/dates/dateFields.tsx';
import { EnumRadio, LongTextField, NumberField, SelectField, SwitchField } from '#ui/form/fields.tsx';
import { FormDrawer } from '#ui/form/FormDrawer.tsx';
import { PersonField } from '#blocks/person/PersonField.tsx';
import { useActionForm } from '#ui/form/useActionForm.ts';
import {
  cancelFollowUp,
  finishFollowUp,
  insertFollowUp,
  updateFollowUp,
  type FollowUpRow,
} from '#features/care/care.contract.ts';

interface Props {
  row: FollowUpRow;
  onClose: () => void;
}
const isWaiting = (row: FollowUpRow) => row.status === '01' || row.status === '03';

/** The form that plans one or several follow-ups of a person, with or without a case. */
export function NewFollowupDrawer({ onClose }: { onClose: () => void }) {
  const form = useActionForm(insertFollowUp, { initial: { method: '02' }, onDone: onClose, successMessage: '已安排随访' });
  const { repeat } = form.values;
  const part = (name: 'everydays' | 'times', label: string) => ({
    label,
    required: true,
    value: repeat?.[name],
    error: form.error(`repeat.${name}`),
    onChange: ((value: number | undefined) => form.set('repeat', { ...repeat, [name]: value })) as never,
  });
  return (
    <FormDrawer title="新增随访" onClose={onClose} form={form}>
      <PersonField {...form.field('cuserid')} onPick={(cuserid) => form.set('cuserid', cuserid)} />
      <TextInput {...form.field('planname')} placeholder="例如 返校随访" />
      <MomentField {...form.field('duetime')} min={shanghaiDate(new Date())} />
      <EnumRadio {...form.field('method')} of={FollowMethod} />
      <SwitchField
        label="连续安排"
        words="按固定间隔安排多次"
        value={repeat ? 1 : 0}
        onChange={((on: number) => form.set('repeat', on ? { everydays: 14, times: 4 } : undefined)) as never}
      />
      {repeat && (
        <Group grow align="start">
          <NumberField {...part('everydays', '间隔')} min={1} max={90} suffix=" 天" />
          <NumberField {...part('times', '次数')} min={1} max={30} suffix=" 次" />
        </Group>
      )}
    </FormDrawer>
  );
}

/** The form that records a follow-up. */
export function RegisterFollowupDrawer({ row, onClose }: Props) {
  const { sector } = useUser();
  const form = useActionForm(finishFollowUp, {
    initial: { followupid: row.followupid, status: '02', method: row.method },
    onDone: onClose,
    successMessage: '已登记随访',
  });
  return (
    <FormDrawer title={`随访登记：${row.username}`} onClose={onClose} form={form} width={560}>
      <EnumRadio
        {...form.field('status')}
        of={{
          options: [
            { value: '02', label: '已联系上' },
            { value: '04', label: '未能联系上' },
          ],
        }}
      />
      <EnumRadio {...form.field('method')} of={FollowMethod} />
      <LongTextField {...form.field('content')} maxLength={2000} />
      <SelectField {...form.field('currentlevel')} options={conclusionOptions(sector)} />
      <MomentField
        {...form.field('nextduetime')}
        min={shanghaiDate(new Date())}
        placeholder={row.warningcode ? '不填则按等级安排' : '不再随访可不填'}
      />
    </FormDrawer>
  );
}

/** The form that moves a waiting follow-up or corrects a recorded one. */
export function EditFollowupDrawer({ row, onClose }: Props) {
  const { sector } = useUser();
  const form = useActionForm(updateFollowUp, {
    initial: isWaiting(row)
      ? {
          followupid: row.followupid,
          version: row.version,
          method: row.method,
          planname: row.planname,
          ...(row.isoverdue ? {} : { duetime: row.duetime.slice(0, 16) }),
        }
      : {
          followupid: row.followupid,
          version: row.version,
          method: row.method,
          content: row.content,
          currentlevel: row.currentlevel ?? undefined,
        },
    onDone: onClose,
    successMessage: '已修改',
  });
  return (
    <FormDrawer title={`${isWaiting(row) ? '随访改期' : '更正随访记录'}：${row.username}`} onClose={onClose} form={form}>
      {isWaiting(row) && (
        <>
          <TextInput {...form.field('planname')} />
          <MomentField {...form.field('duetime')} min={shanghaiDate(new Date())} />
        </>
      )}
      <EnumRadio {...form.field('method')} of={FollowMethod} />
      {!isWaiting(row) && (
        <>
          <LongTextField {...form.field('content')} maxLength={2000} />
          <SelectField {...form.field('currentlevel')} options={conclusionOptions(sector)} clearable={false} />
        </>
      )}
    </FormDrawer>
  );
}

/** The form that cancels a waiting follow-up. */
export function CancelFollowupDrawer({ row, onClose }: Props) {
  const form = useActionForm(cancelFollowUp, {
    initial: { followupid: row.followupid },
    onDone: onClose,
    successMessage: '已取消',
  });
  return (
    <FormDrawer title={`取消随访：${row.username} ${row.duetime.slice(0, 16)}`} onClose={onClose} form={form} save="取消随访">
      <LongTextField {...form.field('reason')} maxLength={500} />
    </FormDrawer>
  );
}
