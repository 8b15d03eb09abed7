import { sql } from 'kysely';
import { AbsentReason } from '#domain/task/taskprogress.ts';
import type { Scope } from '#server/db/scope.ts';

/** Marks the person as declining in all running tasks that the person has not submitted. Returns the tasks with the class. */
export const declineOpenTasks = async (scope: Scope, cuserid: string) =>
  (
    await sql<{ taskcode: string; taskname: string; musercode: string; username: string; teamname: string }>`
      update taskroster r
      set status = 3, reason = ${AbsentReason.refused}, reasonby = ${cuserid}
      from assesstask t
      where r.cuserid = ${cuserid} and r.status in (0, 1) and t.taskcode = r.taskcode and t.status = 1 and t.isdeleted = 0
      returning t.taskcode, t.taskname, t.musercode,
        (select c.username from cuser c where c.cuserid = r.cuserid) as username,
        coalesce((select g.teamname from assessteam g where g.teamcode = r.teamcode), '') as teamname`.execute(scope.db)
  ).rows;

/** Takes back what the person declined before; a refusal that staff recorded stays. */
export const undoDecline = (scope: Scope, cuserid: string) =>
  sql`update taskroster
    set status = case when examcode is null then 0 else 1 end, reason = null, reasonby = null
    where cuserid = ${cuserid} and status = 3 and reason = ${AbsentReason.refused} and reasonby = ${cuserid}`.execute(scope.db);
