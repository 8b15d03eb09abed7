import { addWorkingDays, shanghaiDate } from '#domain/base/calendar.ts';
import { eraseAfterWorkingDays, withdrawalReceipt, withdrawalWorkingDays } from '#domain/exam/consent.ts';
import { problems } from '#contract/problem.ts';
import type { Scope } from '#server/db/scope.ts';
import { releaseCounts } from '#features/assesscount/movement.queries.ts';
import { withdrawAllAuthorizations } from '#features/assesscount/authorizations/authorize.queries.ts';
import { notifyOfConsent } from '#features/consent/withdrawal/notices.ts';
import * as queries from '#features/consent/withdrawal/withdrawal.queries.ts';
import { findWarningSettings } from '#features/warning/duty/duty.queries.ts';

/** What the person reads after a withdrawal. */
export interface Receipt {
  time: Date;
  /** the last day of the deletion, 'YYYY-MM-DD' */
  duedate: string;
  deleted: string[];
  kept: string[];
}

/**
 * Carries out a withdrawal: use ends at once, staff are told, the deletion is scheduled. An open case stays with its handlers. A
 * second call returns the first receipt.
 */
export async function withdrawConsent(
  scope: Scope,
  request: { cuserid: string; source: '01' | '02' | '03'; reason: string; createby: string | null; now: Date },
): Promise<Receipt> {
  const { cuserid, now } = request;
  const person = await queries.lockPerson(scope, cuserid);
  if (!person) throw problems.notFound({ what: '受测者' });
  const earlier = await queries.findWithdrawal(scope, cuserid);
  if (earlier) {
    const { deleted, kept } = earlier.receipt as Pick<Receipt, 'deleted' | 'kept'>;
    return { time: earlier.time, duedate: shanghaiDate(earlier.duetime), deleted, kept };
  }
  const { musercode, sector } = person;
  const openCase = await queries.findOpenCase(scope, cuserid);
  const { trigger } = await findWarningSettings(scope, musercode);
  const duetime = addWorkingDays(now, withdrawalWorkingDays, trigger.calendar);
  const receipt = withdrawalReceipt({ openCase: openCase !== undefined, sector });
  await queries.stopUse(scope, cuserid, now);
  const frozen = await withdrawAllAuthorizations(scope, [cuserid]);
  await releaseCounts(scope, frozen, { operator: request.createby ?? 'entry', now, remark: '撤回同意' });
  const { withdrawalid } = await queries.insertWithdrawal(scope, {
    cuserid,
    musercode,
    source: request.source,
    reason: request.reason,
    createby: request.createby,
    time: now,
    erasetime: addWorkingDays(now, eraseAfterWorkingDays, trigger.calendar),
    duetime,
    receipt,
  });
  await notifyOfConsent(scope, musercode, {
    title: '有一名受测者撤回了同意',
    content: `${person.username}：已停止使用其资料，不再安排测评和消息，回答、结果和报告将在 ${shanghaiDate(duetime)} 前删除。${
      openCase ? '在办的预警仍在处理，不受影响。' : ''
    }`,
    link: openCase ? `/earlyWarning/case/${openCase.warningcode}` : '',
    key: `withdrawal:${withdrawalid}`,
    also: openCase?.owneruserid ?? null,
    except: openCase?.suspectuserids ?? [],
    now,
  });
  return { time: now, duedate: shanghaiDate(duetime), ...receipt };
}
