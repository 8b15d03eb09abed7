import { addDays, addWorkingDays, type WorkCalendar } from '#domain/base/calendar.ts';

/** Until when staff look at a sheet of the list 待核对答卷: three working days, at most seven days (own product rule). */
export function reviewDue(from: Date, calendar?: WorkCalendar): Date {
  const due = addWorkingDays(from, 3, calendar);
  const latest = addDays(from, 7);
  return due < latest ? due : latest;
}
