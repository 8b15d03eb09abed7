import { useEffect, useState } from 'react';

/** Returns the current time. It is renewed every `step` milliseconds while the page is visible. */
export function useNow(step: number): number {
  const [now, setNow] = useState(() => Date.now());
  useEffect(() => {
    const timer = setInterval(() => document.visibilityState === 'visible' && setNow(Date.now()), step);
    return () => clearInterval(timer);
  }, [step]);
  return now;
}

const two = (value: number) => String(value).padStart(2, '0');

/** Parses a time of the wire: `YYYY-MM-DD HH:mm:ss` in China's time zone, whatever the browser's time zone. */
export const momentOf = (time: number | string | Date): number =>
  typeof time === 'string' && /^\d{4}-\d\d-\d\d( \d\d:\d\d(:\d\d)?)?$/.test(time)
    ? Date.parse(`${time.length === 10 ? `${time}T00:00` : time.replace(' ', 'T')}+08:00`)
    : new Date(time).getTime();

/** Formats a time as `YYYY-MM-DD HH:mm` in China's time zone, which has no summer time. */
export function stamp(time: number | string | Date): string {
  const moment = new Date(momentOf(time) + 8 * 3_600_000);
  return (
    `${moment.getUTCFullYear()}-${two(moment.getUTCMonth() + 1)}-${two(moment.getUTCDate())} ${two(moment.getUTCHours())}` +
    `:${two(moment.getUTCMinutes())}`
  );
}

/** Formats how long ago a time is: 刚刚, 5 分钟前, 3 小时前, 2 天前, then the day. */
export function agoWords(time: number, now: number): string {
  const minutes = Math.floor((now - time) / 60_000);
  // A future time is shown exactly.
  if (minutes < -1) return stamp(time);
  if (minutes < 1) return '刚刚';
  if (minutes < 60) return `${minutes} 分钟前`;
  if (minutes < 24 * 60) return `${Math.floor(minutes / 60)} 小时前`;
  if (minutes < 7 * 24 * 60) return `${Math.floor(minutes / 1440)} 天前`;
  return stamp(time).slice(0, 10);
}

/** Shows a relative time; its tooltip shows the exact time. */
export function RelativeTime({ at }: { at: number | string | null }) {
  const now = useNow(30_000);
  if (at === null || at === '') return <>—</>;
  const moment = momentOf(at);
  return (
    <time dateTime={new Date(moment).toISOString()} title={stamp(moment)} style={{ whiteSpace: 'nowrap' }}>
      {agoWords(moment, now)}
    </time>
  );
}
