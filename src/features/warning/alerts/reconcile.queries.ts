import { sql } from 'kysely';
import type { Scope } from '#server/db/scope.ts';

/** An exam with its raw answers and the earlier results of its person. */
export interface RawExam {
  examcode: string;
  status: number;
  valid: number | null;
  cuserid: string;
  musercode: string;
  appid: string;
  sector: string;
  gender: string;
  birthday: string | null;
  gradecode: string | null;
  submittime: Date | null;
  settings: Record<string, unknown>;
  forms: { formcode: string; definition: unknown; answers: Record<string, unknown> }[];
  history: { formcode: string; submittime: string; scores: Record<string, number | null>; valid: boolean }[];
}

/** The exams of one institution that were answered or submitted since `since`. */
export async function findRawExams(scope: Scope, musercode: string, since: Date): Promise<RawExam[]> {
  const { rows } = await sql<RawExam>`
    select e.examcode, e.status, e.valid, e.cuserid, e.musercode, e.appid, m.sector, c.gender, c.birthday,
      e.gradecode, e.submittime, m.settings,
      (select jsonb_agg(jsonb_build_object('formcode', f.formcode, 'definition', v.definition, 'answers', f.answers))
        from examform f
          left join formversion v on v.formcode = f.formcode and v.version = f.formversion
        where f.examcode = e.examcode) as forms,
      coalesce((
        select jsonb_agg(jsonb_build_object(
          'formcode', h.formcode,
          'submittime', h.submittime,
          'scores', h.raw->'scores',
          'valid', h.valid = 1))
        from examform h
        where h.cuserid = e.cuserid and h.status = 2 and h.examcode <> e.examcode
          and h.submittime < coalesce(e.submittime, now())), '[]') as history
    from examrecord e
      join cuser c on c.cuserid = e.cuserid
      join muser m on m.musercode = e.musercode
    where e.musercode = ${musercode} and e.status in (1, 2)
      and (e.submittime >= ${since}
        or exists (select from examform f where f.examcode = e.examcode and f.answertime >= ${since}))
    order by e.examcode`.execute(scope.db);
  return rows;
}

/** The result of one reconciliation of one institution. */
export interface ReconcileReport {
  at: string;
  /** number of exams scored again from their raw answers */
  checked: number;
  /** number of exams that need a case */
  called: number;
  /** codes of the cases that were missing and that this run has opened */
  gaps: string[];
}
/** Saves the last result of an institution. The duty bar shows it. */
export const saveReport = (scope: Scope, musercode: string, report: ReconcileReport) =>
  scope.db
    .insertInto('setting')
    .values({ musercode, key: 'reconcile', value: JSON.stringify(report) })
    .onConflict((oc) =>
      oc.columns(['musercode', 'key']).doUpdateSet({ value: JSON.stringify(report), updatetime: sql<Date>`now()` }),
    )
    .execute();
/** The last result of an institution; undefined before the first run. */
export const findLastReport = async (scope: Scope, musercode: string): Promise<ReconcileReport | undefined> =>
  (
    await scope.db
      .selectFrom('setting')
      .select('value')
      .where('musercode', '=', musercode)
      .where('key', '=', 'reconcile')
      .executeTakeFirst()
  )?.value as ReconcileReport | undefined;
