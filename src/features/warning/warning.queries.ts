import { sql, type Selectable } from 'kysely';
import type { WarningTable } from '#db/generated/tables.ts';
import { ageOn } from '#domain/base/calendar.ts';
import type { CodeOf } from '#domain/base/enum.ts';
import type { FollowStatus, ReferralStatus, Sector } from '#domain/base/enums.ts';
import type { Level } from '#domain/scoring/scale.ts';
import type {
  CloseReasonCode,
  ContactResultCode,
  WarningFacts,
  WarningLevelCode,
  WarningStateCode,
} from '#domain/warning/warningfacts.ts';
import { isOpen, nextFollowTime } from '#domain/warning/warningfacts.ts';
import { problems } from '#contract/problem.ts';
import type { Scope } from '#server/db/scope.ts';
import { findLastSafetyPlan } from '#features/warning/plan/plan.queries.ts';

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
  const query = scope.db.selectFrom('warning').selectAll().where('warningcode', '=', warningcode).where('isdeleted', '=', 0);
  const row = await (lock ? query.forUpdate() : query).executeTakeFirst();
  if (!row) throw problems.notFound({ what: '预警' });
  return row;
}

/** The facts of a warning that the rules of `domain/warning` decide by. */
export async function loadFacts(scope: Scope, row: WarningRecord, now: Date): Promise<WarningFacts> {
  const { warningcode } = row;
  const person = await scope.db
    .selectFrom('cuser as c')
    .innerJoin('muser as m', 'm.musercode', 'c.musercode')
    .select(['c.birthday', 'c.appid', 'm.sector'])
    .where('c.cuserid', '=', row.cuserid)
    .executeTakeFirstOrThrow();
  const rowsOf = <T extends 'riskassess' | 'interfere' | 'referral' | 'followup'>(table: T) =>
    scope.db.selectFrom(table as 'riskassess').where('warningcode', '=', warningcode);
  const [riskassess, interferes, referrals, followups, retests, other] = [
    await rowsOf('riskassess').select(['time', 'effectivelevel', 'suggestedlevel', 'isfinished', 'lowreason']).execute(),
    await scope.db
      .selectFrom('interfere')
      .select('begintime as time')
      .where('warningcode', '=', warningcode)
      .where('isdeleted', '=', 0)
      .execute(),
    await scope.db.selectFrom('referral').select(['time', 'status']).where('warningcode', '=', warningcode).execute(),
    await scope.db
      .selectFrom('followup')
      .select(['duetime', 'status', 'donetime'])
      .where('warningcode', '=', warningcode)
      .where('isdeleted', '=', 0)
      .execute(),
    await findRetests(scope, row),
    await scope.db
      .selectFrom('warning')
      .select('warningcode')
      .where('cuserid', '=', row.cuserid)
      .where('warningcode', '<>', warningcode)
      .where('state', 'not in', ['07', '08'])
      .where('isdeleted', '=', 0)
      .executeTakeFirst(),
  ];
  const plan = await findLastSafetyPlan(scope, warningcode);
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
    owneruserid: row.owneruserid,
    accepttime: row.accepttime,
    acceptduetime: row.acceptduetime,
    assessduetime: row.assessduetime,
    guardianduetime: row.guardianduetime,
    raisedtime: row.raisedtime,
    loweredtime: row.loweredtime,
    reopentime: row.reopentime,
    contactresult: row.contactresult as ContactResultCode | null,
    contactattempts: row.contactattempts,
    interviewtime: row.interviewtime,
    lastacutesign: row.lastacutesign,
    riskassess: riskassess.map((item) => ({
      time: item.time,
      conclusionlevel: item.effectivelevel as Level,
      suggestedlevel: item.suggestedlevel as Level | null,
      isFinished: item.isfinished === 1,
      isLow: item.lowreason !== '',
    })),
    interferes,
    plantext: row.plantext,
    safetyplan: plan ? { time: plan.time, complete: plan.iscomplete === 1 } : null,
    referrals: referrals.map((referral) => ({ time: referral.time, status: referral.status as CodeOf<typeof ReferralStatus> })),
    followups: followups.map((followup) => ({ ...followup, status: followup.status as CodeOf<typeof FollowStatus> })),
    retests,
    guardiannotified: row.guardiannotified === 1,
    guardianexempt: row.guardianexempt,
    confirmation: row.confirmby && row.confirmtime ? { userid: row.confirmby, time: row.confirmtime } : null,
    closereason: row.closereason as CloseReasonCode | null,
    closenote: row.closenote,
    otheropen: other !== undefined,
  };
}

/**
 * The exams submitted since the warning was opened, without the exam that opened it. `level` is the highest level of the primary
 * scores. `itempositive` is true for PHQ-9 item 9 or EPDS item 10 above 0, and for any other alert.
 */
async function findRetests(scope: Scope, { cuserid, createtime, examcode }: WarningRecord): Promise<WarningFacts['retests']> {
  const { rows } = await sql<{ time: Date; valid: number | null; level: Level | null; itempositive: boolean }>`
    select e.submittime as time, e.valid,
      (select max(r.level) from examresult r where r.examcode = e.examcode and r.isprimary = 1)::int as level,
      e.hasalert = 1 or exists (
        select from examform f
        where f.examcode = e.examcode
          and (case f.formcode
            when 'PHQ9' then f.raw->'itemscores'->>'q9'
            when 'EPDS' then f.raw->'itemscores'->>'q10' end)::numeric > 0) as itempositive
    from examrecord e
    where e.cuserid = ${cuserid} and e.status = 2 and e.submittime > ${createtime}
      and e.examcode is distinct from ${examcode}`.execute(scope.db);
  return rows.map(({ time, valid, level, itempositive }) => ({
    time,
    level: valid === 0 ? null : level,
    itempositive,
    valid: valid !== 0,
  }));
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
    .select(['operatorname', 'action', 'time'])
    .where('warningcode', '=', warningcode)
    .where('operator', 'is not', null);
  return (action ? query.where('action', '=', action) : query).orderBy('logid', 'desc').limit(1).executeTakeFirst();
};

/** The columns of table `warning` that hold these facts. */
export const toColumns = (facts: WarningFacts) => ({
  state: facts.state,
  level: facts.level,
  peaklevel: facts.peaklevel,
  rulecodes: [...facts.rulecodes],
  alertmsgs: [...facts.alertmsgs],
  owneruserid: facts.owneruserid,
  accepttime: facts.accepttime,
  acceptduetime: facts.acceptduetime,
  assessduetime: facts.assessduetime,
  guardianduetime: facts.guardianduetime,
  nextfollowtime: nextFollowTime(facts),
  raisedtime: facts.raisedtime,
  loweredtime: facts.loweredtime,
  reopentime: facts.reopentime,
  contactresult: facts.contactresult,
  contactattempts: [...facts.contactattempts],
  interviewtime: facts.interviewtime,
  lastacutesign: facts.lastacutesign,
  plantext: facts.plantext,
  guardiannotified: facts.guardiannotified ? 1 : 0,
  guardianexempt: facts.guardianexempt,
  confirmby: facts.confirmation?.userid ?? null,
  confirmtime: facts.confirmation?.time ?? null,
  closereason: facts.closereason,
  closenote: facts.closenote,
});

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
      ...(after.guardiannotified && !before.guardiannotified ? { guardiantime: log.time } : {}),
      ...(closed ? { closetime: log.time, closeby: log.operator } : {}),
      ...(reopened ? { closetime: null, closeby: null, reopencount: sql<number>`reopencount + 1` } : {}),
      version: sql<number>`version + 1`,
      updatetime: log.time,
    })
    .where('warningcode', '=', warningcode)
    .returning(['warningcode', 'cuserid', 'musercode'])
    .executeTakeFirstOrThrow();
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
