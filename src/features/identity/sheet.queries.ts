import { sql } from 'kysely';
import type { Scope } from '#server/db/scope.ts';
import { toSeal } from '#server/sealing/textSealer.ts';
import { bandsetsOf } from '#features/bandset/inForce.queries.ts';
import type { ExamForm, LoadedExam, Submission } from '#features/respond/exam/submission.queries.ts';

/** One version of an answer to an alert item, and one answer that arrived after the submission. */
interface AnswerVersion {
  c: string;
  value: string | number | string[] | null;
  seq: number;
  time: string;
}

/** A questionnaire of a submitted sheet with everything that was ever answered. */
export type SheetForm = ExamForm & { versions: AnswerVersion[]; lateversions: AnswerVersion[] };

/** A submitted sheet as the scores, alerts and report of one person need it. */
export interface LoadedSheet extends LoadedExam {
  forms: SheetForm[];
  submittime: Date;
  duration: number | null;
  alertlevel: number;
  valid: number | null;
  gradename: string | null;
  classname: string | null;
  unitname: string | null;
  consentid: number | null;
  /** a consent of the person, or of the guardian, is missing: scores and report wait for it */
  isHidden: boolean;
}

/**
 * A submitted sheet as if this person had answered it: age, sex and earlier sheets of the person, the class of the task or else of the
 * archive. `without` names sheets that are not the person's any more.
 */
export async function loadSheet(
  scope: Scope,
  examcode: string,
  cuserid: string,
  without: readonly string[] = [],
): Promise<LoadedSheet> {
  const { rows } = await sql<LoadedSheet>`
    select e.examcode, e.status, null as submitkey, e.musercode, c.cuserid, e.appid, p.planname,
      (select s.stagename from examstage s where s.appid = e.appid and s.stagecode = e.stagecode limit 1) as stagename,
      e.starttime, e.submittime, e.duration, e.overalllevel, e.hasalert, e.alertlevel, e.valid, false as islate,
      case when s.teamcode is null then a.gradecode else s.gradecode end as gradecode,
      case when s.teamcode is null then a.gradename else s.gradename end as gradename,
      case when s.teamcode is null then a.classname else coalesce(s.classname, s.teamname) end as classname,
      a.unitname, c.username, c.gender, c.birthday,
      coalesce(a.detail || jsonb_strip_nulls(jsonb_build_object(
        'gradename', a.gradename, 'classname', a.classname, 'studentno', a.studentno, 'unitname', a.unitname,
        'lmpdate', a.lmpdate, 'edcdate', a.edcdate, 'deliverydate', a.deliverydate)), '{}') as archive,
      m.insname, m.sector, m.abnormalminlevel, k.hotline, coalesce(t.resultshow, 0) as resultshow,
      case when m.settings->'warnlevelmin' = '1' then 1 else 2 end as minwarninglevel,
      coalesce((
        select jsonb_agg(jsonb_build_object(
          'rulecode', w.rulecode, 'name', w.name, 'cond', w.cond, 'warninglevel', w.warninglevel, 'appid', w.appid)
          order by w.ordernum, w.rulecode)
        from warningrule w
        -- A rule judges only sheets from after its last change.
        where w.enabled = 1 and w.isdeleted = 0 and w.updatetime <= e.submittime
          and case when w.plancode is null then w.musercode = e.musercode
            else w.plancode = p.planroot and starts_with(e.orgpath, w.orgpath) end), '[]') as rules,
      ${bandsetsOf(sql`coalesce(e.entrytime, e.submittime)`)} as bandsets,
      (select jsonb_agg(jsonb_build_object(
          'examformid', x.examformid, 'formcode', x.formcode, 'formversion', x.formversion, 'answers', x.answers, 'seqs', x.seqs,
          'entered', x.entered, 'versions', coalesce((
            select jsonb_agg(jsonb_build_object('c', h.questionc, 'value', h.value, 'seq', h.seq, 'time', h.answertime) order by h.id)
            from examalertanswer h where h.examformid = x.examformid), '[]'),
          'lateversions', coalesce((
            select jsonb_agg(jsonb_build_object('c', l.questionc, 'value', l.value, 'seq', l.seq, 'time', l.answertime) order by l.id)
            from examlateanswer l where l.examformid = x.examformid), '[]')) order by x.ordernum)
        from examform x where x.examcode = e.examcode) as forms,
      coalesce((
        select jsonb_agg(h) from (
          select x.examcode, x.formcode, to_char(x.submittime at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"') as submittime,
            x.raw->'scores' as scores, x.raw->'levels' as levels, x.raw->'labels' as labels, x.raw->'itemscores' as itemscores,
            x.formversion, x.valid = 1 as valid
          from examform x
          where x.cuserid = c.cuserid and x.status = 2 and x.submittime < e.submittime and x.examcode <> e.examcode
            and x.examcode <> all (${[...without]}::text[])
          order by x.submittime desc limit 24) h), '[]') as history,
      c.riskflag <> 0 as opencase,
      n.consentid, n.consentid is null or exists (
        select from guardianconsent g where g.cuserid = c.cuserid and g.kind = '01' and g.status <> 1) as "isHidden"
    from examrecord e
      join cuser c on c.cuserid = ${cuserid}
      join plan p on p.plancode = e.plancode
      join muser m on m.musercode = e.musercode
      left join muserclient k on k.musercode = e.musercode
      left join assesstask t on t.taskcode = e.taskcode
      left join taskroster r on r.taskcode = e.taskcode and r.cuserid = c.cuserid
      left join assessteam s on s.teamcode = r.teamcode
      left join cuserarchive a on a.cuserid = c.cuserid and a.appid = e.appid and a.iscurrent = 1
      left join lateral (
        select o.consentid from consent o
        where o.cuserid = c.cuserid and o.scope = '01' and o.agreed = 1 and o.withdrawtime is null
        order by o.agreetime desc limit 1) n on true
    where e.examcode = ${examcode}`.execute(scope.db);
  return rows[0] as LoadedSheet;
}

/** A sheet with what decides whether it may move. */
export interface SheetRow {
  examcode: string;
  musercode: string;
  cuserid: string;
  appid: string;
  plancode: string;
  stagecode: string | null;
  taskcode: string | null;
  teamcode: string | null;
  cuserplanid: number | null;
  status: number;
  starttime: Date;
  submittime: Date | null;
  valid: number | null;
  overalllevel: number | null;
  hasalert: number;
  alertlevel: number;
}

/** Locks sheets until the transaction ends, in the order of their codes. */
export const lockSheets = (scope: Scope, examcodes: readonly string[]): Promise<SheetRow[]> =>
  scope.db
    .selectFrom('examrecord')
    .select([
      'examcode',
      'musercode',
      'cuserid',
      'appid',
      'plancode',
      'stagecode',
      'taskcode',
      'teamcode',
      'cuserplanid',
      'status',
      'starttime',
      'submittime',
      'valid',
      'overalllevel',
      'hasalert',
      'alertlevel',
    ])
    .where('examcode', 'in', [...examcodes])
    .orderBy('examcode')
    .forUpdate()
    .execute();

/** Where a sheet goes: the person, the authorization that pays for it, and the team of the task. */
export interface Placement {
  cuserid: string;
  cuserplanid: number | null;
  teamcode: string | null;
}

/** Stores a sheet as another person's, with its new scores. The database function keeps the old text of the report. */
export async function saveMovedSheet(
  scope: Scope,
  sheet: LoadedSheet,
  { cuserplanid, teamcode }: Placement,
  { exam, forms, report }: Submission,
  { moveid, now }: { moveid: number; now: Date },
): Promise<void> {
  const { gradecode, gradename, classname, unitname, gender, consentid } = sheet;
  const placed = { cuserplanid, teamcode, gradecode, gradename, classname, unitname, gender, consentid };
  const rows = forms.map(({ examformid, valid, overalllevel, raw, results }) => ({
    examformid,
    valid,
    overalllevel,
    raw,
    results,
  }));
  await sql`select access.move_sheet(${sheet.examcode}, ${sheet.cuserid}, ${JSON.stringify(placed)}::jsonb,
    ${JSON.stringify(exam)}::jsonb, ${JSON.stringify(rows)}::jsonb, ${JSON.stringify(report)}::jsonb, ${sheet.isHidden}::boolean,
    ${moveid}::bigint, ${now}::timestamptz)`.execute(scope.db);
}

/** Later sheets of a person within a year: their rules compare them with earlier ones. */
export const findLaterSheets = async (scope: Scope, cuserid: string, since: Date, without: readonly string[]) =>
  (
    await scope.db
      .selectFrom('examrecord')
      .select('examcode')
      .where('cuserid', '=', cuserid)
      .where('status', '=', 2)
      .where('submittime', '>', since)
      .where('submittime', '<', new Date(since.getTime() + 366 * 86_400_000))
      .where('examcode', 'not in', [...without])
      .orderBy('submittime')
      .execute()
  ).map(({ examcode }) => examcode);

/** Counts the sheets and reports of persons again, with the last level and state that staff may see. */
export const recountPersons = (scope: Scope, cuserids: readonly string[], now: Date) =>
  sql`update cuser c
    set examcount = n.exams, reportcount = n.exams, lastexamtime = n.last, lastlevel = v.overalllevel,
      mentalstate = case when c.mentalstatesource = 'auto' then coalesce(v.mentalstate, 0) else c.mentalstate end,
      mentalstatetime = ${now}::timestamptz
    from unnest(${[...cuserids]}::text[]) k(cuserid)
      left join lateral (
        select count(*)::int as exams, max(e.submittime) as last from examrecord e where e.cuserid = k.cuserid and e.status = 2) n on true
      left join lateral (
        select e.overalllevel, e.mentalstate from examrecord e
        where e.cuserid = k.cuserid and e.status = 2 and e.valid = 1 and e.withheld = 0
        order by e.submittime desc limit 1) v on true
    where c.cuserid = k.cuserid`.execute(scope.db);

/**
 * Opens the re-tests again that this sheet had completed by itself, and cancels the re-test that it had asked for. A follow-up that
 * staff recorded keeps its record and loses only the result.
 */
export async function reopenRetests(scope: Scope, { cuserid, examcode, submittime }: SheetRow, why: string): Promise<void> {
  await sql`update followup set status = '01', donetime = null, examcode = null, content = null
    where cuserid = ${cuserid} and examcode = ${examcode} and operator is null`.execute(scope.db);
  await sql`update followup set examcode = null, phq9total = null
    where cuserid = ${cuserid} and examcode = ${examcode} and operator is not null`.execute(scope.db);
  await sql`update followup set status = '05', content = ${toSeal(why)}
    where cuserid = ${cuserid} and planname = 'EPDS 复测' and status in ('01', '03') and createtime = ${submittime}
      and warningcode is null`.execute(scope.db);
}

/** The person who shall get a sheet of a population. */
export const findTarget = async (scope: Scope, cuserid: string, appid: string) =>
  (
    await sql<{ musercode: string; anonymizedtime: Date | null; deathtime: Date | null; hasarchive: boolean }>`
      select c.musercode, c.anonymizedtime, c.deathtime, exists (
        select from cuserarchive a
        where a.cuserid = c.cuserid and a.appid = ${appid} and a.iscurrent = 1 and a.isdeleted = 0) as hasarchive
      from cuser c where c.cuserid = ${cuserid} and c.isdeleted = 0`.execute(scope.db)
  ).rows[0];

/** Whether one of the persons has withdrawn the consent: the job deletes their sheets. */
export const isWithdrawn = async (scope: Scope, cuserids: readonly string[]): Promise<boolean> =>
  (await scope.db
    .selectFrom('withdrawal')
    .select('withdrawalid')
    .where('cuserid', 'in', [...cuserids])
    .where('resumetime', 'is', null)
    .executeTakeFirst()) !== undefined;
