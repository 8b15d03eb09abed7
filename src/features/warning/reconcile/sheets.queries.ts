import { sql } from 'kysely';
import type { AnswerVersion, OwnRule, SheetForm } from '#domain/reconcile/sheet.ts';
import { NEXT_FORM_HOURS } from '#domain/reconcile/expectSheet.ts';
import { formTable, TABLE_MAJOR } from '#domain/reconcile/formTable.ts';
import type { Scope } from '#server/db/scope.ts';

/** SQL: the major version of an answered form. */
const majorOf = (form: 'x' | 'f') => sql`split_part(${sql.ref(`${form}.formversion`)}, '.', 1)`;
/** SQL: whether the table has no row for an answered form, or its row describes another major version. */
const isOutsideTable = (form: 'x' | 'f') =>
  sql<boolean>`(${sql.ref(`${form}.formcode`)} <> all(${Object.keys(formTable)}::text[]) or ${majorOf(form)} <> ${TABLE_MAJOR})`;

/** Sheets and cases of one page. */
export const PAGE_SIZE = 200;

/** An exam with its raw answers, every version of its alert answers, and the person's earlier answers. */
export interface SheetRow {
  examcode: string;
  status: number;
  valid: number | null;
  withheld: number;
  cuserid: string;
  appid: string;
  planroot: string;
  gender: string;
  birthday: string | null;
  gradecode: string | null;
  starttime: Date;
  /** the submission, else the last answer */
  time: Date;
  taskend: Date | null;
  /** when the sheet moved to this person; its earlier cases belong to another one */
  movetime: Date | null;
  judgedtime: Date | null;
  forms: StoredForm[];
  earlier: (StoredForm & { time: string })[];
  formsafter: string[];
}
/** Times of JSON are texts. */
type StoredVersion = Omit<AnswerVersion, 'time'> & { time: string };
type StoredForm = Omit<SheetForm, 'versions' | 'late'> & {
  versions?: StoredVersion[] | null;
  late?: StoredVersion[] | null;
};

/** The sheets of one pass: those that changed since a time, or those whose window ended at that time or later. */
export interface SheetRange {
  kind: 'hourly' | 'nightly';
  since: Date;
}

/**
 * A page of the sheets of an institution after `cursor`. The hourly pass reads sheets that were submitted or answered since `since`; the
 * nightly pass also those of tasks that end at `since` or later, and those without a task that began since then.
 */
export async function findSheets(
  scope: Scope,
  musercode: string,
  { kind, since }: SheetRange,
  deltaForms: readonly string[],
  cursor: string,
): Promise<SheetRow[]> {
  const isChanged = sql`(e.submittime >= ${since} or e.movetime >= ${since} or exists (
    select from examform f where f.examcode = e.examcode and (f.answertime >= ${since} or exists (
      select from examlateanswer l where l.examformid = f.examformid and l.answertime >= ${since}))))`;
  const range =
    kind === 'hourly'
      ? isChanged
      : sql`(case when e.taskcode is null then e.starttime >= ${since}
          else (select t.endtime >= ${since} from assesstask t where t.taskcode = e.taskcode) end or ${isChanged})`;
  const { rows } = await sql<SheetRow>`
    with page as (
      select e.examcode, e.status, e.valid, e.withheld, e.cuserid, e.appid, e.gradecode, e.submittime, e.starttime, e.judgedtime,
        e.taskcode, e.movetime, e.plancode
      from examrecord e
      where e.musercode = ${musercode} and e.examcode > ${cursor} and e.status <> 0 and ${range}
        -- An anonymised person has no answers to judge.
        and not exists (select from cuser g where g.cuserid = e.cuserid and g.anonymizedtime is not null)
      order by e.examcode
      limit ${PAGE_SIZE})
    select p.examcode, p.status, p.valid, p.withheld, p.cuserid, p.appid, q.planroot, c.gender, c.birthday, p.gradecode,
      p.starttime, p.judgedtime,
      p.movetime,
      (select case when t.status = 2 then least(t.closetime, t.endtime) else t.endtime end
        from assesstask t where t.taskcode = p.taskcode) as taskend,
      coalesce(p.submittime, a.answertime, p.starttime) as time,
      coalesce(a.forms, '[]') as forms,
      coalesce((
        select jsonb_agg(jsonb_build_object(
          'formcode', h.formcode, 'major', h.major, 'answers', h.answers, 'entered', h.entered, 'time', h.submittime,
          'definition', h.definition))
        from (
          select x.formcode, ${majorOf('x')} as major, x.answers, x.entered, x.submittime,
            case when ${isOutsideTable('x')} then v.definition end as definition
          from examform x
            left join formversion v on v.formcode = x.formcode and v.version = x.formversion
          where x.cuserid = p.cuserid and x.status = 2 and x.valid = 1 and x.examcode <> p.examcode
            and x.formcode = any(${[...deltaForms]}::text[])
          order by x.submittime desc
          limit 24) h), '[]') as earlier,
      case when p.status = 2 and a.isshort then array(
        select distinct x.formcode from examform x
        where x.cuserid = p.cuserid and x.status = 2 and x.submittime > p.submittime
          and x.submittime <= p.submittime + make_interval(hours => ${NEXT_FORM_HOURS})) else '{}' end as formsafter
    from page p
      join cuser c on c.cuserid = p.cuserid
      join plan q on q.plancode = p.plancode
      left join lateral (
        select max(f.answertime) as answertime, bool_or(f.formcode in ('PHQ2', 'GAD2')) as isshort,
          jsonb_agg(jsonb_build_object(
            'formcode', f.formcode,
            'major', ${majorOf('f')},
            'answers', f.answers,
            'entered', f.entered,
            'definition', case when ${isOutsideTable('f')} then v.definition end,
            'versions', (
              select jsonb_agg(jsonb_build_object('item', h.questionc, 'value', h.value, 'seq', h.seq, 'time', h.answertime))
              from examalertanswer h
              where h.examformid = f.examformid),
            'late', (
              select jsonb_agg(jsonb_build_object('item', l.questionc, 'value', l.value, 'seq', l.seq, 'time', l.answertime)
                order by l.id)
              from examlateanswer l
              where l.examformid = f.examformid)) order by f.ordernum) as forms
        from examform f
          left join formversion v on v.formcode = f.formcode and v.version = f.formversion
        where f.examcode = p.examcode) a on true
    order by p.examcode`.execute(scope.db);
  return rows;
}

/**
 * The highest level for which each of these exams has raised a case, by the copies of the case log. A sheet that moved to another person
 * must have raised it again since.
 */
export async function findRaisedLevels(scope: Scope, examcodes: readonly string[]): Promise<Map<string, number>> {
  if (examcodes.length === 0) return new Map();
  const rows = await scope.db
    .selectFrom('casewitness as s')
    .innerJoin('examrecord as e', 'e.examcode', 's.examcode')
    .select(['s.examcode', (eb) => eb.fn.max('s.triggerlevel').as('level')])
    .where('s.examcode', 'in', [...examcodes])
    .where((eb) => eb.or([eb('e.movetime', 'is', null), eb('s.time', '>=', eb.ref('e.movetime'))]))
    .groupBy('s.examcode')
    .execute();
  return new Map(rows.map((row) => [row.examcode ?? '', row.level ?? 0]));
}

/** The enabled rules of an institution and of plans from above. A rule judges only sheets from after its last change. */
export async function findOwnRules(scope: Scope, musercode: string): Promise<OwnRule[]> {
  const rows = await scope.db
    .selectFrom('warningrule as w')
    .innerJoin('muser as m', (join) => join.on('m.musercode', '=', musercode))
    .select(['w.rulecode', 'w.cond', 'w.warninglevel', 'w.appid', 'w.plancode', 'w.updatetime as since'])
    .where((eb) =>
      eb.or([
        eb.and([eb('w.plancode', 'is', null), eb('w.musercode', '=', musercode)]),
        eb.and([eb('w.plancode', 'is not', null), sql<boolean>`starts_with(m.orgpath, w.orgpath)`]),
      ]),
    )
    .where('w.isdeleted', '=', 0)
    .where('w.enabled', '=', 1)
    .execute();
  return rows.map((row) => ({ ...row, cond: row.cond as unknown as OwnRule['cond'] }));
}
