import { DateInput, DateTimePicker } from '@mantine/dates';
import 'dayjs/locale/zh-cn';
import type { Field } from '#ui/form/fields.tsx';

// Not part of the forms: a list that filters by date would load their code.
const changeOf = (field: Field) => field.onChange as ((value: unknown) => void) | undefined;

/** A day as `YYYY-MM-DD`; the reader types or picks it. */
export function DayField({ min, max, ...field }: Field & { min?: string; max?: string }) {
  return (
    <DateInput
      label={field.label}
      required={field.required ?? false}
      error={field.error}
      data-path={field['data-path']}
      placeholder="YYYY-MM-DD"
      clearable={!field.required}
      {...(min ? { minDate: min } : {})}
      {...(max ? { maxDate: max } : {})}
      value={typeof field.value === 'string' && field.value !== '' ? field.value.slice(0, 10) : null}
      onChange={(day) => changeOf(field)?.(day ?? undefined)}
    />
  );
}

/** A time as `YYYY-MM-DD HH:mm` in China's time zone; the reader types or picks it. `min` and `max` are days. */
export function MomentField({
  min,
  max,
  placeholder,
  description,
  ...field
}: Field & { min?: string; max?: string; placeholder?: string; description?: string }) {
  return (
    <DateTimePicker
      label={field.label}
      required={field.required ?? false}
      error={field.error}
      data-path={field['data-path']}
      description={description}
      placeholder={placeholder ?? '请选择日期与时间'}
      valueFormat="YYYY-MM-DD HH:mm"
      clearable={!field.required}
      clearButtonProps={{ 'aria-label': '清空' }}
      {...(min ? { minDate: min } : {})}
      {...(max ? { maxDate: `${max} 23:59:59` } : {})}
      value={typeof field.value === 'string' && field.value !== '' ? `${field.value.slice(0, 16)}:00` : null}
      onChange={(moment) => changeOf(field)?.(moment ? moment.slice(0, 16) : undefined)}
    />
  );
}
