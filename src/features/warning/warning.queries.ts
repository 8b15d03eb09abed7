import { sql, type Selectable } from 'kysely';
import type { WarningTable } from '#db/generated/tables.ts';
import { ageOn } from '#domain/base/calendar.ts';
import type { CodeOf } from '#domain/base/enum.ts';
import type { FollowStatus, ReferralStatus, Sector } from '#domain/base/enums.ts';
import type {
  CloseReasonCode,
  Confirmation,
  ConfirmSubject,
  ContactResultCode,
  ContactTry,
  DutyKind,
  Exemption,
  WarningFacts,
  WarningLevelCode,
  WarningStateCode,
} from '#domain/warning/warningfacts.ts';
import { nextDue } from '#domain/warning/clock/clocks.ts';
import { isGuardianExempt } from '#domain/warning/decision/exemption.ts';
import { isOpen } from '#domain/warning/warningfacts.ts';
import { problems } from '#contract/problem.ts';
import type { Scope } from '#server/db/scope.ts';
import { isNotSuspect } from '#server/security/suspect.ts';
import { findHumanKeys } from '#features/warning/humans.queries.ts';
import { findInterviews, toAssessFact } from '#features/warning/interview/interview.queries.ts';
import { saveDuties } from '#features/warning/special/duties.queries.ts';
import { findSafetyPlanState, toSafetyPlanFact } from '#features/warning/plan/plan.queries.ts';
import { findRetests } from '#features/warning/cases/retestFacts.queries.ts';
import { findRequestDues } from '#features/warning/second/request.queries.ts';

export type WarningRecord = Selectable<WarningTable>;

/**
 * Says whether a person is under 18. Without a birthday, a student counts as a minor and everybody else as an adult: a gap in the
 * roster must not cancel the duty to tell the guardian of a student.
 */
export const isMinor = (person: { birthday: string | null; appid: string }, now: Date): boolean =>
  person.birthday ? ageOn(person.birthday, now) < 18 : person.appid === '000000002';

/** The sector of an institution. It decides the names of levels and the people to notify. */
export const findSector = async (scope: Scope, musercode: string) =>
  (await scope.db.selectFrom('muser').select('sector').where('musercode', '=', musercode).executeTakeFirstOrThrow()).sector;

/** The row of a warning. With `lock` a second handler waits until the transaction of the first has ended. */
export async function findWarning(scope: Scope, warningcode: string, lock = false): Promise<WarningRecord> {
  const query = scope.db
    .selectFrom('warning as w')
    .selectAll('w')
    .where('w.warningcode', '=', warningcode)
    .where('w.isdeleted', '=', 0)
    .where(isNotSuspect);
  const row = await (lock ? query.forUpdate() : query).executeTakeFirst();
  if (!row) throw problems.notFound({ what: '预警' });
  return row;
}

/** The facts of a warning that the rules of `domain/warning` decide by. */
export async function loadFacts(scope: Scope, row: WarningRecord, now: Date): Promise<WarningFacts> {
  const person = await scope.db
    .selectFrom('cuser as c')
    .innerJoin('muser as m', 'm.musercode', 'c.musercode')
    .select(['c.birthday', 'c.appid', 'm.sector'])
    .where('c.cuserid', '=', row.cuserid)
    .executeTakeFirstOrThrow();
  const records = await loadRecords(scope, row);
  const lastInterview = records.riskassess.at(-1);
  return {
    state: row.state as WarningStateCode,
    level: row.level as WarningLevelCode,
    initiallevel: row.initiallevel as WarningLevelCode,
    peaklevel: row.peaklevel as WarningLevelCode,
    source: row.source as WarningFacts['source'],
    appid: row.appid,
    sector: person.sector as CodeOf<typeof Sector>,
    minor: isMinor(person, now),
    rulecodes: row.rulecodes,
    alertmsgs: row.alertmsgs,
    createtime: row.createtime,
    newstime: row.newstime,
    newsno: row.newsno,
    selfharm: row.itemtrigger === 1,
    owneruserid: row.owneruserid,
    ownerkeys: await findHumanKeys(scope, row.owneruserid),
    accepttime: row.accepttime,
    acceptno: row.acceptno,
    acceptduetime: row.acceptduetime,
    assessduetime: row.assessduetime,
    guardianduetime: row.guardianduetime,
    raisedtime: row.raisedtime,
    loweredtime: row.loweredtime,
    reopentime: row.reopentime,
    contactresult: row.contactresult as ContactResultCode | null,
    contacttries: (row.contacttries as { time: string; channel: string }[]).map(({ time, channel }): ContactTry => ({
      time: new Date(time),
      channel,
    })),
    contacttime: row.contacttime,
    contactcount: row.contactcount,
    followduetime: row.followduetime,
    contactduetime: row.contactduetime,
    visitduetime: row.visitduetime,
    secondduetime: row.secondduetime,
    transferduetime: row.transferduetime,
    interviewtime: row.interviewtime,
    lastacutesign: row.lastacutesign,
    riskassess: records.riskassess.map(toAssessFact),
    interviewerkeys: await findHumanKeys(scope, lastInterview?.assessor ?? null),
    interferes: records.interferes,
    plantext: row.plantext,
    safetyplan: toSafetyPlanFact(records.plan),
    referrals: records.referrals.map(({ time, status }) => ({ time, status: status as CodeOf<typeof ReferralStatus> })),
    followups: records.followups.map((followup) => ({ ...followup, status: followup.status as CodeOf<typeof FollowStatus> })),
    retests: await findRetests(scope, row),
    duties: records.duties.map((duty) => ({ ...duty, kind: duty.kind as DutyKind })),
    guardiannotified: row.guardiannotified === 1,
    guardiantime: row.guardiantime,
    exemption: toExemption(row),
    confirmations: records.confirmations.map(({ subject, ...item }): Confirmation => ({
      ...item,
      subject: subject as ConfirmSubject,
    })),
    requestdues: await findRequestDues(scope, row.warningcode),
    transfer: row.transfertime && {
      to: row.transferto,
      time: row.transfertime,
      receipttime: row.receipttime,
      receiptno: row.receiptno,
      islinked: row.islinkedtransfer === 1,
    },
    death: row.deathtime && { time: row.deathtime, by: row.deathby, source: row.deathsource },
    closereason: row.closereason as CloseReasonCode | null,
    closenote: row.closenote,
    otheropen: records.hasOtherOpen,
  };
}

const toExemption = (row: WarningRecord): Exemption | null =>
  row.exemptground !== null && row.exempttime !== null
    ? {
        ground: row.exemptground as Exemption['ground'],
        reason: row.guardianexempt,
        alternate: row.exemptalternate,
        time: row.exempttime,
        until: row.exemptuntil,
        by: row.exemptby,
      }
    : null;

/** The records of a case, each kind in the order of its time. */
async function loadRecords(scope: Scope, { warningcode, cuserid }: WarningRecord) {
  const { db } = scope;
  return {
    riskassess: await findInterviews(scope, warningcode),
    plan: await findSafetyPlanState(scope, warningcode),
    interferes: await db
      .selectFrom('interfere')
      .select('begintime as time')
      .where('warningcode', '=', warningcode)
      .where('isdeleted', '=', 0)
      .execute(),
    referrals: await db.selectFrom('referral').select(['time', 'status']).where('warningcode', '=', warningcode).execute(),
    followups: await db
      .selectFrom('followup')
      .select(['duetime', 'status', 'donetime'])
      .where('warningcode', '=', warningcode)
      .where('isdeleted', '=', 0)
      .execute(),
    duties: await db
      .selectFrom('warningduty')
      .select(['dutyid', 'kind', 'title', 'duetime', 'donetime'])
      .where('warningcode', '=', warningcode)
      .orderBy('dutyid')
      .execute(),
    confirmations: await db
      .selectFrom('warningconfirm')
      .select(['subject', 'userid', 'humankeys', 'time', 'newsno'])
      .where('warningcode', '=', warningcode)
      .orderBy('confirmid')
      .execute(),
    hasOtherOpen:
      (await db
        .selectFrom('warning')
        .select('warningcode')
        .where('cuserid', '=', cuserid)
        .where('warningcode', '<>', warningcode)
        .where('state', 'not in', ['07', '08'])
        .where('isdeleted', '=', 0)
        .executeTakeFirst()) !== undefined,
  };
}

/** One line of the case log, which only grows. */
export interface LogLine {
  action: string;
  time: Date;
  fromstate?: string | null;
  tostate?: string | null;
  fromlevel?: number | null;
  tolevel?: number | null;
  content: string;
  attach?: readonly string[];
  contactresult?: string | null;
  /** machine-readable facts beside the text, e.g. the trigger */
  detail?: Record<string, unknown>;
  /** account and name; null: the product itself */
  operator: string | null;
  operatorname: string;
}

/** Adds one line to the log of a case. */
export async function addLog(
  scope: Scope,
  row: Pick<WarningRecord, 'warningcode' | 'cuserid' | 'musercode'>,
  { attach, detail, ...line }: LogLine,
) {
  await scope.db
    .insertInto('warninglog')
    .values({
      warningcode: row.warningcode,
      cuserid: row.cuserid,
      musercode: row.musercode,
      ...line,
      attach: [...(attach ?? [])],
      detail: JSON.stringify(detail ?? {}),
    })
    .execute();
}

/** The last log line that a person wrote; with `action`, the last line of that kind. */
export const findLastHandler = (scope: Scope, warningcode: string, action?: string) => {
  const query = scope.db
    .selectFrom('warninglog')
    .select(['operator', 'operatorname', 'action', 'content', 'detail', 'time'])
    .where('warningcode', '=', warningcode)
    .where('operator', 'is not', null);
  return (action ? query.where('action', '=', action) : query).orderBy('logid', 'desc').limit(1).executeTakeFirst();
};

/** Whether another institution has transferred the case. */
export const isTransferred = async (scope: Scope, warningcode: string): Promise<boolean> =>
  (await scope.db
    .selectFrom('warninglog')
    .select('logid')
    .where('warningcode', '=', warningcode)
    .where('action', '=', '转入')
    .limit(1)
    .executeTakeFirst()) !== undefined;

/** The columns of table `warning` that hold these facts. */
export const toColumns = (facts: WarningFacts) => {
  const next = nextDue(facts);
  return {
    state: facts.state,
    level: facts.level,
    peaklevel: facts.peaklevel,
    rulecodes: [...facts.rulecodes],
    alertmsgs: [...facts.alertmsgs],
    itemtrigger: facts.selfharm ? 1 : 0,
    newstime: facts.newstime,
    newsno: facts.newsno,
    nextdue: next?.due ?? null,
    nextduekind: next?.kind ?? null,
    owneruserid: facts.owneruserid,
    accepttime: facts.accepttime,
    acceptno: facts.acceptno,
    acceptduetime: facts.acceptduetime,
    assessduetime: facts.assessduetime,
    guardianduetime: facts.guardianduetime,
    raisedtime: facts.raisedtime,
    loweredtime: facts.loweredtime,
    reopentime: facts.reopentime,
    contactresult: facts.contactresult,
    contacttries: JSON.stringify(facts.contacttries),
    contacttime: facts.contacttime,
    contactcount: facts.contactcount,
    followduetime: facts.followduetime,
    contactduetime: facts.contactduetime,
    visitduetime: facts.visitduetime,
    secondduetime: facts.secondduetime,
    transferduetime: facts.transferduetime,
    interviewtime: facts.interviewtime,
    lastacutesign: facts.lastacutesign,
    plantext: facts.plantext,
    guardiannotified: facts.guardiannotified ? 1 : 0,
    guardiantime: facts.guardiantime,
    exemptground: facts.exemption?.ground ?? null,
    guardianexempt: facts.exemption?.reason ?? '',
    exemptalternate: facts.exemption?.alternate ?? '',
    exempttime: facts.exemption?.time ?? null,
    exemptuntil: facts.exemption?.until ?? null,
    exemptby: [...(facts.exemption?.by ?? [])],
    guardiansettled: facts.guardiannotified || isGuardianExempt(facts) ? 1 : 0,
    transferto: facts.transfer?.to ?? '',
    transfertime: facts.transfer?.time ?? null,
    receipttime: facts.transfer?.receipttime ?? null,
    receiptno: facts.transfer?.receiptno ?? 0,
    islinkedtransfer: facts.transfer?.islinked ? 1 : 0,
    deathtime: facts.death?.time ?? null,
    deathby: [...(facts.death?.by ?? [])],
    deathsource: facts.death?.source ?? '',
    closereason: facts.closereason,
    closenote: facts.closenote,
  };
};

/**
 * Saves the changed facts and adds the log line. Updates the person's risk flag: the level of the open warning, otherwise 0.
 * The caller must have read the row with `lock` in this transaction.
 */
export async function saveFacts(
  scope: Scope,
  warningcode: string,
  before: WarningFacts,
  after: WarningFacts,
  log: Omit<LogLine, 'fromstate' | 'tostate' | 'fromlevel' | 'tolevel'> & Partial<LogLine>,
): Promise<void> {
  const closed = isOpen(before) && !isOpen(after);
  const reopened = !isOpen(before) && isOpen(after);
  const row = await scope.db
    .updateTable('warning')
    .set({
      ...toColumns(after),
      ...(after.state !== before.state ? { stateat: log.time } : {}),
      ...(closed ? { closetime: log.time, closeby: log.operator } : {}),
      ...(reopened ? { closetime: null, closeby: null, reopencount: sql<number>`reopencount + 1` } : {}),
      version: sql<number>`version + 1`,
      updatetime: log.time,
    })
    .where('warningcode', '=', warningcode)
    .returning(['warningcode', 'cuserid', 'musercode'])
    .executeTakeFirstOrThrow();
  await saveDuties(scope, row, before.duties, after.duties, log.time);
  await addLog(scope, row, {
    fromstate: before.state,
    tostate: after.state,
    fromlevel: before.level,
    tolevel: after.level,
    ...log,
  });
  if (closed || reopened || after.level !== before.level) await saveRiskFlag(scope, row.cuserid, isOpen(after) ? after.level : 0);
}

/** Saves the risk flag of a person, which every list shows: the level of the open warning, 0 without one. */
export const saveRiskFlag = (scope: Scope, cuserid: string, level: number) =>
  scope.db.updateTable('cuser').set({ riskflag: level }).where('cuserid', '=', cuserid).where('riskflag', '<>', level).execute();
