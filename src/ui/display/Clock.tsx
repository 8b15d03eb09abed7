import { momentOf, stamp, useNow } from '#ui/display/RelativeTime.tsx';
import classes from './badges.module.css';

/** Formats the time left to a deadline: 剩 2 小时 5 分, 已超时 40 分, 剩 3 天. */
export function clockWords(deadline: number, now: number): { words: string; late: boolean; near: boolean } {
  const left = deadline - now;
  const minutes = Math.floor(Math.abs(left) / 60_000);
  const [days, hours] = [Math.floor(minutes / 1440), Math.floor((minutes % 1440) / 60)];
  const size =
    days > 0
      ? `${days} 天${hours && days < 3 ? ` ${hours} 小时` : ''}`
      : hours > 0
        ? `${hours} 小时 ${minutes % 60} 分`
        : `${minutes} 分`;
  return { words: left < 0 ? `已超时 ${size}` : `剩 ${size}`, late: left < 0, near: left >= 0 && left < 3_600_000 };
}

/** A running clock to a deadline; overdue is shown in red. `done` stops it. */
export function Clock({ deadline, done: isDone = false }: { deadline: string | number | null; done?: boolean }) {
  const now = useNow(15_000);
  if (deadline === null || deadline === '') return <>—</>;
  const time = momentOf(deadline);
  if (isDone) return <span title={stamp(time)}>已完成</span>;
  const { words, late, near } = clockWords(time, now);
  const tone = late ? 'red' : near ? 'amber' : 'gray';
  return (
    <time
      className={`${classes['badge']} ${classes[tone]}`}
      data-shape={late ? 3 : near ? 2 : 0}
      dateTime={new Date(time).toISOString()}
      title={`截止 ${stamp(time)}`}
    >
      {words}
    </time>
  );
}
