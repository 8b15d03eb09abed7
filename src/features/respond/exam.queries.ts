import { sql } from 'kysely';
import type { OwnRule } from '#domain/ownrule.ts';
import type { ReportBasis } from '#domain/report.basis.ts';
import type { Answers, Level } from '#domain/scale.ts';
import type { Scope } from '#server/scope.ts';
import type { SessionHash } from '#server/scope.ts';

/** Statements of the answering path. Round trips cost more than rows here, so each step is one statement. */

export const findTasks = async (scope: Scope, cuserid: string) =>
  (
    await sql<{
      cuserplanid: number;
      taskname: string;
      planname: string;
      endtime: Date | null;
      minutes: number;
      itemcount: number;
      status: number;
      answered: number;
    }>`
      select g.cuserplanid, coalesce(t.taskname, p.planname) as taskname, p.planname, t.endtime,
        coalesce((select sum(f.minutes) from planform pf join form f on f.formcode = pf.formcode where pf.plancode = g.plancode), 0)::int as minutes,
        coalesce((select sum(f.itemcount) from planform pf join form f on f.formcode = pf.formcode where pf.plancode = g.plancode), 0)::int as itemcount,
        coalesce(e.status, 0) as status,
        coalesce((select count(*) from examanswer a join examform x on x.examformid = a.examformid where x.examcode = e.examcode), 0)::int as answered
      from cuserplan g join plan p on p.plancode = g.plancode
        left join assesstask t on t.taskcode = g.taskcode
        -- The sitting under way; or the last one, unless the grant may be answered again.
        left join lateral (select e.examcode, e.status from examrecord e where e.cuserplanid = g.cuserplanid and e.status <> 4
          and (e.status <> 2 or g.taskcode is not null or g.status <> 1) order by e.status, e.submittime desc limit 1) e on true
        left join taskroster r on r.taskcode = g.taskcode and r.cuserid = g.cuserid
      where g.cuserid = ${cuserid} and g.status in (1, 2) and coalesce(r.status, 0) not in (3, 9)
        and (t.taskcode is null or (t.isdeleted = 0 and t.status = 1))
      order by coalesce(e.status, 0) = 2, t.endtime nulls last, g.cuserplanid desc`.execute(scope.db)
  ).rows;

export interface GrantRow {
  cuserplanid: number;
  musercode: string;
  cuserid: string;
  appid: string;
  plancode: string;
  planname: string;
  stagecode: string | null;
  taskcode: string | null;
  taskname: string;
  teamcode: string | null;
  taskstatus: number | null;
  begintime: Date | null;
  endtime: Date | null;
  resultshow: number;
  grantstatus: number;
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
export const findGrant = async (scope: Scope, cuserplanid: number): Promise<GrantRow | undefined> =>
  (
    await sql<GrantRow>`
      select g.cuserplanid, g.musercode, g.cuserid, g.appid, g.plancode, p.planname, coalesce(t.stagecode, g.stagecode) as stagecode, g.taskcode, coalesce(t.taskname, p.planname) as taskname, r.teamcode,
        t.status as taskstatus, t.begintime, t.endtime, coalesce(t.resultshow, 0) as resultshow, g.status as grantstatus, g.begindate, g.enddate, r.status as rosterstatus,
        c.gender, c.birthday, a.gradecode, a.gradename, a.classname, a.unitname
      from cuserplan g join plan p on p.plancode = g.plancode join cuser c on c.cuserid = g.cuserid
        left join assesstask t on t.taskcode = g.taskcode
        left join taskroster r on r.taskcode = g.taskcode and r.cuserid = g.cuserid
        left join cuserarchive a on a.cuserid = g.cuserid and a.appid = g.appid
      where g.cuserplanid = ${cuserplanid}`.execute(scope.db)
  ).rows[0];

/**
 * The record of a grant, made on first opening with its forms; the same one ever after. A grant that may be answered several
 * times gets a new one once the last was handed in.
 */
export async function openRecord(
  scope: Scope,
  grant: GrantRow,
  facts: { age: number | null; consentid: number | null; now: Date; ip: string; useragent: string },
) {
  const { rows } = await sql<{ examcode: string; status: number }>`
    with before as (select examcode, status from examrecord where cuserplanid = ${grant.cuserplanid} and status <> 4
      and (status <> 2 or taskcode is not null or ${grant.grantstatus}::int <> 1) order by status, submittime desc limit 1),
    made as (
      insert into examrecord (musercode, cuserid, appid, plancode, stagecode, taskcode, teamcode, cuserplanid, status, starttime, age, gradecode, gradename, classname, unitname, gender, consentid, useragent, ip)
      select ${grant.musercode}, ${grant.cuserid}, ${grant.appid}, ${grant.plancode}, ${grant.stagecode}, ${grant.taskcode}, ${grant.teamcode}, ${grant.cuserplanid}::bigint, 1, ${facts.now}::timestamptz, ${facts.age}::int,
        ${grant.gradecode}, ${grant.gradename}, ${grant.classname}, ${grant.unitname}, ${grant.gender}, ${facts.consentid}::bigint, ${facts.useragent.slice(0, 300)}, ${facts.ip}
      where not exists (select from before)
      on conflict do nothing returning examcode, status)
    select * from before union all select * from made`.execute(scope.db);
  const record = rows[0];
  if (!record) return undefined;
  await sql`
    insert into examform (examcode, musercode, cuserid, formcode, formversion, ordernum, starttime)
    select ${record.examcode}, ${grant.musercode}, ${grant.cuserid}, pf.formcode, coalesce(pf.formversion, f.currentversion), pf.ordernum, ${facts.now}::timestamptz
    from planform pf join form f on f.formcode = pf.formcode
    where pf.plancode = ${grant.plancode} and pf.stagecode in ('', ${grant.stagecode ?? ''})
    on conflict do nothing`.execute(scope.db);
  if (grant.taskcode)
    await sql`update taskroster set status = 1, examcode = ${record.examcode}, starttime = coalesce(starttime, ${facts.now}::timestamptz)
      where taskcode = ${grant.taskcode} and cuserid = ${grant.cuserid} and status in (0, 1)`.execute(scope.db);
  return record;
}

export interface SheetRow {
  examformid: number;
  formcode: string;
  formversion: string;
  ordernum: number;
  answers: Answers;
  seqs: Record<string, number>;
}
export const findSheets = async (scope: Scope, examcode: string): Promise<SheetRow[]> =>
  (
    await sql<SheetRow>`
      select x.examformid, x.formcode, x.formversion, x.ordernum, coalesce(jsonb_object_agg(a.questionc, a.value) filter (where a.questionc is not null), '{}') as answers,
        coalesce(jsonb_object_agg(a.questionc, a.seq) filter (where a.questionc is not null), '{}') as seqs
      from examform x left join examanswer a on a.examformid = x.examformid
      where x.examcode = ${examcode} group by x.examformid order by x.ordernum`.execute(scope.db)
  ).rows;

export interface AnswerIn {
  examformid: number;
  c: string;
  value: unknown;
  clientseq: number;
}
/** An entry of the functions of db/schema/86_submission.sql: whose call it is and which sitting it is about. */
export interface Entry {
  session: SessionHash | '';
  bound: SessionHash | undefined;
  code: string;
}

/** What is saved of a sitting, for `submission.save_answers`. */
export const answersEntry = (of: Entry, answers: readonly AnswerIn[], now: Date) => ({ ...of, answers, at: now.toISOString() });

/** Upserts answers of the caller's own record; a lower sequence never overwrites a higher one. */
export async function saveAnswers(scope: Scope, of: Entry, answers: readonly AnswerIn[], now: Date): Promise<void> {
  await sql`select submission.save_answers(${alone(answersEntry(of, answers, now))}, true)`.execute(scope.db);
}

/** One entry by itself, within the caller's own transaction: it waits for whoever holds its rows. */
const alone = (entry: object) => sql`${JSON.stringify([{ ...entry, n: 0 }])}::jsonb`;

export interface SittingRow {
  examcode: string;
  status: number;
  submitkey: string | null;
  musercode: string;
  cuserid: string;
  appid: string;
  plancode: string;
  planname: string;
  stagename: string | null;
  taskcode: string | null;
  resultshow: number;
  cuserplanid: number | null;
  starttime: Date;
  overalllevel: Level | null;
  hasalert: number;
  username: string;
  gender: '01' | '02';
  birthday: string | null;
  gradecode: string | null;
  insname: string;
  sector: string;
  abnormalminlevel: number;
  hotline: string | null;
  settings: Record<string, unknown>;
  /** the institution's own warning rules that are switched on */
  rules: OwnRule[];
  archive: Record<string, unknown>;
  forms: SheetRow[];
  history: {
    examcode: string;
    formcode: string;
    submittime: string;
    scores: Record<string, number | null>;
    levels: Record<string, Level | null>;
    labels: Record<string, string | null>;
    itemscores: Record<string, number | null>;
    valid: boolean;
  }[];
  /** a case of this person is not closed */
  opencase: boolean;
  reportcode: string | null;
  isshow: number | null;
}

/** Everything answering or handing in depends on, with the caller's record locked until the transaction ends. */
export async function loadSitting(scope: Scope, of: Entry): Promise<SittingRow | undefined> {
  return (await sql<SittingRow>`select * from submission.load_exams(${alone(of)}, true)`.execute(scope.db)).rows[0];
}

export interface HandIn {
  sitting: SittingRow;
  submitkey: string;
  now: Date;
  valid: boolean;
  invalidreason: string | null;
  overalllevel: Level | null;
  mentalstate: number;
  hasalert: boolean;
  alertlevel: number;
  isabnormal: boolean;
  duration: number;
  age: number | null;
  gestationaldays: number | null;
  forms: { examformid: number; valid: number; overalllevel: Level | null; raw: unknown }[];
  results: {
    examformid: number;
    quotacode: string;
    score: number | null;
    level: Level | null;
    levelname: string | null;
    missing: number;
    domain: string;
    isprimary: number;
  }[];
  report: { title: string; basis: ReportBasis; isshow: number };
}

/** A judged sitting with its last answers, for `submission.submit_exams`; `answered` and `seqsum` say from which stored answers it was judged. */
export function handInEntry(of: Entry, h: HandIn, answers: readonly AnswerIn[]) {
  const seqs = h.sitting.forms.flatMap((form) => Object.values(form.seqs));
  return {
    ...answersEntry(of, answers, h.now),
    answered: seqs.length,
    seqsum: seqs.reduce((sum, seq) => sum + seq, 0),
    record: {
      submitkey: h.submitkey,
      duration: h.duration,
      valid: h.valid ? 1 : 0,
      invalidreason: h.invalidreason,
      overalllevel: h.overalllevel,
      mentalstate: h.mentalstate,
      hasalert: h.hasalert ? 1 : 0,
      alertlevel: h.alertlevel,
      isabnormal: h.isabnormal ? 1 : 0,
      age: h.age,
      gestationaldays: h.gestationaldays,
    },
    forms: h.forms,
    results: h.results,
    report: h.report,
  };
}

/**
 * Writes a judged sitting: record, forms, results, report, counts, roster and person, in one statement. Answers the code of its
 * report, or undefined when its grant was taken back meanwhile (the task was closed, the person removed): then the caller refuses and
 * nothing stays.
 */
export async function writeHandIn(scope: Scope, of: Entry, h: HandIn, answers: readonly AnswerIn[]): Promise<string | undefined> {
  const { rows } = await sql<{ reportcode: string }>`
    select reportcode from submission.submit_exams(${alone(handInEntry(of, h, answers))}, true)`.execute(scope.db);
  return rows[0]?.reportcode;
}

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
export const findOwnReport = (scope: Scope, cuserid: string, reportcode: string) =>
  scope.db
    .selectFrom('report')
    .select(['reportcode', 'title', 'createtime'])
    .where('cuserid', '=', cuserid)
    .where('reportcode', '=', reportcode)
    .where('isshow', '=', 1)
    .executeTakeFirst();
