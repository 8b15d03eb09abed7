import { effectiveRules, type CustomRule } from '#domain/warning/customRule.ts';
import { isReadByRule } from '#domain/warning/platformRules.ts';
import type { Scale } from '#domain/scoring/scale.ts';

/**
 * What reads the result of a form. `rule`: an alert, a rule or a longer form that follows. `floor`: only R00. `nothing`: it has no
 * primary score with levels and no alert, so a bad result is never heard. `register`: it records facts and does not screen.
 */
export type Reader = 'rule' | 'floor' | 'nothing' | 'register';

/** Returns what reads a form in a plan of an institution with these own rules. */
export function findReader(scale: Scale, own: readonly CustomRule[], appid: string): Reader {
  if (scale.formtype === '02') return 'register';
  const hasLevels = scale.scores.some((score) => score.primary && scale.bands[score.c]?.length);
  if (!hasLevels && !scale.alerts?.length) return 'nothing';
  const isRead = (scale.alerts ?? []).length > 0 || (scale.nextform ?? []).length > 0;
  return isRead || isReadByRule(scale.formcode, effectiveRules(own, appid)) ? 'rule' : 'floor';
}
