import { sql } from 'kysely';
import type { Scope } from '#server/db/scope.ts';

/** Why an import cannot be taken back any more: numbers of what stands in the way. */
export async function obstacles(scope: Scope, jobid: string) {
  const { rows } = await sql<{
    exams: number;
    tasks: number;
    later: number;
    edited: number;
    strangers: string | null;
    teamtask: string | null;
  }>`
    with made as (select cuserid, version from cuser
      where importjob = ${jobid}::uuid), teams as (select teamcode, teamname from assessteam where importjob = ${jobid}::uuid)
    select (select count(*) from examrecord where cuserid in (select cuserid from made)) as exams,
      (select count(*) from taskroster where cuserid in (select cuserid from made)) as tasks,
      (select count(*) from consent where cuserid in (select cuserid from made)) + (select count(*) from cuserplan
      where cuserid in (select cuserid from made))
        + (select count(*) from warning where cuserid in (select cuserid from made)) + (select count(*) from followup
        where cuserid in (select cuserid from made)) as later,
      (select count(*) from made where version > 1)
        + (select count(*) from teamroster r where r.cuserid in (select cuserid
        from made) and r.importjob is distinct from ${jobid}::uuid) as edited,
      (select min(t.teamname) from teams t join teamroster r on r.teamcode = t.teamcode where r.importjob is distinct
      from ${jobid}::uuid) as strangers,
      (select min(t.teamname) from teams t join taskteam k on k.teamcode = t.teamcode) as teamtask`.execute(scope.db);
  return rows[0] as NonNullable<(typeof rows)[0]>;
}

/** Removes what an import added, the last first. */
export async function removeCreated(scope: Scope, jobid: string, guardianids: readonly number[]) {
  const { rows: rosters } = await sql<{
    teamcode: string;
  }>`delete from teamroster where importjob = ${jobid}::uuid returning teamcode`.execute(scope.db);
  await sql`delete from guardian where guardianid = any(${guardianids}::bigint[]) or cuserid in (select cuserid
    from cuser where importjob = ${jobid}::uuid)`.execute(scope.db);
  await sql`delete from cuserarchive where cuserid in (select cuserid from cuser where importjob = ${jobid}::uuid)`.execute(
    scope.db,
  );
  const { rows: persons } = await sql<{
    cuserid: string;
  }>`delete from cuser where importjob = ${jobid}::uuid returning cuserid`.execute(scope.db);
  const { rows: teams } = await sql<{
    teamcode: string;
  }>`delete from assessteam where importjob = ${jobid}::uuid returning teamcode`.execute(scope.db);
  return {
    persons: persons.map((row) => row.cuserid),
    teams: teams.map((row) => row.teamcode),
    touched: [...new Set(rosters.map((row) => row.teamcode))],
  };
}

const keyOf = { cuser: ['cuserid'], cuserarchive: ['archiveid'], teamroster: ['teamcode', 'cuserid'] } as const;
export type ImageTable = keyof typeof keyOf;
export type Image = Record<string, unknown>;

/** Whether rows are still as the import left them. `after` are the images taken then. */
export async function unchangedSince(scope: Scope, table: ImageTable, after: readonly Image[]): Promise<boolean> {
  if (after.length === 0) return true;
  const same = sql.join(
    keyOf[table].map((key) => sql`t.${sql.ref(key)} = n.${sql.ref(key)}`),
    sql` and `,
  );
  const { rows } = await sql<{
    n: number;
  }>`select count(*) as n from jsonb_populate_recordset(null::${sql.table(table)}, ${JSON.stringify(after)}::jsonb) n
    join ${sql.table(table)} t on ${same} where to_jsonb(t) = to_jsonb(n)`.execute(scope.db);
  return Number(rows[0]?.n) === after.length;
}

/** Writes rows back as they were, every column. */
export async function restore(scope: Scope, table: ImageTable, before: readonly Image[]): Promise<void> {
  const [first] = before;
  if (!first) return;
  const keys: readonly string[] = keyOf[table];
  const columns = Object.keys(first).filter((name) => !keys.includes(name) && name !== 'orgpath' && name !== 'musercode');
  const set = sql.join(columns.map((name) => sql`${sql.ref(name)} = n.${sql.ref(name)}`));
  const same = sql.join(
    keys.map((key) => sql`t.${sql.ref(key)} = n.${sql.ref(key)}`),
    sql` and `,
  );
  await sql`update ${sql.table(table)} t set ${set}
    from jsonb_populate_recordset(null::${sql.table(table)}, ${JSON.stringify(before)}::jsonb) n where ${same}`.execute(scope.db);
}
