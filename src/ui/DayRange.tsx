import { DatePickerInput, type DatePickerInputProps } from '@mantine/dates';
import 'dayjs/locale/zh-cn';

/** Two days of the kit's calendar, for `LateInput`. */
export const DayRange = ({ ref, ...props }: DatePickerInputProps<'range'>) => (
  <DatePickerInput type="range" {...props} {...(ref ? { ref } : {})} />
);
