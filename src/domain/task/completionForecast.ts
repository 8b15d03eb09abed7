import { shanghaiDate, shanghaiTime } from '#domain/base/calendar.ts';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;

export interface CompletionForecast {
  /** submissions per hour at the present speed */
  perhour: number;
  /** when all expected persons will have submitted; null when that is after the end or unknown */
  donetime: Date | null;
  /** persons who will have submitted at the end */
  endcount: number;
  /** share of the roster that will have submitted at the end, 0–100 to one decimal */
  endrate: number;
  /** the forecast as users read it, such as 按当前速度预计周四 17:00 达 93% */
  text: string;
}

/**
 * The state of a task at its end if the present speed continues; undefined before the first submission and after the end.
 * The speed is that of the last 24 hours, so that it includes a night. After a later first submission it counts from there,
 * and a period of less than an hour counts as one hour. `hours` are submissions by the start of their hour.
 */
export function forecastCompletion(options: {
  hours: readonly { at: Date; count: number }[];
  now: Date;
  endtime: Date;
  total: number;
  finished: number;
  absent: number;
}): CompletionForecast | undefined {
  const { now, endtime, total, finished } = options;
  const first = options.hours.find((hour) => hour.count > 0);
  if (!first || total === 0 || now >= endtime) return undefined;
  const since = Math.max(first.at.getTime(), now.getTime() - DAY);
  const recentSubmissions = options.hours
    .filter((hour) => hour.at.getTime() >= since && hour.at <= now)
    .reduce((sum, hour) => sum + hour.count, 0);
  const perhour = recentSubmissions / Math.max(1, (now.getTime() - since) / HOUR);
  const outstanding = Math.max(0, total - options.absent - finished);
  if (outstanding === 0)
    return { perhour, donetime: now, endcount: finished, endrate: rate(finished, total), text: '应答人员已全部完成' };
  const hoursLeft = (endtime.getTime() - now.getTime()) / HOUR;
  const finishedAtEnd = finished + Math.min(outstanding, Math.floor(perhour * hoursLeft));
  const endrate = rate(finishedAtEnd, total);
  const millisecondsNeeded = perhour > 0 ? (outstanding / perhour) * HOUR : Infinity;
  const donetime = now.getTime() + millisecondsNeeded <= endtime.getTime() ? new Date(now.getTime() + millisecondsNeeded) : null;
  const text = donetime
    ? `按当前速度预计${formatMoment(donetime, now)} 全部完成`
    : perhour === 0
      ? '近 24 小时没有人交卷，请催测'
      : `按当前速度预计${formatMoment(endtime, now)} 达 ${Math.floor(endrate)}%`;
  return { perhour, donetime, endcount: finishedAtEnd, endrate, text };
}

const rate = (part: number, whole: number) => Math.floor((part * 1000) / whole) / 10;

const weekdays = ['周日', '周一', '周二', '周三', '周四', '周五', '周六'] as const;
/** A time as users read it: 今天 17:00, 周四 17:00 within six days, else 11月28日 17:00. */
function formatMoment(time: Date, now: Date): string {
  const date = shanghaiDate(time);
  const clock = shanghaiTime(time).slice(11, 16);
  if (date === shanghaiDate(now)) return `今天 ${clock}`;
  if (time.getTime() - now.getTime() < 6 * DAY) return `${weekdays[new Date(`${date}T00:00:00Z`).getUTCDay()]} ${clock}`;
  return `${Number(date.slice(5, 7))}月${Number(date.slice(8))}日 ${clock}`;
}
