import { sql } from 'kysely';
import type { Scope } from '#server/db/scope.ts';
import type { ExamForm } from '#features/respond/exam/submission.queries.ts';

/** The statements around an exam of the caller: tasks, start, own reports. */

/** The tasks and authorizations that the person may answer or has answered; submitted ones last. */
export const findTasks = async (scope: Scope, cuserid: string) =>
  (
    await sql<{
      cuserplanid: number;
      taskname: string;
      planname: string;
      endtime: Date | null;
      slotbegin: Date | null;
      slotend: Date | null;
      minutes: number;
      itemcount: number;
      status: number;
      answered: number;
    }>`
      select g.cuserplanid, coalesce(t.taskname, p.planname) as taskname, p.planname, t.endtime,
        k.begintime as slotbegin, k.endtime as slotend,
        coalesce((select sum(f.minutes) from planform pf join form f on f.formcode = pf.formcode
        where pf.plancode = g.plancode), 0)::int as minutes,
        coalesce((select sum(f.itemcount) from planform pf join form f on f.formcode = pf.formcode
        where pf.plancode = g.plancode), 0)::int as itemcount,
        coalesce(e.status, 0) as status,
        coalesce((select count(*) from examform x, jsonb_object_keys(x.answers) where x.examcode = e.examcode), 0)::int as answered
      from cuserplan g join plan p on p.plancode = g.plancode
        left join assesstask t on t.taskcode = g.taskcode
        -- The exam in progress, or the last one, unless the person may answer the authorization again.
        left join lateral (select e.examcode, e.status from examrecord e where e.cuserplanid = g.cuserplanid and e.status <> 4
          and (e.status <> 2 or g.taskcode is not null or g.status <> 1) order by e.status, e.submittime desc limit 1) e on true
        left join taskroster r on r.taskcode = g.taskcode and r.cuserid = g.cuserid
        left join taskteam k on k.taskcode = r.taskcode and k.teamcode = r.teamcode
      where g.cuserid = ${cuserid} and p.formcode is null and g.status in (1, 2) and coalesce(r.status, 0) not in (3, 9)
        and (t.taskcode is null or (t.isdeleted = 0 and t.status = 1))
      order by coalesce(e.status, 0) = 2, t.endtime nulls last, g.cuserplanid desc`.execute(scope.db)
  ).rows;

/** An authorization with its task, its roster row and the facts about the person. */
export interface AuthorizationRow {
  cuserplanid: number;
  musercode: string;
  cuserid: string;
  appid: string;
  plancode: string;
  planname: string;
  /** the only questionnaire of a plan that staff entry made; no respondent answers it */
  formcode: string | null;
  stagecode: string | null;
  taskcode: string | null;
  taskname: string;
  teamcode: string | null;
  taskstatus: number | null;
  begintime: Date | null;
  endtime: Date | null;
  teamname: string | null;
  slotbegin: Date | null;
  slotend: Date | null;
  resultshow: number;
  grantstatus: number;
  scenecode: string;
  begindate: string | null;
  enddate: string | null;
  rosterstatus: number | null;
  gender: string;
  birthday: string | null;
  gradecode: string | null;
  gradename: string | null;
  classname: string | null;
  unitname: string | null;
}
/** An authorization of the caller by id. */
export const findAuthorization = async (scope: Scope, cuserplanid: number): Promise<AuthorizationRow | undefined> =>
  (
    await sql<AuthorizationRow>`
      select g.cuserplanid, g.musercode, g.cuserid, g.appid, g.plancode, p.planname, p.formcode,
        coalesce(t.stagecode, g.stagecode) as stagecode, g.taskcode, coalesce(t.taskname, p.planname) as taskname, r.teamcode,
        t.status as taskstatus, t.begintime, t.endtime, coalesce(t.resultshow, 0) as resultshow,
        s.teamname, k.begintime as slotbegin, k.endtime as slotend,
        g.status as grantstatus, coalesce(g.scenecode, '01') as scenecode, g.begindate, g.enddate, r.status as rosterstatus,
        c.gender, c.birthday, a.gradecode, a.gradename, a.classname, a.unitname
      from cuserplan g join plan p on p.plancode = g.plancode join cuser c on c.cuserid = g.cuserid
        left join assesstask t on t.taskcode = g.taskcode
        left join taskroster r on r.taskcode = g.taskcode and r.cuserid = g.cuserid
        left join taskteam k on k.taskcode = r.taskcode and k.teamcode = r.teamcode
        left join assessteam s on s.teamcode = k.teamcode
        left join cuserarchive a on a.cuserid = g.cuserid and a.appid = g.appid and a.iscurrent = 1
      where g.cuserplanid = ${cuserplanid}`.execute(scope.db)
  ).rows[0];

/** SQL: the version that a sitting of form `f` begins with: of the task `tf`, of the plan `pf`, else the current one. */
const formVersion = sql`coalesce(tf.formversion, pf.formversion, f.currentversion)`;

/** The form that keeps a new sitting from beginning: its version is withdrawn or a draft. Undefined when a sitting has begun. */
export const findPausedForm = async (scope: Scope, authorization: AuthorizationRow): Promise<string | undefined> =>
  (
    await sql<{ formname: string }>`
      select f.formname
      from planform pf
        join form f on f.formcode = pf.formcode
        left join taskform tf on tf.taskcode = ${authorization.taskcode} and tf.formcode = pf.formcode
        join formversion v on v.formcode = f.formcode and v.version = ${formVersion}
      where pf.plancode = ${authorization.plancode} and pf.stagecode in ('', ${authorization.stagecode ?? ''})
        and v.status in (0, 3)
        and not exists (
          select from examrecord e
          where e.cuserplanid = ${authorization.cuserplanid} and e.status <> 4
            and (e.status <> 2 or e.taskcode is not null or ${authorization.grantstatus}::int <> 1))
      limit 1`.execute(scope.db)
  ).rows[0]?.formname;

/**
 * The exam of an authorization. The first start creates it with its forms; later starts return the same exam. An authorization
 * for several answers gets a new exam after each submission.
 */
export async function findOrCreateExam(
  scope: Scope,
  authorization: AuthorizationRow,
  facts: { age: number | null; consentid: number | null; now: Date; ip: string; useragent: string },
) {
  const { rows } = await sql<{ examcode: string; status: number }>`
    with before as (
      select examcode, status from examrecord
      where cuserplanid = ${authorization.cuserplanid} and status <> 4
        and (status <> 2 or taskcode is not null or ${authorization.grantstatus}::int <> 1)
      order by status, submittime desc
      limit 1),
    made as (
      insert into examrecord (musercode, cuserid, appid, plancode, stagecode, taskcode, teamcode, cuserplanid,
        scenecode, status, starttime, age, gradecode, gradename, classname, unitname, gender, consentid, useragent, ip)
      select ${authorization.musercode}, ${authorization.cuserid}, ${authorization.appid}, ${authorization.plancode},
        ${authorization.stagecode}, ${authorization.taskcode}, ${authorization.teamcode}, ${authorization.cuserplanid}::bigint,
        ${authorization.scenecode}, 1, ${facts.now}::timestamptz, ${facts.age}::int, ${authorization.gradecode}, ${authorization.gradename},
        ${authorization.classname}, ${authorization.unitname}, ${authorization.gender},
        ${facts.consentid}::bigint, ${facts.useragent.slice(0, 300)}, ${facts.ip}
      where not exists (select from before)
      on conflict do nothing returning examcode, status)
    select * from before union all select * from made`.execute(scope.db);
  const exam = rows[0];
  if (!exam) return undefined;
  await sql`
    insert into examform (examcode, musercode, cuserid, formcode, formversion, ordernum, starttime)
    select ${exam.examcode}, ${authorization.musercode}, ${authorization.cuserid}, pf.formcode,
      ${formVersion}, pf.ordernum, ${facts.now}::timestamptz
    from planform pf join form f on f.formcode = pf.formcode
      left join taskform tf on tf.taskcode = ${authorization.taskcode} and tf.formcode = pf.formcode
    where pf.plancode = ${authorization.plancode} and pf.stagecode in ('', ${authorization.stagecode ?? ''})
    on conflict do nothing`.execute(scope.db);
  if (authorization.taskcode)
    await sql`update taskroster
      set status = 1, examcode = ${exam.examcode}, starttime = coalesce(starttime, ${facts.now}::timestamptz)
      where taskcode = ${authorization.taskcode} and cuserid = ${authorization.cuserid} and status in (0, 1)`.execute(scope.db);
  return exam;
}

/** Makes a sheet that staff had opened, and not typed in, the person's own. */
export const takeOverSheet = (scope: Scope, examcode: string, scenecode: string) =>
  scope.db
    .updateTable('examrecord')
    .set({ entryway: null, scenecode })
    .where('examcode', '=', examcode)
    .where('status', '=', 1)
    .where('entryway', 'is not', null)
    .execute();

/** The questionnaires of an exam in their order, with the answers stored so far. */
export const findForms = (scope: Scope, examcode: string): Promise<ExamForm[]> =>
  scope.db
    .selectFrom('examform')
    .select(['examformid', 'formcode', 'formversion', 'answers', 'seqs', 'devices'])
    .where('examcode', '=', examcode)
    .orderBy('ordernum')
    .$castTo<ExamForm>()
    .execute();

/** The reports that the person may read, the newest first. */
export const findOwnReports = (scope: Scope, cuserid: string) =>
  scope.db
    .selectFrom('report')
    .select(['reportcode', 'title', 'createtime'])
    .where('cuserid', '=', cuserid)
    .where('isshow', '=', 1)
    .where('isdeleted', '=', 0)
    .orderBy('createtime', 'desc')
    .limit(50)
    .execute();

/** A report that the person may read. */
export const findOwnReport = (scope: Scope, cuserid: string, reportcode: string) =>
  scope.db
    .selectFrom('report')
    .select(['reportcode', 'title', 'createtime', 'version'])
    .where('cuserid', '=', cuserid)
    .where('reportcode', '=', reportcode)
    .where('isshow', '=', 1)
    .executeTakeFirst();
