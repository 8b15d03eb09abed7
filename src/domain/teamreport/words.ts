import type { Paragraph } from '#domain/report/report.content.ts';
import type { TeamBlock } from '#domain/teamreport/teamreport.content.ts';
import { percent } from '#domain/task/taskprogress.ts';

/** What a table shows for a count that is hidden, or that is not known. */
export const HIDDEN = null;

/** A sentence with the rule that it comes from, and the figures for which it stands there. */
export const sentence = (rule: string, text: string, because?: string): Paragraph => ({
  text,
  commentids: [rule],
  ...(because ? { because: [`规则${rule}：${because}`] } : {}),
});
export const textBlock = (rule: string, text: string, because?: string): TeamBlock => ({
  type: 'text',
  ...sentence(rule, text, because),
});

/** `12 人`, `44.4%`, `4 人（44.4%）`. */
export const persons = (count: number): string => `${count} 人`;
export const rateText = (count: number, total: number): string => {
  const rate = percent(count, total);
  return rate === null ? '—' : `${rate.toFixed(1)}%`;
};
export const shareText = (count: number, total: number): string =>
  total === 0 ? persons(count) : `${persons(count)}（${rateText(count, total)}）`;
/** A fraction of 1 in percent with one decimal. */
export const inPercent = (fraction: number): string => (fraction * 100).toFixed(1);
/** A difference of two fractions of 1 in percentage points, with its sign. */
export const inPoints = (fraction: number): string => `${fraction < 0 ? '−' : '+'}${Math.abs(fraction * 100).toFixed(1)}`;
