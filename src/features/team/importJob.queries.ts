import { sql } from 'kysely';
import type { ImportKind } from '#contract/importSheet.ts';
import type { Scope } from '#server/scope.ts';

/** An import is one row of `job`: status 0 staged, 2 done; its rows and what is needed to undo it are sealed texts. */
export interface JobRequest {
  kind: ImportKind;
  filename: string;
  appid: string;
  year: string;
  createteam: '0' | '1';
  teamcode?: string | undefined;
  /** sealed; removed some days after */
  body?: string;
}

const kindOf = (kind: ImportKind) => `import.${kind}`;

export const addJob = (
  scope: Scope,
  job: { musercode: string; accountid: string; request: JobRequest; total: number; createtime: Date },
) =>
  scope.db
    .insertInto('job')
    .values({
      musercode: job.musercode,
      accountid: job.accountid,
      kind: kindOf(job.request.kind),
      title: `导入 ${job.request.filename}`.slice(0, 200),
      total: job.total,
      request: JSON.stringify(job.request),
      createtime: job.createtime,
    })
    .returningAll()
    .executeTakeFirstOrThrow();

export type JobRow = Awaited<ReturnType<typeof addJob>>;

/** An import of this account; `lock` holds it until the transaction ends. */
export function findJob(scope: Scope, jobid: string, accountid: string, lock = false): Promise<JobRow | undefined> {
  const query = scope.db
    .selectFrom('job')
    .selectAll()
    .where('jobid', '=', jobid)
    .where('accountid', '=', accountid)
    .where('kind', 'like', 'import.%');
  return (lock ? query.forUpdate() : query).executeTakeFirst();
}

export const changeJob = (scope: Scope, jobid: string, request: JobRequest, total: number) =>
  scope.db
    .updateTable('job')
    .set({ request: JSON.stringify(request), total })
    .where('jobid', '=', jobid)
    .execute();

export const finishJob = (
  scope: Scope,
  jobid: string,
  done: { result: object; progress: number; finishtime: Date; undountil: Date },
) =>
  scope.db
    .updateTable('job')
    .set({
      status: 2,
      progress: done.progress,
      result: JSON.stringify(done.result),
      finishtime: done.finishtime,
      undountil: done.undountil,
    })
    .where('jobid', '=', jobid)
    .execute();

export const markUndone = (scope: Scope, jobid: string, at: Date) =>
  scope.db.updateTable('job').set({ undonetime: at }).where('jobid', '=', jobid).where('undonetime', 'is', null).execute();

export const listJobs = (scope: Scope, accountid: string, kind: ImportKind | undefined, since: Date) =>
  scope.db
    .selectFrom('job')
    .select([
      'jobid',
      'kind',
      'status',
      'total',
      'progress',
      'createtime',
      'undountil',
      'undonetime',
      sql<string>`request->>'filename'`.as('filename'),
    ])
    .where('accountid', '=', accountid)
    .where('kind', 'in', kind ? [kindOf(kind)] : ['import.roster', 'import.students'])
    .where('createtime', '>', since)
    .orderBy('createtime', 'desc')
    .limit(20)
    .execute();

/** Rows of people are not kept longer than they are needed. */
export const forgetBodies = (scope: Scope, accountid: string, before: Date) =>
  scope.db
    .updateTable('job')
    .set({ request: sql`request - 'body'`, result: sql`result - 'undo'` })
    .where('accountid', '=', accountid)
    .where('kind', 'like', 'import.%')
    .where('createtime', '<', before)
    .where(sql<boolean>`request ? 'body'`)
    .execute();

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
    with made as (select cuserid, version from cuser where importjob = ${jobid}::uuid), teams as (select teamcode, teamname from assessteam where importjob = ${jobid}::uuid)
    select (select count(*) from examrecord where cuserid in (select cuserid from made)) as exams,
      (select count(*) from taskroster where cuserid in (select cuserid from made)) as tasks,
      (select count(*) from consent where cuserid in (select cuserid from made)) + (select count(*) from cuserplan where cuserid in (select cuserid from made))
        + (select count(*) from warning where cuserid in (select cuserid from made)) + (select count(*) from followup where cuserid in (select cuserid from made)) as later,
      (select count(*) from made where version > 1)
        + (select count(*) from teamroster r where r.cuserid in (select cuserid from made) and r.importjob is distinct from ${jobid}::uuid) as edited,
      (select min(t.teamname) from teams t join teamroster r on r.teamcode = t.teamcode where r.importjob is distinct from ${jobid}::uuid) as strangers,
      (select min(t.teamname) from teams t join taskteam k on k.teamcode = t.teamcode) as teamtask`.execute(scope.db);
  return rows[0] as NonNullable<(typeof rows)[0]>;
}

/** Removes what an import added, the last first. */
export async function removeMade(scope: Scope, jobid: string, guardianids: readonly number[]) {
  const { rows: rosters } = await sql<{
    teamcode: string;
  }>`delete from teamroster where importjob = ${jobid}::uuid returning teamcode`.execute(scope.db);
  await sql`delete from guardian where guardianid = any(${guardianids}::bigint[]) or cuserid in (select cuserid from cuser where importjob = ${jobid}::uuid)`.execute(
    scope.db,
  );
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
  }>`select count(*) as n from jsonb_populate_recordset(null::${sql.table(table)}, ${JSON.stringify(after)}::jsonb) n join ${sql.table(table)} t on ${same} where to_jsonb(t) = to_jsonb(n)`.execute(
    scope.db,
  );
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
  await sql`update ${sql.table(table)} t set ${set} from jsonb_populate_recordset(null::${sql.table(table)}, ${JSON.stringify(before)}::jsonb) n where ${same}`.execute(
    scope.db,
  );
}
