import { sql } from 'kysely';
import type { AiText } from '#domain/report/ai/checkAiText.ts';
import type { Scope } from '#server/db/scope.ts';
import { saveTeamText } from '#features/aireport/teamText.queries.ts';
import { sealedJson } from '#server/sealing/textSealer.ts';

/** A report that a text is asked for, locked. */
export const lockReport = async (scope: Scope, reportcode: string) =>
  (
    await sql<{
      musercode: string;
      cuserid: string;
      aistatus: number;
      aicontent: AiText | null;
      valid: number | null;
      allowed: number;
      /** the text was erased with its person */
      iserased: boolean;
    }>`
      select r.musercode, r.cuserid, r.aistatus, r.aicontent, e.valid,
        exists (select from cuser c where c.cuserid = r.cuserid and c.anonymizedtime is not null) as iserased,
        coalesce((select c.allowed from aiconsent c where c.musercode = r.musercode), 0) as allowed
      from report r join examrecord e on e.examcode = r.examcode
      where r.reportcode = ${reportcode} and r.isdeleted = 0 and r.withheld = 0
      for update of r`.execute(scope.db)
  ).rows[0];

/** 1 when the institution agrees. */
export const findConsent = async (scope: Scope, musercode: string): Promise<number> =>
  (await scope.db.selectFrom('aiconsent').select('allowed').where('musercode', '=', musercode).executeTakeFirst())?.allowed ?? 0;

export const saveConsent = (scope: Scope, row: { musercode: string; allowed: number; accountid: string; updatetime: Date }) =>
  scope.db
    .insertInto('aiconsent')
    .values(row)
    .onConflict((on) =>
      on.column('musercode').doUpdateSet({ allowed: row.allowed, accountid: row.accountid, updatetime: row.updatetime }),
    )
    .execute();

/** The texts that an institution asked for since a time; texts that came from an earlier job do not count. */
export const countJobs = async (scope: Scope, musercode: string, since: Date): Promise<number> =>
  (
    await sql<{ count: number }>`select count(*)::int as count from aijob
      where musercode = ${musercode} and createtime >= ${since}::timestamptz and iscached = 0`.execute(scope.db)
  ).rows[0]?.count ?? 0;

/** The last job of an institution that ended. */
export const findLastJob = (scope: Scope, musercode: string) =>
  scope.db
    .selectFrom('aijob')
    .select(['status', 'fault'])
    .where('musercode', '=', musercode)
    .where('donetime', 'is not', null)
    .orderBy('donetime', 'desc')
    .limit(1)
    .executeTakeFirst();

/** The last ended calls of the provider, the latest first. */
export const findLastCalls = (scope: Scope, limit: number) =>
  scope.db
    .selectFrom('aijob')
    .select(['status', 'donetime'])
    .where('donetime', 'is not', null)
    .where('iscached', '=', 0)
    .orderBy('donetime', 'desc')
    .limit(limit)
    .execute();

export const addJob = (
  scope: Scope,
  row: {
    musercode: string;
    reportcode?: string;
    teamreportcode?: string;
    teamversion?: number;
    promptversion: string;
    provider: string;
    model: string;
    isforced: number;
    accountid: string;
    createtime: Date;
  },
) => scope.db.insertInto('aijob').values(row).execute();

export const setWaiting = (scope: Scope, reportcode: string) =>
  scope.db.updateTable('report').set({ aistatus: 1, aicontent: null }).where('reportcode', '=', reportcode).execute();

/** A job that this server has taken. */
export interface AiJob {
  jobid: number;
  musercode: string;
  /** one of both */
  reportcode: string | null;
  teamreportcode: string | null;
  teamversion: number | null;
  isforced: number;
}

/** Takes waiting jobs, and running ones whose server has died; other servers skip them. */
export const takeJobs = async (scope: Scope, now: Date, leasetime: Date, limit: number): Promise<AiJob[]> =>
  (
    await sql<AiJob>`
      update aijob j set status = 1, leasetime = ${leasetime}::timestamptz
      where j.jobid in (
        select w.jobid from aijob w where w.status = 0 or (w.status = 1 and w.leasetime < ${now}::timestamptz)
        order by w.createtime limit ${limit} for update skip locked)
      returning j.jobid::int as jobid, j.musercode, j.reportcode, j.teamreportcode, j.teamversion, j.isforced`.execute(scope.db)
  ).rows;

/** What the facts of a report need besides its text: codes and numbers. The stage only if it is of the platform's list. */
export const findSource = async (scope: Scope, reportcode: string) =>
  (
    await sql<{
      appid: string;
      gender: string | null;
      age: number | null;
      stagename: string | null;
      hasalert: number;
      allowed: number;
    }>`
      select r.appid, c.gender, extract(year from age((e.submittime at time zone 'Asia/Shanghai')::date, c.birthday))::int as age,
        (select s.stagename from examstage s where s.appid = e.appid and s.stagecode = e.stagecode and s.isplatform = 1 limit 1)
          as stagename,
        e.hasalert, coalesce((select k.allowed from aiconsent k where k.musercode = r.musercode), 0) as allowed
      from report r join examrecord e on e.examcode = r.examcode join cuser c on c.cuserid = r.cuserid
      where r.reportcode = ${reportcode} and r.isdeleted = 0`.execute(scope.db)
  ).rows[0];

/** The text of an earlier job of the institution with the same facts, instructions and model. */
export const findCached = async (
  scope: Scope,
  { musercode, inputhash, promptversion, model }: { musercode: string; inputhash: string; promptversion: string; model: string },
): Promise<AiText | undefined> =>
  (
    await sql<{ output: AiText }>`select output from aijob
      where inputhash = ${inputhash} and promptversion = ${promptversion} and model = ${model} and status = 2
        and musercode = ${musercode} and output is not null
      order by jobid desc limit 1`.execute(scope.db)
  ).rows[0]?.output;

/**
 * Stores the end of a job and its text. The report of a person becomes a new version that waits for its review, hidden from the person
 * until then. A group report that was made again meanwhile has no use for the text.
 */
export async function saveText(
  scope: Scope,
  job: AiJob,
  row: { inputhash: string; output: AiText; iscached: number; requestid: string; usage: unknown; model: string; donetime: Date },
): Promise<void> {
  const { inputhash, output, iscached, requestid, usage, model, donetime } = row;
  const done = await sql`update aijob set status = 2, inputhash = ${inputhash}, output = ${sealedJson(output)}::jsonb,
      iscached = ${iscached}, requestid = ${requestid}, usage = ${JSON.stringify(usage ?? null)}::jsonb, donetime = ${donetime}::timestamptz
    where jobid = ${job.jobid} and status = 1`.execute(scope.db);
  if (Number(done.numAffectedRows) === 0) return;
  if (job.teamreportcode) return saveTeamText(scope, job, { output, model, donetime });
  await sql`update report set aistatus = 2, aicontent = ${sealedJson(output)}::jsonb, aimodel = ${model},
      aitime = ${donetime}::timestamptz, updatetime = ${donetime}::timestamptz, version = version + 1,
      status = 1, reviewby = null, reviewtime = null, isshow = 0
    where reportcode = ${job.reportcode} and isdeleted = 0`.execute(scope.db);
}

/** Stores the failure of a job. The report keeps the text of the rules. */
export async function saveFailure(scope: Scope, job: AiJob, row: { inputhash: string | null; fault: string; donetime: Date }) {
  await sql`update aijob set status = 9, inputhash = ${row.inputhash}, fault = ${row.fault}, donetime = ${row.donetime}::timestamptz
    where jobid = ${job.jobid} and status = 1`.execute(scope.db);
  await sql`update report set aistatus = 9 where reportcode = ${job.reportcode} and aistatus = 1`.execute(scope.db);
  await sql`update teamreport set aistatus = 9
    where teamreportcode = ${job.teamreportcode} and version = ${job.teamversion} and aistatus = 1`.execute(scope.db);
}
