import { sql, type RawBuilder, type SqlBool } from 'kysely';
import type { z } from 'zod';
import type { ReviewKindCode } from '#domain/exam/review.ts';
import { addDays, addHours } from '#domain/base/calendar.ts';
import { limitOffset } from '#server/db/pagination.ts';
import type { Scope } from '#server/db/scope.ts';
import { isNotSuspect } from '#server/security/suspect.ts';
import { bandsetsOf } from '#features/bandset/inForce.queries.ts';
import type { LoadedExam } from '#features/respond/exam/submission.queries.ts';
import type { getExamReviewPageList } from '#features/respond/review/review.contract.ts';

/** An exam that nobody submitted, with what judging it needs. */
export type OpenExam = Pick<
  LoadedExam,
  'examcode' | 'musercode' | 'cuserid' | 'appid' | 'sector' | 'gender' | 'birthday' | 'gradecode' | 'forms' | 'history'
> &
  Pick<LoadedExam, 'minwarninglevel' | 'bandsets'>;

/** SQL: tells whether nobody has judged the open exam `e` of task `t`, and its task is over or its last answer is 24 hours old. */
const isDue = (now: Date) => sql<boolean>`(e.status = 1 and e.judgedtime is null and e.starttime > ${addDays(now, -90)}
  and (e.starttime <= ${addHours(now, -24)} or t.status = 2 or t.endtime <= ${now})
  and (t.status = 2 or t.endtime <= ${now} or ${addHours(now, -24)} >= coalesce(
    (select max(f.answertime) from examform f where f.examcode = e.examcode), e.starttime)))`;

/**
 * SQL: the forms `r` of the last week with a positive PHQ-2 or GAD-2 whose longer form nobody submitted within 24 hours. It reads
 * the forms, because the results of an unverified child are withheld from everybody.
 */
const isUnfollowed = (now: Date) => sql<boolean>`(r.formcode in ('PHQ2', 'GAD2') and r.status = 2
  and (r.raw->'scores'->>'total')::numeric >= 3
  and r.submittime <= ${addHours(now, -24)} and r.submittime > ${addDays(now, -7)}
  and not exists (
    select from examform f
    where f.cuserid = r.cuserid and f.status = 2 and f.submittime >= r.submittime
      and f.formcode = case r.formcode when 'PHQ2' then 'PHQ9' else 'GAD7' end))`;

/** The institutions with open sheets to judge, or with rows of 待核对答卷 to tell. Disabled institutions too: a person may be at risk. */
export async function findInstitutionsWithWork(scope: Scope, now: Date): Promise<string[]> {
  const { rows } = await sql<{ musercode: string }>`
    select e.musercode from examrecord e left join assesstask t on t.taskcode = e.taskcode where ${isDue(now)}
    union select r.musercode from examform r where ${isUnfollowed(now)}
    union select v.musercode from examreview v where v.telltime is null or (v.donetime is null and v.duetime < ${now})
    order by 1`.execute(scope.db);
  return rows.map((row) => row.musercode);
}

/**
 * The open exams of an institution whose task is over, or whose last answer is 24 hours old, and that nobody has judged since their last
 * answer. Exams begun 90 days ago say too little about today; an update must not raise them all at once.
 */
export async function findOpenExams(scope: Scope, musercode: string, now: Date): Promise<OpenExam[]> {
  const { rows } = await sql<OpenExam>`
    select e.examcode, e.musercode, e.cuserid, e.appid, m.sector, c.gender, c.birthday, e.gradecode,
      case when m.settings->'warnlevelmin' = '1' then 1 else 2 end as minwarninglevel,
      ${bandsetsOf(sql`${now}::timestamptz`)} as bandsets,
      (select jsonb_agg(jsonb_build_object('examformid', f.examformid, 'formcode', f.formcode, 'formversion', f.formversion,
          'answers', f.answers, 'seqs', f.seqs) order by f.ordernum)
        from examform f where f.examcode = e.examcode) as forms,
      coalesce((
        select jsonb_agg(jsonb_build_object('formcode', h.formcode, 'submittime', h.submittime, 'scores', h.raw->'scores',
          'formversion', h.formversion, 'valid', h.valid = 1))
        from examform h where h.cuserid = e.cuserid and h.status = 2), '[]') as history
    from examrecord e
      join cuser c on c.cuserid = e.cuserid
      join muser m on m.musercode = e.musercode
      left join assesstask t on t.taskcode = e.taskcode
    where e.musercode = ${musercode} and ${isDue(now)}
    order by e.examcode`.execute(scope.db);
  return rows;
}

/** Marks an open exam as judged. A later answer makes it due again. */
export const markJudged = (scope: Scope, examcode: string, now: Date) =>
  scope.db.updateTable('examrecord').set({ judgedtime: now }).where('examcode', '=', examcode).execute();

/** Submitted exams of the last week with a positive PHQ-2 or GAD-2 whose longer form the person has not submitted within 24 hours. */
export async function findUnfollowedExams(scope: Scope, musercode: string, now: Date) {
  const { rows } = await sql<Pick<LoadedExam, 'examcode' | 'musercode' | 'cuserid' | 'appid' | 'sector' | 'birthday'>>`
    select distinct e.examcode, e.musercode, e.cuserid, e.appid, m.sector, c.birthday
    from examform r
      join examrecord e on e.examcode = r.examcode
      join cuser c on c.cuserid = e.cuserid
      join muser m on m.musercode = e.musercode
    where r.musercode = ${musercode} and e.valid = 1 and ${isUnfollowed(now)}
    order by e.examcode`.execute(scope.db);
  return rows;
}

/** Adds a sheet to the list; a sheet that is on it for the same reason stays as it is. */
export const addReview = (
  scope: Scope,
  row: {
    examcode: string;
    kind: ReviewKindCode;
    musercode: string;
    cuserid: string;
    content: string;
    createtime: Date;
    duetime: Date;
  },
) =>
  scope.db
    .insertInto('examreview')
    .values(row)
    .onConflict((conflict) => conflict.doNothing())
    .execute();

/** The rows of an institution whose psychologists got no notice yet; marks them as told. */
export const takeUntoldReviews = (scope: Scope, musercode: string, now: Date) =>
  scope.db
    .updateTable('examreview')
    .set({ telltime: now })
    .where('musercode', '=', musercode)
    .where('telltime', 'is', null)
    .returning(['reviewid', 'kind', 'duetime'])
    .execute();

/** The number of rows of an institution that nobody has finished in time. */
export const countOverdueReviews = async (scope: Scope, musercode: string, now: Date): Promise<number> =>
  (
    await scope.db
      .selectFrom('examreview')
      .select((eb) => eb.fn.countAll<number>().as('n'))
      .where('musercode', '=', musercode)
      .where('donetime', 'is', null)
      .where('duetime', '<', now)
      .executeTakeFirstOrThrow()
  ).n;

type Filters = Partial<z.output<(typeof getExamReviewPageList)['request']>>;

/** A row of the list as the database has it. */
export interface ReviewRecord {
  reviewid: number;
  examcode: string;
  kind: ReviewKindCode;
  content: string;
  cuserid: string;
  username: string;
  belongs: string;
  insname: string;
  planname: string;
  createtime: Date;
  duetime: Date;
  donetime: Date | null;
  donename: string | null;
  note: string;
  warningcode: string | null;
}

/** A page of the list. */
export async function findReviews(scope: Scope, filters: Filters): Promise<{ total: number; rows: ReviewRecord[] }> {
  const page = { page: filters.page ?? 1, pageSize: filters.pageSize ?? 200 };
  const parts: RawBuilder<SqlBool>[] = [sql`true`];
  if (filters.kind) parts.push(sql`r.kind = ${filters.kind}`);
  if (filters.done !== undefined) parts.push(filters.done === 1 ? sql`r.donetime is not null` : sql`r.donetime is null`);
  if (filters.keyword) {
    const text = `%${filters.keyword.toLowerCase().replace(/[\\%_]/g, '\\$&')}%`;
    parts.push(sql`(c.username like ${text} or c.pinyin like ${text} or c.initials like ${text})`);
  }
  const { rows } = await sql<ReviewRecord & { total: number }>`
    select (count(*) over ())::int as total, r.reviewid, r.examcode, r.kind, r.content, r.cuserid, c.username, m.insname, p.planname,
      r.createtime, r.duetime, r.donetime, r.donename, r.note,
      coalesce(nullif(concat_ws(' ', a.gradename, a.classname), ''), a.unitname, '') as belongs,
      (select w.warningcode from warning w
        where w.cuserid = r.cuserid and w.isdeleted = 0 and w.state not in ('07', '08') and ${isNotSuspect} limit 1) as warningcode
    from examreview r
      join examrecord e on e.examcode = r.examcode
      join plan p on p.plancode = e.plancode
      join cuser c on c.cuserid = r.cuserid
      join muser m on m.musercode = r.musercode
      left join cuserarchive a on a.cuserid = c.cuserid and a.appid = c.appid and a.iscurrent = 1
    where ${sql.join(parts, sql` and `)}
    order by r.donetime is not null, case when r.donetime is null then r.duetime end, r.donetime desc, r.reviewid
    ${limitOffset(page)}`.execute(scope.db);
  return { total: rows[0]?.total ?? 0, rows };
}

/** Finishes a row; undefined when it is finished or not visible to the caller. */
export const finishReview = (
  scope: Scope,
  reviewid: number,
  done: { donetime: Date; doneby: string; donename: string; note: string },
) =>
  scope.db
    .updateTable('examreview')
    .set(done)
    .where('reviewid', '=', reviewid)
    .where('donetime', 'is', null)
    .returning(['cuserid', 'examcode'])
    .executeTakeFirst();

/** Whether the caller sees the row. */
export const hasReview = async (scope: Scope, reviewid: number): Promise<boolean> =>
  (await scope.db.selectFrom('examreview').select('reviewid').where('reviewid', '=', reviewid).executeTakeFirst()) !== undefined;
