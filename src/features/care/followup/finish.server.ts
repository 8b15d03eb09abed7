import { fromShanghai, shanghaiTime } from '#domain/base/calendar.ts';
import { FollowMethod, FollowOutcome } from '#domain/base/enums.ts';
import { withContact, withFailedContact } from '#domain/warning/clock/clocks.ts';
import { followUpDueTime } from '#domain/warning/deadline.ts';
import { levelName } from '#domain/warning/levels.ts';
import { isOpen } from '#domain/warning/warningfacts.ts';
import { problems } from '#contract/problem.ts';
import { handle } from '#server/dispatch/handle.ts';
import * as contract from '#features/care/care.contract.ts';
import * as queries from '#features/care/care.queries.ts';
import { lockWaiting } from '#features/care/careRecord.ts';
import { saveRetest } from '#features/care/followup/plan.server.ts';
import { findHandedIn } from '#features/care/followup/retest.queries.ts';
import { cancelRest, findSuccessor, lockWaitingOf } from '#features/care/followup/work.queries.ts';
import { reportWorsened, withWorsened } from '#features/care/worsened.ts';
import { addFollowUps } from '#features/warning/cases/caseDetail.queries.ts';
import type { contactChannels } from '#features/warning/handling/handling.contract.ts';
import { lockCase, saveTransition, type StaffContext } from '#features/warning/handling/transition.ts';

/** Recording a follow-up. Nobody is lost: an open case, a next date, another planned follow-up, or an end with a reason. */

type Waiting = Awaited<ReturnType<typeof lockWaiting>>;
interface Ending {
  outcome?: (typeof FollowOutcome.codes)[number] | undefined;
  endreason?: string | undefined;
  nextduetime?: string | undefined;
}

/** Refuses (120002) to end the follow-ups of a person without a reason, and to go on without a next date. */
async function decideOutcome(ctx: StaffContext, row: Waiting, { outcome, endreason, nextduetime }: Ending) {
  const refuse = (message: string, field: string) => problems.invalid({ message }, { field });
  if (outcome === FollowOutcome.ended) {
    if (nextduetime) throw refuse('结束随访时不能再安排下次随访', 'nextduetime');
    if (!endreason) throw refuse('请填写结束原因，至少 2 个字', 'endreason');
    return FollowOutcome.ended;
  }
  if (!nextduetime && (await findSuccessor(ctx.scope, row)) === undefined)
    throw refuse('请填写下次随访时间；不再随访的，请选择结束随访并填写原因', 'nextduetime');
  return FollowOutcome.continued;
}

/** The way of contact (`contactChannels` of a case) that each method of a follow-up tries. A re-test is sent as a message. */
const CHANNELS: Readonly<Record<string, keyof typeof contactChannels>> = {
  [FollowMethod.visit]: '02',
  [FollowMethod.phone]: '01',
  [FollowMethod.wechat]: '03',
  [FollowMethod.home]: '02',
  [FollowMethod.retest]: '03',
};

const finishFollowUp = handle(contract.finishFollowUp, async (input, ctx) => {
  const { followupid, status, method, content, currentlevel, nextduetime, endreason, retestplan } = input;
  const { scope, now, caller } = ctx;
  const row = await lockWaiting(ctx, followupid);
  if (row.warningcode === null) await lockWaitingOf(scope, row.cuserid);
  const lockedCase = row.warningcode ? await lockCase(ctx, row.warningcode) : undefined;
  const isCaseOpen = lockedCase !== undefined && isOpen(lockedCase.facts);
  if (isCaseOpen && input.outcome === FollowOutcome.ended)
    throw problems.invalid({ message: '个案尚未结束，须继续随访；结束请在个案中办理' }, { field: 'outcome' });
  const outcome = isCaseOpen ? FollowOutcome.continued : await decideOutcome(ctx, row, input);
  const examcode = input.examcode ?? (await findHandedIn(scope, followupid));
  const retest = examcode ? await queries.findRetest(scope, row.cuserid, examcode) : undefined;
  if (examcode && !retest) throw problems.invalid({ message: '所选复测不是该受测者的有效答卷' }, { field: 'examcode' });
  const total = input.phq9total ?? retest?.phq9 ?? undefined;
  const isEnded = outcome === FollowOutcome.ended;
  const record = isEnded ? `${content}（结束随访：${endreason}）` : content;
  await queries.updateFollowUp(scope, followupid, {
    status,
    content: record,
    outcome,
    donetime: status === '02' ? now : null,
    operator: caller.accountid,
    ...(method && { method }),
    ...(currentlevel !== undefined && { currentlevel }),
    ...(total !== undefined && { phq9total: total }),
    ...(examcode && { examcode }),
  });
  if (retestplan) await saveRetest(ctx, { ...row, duetime: now }, retestplan);
  if (isEnded && row.warningcode === null)
    await cancelRest(scope, row, { reason: `随访已结束：${endreason}`, operator: caller.accountid });
  let next = nextduetime ? fromShanghai(nextduetime) : undefined;
  if (isCaseOpen) {
    const { waiting, first, seq } = await queries.countAppointments(scope, lockedCase.row.warningcode);
    // An open case always has a next follow-up. After the planned ones, the schedule of its level continues.
    if (!next && waiting === 0)
      next = findNextFollowUp(lockedCase.facts.level, (first as Date | null) ?? now, (seq as number | null) ?? 0, now);
  }
  if (next) {
    if (next <= now) throw problems.invalid({ message: '下次随访时间须晚于现在' }, { field: 'nextduetime' });
    const { cuserid, musercode, planname } = row;
    await addFollowUps(scope, [
      {
        cuserid,
        musercode,
        // A closed case gets no further follow-up: the person is followed without it.
        warningcode: isCaseOpen ? row.warningcode : null,
        planname,
        owneruserid: isCaseOpen ? row.owneruserid : (row.owneruserid ?? lockedCase?.row.owneruserid ?? caller.userid),
        seq: row.seq + 1,
        duetime: next,
        method: method ?? row.method,
        operator: caller.accountid,
        createtime: now,
      },
    ]);
    await queries.updateFollowUp(scope, followupid, { nextduetime: next });
  }
  if (lockedCase) {
    const facts = lockedCase.facts.followups.map((followup) =>
      followup.duetime.getTime() === row.duetime.getTime() && followup.status !== '02'
        ? { ...followup, status, donetime: status === '02' ? now : null }
        : followup,
    );
    const followups = next && isCaseOpen ? [...facts, { duetime: next, status: '01' as const, donetime: null }] : facts;
    const acute = (currentlevel ?? 0) >= 3;
    const withFollowups = { ...lockedCase.facts, followups, lastacutesign: acute ? now : lockedCase.facts.lastacutesign };
    const after =
      status === '02'
        ? withContact(withFollowups, now)
        : withFailedContact(withFollowups, now, CHANNELS[method ?? row.method] ?? '01');
    const text = [
      status === '04' ? '未能联系上。' : '',
      record,
      currentlevel === undefined ? '' : `（当前状态：${levelName(currentlevel, ctx.caller.sector)}）`,
      examcode ? `（关联复测${total === undefined ? '' : ` PHQ-9 ${total} 分`}）` : '',
    ].join('');
    const worsened = await withWorsened(ctx, lockedCase, after, currentlevel);
    await saveTransition(ctx, lockedCase, worsened, { action: '随访', content: text, detail: { followupid } });
  }
  if (!isCaseOpen) await reportWorsened(ctx, row.cuserid, currentlevel, content);
  return { followupid, nextduetime: next ? shanghaiTime(next) : null };
});

/** The first follow-up of the level's schedule after `now`. */
function findNextFollowUp(level: Parameters<typeof followUpDueTime>[0], first: Date, seq: number, now: Date): Date {
  for (let n = 1; ; n += 1) {
    const due = followUpDueTime(level, first, n);
    if (due > now && n >= Math.max(1, seq)) return due;
  }
}

export const finishHandlers = [finishFollowUp];
