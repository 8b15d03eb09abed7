import { addHours, addWorkingDays, type WorkCalendar } from '#domain/base/calendar.ts';
import type { ConsultStatus } from '#domain/base/enums.ts';
import type { Scale } from '#domain/scoring/scale.ts';

/** The life of a registration for a consultation (supplement-scales-operations.md section 5). */

export type ConsultStatusCode = (typeof ConsultStatus.codes)[number];

/** What can be done with a registration. `move` gives a booking another time. */
export type ConsultStep = 'book' | 'move' | 'finish' | 'miss' | 'cancel' | 'append';

const STEPS: Readonly<Record<ConsultStatusCode, readonly ConsultStep[]>> = {
  '01': ['book', 'cancel'],
  '02': ['move', 'finish', 'miss', 'cancel'],
  '03': ['append'],
  '04': [],
  '05': ['book', 'cancel'],
};

/** Minutes after the begin from which a person counts as missing (爽约). */
export const MISSED_AFTER_MINUTES = 15;
/** Hours before the begin until which the person may cancel a booking. */
export const CANCEL_UNTIL_HOURS = 2;
/** The days from today in which a person may choose a time. */
export const SELF_BOOKING_DAYS = 14;
/** The most bookings of a weekly series. */
export const SERIES_LIMIT = 20;

/**
 * The steps that staff can take now. 爽约 is possible from 15 minutes after the begin on, 完成 from the begin on.
 */
export function consultSteps(status: ConsultStatusCode, slotbegin: Date | null, now: Date): readonly ConsultStep[] {
  return STEPS[status].filter((step) => {
    if (step === 'finish') return slotbegin !== null && slotbegin <= now;
    if (step === 'miss') return slotbegin !== null && slotbegin.getTime() + MISSED_AFTER_MINUTES * 60_000 <= now.getTime();
    return true;
  });
}

/** Whether the person may still cancel: a waiting registration always, a booking until two hours before. */
export const canPersonCancel = (status: ConsultStatusCode, slotbegin: Date | null, now: Date): boolean =>
  status === '01' || (status === '02' && slotbegin !== null && addHours(now, CANCEL_UNTIL_HOURS) <= slotbegin);

/**
 * When a waiting registration becomes overdue: 3 working days after the application, 24 hours while the person has an open case of
 * level 3 or 4.
 */
export const waitingDue = (applytime: Date, caselevel: number | null, calendar?: WorkCalendar): Date =>
  (caselevel ?? 0) >= 3 ? addHours(applytime, 24) : addWorkingDays(applytime, 3, calendar);

/** What a form of type 03 is for; undefined for other types. Forms for staff are never offered to persons. */
export function purposeOf(scale: Pick<Scale, 'formtype' | 'purpose' | 'capturemode'>): Scale['purpose'] {
  if (scale.formtype !== '03') return undefined;
  return scale.purpose ?? (scale.capturemode === 'staff' ? '03' : '01');
}
