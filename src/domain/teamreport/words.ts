import type { Paragraph } from '#domain/report/report.content.ts';
import type { TeamBlock } from '#domain/teamreport/teamreport.content.ts';
import { percent } from '#domain/task/taskprogress.ts';

/** The words of the overall levels 0–4. They name distress, never a disease. */
export const LEVEL_WORDS = ['无明显困扰', '轻度困扰', '中度困扰', '较重困扰', '重度困扰'] as const;
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
