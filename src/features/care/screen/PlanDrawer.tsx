import { Group, TextInput } from '@mantine/core';
import { useState } from 'react';
import { shanghaiDate } from '#domain/base/calendar.ts';
import { FollowMethod } from '#domain/base/enums.ts';
import { levelOptions } from '#domain/warning/levels.ts';
import type { ResponseOf } from '#contract/action.ts';
import { useUser } from '#ui/api/session.ts';
import { useActionQuery } from '#ui/api/useAction.ts';
import { MomentField } from '#ui/dates/dateFields.tsx';
import { EnumRadio, NumberField, SelectField } from '#ui/form/fields.tsx';
import { FormDrawer } from '#ui/form/FormDrawer.tsx';
import { useActionForm, type ActionForm } from '#ui/form/useActionForm.ts';
import { PersonField } from '#blocks/person/PersonField.tsx';
import { insertFollowUp } from '#features/care/care.contract.ts';
import { getFollowUpDates } from '#features/care/followup/work.contract.ts';
import { Choice } from '#features/care/screen/Choice.tsx';
import { nextTime } from '#features/care/screen/NextField.tsx';
import { OwnerField } from '#features/care/screen/OwnerField.tsx';
import { RetestField } from '#features/care/screen/RetestPart.tsx';
import classes from './followup.module.css';

const SERIES = [
  { value: 'once', label: '一次' },
  { value: 'weekly', label: '每周 × 4' },
  { value: 'fortnightly', label: '每两周 × 4' },
  { value: 'monthly', label: '每四周 × 3' },
  { value: 'level', label: '按等级计划' },
  { value: 'own', label: '自定间隔' },
] as const;
type Series = (typeof SERIES)[number]['value'];
const REPEATS: Partial<Record<Series, { everydays: number; times: number }>> = {
  weekly: { everydays: 7, times: 4 },
  fortnightly: { everydays: 14, times: 4 },
  monthly: { everydays: 28, times: 3 },
  own: { everydays: 14, times: 4 },
};

/** Plans one or several follow-ups of a person without a case, with a preview of the days. */
export function PlanDrawer({ onClose }: { onClose: () => void }) {
  const form = useActionForm(insertFollowUp, {
    initial: { method: '02', duetime: nextTime(1, '09:00') },
    onDone: onClose,
    successMessage: '已安排随访',
  });
  const [person, setPerson] = useState<{ appid: string; musercode: string }>();
  return (
    <FormDrawer title="新增随访" onClose={onClose} form={form} width={520}>
      <PersonField
        {...form.field('cuserid')}
        onPick={(cuserid, picked) => {
          form.set('cuserid', cuserid);
          form.set('retestplan', undefined);
          setPerson(picked);
        }}
      />
      <TextInput {...form.field('planname')} placeholder="例如 返校随访" />
      <MomentField {...form.field('duetime')} min={shanghaiDate(new Date())} />
      <SeriesField form={form} />
      <SeriesPreview form={form} />
      <EnumRadio {...form.field('method')} of={FollowMethod} />
      <OwnerField {...form.field('owneruserid')} musercode={person?.musercode} placeholder="不选则由本人负责" />
      <RetestField {...form.field('retestplan')} appid={person?.appid} />
    </FormDrawer>
  );
}

/** How often: the usual series with one tap, the duties of a level, or an own interval. */
function SeriesField({ form }: { form: ActionForm<typeof insertFollowUp> }) {
  const { sector } = useUser();
  const [series, setSeries] = useState<Series>('once');
  const { repeat } = form.values;
  const choose = (next: string) => {
    setSeries(next as Series);
    form.set('repeat', REPEATS[next as Series]);
    form.set('bylevel', next === 'level' ? 2 : undefined);
  };
  const part = (name: 'everydays' | 'times', label: string) => ({
    label,
    required: true,
    value: repeat?.[name],
    error: form.error(`repeat.${name}`),
    'data-path': `repeat.${name}`,
    onChange: ((value: number | undefined) => form.set('repeat', { ...repeat, [name]: value })) as never,
  });
  return (
    <>
      <Choice label="次数" value={series} options={SERIES} onChange={choose} />
      {series === 'level' && <SelectField {...form.field('bylevel')} options={levelOptions(sector)} clearable={false} />}
      {series === 'own' && (
        <Group grow align="start">
          <NumberField {...part('everydays', '间隔')} min={1} max={90} suffix=" 天" />
          <NumberField {...part('times', '次数')} min={1} max={30} suffix=" 次" />
        </Group>
      )}
    </>
  );
}

type Dates = ResponseOf<typeof getFollowUpDates>;
const day = (time: string) => `${Number(time.slice(5, 7))}月${Number(time.slice(8, 10))}日`;

/** The days that the form would plan. A day off that moves is named. */
function SeriesPreview({ form }: { form: ActionForm<typeof insertFollowUp> }) {
  const { cuserid, duetime, repeat, bylevel } = form.values;
  const isComplete = !repeat || (Number(repeat.everydays) > 0 && Number(repeat.times) > 0);
  const isSeries = cuserid && duetime && (repeat || bylevel) && isComplete;
  const dates = useActionQuery(
    getFollowUpDates,
    isSeries ? { cuserid, duetime, ...(bylevel ? { bylevel } : { repeat }) } : undefined,
    { quiet: true, keepPrevious: true },
  );
  if (!isSeries || !dates.data) return null;
  return <PreviewText dates={dates.data} />;
}

function PreviewText({ dates }: { dates: Dates }) {
  const moved = dates.filter(({ movedfrom }) => movedfrom).length;
  return (
    <div className={classes['dates']} role="status">
      共 {dates.length} 次{moved > 0 && `；${moved} 次逢休息日，顺延到下一个工作日`}
      <ol>
        {dates.map(({ duetime, movedfrom }) => (
          <li key={duetime}>
            {day(duetime)}
            {movedfrom && `（原 ${day(movedfrom)}）`}
          </li>
        ))}
      </ol>
    </div>
  );
}
