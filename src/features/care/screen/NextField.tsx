import { TextInput } from '@mantine/core';
import { addDays, isWorkingDay, shanghaiDate } from '#domain/base/calendar.ts';
import { nextDays } from '#domain/followup/series.ts';
import { MomentField } from '#ui/dates/dateFields.tsx';
import type { ActionForm } from '#ui/form/useActionForm.ts';
import { Choice } from '#features/care/screen/Choice.tsx';
import type { finishFollowUp, FollowUpRow } from '#features/care/care.contract.ts';

const CHOICES = [
  { days: 1, label: '明天' },
  { days: 3, label: '3 天' },
  { days: 7, label: '1 周' },
  { days: 14, label: '2 周' },
  { days: 28, label: '4 周' },
] as const;

/** The time of a follow-up some days from now at a clock time `HH:mm`. From a week on it avoids the weekend. */
export function nextTime(days: number, clock: string): string {
  let time = addDays(new Date(), days);
  while (days >= 7 && !isWorkingDay(time)) time = addDays(time, 1);
  return `${shanghaiDate(time)} ${clock}`;
}

/** How the follow-up goes on: the date that the level suggests, another date with one tap, the planned one, or the end with a reason. */
export function NextField({ form, row }: { form: ActionForm<typeof finishFollowUp>; row: FollowUpRow }) {
  const { nextduetime, outcome, currentlevel } = form.values;
  const clock = row.duetime.slice(11, 16);
  const suggested = nextDays(Number(currentlevel ?? row.warninglevel ?? 2));
  const planned = row.nextplanned
    ? `已安排 ${row.nextplanned.slice(5, 16)}`
    : row.iscaseopen === 1
      ? '按个案等级安排'
      : undefined;
  const chosen = CHOICES.find(({ days }) => nextTime(days, clock) === nextduetime);
  const value = outcome === '02' ? 'end' : chosen ? String(chosen.days) : nextduetime ? '' : planned ? 'planned' : '';
  const choose = (next: string) => {
    form.set('outcome', next === 'end' ? '02' : undefined);
    if (next !== 'end') form.set('endreason', undefined);
    form.set('nextduetime', next === 'end' || next === 'planned' ? undefined : nextTime(Number(next), clock));
  };
  return (
    <>
      <Choice
        label="后续"
        value={value}
        options={[
          ...(planned ? [{ value: 'planned', label: planned }] : []),
          ...CHOICES.map(({ days, label }) => ({ value: days, label: days === suggested ? `${label}（建议）` : label })),
          ...(row.iscaseopen === 0 ? [{ value: 'end', label: '结束随访' }] : []),
        ]}
        onChange={choose}
      />
      {outcome === '02' ? (
        <TextInput {...form.field('endreason')} required placeholder="例如 连续两次平稳，本人同意结束" />
      ) : (
        (value !== 'planned' || form.error('nextduetime')) && (
          <MomentField
            {...form.field('nextduetime')}
            min={shanghaiDate(new Date())}
            placeholder={planned ? '不填则按计划' : '请选择，或点上方的时间'}
          />
        )
      )}
    </>
  );
}
