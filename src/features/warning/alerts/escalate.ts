import { shanghaiTime } from '#domain/base/calendar.ts';
import { DUE_LABELS, nextDue } from '#domain/warning/clock/clocks.ts';
import { chainFor, overdueSteps, type EscalationStep } from '#domain/warning/escalation.ts';
import type { WarningFacts } from '#domain/warning/warningfacts.ts';
import type { Scope } from '#server/db/scope.ts';
import type { Services } from '#server/dispatch/services.ts';
import { runAsSystem, activeInstitutions } from '#server/db/systemSession.ts';
import { findStaff, findWarningSettings, type WarningStaff } from '#features/warning/duty/duty.queries.ts';
import {
  caseLink,
  addNotices,
  formatLevel,
  findTeamOwners,
  notifyDutyAbove,
  type Note,
} from '#features/warning/alerts/notify.queries.ts';
import { addLog, loadFacts, type WarningRecord } from '#features/warning/warning.queries.ts';
import { findOverdue } from '#features/warning/warninglist.queries.ts';

/** The result of one run over all institutions. */
export interface EscalationResult {
  institutions: number;
  overdue: number;
  notified: number;
  /** institutions whose run failed, with the error; the run continued with the others */
  failed: { musercode: string; error: string }[];
}

/** The staff at each node of the escalation chain. A node without staff passes the duty to the next higher node. */
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
 * Notifies the next node of the escalation chain of every overdue case. The keys of the notices send each step once, although the
 * job runs every minute and on several servers. Each institution has its own transaction and system session.
 */
export async function escalateOverdue(services: Pick<Services, 'pools'>, now: Date): Promise<EscalationResult> {
  const result: EscalationResult = { institutions: 0, overdue: 0, notified: 0, failed: [] };
  for (const musercode of await activeInstitutions(services.pools)) {
    try {
      const { overdue, notified } = await runAsSystem(services.pools, musercode, (scope) =>
        escalateInstitution(scope, musercode, now),
      );
      result.institutions += 1;
      result.overdue += overdue;
      result.notified += notified;
    } catch (error) {
      result.failed.push({ musercode, error: error instanceof Error ? error.message : String(error) });
    }
  }
  return result;
}

async function escalateInstitution(scope: Scope, musercode: string, now: Date): Promise<{ overdue: number; notified: number }> {
  const rows = await findOverdue(scope, musercode, now);
  if (rows.length === 0) return { overdue: 0, notified: 0 };
  const { roster } = await findWarningSettings(scope, musercode);
  const staff = await findStaff(scope, musercode, roster, now);
  let noticeCount = 0;
  for (const row of rows) noticeCount += await escalateCase(scope, row, staff, now);
  return { overdue: rows.length, notified: noticeCount };
}

async function escalateCase(scope: Scope, row: WarningRecord, staff: readonly WarningStaff[], now: Date): Promise<number> {
  const facts = await loadFacts(scope, row, now);
  let noticeCount = 0;
  const steps = await Promise.all(
    currentSteps(facts, now).map(async (step) => ({ step, ...(await findRecipients(scope, row, facts, step, staff)) })),
  );
  // Consecutive steps with the same recipients become one reminder.
  for (const { step, holders, name, isTop } of steps.filter((item, index) => steps[index + 1]?.name !== item.name)) {
    const sentCount = await addNotices(scope, toNotes(row, facts, step, holders, now));
    if (isTop && facts.level >= 3) {
      const key = `overdue:${row.warningcode}:${step.due.kind}:${step.due.due.getTime()}:${step.seq}:above`;
      const title = `预警 ${row.warningcode} ${DUE_LABELS[step.due.kind]}超时`;
      await notifyDutyAbove(scope, {
        kind: 'overdue',
        title,
        content: `${formatLevel(facts.level, facts.sector)}，应于 ${shanghaiTime(step.due.due).slice(0, 16)} 前完成，请督办。`,
        link: caseLink(row.warningcode),
        key,
        time: now,
      });
    }
    if (sentCount === 0) continue;
    noticeCount += sentCount;
    await addLog(scope, row, {
      action: '超时提醒',
      time: now,
      content: `${DUE_LABELS[step.due.kind]}应于 ${shanghaiTime(step.due.due).slice(0, 16)} 前完成，已提醒${name}`,
      detail: { seq: step.seq, kind: step.due.kind },
      operator: null,
      operatorname: '系统',
    });
  }
  return noticeCount;
}

/**
 * The overdue steps, with only the latest step of each node. The top node gets a reminder every day: after an outage it must not get
 * all missed reminders at once.
 */
function currentSteps(facts: WarningFacts, now: Date): EscalationStep[] {
  const steps = overdueSteps(facts, nextDue(facts), now);
  return steps.filter((step, index) => steps[index + 1]?.node.key !== step.node.key);
}

/** The user ids at the node of a step, or at the next higher node with staff. `isTop` marks the highest node. */
async function findRecipients(
  scope: Scope,
  row: WarningRecord,
  facts: WarningFacts,
  step: EscalationStep,
  staff: readonly WarningStaff[],
) {
  const { nodes } = chainFor(facts);
  const from = nodes.findIndex((node) => node.key === step.node.key);
  for (let index = from; index < nodes.length; index += 1) {
    const node = nodes[index]!;
    const holders =
      node.key === 'classteacher'
        ? await findTeamOwners(scope, row.cuserid)
        : staff.filter((item) => NODE_HOLDERS[node.key]?.(item) ?? false).map((item) => item.userid);
    if (holders.length > 0) return { holders, name: node.name, isTop: index === nodes.length - 1 };
  }
  return { holders: [] as string[], name: '责任人', isTop: true };
}

function toNotes(row: WarningRecord, facts: WarningFacts, step: EscalationStep, holders: readonly string[], now: Date): Note[] {
  const dueLabel = DUE_LABELS[step.due.kind];
  const userids = [...new Set([...(row.owneruserid ? [row.owneruserid] : []), ...holders])];
  const until = `${formatLevel(facts.level, facts.sector)}，应于 ${shanghaiTime(step.due.due).slice(0, 16)} 前完成${dueLabel}`;
  return userids.map((userid) => ({
    musercode: row.musercode,
    userid,
    kind: 'overdue',
    title: `预警 ${row.warningcode} ${dueLabel}超时`,
    content: `${until}。${userid === row.owneruserid ? '您是责任人，请立即处理。' : '请督促责任人立即处理。'}`,
    link: caseLink(row.warningcode),
    dedupekey: `overdue:${row.warningcode}:${step.due.kind}:${step.due.due.getTime()}:${step.seq}:${userid}`,
    createtime: now,
  }));
}
