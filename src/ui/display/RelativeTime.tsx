import { useEffect, useState } from 'react';

/** The present, renewed every `step` milliseconds while the page is looked at. */
export function useNow(step: number): number {
  const [now, setNow] = useState(() => Date.now());
  useEffect(() => {
    const timer = setInterval(() => document.visibilityState === 'visible' && setNow(Date.now()), step);
    return () => clearInterval(timer);
  }, [step]);
  return now;
}

const two = (value: number) => String(value).padStart(2, '0');

/** The instant of a time of the wire: `YYYY-MM-DD HH:mm:ss` is China's time wherever the browser stands. */
export const momentOf = (at: number | string | Date): number =>
  typeof at === 'string' && /^\d{4}-\d\d-\d\d( \d\d:\d\d(:\d\d)?)?$/.test(at)
    ? Date.parse(`${at.length === 10 ? `${at}T00:00` : at.replace(' ', 'T')}+08:00`)
    : new Date(at).getTime();

/** `YYYY-MM-DD HH:mm` in China's time, which has no summer time. */
export function stamp(at: number | string | Date): string {
  const moment = new Date(momentOf(at) + 8 * 3_600_000);
  return (
    `${moment.getUTCFullYear()}-${two(moment.getUTCMonth() + 1)}-${two(moment.getUTCDate())} ${two(moment.getUTCHours())}` +
    `:${two(moment.getUTCMinutes())}`
  );
}

/** How long ago, in words: 刚刚, 5 分钟前, 3 小时前, 2 天前, then the day. */
export function agoWords(at: number, now: number): string {
  const minutes = Math.floor((now - at) / 60_000);
  // What is still to come is told exactly.
  if (minutes < -1) return stamp(at);
  if (minutes < 1) return '刚刚';
  if (minutes < 60) return `${minutes} 分钟前`;
  if (minutes < 24 * 60) return `${Math.floor(minutes / 60)} 小时前`;
  if (minutes < 7 * 24 * 60) return `${Math.floor(minutes / 1440)} 天前`;
  return stamp(at).slice(0, 10);
}

/** A moment in relative words; hovering tells it exactly. */
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
