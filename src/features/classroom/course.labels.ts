import { pathOf } from '#contract/menu.ts';
import { SHOWN_FROM } from '#domain/content/content.ts';
import { formatNumber } from '#domain/base/number.ts';

/** Returns the path of a course's page. */
export const coursePath = (courseid: number): string => `${pathOf('operations.courses')}/${courseid}`;

/** Returns the price of a course in words: 免费, 99 元, 9.90 元. `price` is in 分. */
export function priceWords({ free, price }: { free: number; price: number }): string {
  if (free === 1) return '免费';
  if (price === 0) return '收费，未定价';
  const yuan = Math.floor(price / 100);
  const rest = price % 100;
  return `${formatNumber(yuan)}${rest === 0 ? '' : `.${String(rest).padStart(2, '0')}`} 元`;
}

/** Returns how many learners began and finished a lesson, in words. The server hides numbers below five. */
export function learnerWords({ learners, finished }: { learners: number | null; finished: number | null }): string {
  const hidden = `不足 ${SHOWN_FROM} 人，不显示`;
  if (learners === null) return `学习人数${hidden}`;
  return `${formatNumber(learners)} 人学习，${finished === null ? `学完${hidden}` : `${formatNumber(finished)} 人学完`}`;
}
