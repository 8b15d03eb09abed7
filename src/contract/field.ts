import { z } from 'zod';

/** Fields that mean the same wherever an action asks for them. */

/** A day in Asia/Shanghai. */
export const day = z.string().regex(/^\d{4}-\d{2}-\d{2}$/, '日期格式应为 YYYY-MM-DD');

const exists = (text: string) => new Date(`${text}T00:00:00Z`).toJSON()?.startsWith(text) ?? false;
/** A day the calendar has: no 30 February. */
export const realDay = day.refine(exists, '日期不存在');

/** A time in Asia/Shanghai, to the minute or the second. */
export const moment = z.string().regex(/^\d{4}-\d{2}-\d{2} \d{2}:\d{2}(:\d{2})?$/, '时间格式应为 YYYY-MM-DD HH:mm');

/** 1 yes, 0 no; a text of either digit does as well. */
export const flag = z.coerce.number().int().min(0).max(1);
