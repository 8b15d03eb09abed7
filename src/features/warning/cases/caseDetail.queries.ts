import { sql, type Insertable } from 'kysely';
import type { FollowupTable, ReferralTable, RiskassessTable } from '#db/generated/tables.ts';
import type { Scope } from '#server/db/scope.ts';

/** The records of a case: interviews, referrals, follow-ups, and the other rows that its page shows. */

/** Adds a structured interview and returns its id. */
export const addAssess = (scope: Scope, row: Insertable<RiskassessTable>) =>
  scope.db.insertInto('riskassess').values(row).returning('assessid').executeTakeFirstOrThrow();
/** Sets the time of the last interview of a case. */
export const markAssessed = (scope: Scope, warningcode: string, time: Date) =>
  scope.db.updateTable('warning').set({ assesstime: time }).where('warningcode', '=', warningcode).execute();
/** Marks a case as referred. */
export const markReferred = (scope: Scope, warningcode: string) =>
  scope.db.updateTable('warning').set({ referred: 1 }).where('warningcode', '=', warningcode).execute();
/** Adds a referral letter and returns its id. */
export const addReferral = (scope: Scope, row: Insertable<ReferralTable>) =>
  scope.db.insertInto('referral').values(row).returning('referralid').executeTakeFirstOrThrow();
/** Saves the feedback on a referral; undefined when the case has no such referral. */
export const saveReferralFeedback = (
  scope: Scope,
  warningcode: string,
  referralid: number,
  changes: { status: string; visitdate: string | null; feedback: string; updatetime: Date },
) =>
  scope.db
    .updateTable('referral')
    .set(changes)
    .where('warningcode', '=', warningcode)
    .where('referralid', '=', referralid)
    .returning('referralid')
    .executeTakeFirst();

/** Adds follow-ups and returns them. */
export const addFollowUps = (scope: Scope, rows: Insertable<FollowupTable>[]) =>
  scope.db.insertInto('followup').values(rows).returning(['followupid', 'duetime', 'status', 'donetime']).execute();
/** Cancels the waiting follow-ups of a case, because the case is closed. */
export const cancelFollowUps = (scope: Scope, warningcode: string) =>
  scope.db
    .updateTable('followup')
    .set({ status: '05' })
    .where('warningcode', '=', warningcode)
    .where('status', 'in', ['01', '03'])
    .where('isdeleted', '=', 0)
    .execute();

/** The guardians of a person. */
export const findGuardians = (scope: Scope, cuserid: string) =>
  scope.db
    .selectFrom('guardian')
    .select(['guardianid', 'name', 'relation', 'phonesealed'])
    .where('cuserid', '=', cuserid)
    .where('isdeleted', '=', 0)
    .orderBy('guardianid')
    .execute();
/** The log of a case, the newest line first. */
export const findLogs = (scope: Scope, warningcode: string) =>
  scope.db.selectFrom('warninglog').selectAll().where('warningcode', '=', warningcode).orderBy('logid', 'desc').execute();
/** The structured interviews of a case with the interviewer, the newest first. */
export const findAssesses = (scope: Scope, warningcode: string) =>
  scope.db
    .selectFrom('riskassess as r')
    .leftJoin('sysuser as u', 'u.userid', 'r.assessor')
    .selectAll('r')
    .select('u.realname')
    .where('r.warningcode', '=', warningcode)
    .orderBy('r.assessid', 'desc')
    .execute();
/** The confirmations of a case by a second person. */
export const findConfirmations = (scope: Scope, warningcode: string) =>
  scope.db
    .selectFrom('warningconfirm')
    .select(['subject', 'username', 'time', 'newsno'])
    .where('warningcode', '=', warningcode)
    .orderBy('confirmid')
    .execute();
/** The duties of a case by due time. */
export const findDuties = (scope: Scope, warningcode: string) =>
  scope.db
    .selectFrom('warningduty')
    .select(['dutyid', 'kind', 'title', 'duetime', 'donetime', 'unit', 'receipt', 'content', 'operatorname'])
    .select(['companion', 'companionrole', 'companionfrom', 'companionuntil'])
    .where('warningcode', '=', warningcode)
    .orderBy('duetime')
    .orderBy('dutyid')
    .execute();
/** The referrals of a case, the newest first. */
export const findReferrals = (scope: Scope, warningcode: string) =>
  scope.db.selectFrom('referral').selectAll().where('warningcode', '=', warningcode).orderBy('referralid', 'desc').execute();
/** The follow-ups of a case by due time. */
export const findFollowUps = (scope: Scope, warningcode: string) =>
  scope.db
    .selectFrom('followup')
    .selectAll()
    .where('warningcode', '=', warningcode)
    .where('isdeleted', '=', 0)
    .orderBy('duetime')
    .execute();
/** The interventions with a person, or of one case, the newest first. */
export const findInterferes = (scope: Scope, cuserid: string, warningcode?: string) => {
  const query = scope.db
    .selectFrom('interfere as i')
    .leftJoin('sysuser as u', 'u.userid', 'i.operator')
    .leftJoin('muser as m', 'm.musercode', 'i.operator')
    .selectAll('i')
    .select(sql<string>`coalesce(u.realname, m.insname, '')`.as('operatorname'))
    .where('i.cuserid', '=', cuserid)
    .where('i.isdeleted', '=', 0);
  return (warningcode ? query.where('i.warningcode', '=', warningcode) : query).orderBy('i.begintime', 'desc').execute();
};
/** The last five reports of a person. */
export const findReports = (scope: Scope, cuserid: string) =>
  scope.db
    .selectFrom('report')
    .select(['reportcode', 'title', 'createtime'])
    .where('cuserid', '=', cuserid)
    .where('isdeleted', '=', 0)
    .orderBy('createtime', 'desc')
    .limit(5)
    .execute();
/** The last ten other cases of a person. */
export const findEarlier = (scope: Scope, cuserid: string, warningcode: string) =>
  scope.db
    .selectFrom('warning')
    .select(['warningcode', 'level', 'state', 'createtime'])
    .where('cuserid', '=', cuserid)
    .where('warningcode', '<>', warningcode)
    .where('isdeleted', '=', 0)
    .orderBy('createtime', 'desc')
    .limit(10)
    .execute();

/** The last twelve primary results of a person, the newest first. */
export const findResults = (scope: Scope, cuserid: string) =>
  scope.db
    .selectFrom('examresult as r')
    .innerJoin('quota as q', 'q.quotacode', 'r.quotacode')
    .select(['r.examcode', 'q.quotaname', 'r.score', 'r.level', 'r.levelname', 'r.submittime'])
    .where('r.cuserid', '=', cuserid)
    .where('r.isprimary', '=', 1)
    .orderBy('r.submittime', 'desc')
    .limit(12)
    .execute();

/**
 * The answers of the exams that raised a case, each with the version of its form. The time of an answer to an alert item is the time
 * of its last change.
 */
export const findTriggerAnswers = async (scope: Scope, warningcode: string) => {
  const { rows } = await sql<{
    formcode: string;
    formname: string;
    questionc: string;
    value: unknown;
    answertime: Date;
    definition: unknown;
  }>`
    select f.formcode, o.formname, n.questionc, n.value, v.definition,
      coalesce(
        (select max(h.answertime) from examalertanswer h
          where h.examformid = f.examformid and h.questionc = n.questionc),
        f.answertime) as answertime
    from examform f
      -- With the answers that arrived after the submission.
      cross join jsonb_each(f.answers || coalesce((
        select jsonb_object_agg(a.questionc, a.value order by a.seq, a.id) from examlateanswer a where a.examformid = f.examformid
      ), '{}')) as n (questionc, value)
      join form o on o.formcode = f.formcode
      left join formversion v on v.formcode = f.formcode and v.version = f.formversion
    where f.examcode in (select l.detail->'trigger'->>'examcode' from warninglog l where l.warningcode = ${warningcode})
    order by f.examformid, n.questionc`.execute(scope.db);
  return rows;
};
/** The entry of an institution with its hotline; undefined without an enabled entry. */
export const findEntry = (scope: Scope, musercode: string) =>
  scope.db
    .selectFrom('muserclient')
    .select(['clientcode', 'hotline'])
    .where('musercode', '=', musercode)
    .where('enabled', '=', 1)
    .executeTakeFirst();
