import { sql } from 'kysely';
import type { Answers, Level, Scale } from '#domain/scale.ts';
import type { Scope } from '#server/scope.ts';

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

export const findDefinition = async (scope: Scope, formcode: string, version: string) =>
  (
    await scope.db
      .selectFrom('formversion')
      .select('definition')
      .where('formcode', '=', formcode)
      .where('version', '=', version)
      .executeTakeFirst()
  )?.definition as Scale | undefined;

export interface AnswerIn {
  examformid: number;
  c: string;
  value: unknown;
  clientseq: number;
}
/** Upserts answers of the caller's own record; a lower sequence never overwrites a higher one. Answers the forms touched. */
export async function saveAnswers(
  scope: Scope,
  examcode: string,
  cuserid: string,
  answers: readonly AnswerIn[],
  now: Date,
): Promise<number[]> {
  const { rows } = await sql<{ examformid: number }>`
    insert into examanswer as a (examformid, questionc, musercode, cuserid, value, answertime, seq)
    select x.examformid, d.c, x.musercode, x.cuserid, d.value, ${now}::timestamptz, d.clientseq
    from (select distinct on (examformid, c) * from jsonb_to_recordset(${JSON.stringify(answers)}::jsonb) as d (examformid bigint, c text, value jsonb, clientseq bigint) order by examformid, c, clientseq desc) d
      join examform x on x.examformid = d.examformid and x.examcode = ${examcode} and x.cuserid = ${cuserid}
    on conflict (examformid, questionc) do update set value = excluded.value, answertime = excluded.answertime, seq = excluded.seq,
      changes = a.changes + (a.value is distinct from excluded.value)::int
      where a.seq <= excluded.seq
    returning examformid`.execute(scope.db);
  return [...new Set(rows.map((row) => row.examformid))];
}

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
  nextreportcode: string;
  reportcode: string | null;
  isshow: number | null;
}

/**
 * Everything one hand-in depends on, with the record locked until the transaction ends. The lock is a statement of its own: one that
 * waited for it would go on reading what was there before it waited, and miss answers saved meanwhile.
 */
export async function loadSitting(scope: Scope, examcode: string, cuserid: string): Promise<SittingRow | undefined> {
  await sql`select from examrecord where examcode = ${examcode} and cuserid = ${cuserid} for update`.execute(scope.db);
  const { rows } = await sql<SittingRow>`
      select e.examcode, e.status, e.submitkey, e.musercode, e.cuserid, e.appid, e.plancode, p.planname, e.taskcode, e.cuserplanid, e.starttime, e.overalllevel, e.hasalert,
        c.username, c.gender, c.birthday, e.gradecode, m.insname, m.sector, m.abnormalminlevel, m.settings, k.hotline, coalesce(t.resultshow, 0) as resultshow,
        (select s.stagename from examstage s where s.appid = e.appid and s.stagecode = e.stagecode limit 1) as stagename,
        coalesce((select a.detail || jsonb_strip_nulls(jsonb_build_object('gradename', a.gradename, 'classname', a.classname, 'studentno', a.studentno, 'unitname', a.unitname)) from cuserarchive a where a.cuserid = e.cuserid and a.appid = e.appid), '{}') as archive,
        (select jsonb_agg(jsonb_build_object('examformid', x.examformid, 'formcode', x.formcode, 'formversion', x.formversion, 'ordernum', x.ordernum, 'answers', q.answers, 'seqs', q.seqs) order by x.ordernum)
          from examform x cross join lateral (select coalesce(jsonb_object_agg(a.questionc, a.value), '{}') as answers, coalesce(jsonb_object_agg(a.questionc, a.seq), '{}') as seqs from examanswer a where a.examformid = x.examformid) q
          where x.examcode = e.examcode) as forms,
        coalesce((select jsonb_agg(h) from (select x.examcode, x.formcode, to_char(x.submittime at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"') as submittime, x.raw->'scores' as scores, x.raw->'levels' as levels, x.raw->'labels' as labels, x.raw->'itemscores' as itemscores, x.valid = 1 as valid
          from examform x where x.cuserid = e.cuserid and x.status = 2 and x.examcode <> e.examcode order by x.submittime desc limit 24) h), '[]') as history,
        'R' || lpad(nextval('reportcode_seq')::text, 10, '0') as nextreportcode,
        (select r.reportcode from report r where r.examcode = e.examcode) as reportcode, (select r.isshow from report r where r.examcode = e.examcode) as isshow
      from examrecord e join plan p on p.plancode = e.plancode join cuser c on c.cuserid = e.cuserid join muser m on m.musercode = e.musercode
        left join assesstask t on t.taskcode = e.taskcode left join muserclient k on k.musercode = e.musercode
      where e.examcode = ${examcode} and e.cuserid = ${cuserid}`.execute(scope.db);
  return rows[0];
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
  report: { reportcode: string; title: string; content: unknown; selfcontent: unknown; isshow: number };
}

/**
 * Writes a judged sitting: record, forms, results, report, counts, roster and person, in one statement. False when its grant
 * was taken back meanwhile (the task was closed, the person removed): then the caller refuses and nothing stays.
 */
export async function writeHandIn(scope: Scope, h: HandIn): Promise<boolean> {
  const { sitting: s } = h;
  const { rows } = await sql<{ live: number }>`
    with rec as (
      update examrecord set status = 2, submitkey = ${h.submitkey}::uuid, submittime = ${h.now}::timestamptz, duration = ${h.duration}::int, valid = ${h.valid ? 1 : 0}::smallint, invalidreason = ${h.invalidreason},
        overalllevel = ${h.overalllevel}::smallint, mentalstate = ${h.mentalstate}::smallint, hasalert = ${h.hasalert ? 1 : 0}::smallint, alertlevel = ${h.alertlevel}::smallint, isabnormal = ${h.isabnormal ? 1 : 0}::smallint,
        age = ${h.age}::smallint, gestationaldays = ${h.gestationaldays}::int
      where examcode = ${s.examcode} and status = 1 returning examcode),
    f as (
      update examform x set status = 2, submittime = ${h.now}::timestamptz, valid = d.valid, overalllevel = d.overalllevel, raw = d.raw
      from jsonb_to_recordset(${JSON.stringify(h.forms)}::jsonb) as d (examformid bigint, valid smallint, overalllevel smallint, raw jsonb) where x.examformid = d.examformid),
    res as (
      insert into examresult (examformid, quotacode, examcode, musercode, cuserid, score, level, levelname, missing, domain, isprimary, submittime)
      select d.examformid, d.quotacode, ${s.examcode}, ${s.musercode}, ${s.cuserid}, d.score, d.level, d.levelname, d.missing, d.domain, d.isprimary, ${h.now}::timestamptz
      from jsonb_to_recordset(${JSON.stringify(h.results)}::jsonb) as d (examformid bigint, quotacode text, score numeric, level smallint, levelname text, missing int, domain text, isprimary smallint)),
    rep as (
      insert into report (reportcode, examcode, cuserid, musercode, appid, title, content, selfcontent, overalllevel, isshow, createtime, updatetime)
      values (${h.report.reportcode}, ${s.examcode}, ${s.cuserid}, ${s.musercode}, ${s.appid}, ${h.report.title}, ${JSON.stringify(h.report.content)}::jsonb, ${JSON.stringify(h.report.selfcontent)}::jsonb, ${h.overalllevel}::smallint, ${h.report.isshow}::smallint, ${h.now}::timestamptz, ${h.now}::timestamptz)),
    ros as (
      update taskroster set status = ${h.valid ? 2 : 4}::smallint, examcode = ${s.examcode}, submittime = ${h.now}::timestamptz where taskcode = ${s.taskcode} and cuserid = ${s.cuserid}),
    per as (
      update cuser set examcount = examcount + 1, reportcount = reportcount + 1, lastexamtime = ${h.now}::timestamptz,
        lastlevel = case when ${h.valid} then ${h.overalllevel}::smallint else lastlevel end,
        mentalstate = case when ${h.valid} and mentalstatesource = 'auto' then ${h.mentalstate}::smallint else mentalstate end, mentalstatetime = ${h.now}::timestamptz
      where cuserid = ${s.cuserid}),
    gra as (
      update cuserplan set used = used + 1, frozen = greatest(frozen - 1, 0), status = case when used + 1 >= total then 2 else status end
      where cuserplanid = ${s.cuserplanid}::bigint and status = 1 returning walletcode),
    wal as (
      update assesscount set used = used + 1, frozen = frozen - 1
      where musercode = ${s.musercode} and frozen > 0 and plancode = (select walletcode from gra)
      returning plancode, granted - used - frozen - expired as free),
    led as (
      insert into assesscountlog (musercode, plancode, cuserid, examcode, kind, qty, balance, time)
      select ${s.musercode}, wal.plancode, ${s.cuserid}, ${s.examcode}, '04', -1, wal.free, ${h.now}::timestamptz from wal)
    select count(*)::int as live from gra`.execute(scope.db);
  return rows[0]?.live === 1;
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
    .select(['reportcode', 'title', 'createtime', 'selfcontent', 'isshow'])
    .where('cuserid', '=', cuserid)
    .where('reportcode', '=', reportcode)
    .where('isshow', '=', 1)
    .executeTakeFirst();
