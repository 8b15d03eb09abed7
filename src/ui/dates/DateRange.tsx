import { DatePickerInput } from '@mantine/dates';
import { IconCalendar } from '@tabler/icons-react';
import 'dayjs/locale/zh-cn';
import { stamp } from '#ui/display/RelativeTime.tsx';

export type Days = [begin: string | null, end: string | null];

/** Returns the last `days` days up to and including today in China: 7, 30 or 90 (specification section 9). */
export function lastDays(days: number, now: number): [string, string] {
  const day = (back: number) => stamp(now - back * 86_400_000).slice(0, 10);
  return [day(days - 1), day(0)];
}

interface Props {
  label: string;
  /** First and last day as `YYYY-MM-DD`, both included. */
  value: Days;
  onChange: (days: Days) => void;
}

/** A period of days with the three usual shortcuts. */
export function DateRange({ label, value, onChange }: Props) {
  const now = Date.now();
  return (
    <DatePickerInput
      type="range"
      label={label}
      placeholder="开始日期 – 结束日期"
      leftSection={<IconCalendar size={16} aria-hidden />}
      clearable
      allowSingleDateInRange
      value={value}
      onChange={onChange}
      presets={[
        { value: lastDays(7, now), label: '最近一周' },
        { value: lastDays(30, now), label: '最近一个月' },
        { value: lastDays(90, now), label: '最近三个月' },
      ]}
    />
  );
}
