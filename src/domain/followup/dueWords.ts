import { daysBetween, shanghaiTime } from '#domain/base/calendar.ts';

/** When a follow-up is due, in words: 逾期 2 天, 今天 17:00, 明天 09:00, 3 天后, and the date beyond a week. */
export function dueWords(duetime: Date, isOverdue: boolean, now: Date): string {
  const days = daysBetween(now, duetime);
  const [date = '', clock = ''] = shanghaiTime(duetime).slice(0, 16).split(' ');
  if (isOverdue && days < 0) return `逾期 ${-days} 天`;
  if (days < 0) return date;
  if (days === 0) return isOverdue ? `今天 ${clock} 已过` : `今天 ${clock}`;
  if (days === 1) return `明天 ${clock}`;
  return days <= 7 ? `${days} 天后` : date;
}
