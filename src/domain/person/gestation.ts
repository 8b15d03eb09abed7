import { daysFrom, shanghaiDate, shiftDate } from '#domain/base/calendar.ts';
import { gestationText } from '#domain/person/populations.ts';

/** The dates of a pregnancy as the archive has them: `YYYY-MM-DD`, or null when unknown. */
export interface PregnancyDates {
  lmpdate?: string | null | undefined;
  edcdate?: string | null | undefined;
  deliverydate?: string | null | undefined;
}

/** Where a woman stands today. The texts are '' when the archive has no date for them. */
export interface PregnancyState {
  /** 孕 28周+3天, or 产后 12 天 */
  gestation: string;
  edcdate: string;
  /** 孕早期, 孕中期, 孕晚期 or 产后 */
  stage: string;
}

/** Days from the first day of the last period to the expected date of birth (Naegele's rule). */
export const TERM_DAYS = 280;
/** The longest pregnancy that a date may mean; after it the birth is known to be past, but not its day. */
const LONGEST_DAYS = 308;
/** The first days of the second and third trimester: 14 and 28 completed weeks (the stages of seed/apps.ts). */
const SECOND_TRIMESTER = 98;
const THIRD_TRIMESTER = 196;
/** Two dates that should agree differ by at most this many days. */
const DATES_APART = 14;

/** The expected date of birth: the recorded one, else from the last period; null without both. */
export const expectedDate = ({ edcdate, lmpdate }: PregnancyDates): string | null =>
  edcdate || (lmpdate ? shiftDate(lmpdate, TERM_DAYS) : null);

/** Whether last period and expected date contradict each other. The expected date then counts. */
export const datesDisagree = ({ edcdate, lmpdate }: PregnancyDates): boolean =>
  !!edcdate && !!lmpdate && Math.abs(daysFrom(lmpdate, edcdate) - TERM_DAYS) > DATES_APART;

/** The gestational days on `day`; null after the birth, without dates, and before the last period. */
export function gestationalDays(facts: PregnancyDates, day: string): number | null {
  const due = expectedDate(facts);
  if (!due || (facts.deliverydate && facts.deliverydate <= day)) return null;
  const days = TERM_DAYS - daysFrom(day, due);
  return days < 0 ? null : days;
}

/**
 * The week of pregnancy, the expected date of birth and the stage. The expected date counts before the last period, because an
 * ultrasound may have corrected it.
 */
export function describePregnancy(dates: PregnancyDates, now: Date): PregnancyState {
  const today = shanghaiDate(now);
  const edcdate = expectedDate(dates) ?? '';
  const { deliverydate } = dates;
  if (deliverydate && deliverydate <= today)
    return { gestation: `产后 ${daysFrom(deliverydate, today)} 天`, edcdate, stage: '产后' };
  const days = gestationalDays(dates, today);
  if (days === null) return { gestation: '', edcdate, stage: '' };
  if (days > LONGEST_DAYS) return { gestation: '', edcdate, stage: '产后' };
  const stage = days < SECOND_TRIMESTER ? '孕早期' : days < THIRD_TRIMESTER ? '孕中期' : '孕晚期';
  return { gestation: `孕 ${gestationText(days)}`, edcdate, stage };
}
