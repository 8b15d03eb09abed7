import { addDays, fromShanghai, shanghaiDate } from '#domain/base/calendar.ts';
import { FollowMethod, FollowStatus } from '#domain/base/enums.ts';
import type { ExamResult } from '#domain/exam/exam.ts';
import { epdsRetest } from '#domain/warning/deadline.ts';
import type { Scope } from '#server/db/scope.ts';
import type { LoadedExam } from '#features/respond/exam/submission.queries.ts';

const PLAN_NAME = 'EPDS 复测';

/**
 * Plans the re-test that an EPDS of 10–12 asks for, as a follow-up of the person without a case. A valid EPDS from the due day on
 * completes the waiting re-test. Runs in the transaction of the submission, in the respondent's session.
 */
export async function planRetest(
  { db }: Scope,
  { cuserid, musercode, examcode }: LoadedExam,
  { forms, valid }: ExamResult,
  now: Date,
): Promise<void> {
  const epds = forms.find(({ scale }) => scale.formcode === 'EPDS');
  if (!epds) return;
  const total = epds.result.scores['total'];
  if (valid && epds.result.valid && total != null)
    await db
      .updateTable('followup')
      .set({ status: FollowStatus.done, donetime: now, examcode, content: `已复测：EPDS ${total} 分` })
      .where('cuserid', '=', cuserid)
      .where('planname', '=', PLAN_NAME)
      .where('method', '=', FollowMethod.retest)
      .where('status', 'in', [FollowStatus.waiting, FollowStatus.overdue])
      .where('isdeleted', '=', 0)
      .where('duetime', '<', addDays(fromShanghai(shanghaiDate(now)), 1))
      .execute();
  const span = epdsRetest(total, now);
  if (!span) return;
  const planned = await db
    .selectFrom('followup')
    .select('followupid')
    .where('cuserid', '=', cuserid)
    .where('planname', '=', PLAN_NAME)
    .where('status', 'in', [FollowStatus.waiting, FollowStatus.overdue])
    .where('isdeleted', '=', 0)
    .executeTakeFirst();
  if (planned) return;
  await db
    .insertInto('followup')
    .values({ cuserid, musercode, planname: PLAN_NAME, method: FollowMethod.retest, createtime: now, ...span })
    .execute();
}
