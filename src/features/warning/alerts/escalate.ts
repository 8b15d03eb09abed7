import { shanghaiTime } from '#domain/base/calendar.ts';
import { DUE_LABELS } from '#domain/warning/deadline.ts';
import { chainFor, overdueSteps, type EscalationStep } from '#domain/warning/escalation.ts';
import type { WarningFacts } from '#domain/warning/warningfacts.ts';
import type { Scope } from '#server/db/scope.ts';
import type { Services } from '#server/dispatch/services.ts';
import { runAsSystem, activeInstitutions } from '#server/db/systemSession.ts';
import { findStaff, warningSettings, type WarningStaff } from '#features/warning/duty/duty.queries.ts';
import {
  caseLink,
  addNotices,
  levelText,
  teamOwners,
  notifyDutyAbove,
  type Note,
} from '#features/warning/alerts/notify.queries.ts';
import { addLog, factsOf, type WarningRecord } from '#features/warning/warning.queries.ts';
import { findOverdue } from '#features/warning/warninglist.queries.ts';

export interface Escalated {
  institutions: number;
  overdue: number;
  notified: number;
  /** institutions whose work failed, with the reason; the others were served */
  failed: { musercode: string; error: string }[];
}

/** Which staff stand at a node of the chain. A node nobody holds passes the duty on to the next above it. */
const HOLDERS: Readonly<Record<string, (staff: WarningStaff) => boolean>> = {
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
 * Tells the next in the chain of every overdue warning, each step once however often and on however many nodes this runs.
 * Meant for once a minute. One institution after the other, each in its own transaction and reach.
 */
export async function escalateOverdue(services: Pick<Services, 'pools'>, now: Date): Promise<Escalated> {
  const result: Escalated = { institutions: 0, overdue: 0, notified: 0, failed: [] };
  for (const musercode of await activeInstitutions(services.pools)) {
    try {
      const { overdue, told: notified } = await runAsSystem(services.pools, musercode, (scope) =>
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

async function escalateInstitution(scope: Scope, musercode: string, now: Date): Promise<{ overdue: number; told: number }> {
  const rows = await findOverdue(scope, musercode, now);
  if (rows.length === 0) return { overdue: 0, told: 0 };
  const { roster } = await warningSettings(scope, musercode);
  const staff = await findStaff(scope, musercode, roster, now);
  let notified = 0;
  for (const row of rows) notified += await escalateCase(scope, row, staff, now);
  return { overdue: rows.length, told: notified };
}

async function escalateCase(scope: Scope, row: WarningRecord, staff: readonly WarningStaff[], now: Date): Promise<number> {
  const facts = await factsOf(scope, row, now);
  let notified = 0;
  const steps = await Promise.all(
    due(facts, now).map(async (step) => ({ step, ...(await recipientsOf(scope, row, facts, step, staff)) })),
  );
  // Two steps that come to the same people while nobody looked are one reminder.
  for (const { step, holders, name, last } of steps.filter((item, index) => steps[index + 1]?.name !== item.name)) {
    const fresh = await addNotices(scope, notesOf(row, facts, step, holders, now));
    if (last && facts.level >= 3) {
      const key = `overdue:${row.warningcode}:${step.due.kind}:${step.due.due.getTime()}:${step.seq}:above`;
      const title = `预警 ${row.warningcode} ${DUE_LABELS[step.due.kind]}超时`;
      await notifyDutyAbove(scope, {
        kind: 'overdue',
        title,
        content: `${levelText(facts.level, facts.sector)}，应于 ${shanghaiTime(step.due.due).slice(0, 16)} 前完成，请督办。`,
        link: caseLink(row.warningcode),
        key,
        at: now,
      });
    }
    if (fresh === 0) continue;
    notified += fresh;
    await addLog(scope, row, {
      action: '超时提醒',
      time: now,
      content: `${DUE_LABELS[step.due.kind]}应于 ${shanghaiTime(step.due.due).slice(0, 16)} 前完成，已提醒${name}`,
      detail: { seq: step.seq, kind: step.due.kind },
      operator: null,
      operatorname: '系统',
    });
  }
  return notified;
}

/** The steps due by now. Of the daily reminders at the top only the latest: after a stand-still nobody gets a week of them at once. */
function due(facts: WarningFacts, now: Date): EscalationStep[] {
  const steps = overdueSteps(facts, now);
  return steps.filter((step, index) => steps[index + 1]?.node.key !== step.node.key);
}

async function recipientsOf(
  scope: Scope,
  row: WarningRecord,
  facts: WarningFacts,
  step: EscalationStep,
  staff: readonly WarningStaff[],
) {
  const { nodes } = chainFor(facts);
  const from = nodes.findIndex((node) => node.key === step.node.key);
  for (let at = from; at < nodes.length; at += 1) {
    const node = nodes[at]!;
    const holders =
      node.key === 'classteacher'
        ? await teamOwners(scope, row.cuserid)
        : staff.filter((item) => HOLDERS[node.key]?.(item) ?? false).map((item) => item.userid);
    if (holders.length > 0) return { holders, name: node.name, last: at === nodes.length - 1 };
  }
  return { holders: [] as string[], name: '责任人', last: true };
}

function notesOf(row: WarningRecord, facts: WarningFacts, step: EscalationStep, holders: readonly string[], now: Date): Note[] {
  const dueLabel = DUE_LABELS[step.due.kind];
  const userids = [...new Set([...(row.owneruserid ? [row.owneruserid] : []), ...holders])];
  return userids.map((userid) => ({
    musercode: row.musercode,
    userid,
    kind: 'overdue',
    title: `预警 ${row.warningcode} ${dueLabel}超时`,
    content:
      `${levelText(facts.level, facts.sector)}，应于 ${shanghaiTime(step.due.due).slice(0, 16)} 前完成${dueLabel}。` +
      `${userid === row.owneruserid ? '您是责任人，请立即处理。' : '请督促责任人立即处理。'}`,
    link: caseLink(row.warningcode),
    dedupekey: `overdue:${row.warningcode}:${step.due.kind}:${step.due.due.getTime()}:${step.seq}:${userid}`,
    createtime: now,
  }));
}
