import { addHours } from '#domain/base/calendar.ts';
import type { Exemption, WarningFacts } from '#domain/warning/warningfacts.ts';

export type ExemptGround = Exemption['ground'];

/**
 * The grounds on which staff need not tell the guardian, and who is told instead (clinical-rules.md section E).
 * `hours`: a temporary ground lapses and must be decided again. “本人要求保密” is no ground.
 */
export const EXEMPT_GROUNDS: Readonly<
  Record<ExemptGround, { title: string; alternate: string; hours: number | null; abuse?: true }>
> = {
  1: { title: '监护人疑似侵害人', alternate: '公安机关、民政部门', hours: null, abuse: true },
  2: { title: '告知会加重危险', alternate: '其他近亲属', hours: 24 },
  3: { title: '监护人联系不上（至少3次）', alternate: '其他亲属、村（居）委会、公安机关', hours: 72 },
  4: { title: '没有监护人', alternate: '民政部门', hours: null },
  5: { title: '16–17岁以自己劳动收入为主要生活来源（民法典第18条）', alternate: '本人指定的紧急联系人', hours: null },
  6: { title: '成年人有能力且拒绝（最高等级除外）', alternate: '本人指定的联系人', hours: null },
};

/** The least number of characters of the reason. */
export const EXEMPT_REASON_MIN = 10;

/** The faults of an exemption, in Chinese; empty when staff may record it. */
export function findExemptFaults(
  facts: Pick<WarningFacts, 'level' | 'minor' | 'contacttries' | 'newstime'>,
  { ground, reason, alternate }: { ground: ExemptGround; reason: string; alternate: string },
): string[] {
  const faults: string[] = [];
  if ([...reason.trim()].length < EXEMPT_REASON_MIN) faults.push(`不告知的原因不少于${EXEMPT_REASON_MIN}个字`);
  if (!alternate.trim()) faults.push('请写明改为告知了谁（姓名、身份、时间）');
  if (ground === 6 && (facts.minor || facts.level >= 4)) faults.push('该理由只适用于成年人，且最高等级的个案除外');
  if (ground === 5 && !facts.minor) faults.push('该理由只适用于16–17岁');
  if (ground === 3 && facts.contacttries.filter(({ time }) => time >= facts.newstime).length < 3)
    faults.push('须先有3次未联系上的记录');
  return faults;
}

/** When an exemption lapses; null for a lasting ground. */
export function exemptUntil(ground: ExemptGround, now: Date): Date | null {
  const { hours } = EXEMPT_GROUNDS[ground];
  return hours === null ? null : addHours(now, hours);
}

/** Whether a valid exemption replaces telling the guardian: from a peak of level 3 a second person must have confirmed it. */
export function isGuardianExempt(facts: Pick<WarningFacts, 'exemption' | 'peaklevel' | 'confirmations'>): boolean {
  const { exemption } = facts;
  if (!exemption) return false;
  if (facts.peaklevel < 3) return true;
  const confirmed = facts.confirmations.some(
    ({ subject, time, humankeys }) =>
      subject === 'exempt' && time >= exemption.time && !humankeys.some((key) => exemption.by.includes(key)),
  );
  return confirmed;
}

/** Whether the guardian was told, or a valid exemption stands at `now`. */
export function isGuardianSettled(
  facts: Pick<WarningFacts, 'guardiannotified' | 'exemption' | 'peaklevel' | 'confirmations'>,
  now: Date,
): boolean {
  if (facts.guardiannotified) return true;
  return isGuardianExempt(facts) && (facts.exemption?.until == null || facts.exemption.until > now);
}
