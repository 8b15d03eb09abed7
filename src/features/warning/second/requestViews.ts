import { addDays, shanghaiTime } from '#domain/base/calendar.ts';
import { isGuardianExempt } from '#domain/warning/decision/exemption.ts';
import { isSameHuman } from '#domain/warning/decision/secondPerson.ts';
import { refusalToAnswer, REQUEST_SUBJECTS } from '#domain/warning/decision/secondRequest.ts';
import { pendingConclusions } from '#domain/warning/riskassess.ts';
import { isOpen, type WarningFacts } from '#domain/warning/warningfacts.ts';
import { codeOf } from '#contract/menu.ts';
import type { StaffContext } from '#features/warning/handling/transition.ts';
import { findAskedNames, findRequests, RequestStatus, type RequestRow } from '#features/warning/second/request.queries.ts';
import type { RequestView } from '#features/warning/second/seconds.contract.ts';
import type { WarningRecord } from '#features/warning/warning.queries.ts';

/** Days for which an asker sees on the case that a request came back. */
const RETURNED_DAYS = 7;

/** The requests of a case that its page shows, and the recorded decisions that have no request yet. */
export async function toRequestViews(
  { scope, caller, now }: StaffContext,
  { warningcode }: WarningRecord,
  facts: WarningFacts,
  human: readonly string[],
): Promise<{ requests: RequestView[]; unasked: ('exempt' | 'conclusion')[] }> {
  const rows = await findRequests(scope, warningcode);
  const waiting = rows.filter(({ status }) => status === RequestStatus.waits);
  // Only the last request of a subject counts; a later one takes the place of a returned one.
  const isLast = (row: RequestRow) => rows.find(({ subject }) => subject === row.subject) === row;
  const hasComeBack = ({ status, answertime }: RequestRow) =>
    (status === RequestStatus.returned || status === RequestStatus.void) &&
    answertime !== null &&
    answertime > addDays(now, -RETURNED_DAYS);
  const returned = isOpen(facts) ? rows.filter((row) => hasComeBack(row) && isLast(row) && isSameHuman(human, row.askkeys)) : [];
  const names = await findAskedNames(scope, [...waiting, ...returned]);
  const canHandle = caller.codes.has(codeOf('warning.handle')) && caller.loginasby === null;
  const unasked = (['exempt', 'conclusion'] as const).filter(
    (subject) => !waiting.some((row) => row.subject === subject) && needsConfirmation(facts, subject, now),
  );
  return {
    requests: [...waiting, ...returned].map((row) => ({
      requestid: row.requestid,
      subject: row.subject,
      title: REQUEST_SUBJECTS[row.subject],
      summary: row.summary,
      status: row.status,
      askname: row.askname,
      asktime: shanghaiTime(row.asktime),
      duetime: shanghaiTime(row.duetime),
      persons: row.userids.map((userid) => names.get(userid) ?? '服务商值守'),
      answername: row.answername,
      answer: row.answer,
      answertime: row.answertime && shanghaiTime(row.answertime),
      mine: isSameHuman(human, row.askkeys) ? 1 : 0,
      answerable:
        row.status === RequestStatus.waits && canHandle && refusalToAnswer(facts, row.subject, row.askkeys, human) === '' ? 1 : 0,
    })),
    unasked,
  };
}

/** Whether a recorded decision waits for its confirmation. */
function needsConfirmation(facts: WarningFacts, subject: 'exempt' | 'conclusion', now: Date): boolean {
  if (!isOpen(facts) || facts.death) return false;
  if (subject === 'conclusion') return pendingConclusions(facts).length > 0;
  const { exemption } = facts;
  return exemption !== null && (exemption.until === null || exemption.until > now) && !isGuardianExempt(facts);
}
