import { z } from 'zod';
import { parsePhone, PHONE } from '#domain/base/phone.ts';

/** Request fields with the same meaning in all actions. */

/** Whether the calendar and the clock have the time: no 30 February, no 25:61. */
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

/** A telephone at which people are reached: a mobile, or a landline with area code and perhaps an extension. */
export const contactPhone = z
  .string()
  .overwrite((text) => parsePhone(text) ?? text)
  .regex(PHONE, '请填写 11 位手机号，或带区号的固定电话，如 010-12345678 转 801');

/** 1 yes, 0 no; the text of either digit is valid too. */
export const flag = z.coerce.number().int().min(0).max(1);

/** The version of the row from which an edit was made; absent: the edit applies to any version. The console always sends it. */
export const editVersion = z.number().int().min(0).optional();
/** The version of the row after the edit. The server adds it to every response of an action with `edits`. */
export const newVersion = { version: z.number().optional() };
