import { mapInOrder } from '#domain/base/inOrder.ts';
import { levelName } from '#domain/warning/levels.ts';
import { DUE_LABELS, pendingClocks } from '#domain/warning/clock/clocks.ts';
import { chainFor, groupOverdue, overdueSteps, type EscalationStep, type OverdueClocks } from '#domain/warning/escalation.ts';
import type { WarningFacts } from '#domain/warning/warningfacts.ts';
import type { Scope } from '#server/db/scope.ts';
import type { Services } from '#server/dispatch/services.ts';
import { runAsSystem, activeInstitutions } from '#server/db/systemSession.ts';
import { findStaff, findWarningSettings, type WarningStaff } from '#features/warning/duty/duty.queries.ts';
import {
  caseLink,
  addNotices,
  findNoticeSubject,
  findTeamOwners,
  notifyAbove,
  type Note,
  type NoticeSubjectRow,
} from '#features/warning/alerts/notify.queries.ts';
import { attempt } from '#server/db/attempt.ts';
import { notifyOfFailures, type JobFailure } from '#features/warning/alerts/jobFailures.ts';
import { findMinorsWithoutGuardianDuty, startGuardianDuty } from '#features/warning/alerts/guardianDuty.queries.ts';
import { findHarmReports, notifyOfHarmReport } from '#features/warning/alerts/harmReport.queries.ts';
import { formatMinute } from '#features/warning/alerts/noticeTexts.ts';
import { findPendingCases } from '#features/warning/alerts/remind.queries.ts';
import { remindUnopened } from '#features/warning/alerts/remind.ts';
import { passCasesOfUnable } from '#features/warning/handover/handOver.ts';
import { addLog, loadFacts, type WarningRecord } from '#features/warning/warning.queries.ts';
import { findOverdue } from '#features/warning/warninglist.queries.ts';

/** The result of one run over all institutions. */
export interface EscalationResult {
  institutions: number;
  overdue: number;
  notified: number;
  /** notices that were sent again because nobody had read them */
  reminded: number;
  /** cases, or whole institutions, whose run failed; the run continued with the others */
  failed: JobFailure[];
}

/** The staff at each node of the escalation chain. A node without able staff passes the duty to the next higher node. */
const NODE_HOLDERS: Readonly<Record<string, (staff: WarningStaff) => boolean>> = {
  centre: (staff) => staff.roles.includes('psychologist') || staff.onduty,
  obstetrician: (staff) => staff.onduty,
  liaison: (staff) => staff.roles.includes('psychologist'),
  doctor: (staff) => staff.roles.includes('psychologist') || staff.onduty,
  community: (staff) => staff.onduty,
  principal: (staff) => staff.roles.includes('insadmin'),
  medicalaffairs: (staff) => staff.roles.includes('insadmin'),
  union: (staff) => staff.roles.includes('insadmin'),
  psychiatry: (staff) => staff.roles.includes('psychologist'),
};

/**
 * Notifies the next node of the escalation chain of every overdue case, and repeats notices that nobody has read. The keys of the
 * notices send each step once, although the job runs every minute and on several servers. Each institution has its own
 * transaction and system session.
 */
export async function escalateOverdue(services: Pick<Services, 'pools'>, now: Date): Promise<EscalationResult> {
  const result: EscalationResult = { institutions: 0, overdue: 0, notified: 0, reminded: 0, failed: [] };
  for (const musercode of await activeInstitutions(services.pools)) {
    try {
      const { overdue, notified, reminded, failed } = await runAsSystem(services.pools, musercode, (scope) =>
        escalateInstitution(scope, musercode, now),
      );
      result.institutions += 1;
      result.overdue += overdue;
      result.notified += notified;
      result.reminded += reminded;
      result.failed.push(...failed.map((failure) => ({ musercode, ...failure })));
    } catch (error) {
      result.failed.push({ musercode, error: error instanceof Error ? error.message : String(error) });
    }
  }
  await notifyOfFailures(services, '超时提醒', result.failed, now);
  return result;
}

async function escalateInstitution(scope: Scope, musercode: string, now: Date) {
  const failed: Omit<JobFailure, 'musercode'>[] = [];
  /** Runs a part; returns its number, 0 when it failed. */
  const run = async (work: () => Promise<number>, code?: string) => {
    const outcome = await attempt(scope, work);
    if (!outcome.ok) failed.push({ ...(code && { code }), error: outcome.error });
    return outcome.ok ? outcome.value : 0;
  };
  await run(() => passCasesOfUnable(scope, musercode, now));
  const rows = await findOverdue(scope, musercode, now);
  const pendingCases = await findPendingCases(scope, musercode);
  const harmReports = await findHarmReports(scope, musercode);
  const minors = await findMinorsWithoutGuardianDuty(scope, musercode, now);
  // Most institutions have nothing to tell at most minutes.
  if (rows.length + pendingCases.length + harmReports.length + minors.length === 0)
    return { overdue: 0, notified: 0, reminded: 0, failed };
  const { roster } = await findWarningSettings(scope, musercode);
  const staff = await findStaff(scope, musercode, roster, now);
  let notified = 0;
  for (const row of rows) notified += await run(() => escalateCase(scope, row, staff, now), row.warningcode);
  for (const report of harmReports)
    notified += await run(() => notifyOfHarmReport(scope, musercode, report, staff, now), report.warningcode);
  for (const warningcode of minors) notified += await run(() => startGuardianDuty(scope, warningcode, staff, now), warningcode);
  const reminded = await run(() => remindUnopened(scope, musercode, pendingCases, staff, now));
  return { overdue: rows.length, notified, reminded, failed };
}

/** An overdue case with the facts of its notices. */
interface OverdueCase {
  row: WarningRecord;
  facts: WarningFacts;
  subject: NoticeSubjectRow;
  /** the staff of the institution without a suspected source of harm */
  staff: readonly WarningStaff[];
  now: Date;
}

async function escalateCase(scope: Scope, row: WarningRecord, allStaff: readonly WarningStaff[], now: Date): Promise<number> {
  const facts = await loadFacts(scope, row, now);
  const subject = await findNoticeSubject(scope, row.warningcode);
  const staff = allStaff.filter((item) => !subject.suspectuserids.includes(item.userid));
  const overdueCase: OverdueCase = { row, facts, subject, staff, now };
  let noticeCount = 0;
  for (const clocks of groupOverdue(pendingClocks(facts), now)) noticeCount += await escalateClocks(scope, overdueCase, clocks);
  return noticeCount;
}

/** The names of clocks that ran out together: 受理、访谈评估. */
const formatClocks = ({ kinds }: OverdueClocks) => kinds.map((kind) => DUE_LABELS[kind]).join('、');

async function escalateClocks(scope: Scope, overdueCase: OverdueCase, clocks: OverdueClocks): Promise<number> {
  const { row, facts, now } = overdueCase;
  let noticeCount = 0;
  const steps = await mapInOrder(currentSteps(facts, clocks, now), async (step) => ({
    step,
    ...(await findRecipients(scope, overdueCase, step)),
  }));
  // Consecutive steps with the same recipients become one reminder.
  for (const { step, holders, name, isTop } of steps.filter((item, index) => steps[index + 1]?.name !== item.name)) {
    const sentCount = await addNotices(scope, toNotes(overdueCase, step, holders));
    await notifyNodesAbove(scope, overdueCase, step, { isTop, isEmpty: holders.length === 0 });
    if (sentCount === 0) continue;
    noticeCount += sentCount;
    await addLog(scope, row, {
      action: '超时提醒',
      time: now,
      content: `${formatClocks(clocks)}应于 ${formatMinute(clocks.due)} 前完成，已提醒${name}`,
      detail: { seq: step.seq, kinds: clocks.kinds },
      operator: null,
      operatorname: '系统',
    });
  }
  return noticeCount;
}

const overdueKey = ({ row }: OverdueCase, { clocks }: EscalationStep) => `overdue:${row.warningcode}:${clocks.due.getTime()}`;

/**
 * E5 above the institution, without a name: the provider with the top of the chain, the authority at once at level 4. Without able
 * staff in the institution, also the operator.
 */
async function notifyNodesAbove(
  scope: Scope,
  overdueCase: OverdueCase,
  step: EscalationStep,
  { isTop, isEmpty }: { isTop: boolean; isEmpty: boolean },
) {
  const { row, facts, subject, staff, now } = overdueCase;
  const isForsaken = isEmpty && !staff.some((item) => item.isAble);
  const key = overdueKey(overdueCase, step);
  const note = {
    musercode: row.musercode,
    warningcode: row.warningcode,
    kind: 'overdue' as const,
    title: `${subject.insname}：个案 ${row.warningcode} ${formatClocks(step.clocks)}超时`,
    content: `${levelName(facts.level, facts.sector)}，应于 ${formatMinute(step.clocks.due)} 前完成，请督办。`,
    link: caseLink(row.warningcode),
    time: now,
  };
  if (isTop || isForsaken) await notifyAbove(scope, { ...note, node: 'provider', key: `${key}:${step.seq}:above` });
  if ((facts.level === 4 && subject.isAuthorityNotified) || isForsaken)
    await notifyAbove(scope, { ...note, node: 'authority', key: `${key}:authority` });
  if (isForsaken) await notifyAbove(scope, { ...note, node: 'operator', key: `${key}:operator` });
}

/**
 * The overdue steps, with only the latest step of each node. The top node gets a reminder every day: after an outage it must not get
 * all missed reminders at once.
 */
function currentSteps(facts: WarningFacts, clocks: OverdueClocks, now: Date): EscalationStep[] {
  const steps = overdueSteps(facts, clocks, now, facts.selfharm);
  return steps.filter((step, index) => steps[index + 1]?.node.key !== step.node.key);
}

/** The user ids at the node of a step, or at the next higher node with able staff. `isTop` marks the highest node. */
async function findRecipients(scope: Scope, { row, facts, subject, staff }: OverdueCase, step: EscalationStep) {
  const { nodes } = chainFor(facts);
  const from = nodes.findIndex((node) => node.key === step.node.key);
  for (let index = from; index < nodes.length; index += 1) {
    const node = nodes[index]!;
    const holders =
      node.key === 'classteacher'
        ? (await findTeamOwners(scope, row.cuserid)).filter((userid) => !subject.suspectuserids.includes(userid))
        : staff.filter((item) => item.isAble && (NODE_HOLDERS[node.key]?.(item) ?? false)).map((item) => item.userid);
    if (holders.length > 0) return { holders, name: node.name, isTop: index === nodes.length - 1 };
  }
  return { holders: [] as string[], name: '责任人', isTop: true };
}

/** E5: the owner and, with the first step, the psychologists read everything (④); the holders of the node read ③. */
function toNotes(overdueCase: OverdueCase, step: EscalationStep, holders: readonly string[]): Note[] {
  const { row, facts, subject, staff, now } = overdueCase;
  const dueLabel = formatClocks(step.clocks);
  // The owner may work for an institution above.
  const owner = row.owneruserid && !subject.suspectuserids.includes(row.owneruserid) ? row.owneruserid : null;
  const psychologists = staff.filter((item) => item.isAble && item.roles.includes('psychologist')).map((item) => item.userid);
  const handlers = [...(owner ? [owner] : []), ...(step.seq === 1 ? psychologists : [])];
  const until = `${subject.person}：${levelName(facts.level, facts.sector)}，应于 ${formatMinute(step.clocks.due)} 前完成${dueLabel}`;
  return [...new Set([...handlers, ...holders])].map((userid) => ({
    musercode: row.musercode,
    userid,
    kind: 'overdue',
    title: `${dueLabel}超时`,
    content: `${until}。${userid === owner ? '您是责任人，请立即处理。' : '请督促责任人立即处理。'}`,
    link: caseLink(row.warningcode),
    dedupekey: `${overdueKey(overdueCase, step)}:${step.seq}:${userid}`,
    createtime: now,
    warningcode: row.warningcode,
    infokind: handlers.includes(userid) ? 4 : 3,
  }));
}
