import { daysBetween } from '#domain/base/calendar.ts';
import { levelName } from '#domain/warning/levels.ts';
import { isOpen, lastAssess, type WarningFacts } from '#domain/warning/warningfacts.ts';

/** The facts for the decision; the console has them too. */
export type ReturnFacts = Pick<WarningFacts, 'state' | 'minor' | 'sector' | 'newstime' | 'newsno' | 'riskassess'>;
/** 01 may return, 02 may return under conditions, 03 not yet. */
export type ReturnConclusion = '01' | '02' | '03';
export interface ReturnEntry {
  conclusion: ReturnConclusion;
  conditions: string;
  guardianagreed: boolean;
  /** 'YYYY-MM-DD'; '' when no day is set */
  returndate: string;
  /** number of uploaded papers */
  papers: number;
}

/** The greatest age of the interview before a return, in days; the same as for closing. */
const ASSESS_MAX_DAYS = 14;
/** Days from the return to the next talk, because the first week back is the hardest. */
export const RETURN_FOLLOW_DAYS = 7;

/** States in which a person may return: in treatment, referred, or under observation. */
export const RETURN_STATES: readonly string[] = ['04', '05', '06'];

/**
 * The reasons against this assessment, in Chinese; empty when staff may save it. It always needs papers. A return needs an
 * interview within two weeks that concludes level 2 at most, and the consent of a minor's guardian. Conditions must be written.
 */
export function findReturnFaults(facts: ReturnFacts, entry: ReturnEntry, now: Date): string[] {
  const reasons: string[] = [];
  if (!isOpen(facts) || !RETURN_STATES.includes(facts.state)) reasons.push('仅干预中、已转介或随访观察的个案可以登记复学评估');
  if (entry.papers === 0) reasons.push('请上传医院出具的复学资料');
  if (entry.conclusion === '03') return reasons;
  const assess = lastAssess(facts);
  if (!assess || daysBetween(assess.time, now) > ASSESS_MAX_DAYS) reasons.push(`复学前须有${ASSESS_MAX_DAYS}天内的访谈评估`);
  else if (assess.conclusionlevel > 2)
    reasons.push(`最近一次访谈评估结论为“${levelName(assess.conclusionlevel, facts.sector)}”，不支持复学`);
  if (facts.minor && !entry.guardianagreed) reasons.push('未成年人复学须经监护人同意');
  if (entry.conclusion === '02' && !entry.conditions.trim()) reasons.push('附条件复学须写明条件');
  if (!entry.returndate) reasons.push('请填写返校日期');
  return reasons;
}
