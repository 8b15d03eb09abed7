import { shanghaiDate } from '#domain/base/calendar.ts';
import { confirm } from '#ui/feedback/confirm.tsx';

/** Tells whether a day or time, as `YYYY-MM-DD …` in China, lies before today. */
export const isPast = (day: string): boolean => day !== '' && day.slice(0, 10) < shanghaiDate(new Date());

/** The question about a day or time that has passed. `effect` says what follows. */
export const formatPastQuestion = (title: string, day: string, effect = ''): string =>
  `${title} ${day} 已过${effect && `，${effect}`}，确定吗？`;

/** Asks whether a day or time that has passed is meant; true when the user confirms. */
export const askAboutPast = (title: string, day: string, effect = ''): Promise<boolean> =>
  confirm({ text: formatPastQuestion(title, day, effect), yes: '确定', no: '返回修改' });
