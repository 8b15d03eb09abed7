import { z } from 'zod';

/** Fields that mean the same wherever an action asks for them. */

/** Whether the calendar and the clock have it: no 30 February, no 25:61. */
const isExisting = (text: string) => {
  const [date = '', time = '00:00'] = text.split(' ');
  const iso = `${date}T${time}`;
  return new Date(`${iso}Z`).toJSON()?.startsWith(iso) ?? false;
};

/** A day in Asia/Shanghai. */
export const day = z
  .string()
  .regex(/^\d{4}-\d{2}-\d{2}$/, '日期格式应为 YYYY-MM-DD')
  .refine(isExisting, '日期不存在');

/** A time in Asia/Shanghai, to the minute or the second. */
export const moment = z
  .string()
  .regex(/^\d{4}-\d{2}-\d{2} \d{2}:\d{2}(:\d{2})?$/, '时间格式应为 YYYY-MM-DD HH:mm')
  .refine(isExisting, '时间不存在');

/** 1 yes, 0 no; a text of either digit does as well. */
export const flag = z.coerce.number().int().min(0).max(1);
