import { REQUEST_SUBJECTS } from '#domain/warning/decision/secondRequest.ts';
import { isOpen, type WarningFacts } from '#domain/warning/warningfacts.ts';
import type { Scope } from '#server/db/scope.ts';
import { notifyAsker } from '#features/warning/second/secondNotices.ts';
import { endRequests, findWaitingRequests, RequestStatus } from '#features/warning/second/request.queries.ts';
import { addLog } from '#features/warning/warning.queries.ts';

/** Why a step voids the requests that wait, in Chinese; '' when they still stand. */
function findVoidReason(before: WarningFacts, after: WarningFacts): string {
  if (after.newstime.getTime() !== before.newstime.getTime()) return '出现新情况';
  if (after.death && !before.death) return '已登记死亡';
  return isOpen(before) && !isOpen(after) ? '个案已结束' : '';
}

/** Voids the requests to a second person that a step has overtaken, with a log line, and tells their askers. */
export async function voidRequests(
  scope: Scope,
  warningcode: string,
  before: WarningFacts,
  after: WarningFacts,
  time: Date,
): Promise<void> {
  const reason = findVoidReason(before, after);
  if (reason === '') return;
  const requests = await findWaitingRequests(scope, warningcode);
  for (const request of requests) {
    await endRequests(scope, [request.requestid], { status: RequestStatus.void, answer: reason, answertime: time });
    const content = `${reason}，“${REQUEST_SUBJECTS[request.subject]}”的复核申请失效`;
    await addLog(scope, request, { action: '复核失效', content, time, operator: null, operatorname: '系统' });
    await notifyAsker(scope, { ...request, time }, 'void', `${content}。仍需办理的，请按现在的情况重新申请。`);
  }
}
