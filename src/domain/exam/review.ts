import { defineEnum, type CodeOf } from '#domain/base/enum.ts';
import { addDays, addWorkingDays, type WorkCalendar } from '#domain/base/calendar.ts';

/** Why staff must look at a sheet (待核对答卷). */
export const ReviewKind = defineEnum({
  stopped: ['01', '停在安全相关题目'],
  doubtful: ['02', '存疑高分'],
  unsubmitted: ['03', '未交卷高分'],
});
export type ReviewKindCode = CodeOf<typeof ReviewKind>;

/** Until when staff look at a sheet of the list 待核对答卷: three working days, at most seven days (own product rule). */
export function reviewDue(from: Date, calendar?: WorkCalendar): Date {
  const due = addWorkingDays(from, 3, calendar);
  const latest = addDays(from, 7);
  return due < latest ? due : latest;
}
