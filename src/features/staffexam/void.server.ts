import { shanghaiDate } from '#domain/base/calendar.ts';
import { problems } from '#contract/problem.ts';
import { handle } from '#server/dispatch/handle.ts';
import { permittedPopulations } from '#server/security/population.ts';
import { findWaitingMove } from '#features/identity/move.queries.ts';
import { markCases } from '#features/identity/moveCases.queries.ts';
import { judgeLaterSheets, raiseLaterSheets } from '#features/identity/moveSheet.ts';
import { clearRosterRow, returnUnitOf } from '#features/identity/moveUnit.queries.ts';
import { lockSheets, recountPersons, reopenRetests } from '#features/identity/sheet.queries.ts';
import * as contract from '#features/staffexam/void.contract.ts';
import * as queries from '#features/staffexam/void.queries.ts';
import { canReadCases } from '#features/warning/warningrow.ts';
import { operatorOf } from '#features/warning/handling/transition.ts';

/** What staff read in a case whose sheet was declared void. */
const VOIDED = {
  action: '答卷作废',
  title: '触发答卷已作废',
  content: '触发答卷已作废。个案不会自动关闭，请核实本人情况后，按流程排除或结案',
  why: '的触发答卷已作废',
};

const voidExam = handle(contract.voidExam, async ({ examcode, reason }, ctx) => {
  const { scope, caller, now } = ctx;
  const [sheet] = await lockSheets(scope, [examcode]);
  if (!sheet) throw problems.notFound({ what: '答卷' });
  permittedPopulations(caller, sheet.appid);
  if (sheet.status === 4) throw problems.wrongState({ why: '这份答卷已经作废' });
  if (sheet.status !== 2 || !sheet.submittime) throw problems.wrongState({ why: '只能作废已提交的答卷' });
  const waiting = await findWaitingMove(scope, [examcode]);
  if (waiting) throw problems.wrongState({ why: `${waiting.askname} 已申请更正这份答卷的归属，请先同意或退回` });
  const { cuserid, submittime } = sheet;
  const operator = operatorOf(caller);
  // The rules compare later sheets with this one.
  const before = await judgeLaterSheets(scope, [cuserid], submittime, [examcode]);
  if (!(await queries.voidSheet(scope, examcode, { ...operator, reason, now })))
    throw problems.wrongState({ why: '这份答卷已经作废' });
  const isRunning = await queries.isTaskRunning(scope, sheet.taskcode, now);
  const info = { operator: operator.operator, remark: '答卷作废', now, today: shanghaiDate(now) };
  const { isReturned, canRetest } = await returnUnitOf(scope, sheet, isRunning, info);
  await clearRosterRow(scope, sheet, canRetest, '答卷已作废');
  await reopenRetests(scope, sheet, '触发答卷已作废');
  await recountPersons(scope, [cuserid], now);
  const content = `${VOIDED.content}。作废原因：${reason}`;
  await markCases({ scope, now, ...operator }, sheet, { ...VOIDED, content });
  await raiseLaterSheets(scope, [cuserid], submittime, [examcode], before, now);
  ctx.audit({ cuserids: [cuserid], objectid: examcode, detail: { isReturned, canRetest } });
  const opencases = canReadCases(caller) ? await queries.countOpenCases(scope, sheet) : 0;
  return { returned: isReturned ? 1 : 0, canretest: canRetest ? 1 : 0, opencases };
});

export const voidHandlers = [voidExam];
