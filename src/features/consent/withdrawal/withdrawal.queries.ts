import { sql } from 'kysely';
import { WITHDRAWN_REASON } from '#domain/task/taskprogress.ts';
import type { Scope } from '#server/db/scope.ts';

/** The statements of a withdrawal. They run in the server's own session of the institution, or in that of staff. */

/** The withdrawal of a person that still applies; undefined without one. */
export const findWithdrawal = (scope: Scope, cuserid: string) =>
  scope.db
    .selectFrom('withdrawal')
    .select(['withdrawalid', 'time', 'duetime', 'donetime', 'receipt'])
    .where('cuserid', '=', cuserid)
    .where('resumetime', 'is', null)
    .orderBy('withdrawalid', 'desc')
    .executeTakeFirst();

/** Locks a person until the transaction ends; returns what a withdrawal depends on. */
export const lockPerson = (scope: Scope, cuserid: string) =>
  scope.db
    .selectFrom('cuser as c')
    .innerJoin('muser as m', 'm.musercode', 'c.musercode')
    .select(['c.cuserid', 'c.musercode', 'c.username', 'm.sector'])
    .where('c.cuserid', '=', cuserid)
    .where('c.isdeleted', '=', 0)
    .forUpdate('c')
    .executeTakeFirst();

/** The open case of a person with its owner; undefined without one. */
export const findOpenCase = (scope: Scope, cuserid: string) =>
  scope.db
    .selectFrom('warning')
    .select(['warningcode', 'owneruserid', 'suspectuserids', 'level'])
    .where('cuserid', '=', cuserid)
    .where('state', 'not in', ['07', '08'])
    .where('isdeleted', '=', 0)
    .executeTakeFirst();

/** Ends the use of a person's data: consents, open exams, tasks, and the code for the guardian. */
export async function stopUse(scope: Scope, cuserid: string, now: Date): Promise<void> {
  await scope.db
    .updateTable('consent')
    .set({ withdrawtime: now })
    .where('cuserid', '=', cuserid)
    .where('withdrawtime', 'is', null)
    .execute();
  await scope.db
    .updateTable('examrecord')
    .set({ status: 3 })
    .where('cuserid', '=', cuserid)
    .where('status', 'in', [0, 1])
    .execute();
  await scope.db
    .updateTable('taskroster')
    .set({ status: 3, reason: WITHDRAWN_REASON })
    .where('cuserid', '=', cuserid)
    .where('status', 'in', [0, 1])
    .execute();
  await scope.db
    .updateTable('guardianconsent')
    .set({ status: 3, codesealed: null, codehash: null })
    .where('cuserid', '=', cuserid)
    .where('status', '=', 0)
    .execute();
}

/** Stores a withdrawal. */
export const insertWithdrawal = (
  scope: Scope,
  row: {
    cuserid: string;
    musercode: string;
    source: '01' | '02' | '03';
    reason: string;
    createby: string | null;
    time: Date;
    erasetime: Date;
    duetime: Date;
    receipt: { deleted: string[]; kept: string[] };
  },
) =>
  scope.db
    .insertInto('withdrawal')
    .values({ ...row, receipt: JSON.stringify(row.receipt) })
    .returning('withdrawalid')
    .executeTakeFirstOrThrow();

/** The person agreed again: later data have the new consent, and the withdrawal still deletes the earlier ones. */
export const resumeAfterWithdrawal = (scope: Scope, cuserid: string, now: Date) =>
  scope.db
    .updateTable('withdrawal')
    .set({ resumetime: now })
    .where('cuserid', '=', cuserid)
    .where('resumetime', 'is', null)
    .execute();

/** Deletes answers, results and reports of exams that began until a time; returns the numbers of deleted and kept exams. */
export async function eraseAnswers(scope: Scope, cuserid: string, onlyWithheld: boolean, until: Date) {
  const { rows } = await sql<{ erased: number; kept: number }>`
    select erased::int, kept::int from access.erase_answers(${cuserid}, ${onlyWithheld}, ${until}::timestamptz)`.execute(
    scope.db,
  );
  return rows[0] as { erased: number; kept: number };
}

/**
 * Clears the names, telephones and words of other people in the person's safety plans, in the consent of the guardian and in the
 * withdrawal. Returns whether the plan of an open case stays for its handlers.
 */
export async function clearThirdParties(scope: Scope, cuserid: string): Promise<boolean> {
  const { rows } = await sql<{ kept: boolean }>`select access.clear_third_parties(${cuserid}) as kept`.execute(scope.db);
  return rows[0]?.kept === true;
}

/** Withdrawals whose deletion is due, the oldest first. */
export const findDueWithdrawals = (scope: Scope, now: Date, limit: number) =>
  scope.db
    .selectFrom('withdrawal')
    .select(['withdrawalid', 'cuserid', 'time', 'resumetime'])
    .where((eb) =>
      eb.or([
        eb.and([eb('donetime', 'is', null), eb('erasetime', '<=', now)]),
        // A device that was offline may send answers after the deletion.
        eb.and([
          eb('donetime', 'is not', null),
          eb('resumetime', 'is', null),
          eb.exists(
            eb
              .selectFrom('examlateanswer as a')
              .select('a.id')
              .whereRef('a.cuserid', '=', 'withdrawal.cuserid')
              .whereRef('a.answertime', '>', 'withdrawal.donetime'),
          ),
        ]),
      ]),
    )
    .orderBy('erasetime')
    .limit(limit)
    .forUpdate()
    .skipLocked()
    .execute();

/** Marks a withdrawal as carried out. */
export const finishWithdrawal = (scope: Scope, withdrawalid: number, now: Date) =>
  scope.db.updateTable('withdrawal').set({ donetime: now }).where('withdrawalid', '=', withdrawalid).execute();
