import { fromShanghai } from '#domain/base/calendar.ts';
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
const TERM_DAYS = 280;
/** The longest pregnancy that a date may mean; after it the birth is known to be past, but not its day. */
const LONGEST_DAYS = 308;
/** The first days of the second and third trimester: 14 and 28 completed weeks (the stages of seed/apps.ts). */
const SECOND_TRIMESTER = 98;
const THIRD_TRIMESTER = 196;
const DAY = 86_400_000;

const isDate = (text: string | null | undefined): text is string => /^\d{4}-\d{2}-\d{2}$/.test(text ?? '');
const daysSince = (date: string, now: Date) => Math.floor((now.getTime() - fromShanghai(date).getTime()) / DAY);
const addToDate = (date: string, days: number) =>
  new Date(Date.parse(`${date}T00:00:00Z`) + days * DAY).toISOString().slice(0, 10);

/**
 * The week of pregnancy, the expected date of birth and the stage. The expected date counts before the last period, because an
 * ultrasound may have corrected it.
 */
export function describePregnancy(dates: PregnancyDates, now: Date): PregnancyState {
  const { lmpdate, edcdate, deliverydate } = dates;
  const due = isDate(edcdate) ? edcdate : isDate(lmpdate) ? addToDate(lmpdate, TERM_DAYS) : '';
  if (isDate(deliverydate) && daysSince(deliverydate, now) >= 0)
    return { gestation: `产后 ${daysSince(deliverydate, now)} 天`, edcdate: due, stage: '产后' };
  if (!due) return { gestation: '', edcdate: '', stage: '' };
  const days = TERM_DAYS + daysSince(due, now);
  if (days < 0) return { gestation: '', edcdate: due, stage: '' };
  if (days > LONGEST_DAYS) return { gestation: '', edcdate: due, stage: '产后' };
  const stage = days < SECOND_TRIMESTER ? '孕早期' : days < THIRD_TRIMESTER ? '孕中期' : '孕晚期';
  return { gestation: `孕 ${gestationText(days)}`, edcdate: due, stage };
}
