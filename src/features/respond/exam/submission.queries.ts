import { sql } from 'kysely';
import type { CustomRule } from '#domain/warning/customRule.ts';
import type { ReportBasis } from '#domain/report/report.basis.ts';
import type { ReportTemplate } from '#domain/report/template/template.ts';
import type { Answer, Answers, BandSet, FormResult, Level } from '#domain/scoring/scale.ts';
import type { EnteredScores } from '#domain/exam/enteredScores.ts';
import type { Scope } from '#server/db/scope.ts';
import { isCodedAnswer } from '#server/sealing/sealedColumns.ts';
import { sealedJson } from '#server/sealing/textSealer.ts';

/** The statements of answering: the functions of db/schema/86_submission.sql. */

/** A questionnaire of an exam with the answers stored so far. */
export interface ExamForm {
  examformid: number;
  formcode: string;
  formversion: string;
  answers: Answers;
  /** scores that staff entered from a paper scale, instead of answers */
  entered?: EnteredScores | null | undefined;
  /** the client's sequence number of each answer */
  seqs: Readonly<Record<string, number>>;
  /** the code of the device that gave each answer; only `findForms` reads it */
  devices?: Readonly<Record<string, string>>;
  /** answers that arrived after the submission, with their sequence numbers */
  lateanswers?: Answers;
  lateseqs?: Readonly<Record<string, number>>;
}

/** An exam of the caller with everything that saving, scoring, alerts and the report depend on. */
export interface LoadedExam {
  examcode: string;
  status: number;
  submitkey: string | null;
  musercode: string;
  cuserid: string;
  appid: string;
  planname: string;
  stagename: string | null;
  starttime: Date;
  overalllevel: Level | null;
  hasalert: number;
  /** the task is over, or the authorization was withdrawn or has expired: answers are kept, a submission is refused */
  islate: boolean;
  gradecode: string | null;
  username: string;
  gender: '01' | '02';
  birthday: string | null;
  archive: Record<string, unknown>;
  insname: string;
  sector: string;
  abnormalminlevel: number;
  /** the lowest level that opens a case */
  minwarninglevel: 1 | 2;
  hotline: string | null;
  resultshow: number;
  /** the institution's own warning rules that are switched on */
  rules: CustomRule[];
  /** the template of a plan with custom reports; null for every other plan */
  reporttemplate: { templatecode: string; sections: ReportTemplate } | null;
  /** the bands in force of the institution and of those above it */
  bandsets: BandSet[];
  forms: ExamForm[];
  /** forms the person submitted before, the latest first */
  history: {
    examcode: string;
    formcode: string;
    submittime: string;
    scores: Record<string, number | null>;
    levels: Record<string, Level | null>;
    labels: Record<string, string | null>;
    itemscores: Record<string, number | null>;
    formversion: string;
    valid: boolean;
  }[];
  /** the person has a case that is not closed */
  opencase: boolean;
}

/** Locks an exam of the caller until the transaction ends and reads it; undefined when it is not the caller's. */
export async function loadExam(scope: Scope, examcode: string, time: Date): Promise<LoadedExam | undefined> {
  const { rows } = await sql<LoadedExam>`select * from submission.load_exam(${examcode}, ${time}::timestamptz)`.execute(scope.db);
  return rows[0];
}

/** What the sitting keeps about its alerts, also when the final answers show none. */
export interface AlertMark {
  /** the highest level of an alert that an answer raised; 0 without one */
  alertlevel: number;
  /** the person took back an answer that had raised an alert */
  isChanged: boolean;
}

/**
 * A filled-in answer is sealed when it has anything but a code, a number or a date: scoring in SQL, statistics and alarms count those.
 * `path` ends with the question, in `answers`, or with `value` in a list of answers.
 */
const isFreeAnswer = (text: string, name: string, path: readonly string[]): boolean =>
  !isCodedAnswer(text) &&
  (path.includes('answers') || (name === 'value' && (path.includes('late') || path.includes('alertanswers'))));

/** One version of an answer to an item that can raise an alert. */
export interface AlertAnswer {
  c: string;
  value: Answer;
  seq: number;
}

/** The answers of one form to store. */
export interface StoredAnswers {
  examformid: number;
  answers: Answers;
  seqs: Readonly<Record<string, number>>;
  /** the codes of the device that gave the answers; older entries of the form stay */
  devices?: Readonly<Record<string, string>>;
  /** versions to add to the history of alert answers */
  alertanswers: readonly AlertAnswer[];
}

/** Stores the answers of some forms of an open exam. `loadExam` must have locked it in this transaction. */
export async function saveAnswers(
  scope: Scope,
  examcode: string,
  forms: readonly StoredAnswers[],
  { alertlevel, isChanged }: AlertMark,
  time: Date,
): Promise<void> {
  const rows = forms.map(({ examformid, answers, seqs, devices, alertanswers }) => ({
    examformid,
    answers,
    seqs,
    devices,
    alertanswers,
  }));
  await sql`select submission.save_answers(${examcode}, ${sealedJson(rows, isFreeAnswer)}::jsonb, ${time}::timestamptz,
    ${alertlevel}::smallint, ${isChanged}::boolean)`.execute(scope.db);
}

/** Keeps the answers that arrived after the submission of an exam, which `loadExam` has locked. They change no result. */
export async function addLateAnswers(
  scope: Scope,
  examcode: string,
  forms: readonly { examformid: number; late: readonly AlertAnswer[]; alertanswers: readonly AlertAnswer[] }[],
  { alertlevel, isChanged }: AlertMark,
  time: Date,
): Promise<void> {
  const rows = forms.map(({ examformid, late, alertanswers }) => ({ examformid, late, alertanswers }));
  await sql`select submission.add_late_answers(${examcode}, ${sealedJson(rows, isFreeAnswer)}::jsonb, ${time}::timestamptz,
    ${alertlevel}::smallint, ${isChanged}::boolean)`.execute(scope.db);
}

/** Adds questionnaires to an open exam and returns them; it leaves out those that the person or the institution must not use. */
export const addForms = async (scope: Scope, examcode: string, formcodes: readonly string[], age: number | null, time: Date) =>
  (
    await sql<{ examformid: number; formcode: string; formversion: string }>`
      select * from submission.add_forms(${examcode}, ${[...formcodes]}::text[], ${age}::int, ${time}::timestamptz)`.execute(
      scope.db,
    )
  ).rows;

/** A scored form: its answers, its result and a row for every score. */
export interface SubmittedForm extends StoredAnswers {
  valid: 0 | 1;
  overalllevel: Level | null;
  raw: FormResult;
  /** the sets of bands that judged the form, by score; null: those of the definition */
  bandsets: Record<string, number[]> | null;
  results: {
    quotacode: string;
    score: number | null;
    level: Level | null;
    /** the level by the definition */
    deflevel: Level | null;
    levelname: string | null;
    missing: number;
    domain: string;
    isprimary: 0 | 1;
  }[];
}

/** The rows of a scored exam. */
export interface Submission {
  exam: {
    submitkey: string;
    /** seconds; null for a sheet that staff typed in */
    duration: number | null;
    valid: 0 | 1;
    invalidreason: string | null;
    overalllevel: Level | null;
    mentalstate: number;
    hasalert: 0 | 1;
    alertlevel: number;
    isabnormal: 0 | 1;
    alertchanged: 0 | 1;
    /** staff must look at the sheet: doubtful, and high all the same */
    review: { content: string; duetime: Date } | null;
    age: number | null;
    gestationaldays: number | null;
  };
  forms: SubmittedForm[];
  report: { title: string; basis: ReportBasis; isshow: number };
}

/** The report of a submitted exam. */
export const findReportOfExam = (scope: Scope, examcode: string) =>
  scope.db.selectFrom('report').select(['reportcode', 'isshow']).where('examcode', '=', examcode).executeTakeFirst();

/**
 * Stores a scored exam: answers, results, report, roster, person and count, in one statement. Returns the code of the report.
 * Returns undefined and writes nothing when the authorization was withdrawn meanwhile: a closed task or a removed person.
 */
export async function submitExam(scope: Scope, examcode: string, { exam, forms, report }: Submission, time: Date) {
  const { rows } = await sql<{ reportcode: string | null }>`
    select submission.submit_exam(${examcode}, ${JSON.stringify(exam)}::jsonb, ${sealedJson(forms, isFreeAnswer)}::jsonb,
      ${JSON.stringify(report)}::jsonb, ${time}::timestamptz) as reportcode`.execute(scope.db);
  return rows[0]?.reportcode ?? undefined;
}
