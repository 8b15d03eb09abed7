import { shanghaiDate, shanghaiTime } from '#domain/base/calendar.ts';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;

export interface CompletionForecast {
  /** hand-ins per hour at which the task moves now */
  perhour: number;
  /** when everybody still waited for will have handed in; null when that is after the end or cannot be told */
  donetime: Date | null;
  /** share of the roster that will have handed in at the end, 0–100 to one decimal */
  endrate: number;
  /** 按当前速度预计周四 17:00 达 93% */
  text: string;
}

/**
 * Where a task will stand at its end if it goes on as it does now. The speed is taken over the last 24 hours, or since the
 * first hand-in when that is later, so that nights weigh as they will weigh again; a start of less than an hour counts as one.
 * `hours` are hand-ins by the hour they fell in (start of the hour). undefined: nothing was handed in yet, or the task is over.
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
  const recent = options.hours
    .filter((hour) => hour.at.getTime() >= since && hour.at <= now)
    .reduce((sum, hour) => sum + hour.count, 0);
  const perhour = recent / Math.max(1, (now.getTime() - since) / HOUR);
  const waiting = Math.max(0, total - options.absent - finished);
  if (waiting === 0) return { perhour, donetime: now, endrate: rate(finished, total), text: '应答人员已全部完成' };
  const left = (endtime.getTime() - now.getTime()) / HOUR;
  const reached = finished + Math.min(waiting, Math.floor(perhour * left));
  const endrate = rate(reached, total);
  const needed = perhour > 0 ? (waiting / perhour) * HOUR : Infinity;
  const donetime = now.getTime() + needed <= endtime.getTime() ? new Date(now.getTime() + needed) : null;
  const text = donetime
    ? `按当前速度预计${moment(donetime, now)} 全部完成`
    : perhour === 0
      ? '近 24 小时没有人交卷，请催测'
      : `按当前速度预计${moment(endtime, now)} 达 ${Math.floor(endrate)}%`;
  return { perhour, donetime, endrate, text };
}

const rate = (part: number, whole: number) => Math.floor((part * 1000) / whole) / 10;

const weekdays = ['周日', '周一', '周二', '周三', '周四', '周五', '周六'] as const;
/** 今天 17:00, 周四 17:00 within the coming week, else 11月28日 17:00. */
function moment(time: Date, now: Date): string {
  const date = shanghaiDate(time);
  const clock = shanghaiTime(time).slice(11, 16);
  if (date === shanghaiDate(now)) return `今天 ${clock}`;
  if (time.getTime() - now.getTime() < 6 * DAY) return `${weekdays[new Date(`${date}T00:00:00Z`).getUTCDay()]} ${clock}`;
  return `${Number(date.slice(5, 7))}月${Number(date.slice(8))}日 ${clock}`;
}
