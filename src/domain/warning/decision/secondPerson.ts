import { addDays } from '#domain/base/calendar.ts';
import { isSinceNews } from '#domain/warning/warningfacts.ts';
import type { Confirmation, ConfirmSubject, WarningFacts } from '#domain/warning/warningfacts.ts';

/**
 * The second person (clinical-rules.md section C) is a second human. A human has keys: account, phone, certificate. Two accounts
 * with one key in common are one human. Main accounts and shared accounts are nobody: they have no key.
 */

/** Days for which a confirmation stands. */
const CONFIRM_DAYS = 7;
/** The least number of characters of a confirmation. */
export const CONFIRM_MIN = 10;

/** What is confirmed, as the page of the case names it. */
export const CONFIRM_SUBJECTS: Readonly<Record<ConfirmSubject, string>> = {
  close: '结案',
  exclude: '排除/误报',
  transfer: '转出/移交',
  lost: '以失访结案',
  death: '死亡登记的更正',
  exempt: '不告知监护人',
  conclusion: '低于建议的评估结论',
};

/** Whether two sets of keys belong to one human. */
export const isSameHuman = (a: readonly string[], b: readonly string[]): boolean => a.some((key) => b.includes(key));

/** Why this human may not confirm, in Chinese; '' when they may. `applicant` asked for the confirmed decision. */
export function refusalToConfirm(
  facts: Pick<WarningFacts, 'ownerkeys' | 'interviewerkeys' | 'exemption' | 'death'>,
  subject: ConfirmSubject,
  human: readonly string[],
): string {
  if (human.length === 0) return '机构主账号和共用账号不能复核，请由具名人员复核';
  if (isSameHuman(human, facts.ownerkeys)) return '复核人不能是责任人';
  if (isSameHuman(human, facts.interviewerkeys)) return '复核人不能是访谈人';
  const applicant = subject === 'exempt' ? facts.exemption?.by : subject === 'death' ? facts.death?.by : undefined;
  return applicant && isSameHuman(human, applicant) ? '复核人不能是申请人' : '';
}

/** The latest confirmation of a subject that still stands: after the last news, within seven days; null without one. */
export function confirmationOf(
  facts: Pick<WarningFacts, 'confirmations' | 'newstime' | 'newsno' | 'death'>,
  subject: ConfirmSubject,
  now: Date,
): Confirmation | null {
  // Nobody can have confirmed the correction of a death before its report.
  const reported = subject === 'death' ? facts.death?.time : undefined;
  return facts.confirmations
    .filter((item) => item.subject === subject && isSinceNews(facts, item) && item.time >= addDays(now, -CONFIRM_DAYS))
    .filter(({ time }) => reported === undefined || time >= reported)
    .reduce<Confirmation | null>((last, item) => (last === null || item.time >= last.time ? item : last), null);
}

/** Why the confirmation by a second human is missing for this actor, in Chinese; '' when it stands. */
export function missingSecond(
  facts: Pick<WarningFacts, 'confirmations' | 'newstime' | 'newsno' | 'ownerkeys' | 'death'>,
  subject: ConfirmSubject,
  now: Date,
  actor: readonly string[],
): string {
  const confirmation = confirmationOf(facts, subject, now);
  if (!confirmation) return `须由另一名工作人员复核“${CONFIRM_SUBJECTS[subject]}”`;
  if (actor.length === 0) return '机构主账号和共用账号不能办理须两人的事项，请由具名人员办理';
  return isSameHuman(confirmation.humankeys, actor) ? '复核人与经办人不能为同一人' : '';
}
