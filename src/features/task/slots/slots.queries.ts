import { sql } from 'kysely';
import type { Scope } from '#server/db/scope.ts';

/** The time slots of the classes of a task. */

/** Finds the teams of a task with their names and slots. */
export const findTaskTeams = (scope: Scope, taskcode: string) =>
  scope.db
    .selectFrom('taskteam as k')
    .innerJoin('assessteam as t', 't.teamcode', 'k.teamcode')
    .select(['k.teamcode', 't.teamname', 'k.begintime', 'k.endtime'])
    .where('k.taskcode', '=', taskcode)
    .execute();

/** Gives the teams of a task these slots; the other teams lose theirs. */
export const setSlots = (
  scope: Scope,
  taskcode: string,
  slots: readonly { teamcode: string; begintime: Date; endtime: Date }[],
) =>
  sql`update taskteam k
    set begintime = x.begintime, endtime = x.endtime
    from taskteam o
      left join unnest(${slots.map((slot) => slot.teamcode)}::text[], ${slots.map((slot) => slot.begintime)}::timestamptz[],
        ${slots.map((slot) => slot.endtime)}::timestamptz[]) x(teamcode, begintime, endtime) on x.teamcode = o.teamcode
    where o.taskcode = ${taskcode} and k.taskcode = o.taskcode and k.teamcode = o.teamcode`.execute(scope.db);
