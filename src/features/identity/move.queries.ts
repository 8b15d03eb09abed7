import { sql } from 'kysely';
import type { Scope } from '#server/db/scope.ts';

/** The records of corrected sheets (`sheetmove`). */

/** A new correction: it waits for a second person, or is done at once. */
export interface NewMove {
  musercode: string;
  kind: '01' | '02';
  examcode: string;
  otherexamcode: string | null;
  cuserid: string;
  tocuserid: string;
  status: '01' | '02';
  reason: string;
  askuserid: string;
  askname: string;
  askkeys: string[];
  asktime: Date;
}
/** Adds a correction and returns its number. */
export const addMove = async (scope: Scope, row: NewMove): Promise<number> =>
  (await scope.db.insertInto('sheetmove').values(row).returning('moveid').executeTakeFirstOrThrow()).moveid;

/** The waiting correction of a sheet; undefined without one. */
export const findWaitingMove = (scope: Scope, examcodes: readonly string[]) =>
  scope.db
    .selectFrom('sheetmove')
    .select(['moveid', 'askname'])
    .where('status', '=', '01')
    .where((eb) => eb.or([eb('examcode', 'in', [...examcodes]), eb('otherexamcode', 'in', [...examcodes])]))
    .executeTakeFirst();

/** Locks a correction until the transaction ends. */
export const lockMove = (scope: Scope, moveid: number) =>
  scope.db.selectFrom('sheetmove').selectAll().where('moveid', '=', moveid).forUpdate().executeTakeFirst();

/** Stores the answer of the second person. */
export const answerMove = (
  scope: Scope,
  moveid: number,
  answer: { status: '02' | '03'; answerby: string; answername: string; answer: string; answertime: Date },
) => scope.db.updateTable('sheetmove').set(answer).where('moveid', '=', moveid).execute();

export interface MoveRow {
  moveid: number;
  kind: '01' | '02';
  status: '01' | '02' | '03';
  examcode: string;
  planname: string;
  submittime: Date;
  fromname: string;
  toname: string;
  reason: string;
  askname: string;
  askkeys: string[];
  asktime: Date;
  answername: string;
  answer: string;
}
/** The corrections that concern a person, the newest first. */
export const findMoves = async (scope: Scope, cuserid: string): Promise<MoveRow[]> =>
  (
    await sql<MoveRow>`
      select v.moveid, v.kind, v.status, v.examcode, p.planname, e.submittime, a.username as fromname, b.username as toname, v.reason,
        v.askname, v.askkeys, v.asktime, v.answername, v.answer
      from sheetmove v join examrecord e on e.examcode = v.examcode join plan p on p.plancode = e.plancode
        join cuser a on a.cuserid = v.cuserid join cuser b on b.cuserid = v.tocuserid
      where ${cuserid} in (v.cuserid, v.tocuserid, a.mergedinto, b.mergedinto)
      order by v.moveid desc limit 50`.execute(scope.db)
  ).rows;

/** The submitted sheets of a person, the newest first. */
export const findSheets = (scope: Scope, cuserid: string) =>
  scope.db
    .selectFrom('examrecord as e')
    .innerJoin('plan as p', 'p.plancode', 'e.plancode')
    .leftJoin('assesstask as t', 't.taskcode', 'e.taskcode')
    .select(['e.examcode', 'p.planname', 'e.plancode', 'e.taskcode', 't.taskname', 'e.submittime'])
    .where('e.cuserid', '=', cuserid)
    .where('e.status', '=', 2)
    .orderBy('e.submittime', 'desc')
    .limit(100)
    .execute();
