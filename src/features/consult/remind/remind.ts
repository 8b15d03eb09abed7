import { addDays, shanghaiDate, shanghaiTime } from '#domain/base/calendar.ts';
import { ConsultType } from '#domain/base/enums.ts';
import { SAME_DAY_KEY } from '#domain/notice/quietHours.ts';
import { codeOf, pathOf } from '#contract/menu.ts';
import { attempt } from '#server/db/attempt.ts';
import type { Scope } from '#server/db/scope.ts';
import { activeInstitutions, runAsSystem } from '#server/db/systemSession.ts';
import type { Services } from '#server/dispatch/services.ts';
import { COUNSELLOR_RIGHTS } from '#features/consult/booking/booking.queries.ts';
import * as queries from '#features/consult/remind/remind.queries.ts';
import { notifyOfFailures, type JobFailure } from '#features/warning/alerts/jobFailures.ts';
import { addNotices } from '#features/warning/alerts/notify.queries.ts';

/** Reminders of bookings and of overdue registrations. They go to counsellors and name neither person nor subject. */

/** The hour of the day, in China, from which counsellors hear of overdue registrations. */
const OVERDUE_FROM_HOUR = 8;

/** Reminds the counsellors of an institution of their bookings, a day and two hours before. Returns the number of notices. */
export async function remindOfBookings(scope: Scope, musercode: string, now: Date): Promise<number> {
  let count = 0;
  for (const step of ['day', 'hour'] as const) {
    const bookings = await queries.takeDueBookings(scope, musercode, step, now);
    // The registrations of a group session are one conversation.
    const sessions = new Map(bookings.map((booking) => [booking.groupid ?? booking.consultid, booking]));
    count += await addNotices(
      scope,
      [...sessions.values()].map((booking) => ({
        ...textOf(booking, now),
        musercode,
        userid: booking.counsellor,
        kind: 'followup' as const,
        link: `${pathOf('consult.forms')}?open=${booking.consultid}`,
        // The time makes the key new when a booking returns to a time of which there was a reminder. The mark in the row keeps it single.
        // Two hours before, the notice cannot wait for the end of quiet hours, also when midnight lies between.
        dedupekey: `${step === 'hour' || isToday(booking, now) ? SAME_DAY_KEY : ''}consult:${step}:${booking.consultid}:${now.getTime()}`,
        createtime: now,
      })),
    );
  }
  return count;
}

const isToday = ({ slotbegin }: queries.DueBooking, now: Date) => shanghaiDate(slotbegin) === shanghaiDate(now);

function textOf(booking: queries.DueBooking, now: Date): { title: string; content: string } {
  const { slotbegin, room, consulttype } = booking;
  const day = isToday(booking, now)
    ? '今天'
    : shanghaiDate(slotbegin) === shanghaiDate(addDays(now, 1))
      ? '明天'
      : shanghaiDate(slotbegin);
  const place = [room && `地点：${room}`, `方式：${ConsultType.label(consulttype)}`].filter(Boolean).join('；');
  return { title: `${day} ${shanghaiTime(slotbegin).slice(11, 16)} 有一次咨询`, content: `${place}。请提醒对方。` };
}

/** Tells the counsellors of an institution once a day how many waiting registrations are overdue. Returns the number of notices. */
export async function notifyOfOverdue(scope: Scope, musercode: string, now: Date): Promise<number> {
  const time = shanghaiTime(now);
  if (Number(time.slice(11, 13)) < OVERDUE_FROM_HOUR) return 0;
  const rights = {
    counsellorRights: COUNSELLOR_RIGHTS,
    caseRights: [codeOf('warning.crisis'), codeOf('warning.handle')],
  };
  const counts = await queries.countOverdue(scope, musercode, rights, now);
  return addNotices(
    scope,
    counts.map(({ userid, count }) => ({
      musercode,
      userid,
      kind: 'followup',
      title: `${count} 个咨询登记已逾期未受理`,
      content: '请尽快在登记表管理中安排时间。',
      link: `${pathOf('consult.forms')}?view=overdue`,
      dedupekey: `consultoverdue:${userid}:${time.slice(0, 10)}`,
      createtime: now,
    })),
  );
}

/** Sends the reminders of every institution, each in its own transaction. Returns the failures; the others went on. */
export async function sendConsultReminders(services: Pick<Services, 'pools'>, now: Date): Promise<JobFailure[]> {
  const failed: JobFailure[] = [];
  for (const musercode of await activeInstitutions(services.pools)) {
    try {
      await runAsSystem(services.pools, musercode, async (scope) => {
        const outcome = await attempt(scope, async () => {
          await remindOfBookings(scope, musercode, now);
          await notifyOfOverdue(scope, musercode, now);
        });
        if (!outcome.ok) failed.push({ musercode, error: outcome.error });
      });
    } catch (error) {
      failed.push({ musercode, error: error instanceof Error ? error.message : String(error) });
    }
  }
  await notifyOfFailures(services, '咨询提醒', failed, now);
  return failed;
}
