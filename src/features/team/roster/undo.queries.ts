import { sql } from 'kysely';
import type { Scope } from '#server/db/scope.ts';

/** Records that forbid an undo: numbers of rows, or the name of a team. */
export interface UndoObstacles {
  exams: number;
  tasks: number;
  /** consents, authorisations, warnings and follow-ups of the new persons */
  otherRecords: number;
  /** edits of the new persons, and their memberships from outside the import */
  edits: number;
  /** a new team with members from outside the import */
  sharedTeam: string | null;
  /** a new team that a task uses */
  taskTeam: string | null;
}

/** Finds the records that forbid the undo of an import. */
export async function findUndoObstacles(scope: Scope, jobid: string): Promise<UndoObstacles> {
  const { rows } = await sql<UndoObstacles>`
    with persons as (select cuserid, version from cuser where importjob = ${jobid}::uuid),
    teams as (select teamcode, teamname from assessteam where importjob = ${jobid}::uuid)
    select (select count(*) from examrecord where cuserid in (select cuserid from persons)) as exams,
      (select count(*) from taskroster where cuserid in (select cuserid from persons)) as tasks,
      (select count(*) from consent where cuserid in (select cuserid from persons))
        + (select count(*) from cuserplan where cuserid in (select cuserid from persons))
        + (select count(*) from warning where cuserid in (select cuserid from persons))
        + (select count(*) from followup where cuserid in (select cuserid from persons)) as "otherRecords",
      (select count(*) from persons where version > 1)
        + (select count(*)
          from teamroster r
          where r.cuserid in (select cuserid from persons) and r.importjob is distinct from ${jobid}::uuid) as edits,
      (select min(t.teamname)
        from teams t
          join teamroster r on r.teamcode = t.teamcode
        where r.importjob is distinct from ${jobid}::uuid) as "sharedTeam",
      (select min(t.teamname) from teams t join taskteam k on k.teamcode = t.teamcode) as "taskTeam"`.execute(scope.db);
  return rows[0] as UndoObstacles;
}

/** Deletes the rows that an import added, in the reverse order of the foreign keys. Returns the deleted persons and teams. */
export async function removeCreated(scope: Scope, jobid: string, guardianids: readonly number[]) {
  await sql`delete from teamroster where importjob = ${jobid}::uuid`.execute(scope.db);
  const { rows: guardians } = await sql<{ cuserid: string }>`delete from guardian
    where guardianid = any(${guardianids}::bigint[])
      or cuserid in (select cuserid from cuser where importjob = ${jobid}::uuid)
    returning cuserid`.execute(scope.db);
  await sql`delete from cuserarchive
    where cuserid in (select cuserid from cuser where importjob = ${jobid}::uuid)`.execute(scope.db);
  const { rows: persons } = await sql<{ cuserid: string }>`
    delete from cuser where importjob = ${jobid}::uuid returning cuserid`.execute(scope.db);
  const { rows: teams } = await sql<{ teamcode: string }>`
    delete from assessteam where importjob = ${jobid}::uuid returning teamcode`.execute(scope.db);
  return {
    persons: persons.map((row) => row.cuserid),
    teams: teams.map((row) => row.teamcode),
    lostGuardians: [...new Set(guardians.map((row) => row.cuserid))],
  };
}

/** Finds the names of the persons with edits since the import: new persons, and persons that have another version than in `after`. */
export const findEditedNames = async (scope: Scope, jobid: string, after: readonly Image[]): Promise<string[]> =>
  (
    await sql<{ username: string }>`
      select c.username
      from cuser c
        left join jsonb_to_recordset(${JSON.stringify(after)}::jsonb) as n(cuserid text, version int) on n.cuserid = c.cuserid
      where (c.importjob = ${jobid}::uuid and c.version > 1) or c.version <> n.version
      order by c.pinyin, c.cuserid`.execute(scope.db)
  ).rows.map(({ username }) => username);

/** Fields of a person that changed in other tables. */
export interface FieldMarks {
  cuserid: string;
  fields: readonly string[];
}

/** Marks fields of persons as edited now. So a form that was opened before detects the change. */
export async function markFields(scope: Scope, marks: readonly FieldMarks[]): Promise<void> {
  if (marks.length === 0) return;
  await sql`update cuser c
    set version = c.version + 1, edits = c.edits || (
      select jsonb_object_agg(f,
        jsonb_build_object('v', c.version + 1, 'by', coalesce(access.current_userid(), access.current_musercode()), 'at', now()))
      from jsonb_array_elements_text(n.fields) f)
    from jsonb_to_recordset(${JSON.stringify(marks)}::jsonb) as n(cuserid text, fields jsonb)
    where c.cuserid = n.cuserid`.execute(scope.db);
}

const keyColumns = { cuser: ['cuserid'], cuserarchive: ['archiveid'], teamroster: ['teamcode', 'cuserid'] } as const;
/** A table whose existing rows an import changes. */
export type ImageTable = keyof typeof keyColumns;
/** All columns of one row, as JSON. */
export type Image = Record<string, unknown>;

/** Returns whether rows still have the values of `after`, their images at the end of the import. */
export async function isUnchanged(scope: Scope, table: ImageTable, after: readonly Image[]): Promise<boolean> {
  if (after.length === 0) return true;
  const sameKey = sql.join(
    keyColumns[table].map((key) => sql`t.${sql.ref(key)} = n.${sql.ref(key)}`),
    sql` and `,
  );
  const { rows } = await sql<{ n: number }>`
    select count(*) as n
    from jsonb_populate_recordset(null::${sql.table(table)}, ${JSON.stringify(after)}::jsonb) n
      join ${sql.table(table)} t on ${sameKey}
    where to_jsonb(t) = to_jsonb(n)`.execute(scope.db);
  return Number(rows[0]?.n) === after.length;
}

/** Columns that an undo never writes back: an undone change is a change too, and `checkupno` follows from the detail. */
const NEVER_RESTORED: ReadonlySet<string> = new Set(['orgpath', 'musercode', 'version', 'edits', 'checkupno']);

/** Writes the images `before` back into their rows, all columns except the keys, the tenant and the count of edits. */
export async function restoreRows(scope: Scope, table: ImageTable, before: readonly Image[]): Promise<void> {
  const [first] = before;
  if (!first) return;
  const keys: readonly string[] = keyColumns[table];
  const columns = Object.keys(first).filter((name) => !keys.includes(name) && !NEVER_RESTORED.has(name));
  const assignments = sql.join(columns.map((name) => sql`${sql.ref(name)} = n.${sql.ref(name)}`));
  const sameKey = sql.join(
    keys.map((key) => sql`t.${sql.ref(key)} = n.${sql.ref(key)}`),
    sql` and `,
  );
  await sql`update ${sql.table(table)} t
    set ${assignments}
    from jsonb_populate_recordset(null::${sql.table(table)}, ${JSON.stringify(before)}::jsonb) n
    where ${sameKey}`.execute(scope.db);
}
