import { shanghaiTime } from '#domain/base/calendar.ts';
import { mentalStateOf } from '#domain/scoring/mentalState.ts';
import type { ArchiveFacts } from '#domain/person/populations.ts';
import type { ReportBasis } from '#domain/report/report.basis.ts';
import type { PersonFacts } from '#domain/scoring/scale.ts';
import { quotasOf } from '#domain/scoring/scales/library.ts';
import type { ExamResult } from '#domain/exam/exam.ts';
import type { AnsweredForm } from '#features/respond/exam/answers.ts';
import type { LoadedExam, Submission, SubmittedForm } from '#features/respond/exam/submission.queries.ts';

/** Facts about the person that conditions of a questionnaire may ask. */
export const personFacts = (person: { gender: string; gradecode: string | null }, age: number | null): PersonFacts => ({
  gender: person.gender,
  age,
  grade: person.gradecode,
});

interface SubmissionFacts {
  submitkey: string;
  /** seconds from the start to the submission */
  duration: number;
  age: number | null;
  now: Date;
}

/** What a scored exam is stored as: levels, results by score, and what its report will be made from. Pure. */
export function buildSubmission(
  exam: LoadedExam,
  forms: readonly AnsweredForm[],
  judged: ExamResult,
  { submitkey, duration, age, now }: SubmissionFacts,
): Submission {
  const gestationaldays = gestationOf(exam, now);
  return {
    exam: {
      submitkey,
      duration,
      valid: judged.valid ? 1 : 0,
      invalidreason: judged.invalidreason,
      overalllevel: judged.valid ? judged.overalllevel : judged.hasalert ? judged.alertlevel : null,
      mentalstate: mentalStateOf(judged.valid ? judged.overalllevel : null),
      hasalert: judged.hasalert ? 1 : 0,
      alertlevel: judged.alertlevel,
      isabnormal: judged.hasalert || (judged.valid && (judged.overalllevel ?? 0) >= exam.abnormalminlevel) ? 1 : 0,
      age,
      gestationaldays,
    },
    forms: forms.map((form, index) => submittedForm(form, judged, index)),
    report: {
      title: `${exam.planname}报告`,
      basis: basisOf(exam, judged, { age, gestationaldays, duration, now }),
      isshow: exam.resultshow,
    },
  };
}

/** Whole days of pregnancy; null for everybody but women who gave their last period. */
function gestationOf({ appid, archive }: LoadedExam, now: Date): number | null {
  const lastPeriod = archive['lmpdate'];
  if (appid !== '000000001' || typeof lastPeriod !== 'string') return null;
  return Math.floor((now.getTime() - Date.parse(`${lastPeriod}T00:00:00+08:00`)) / 86_400_000);
}

/** `judge` keeps the order of the forms, so the form and its result have the same index. */
function submittedForm(form: AnsweredForm, judged: ExamResult, index: number): SubmittedForm {
  const { scale, result } = judged.forms[index] as ExamResult['forms'][number];
  return {
    examformid: form.examformid,
    answers: form.answers,
    seqs: form.seqs,
    alertanswers: form.alertanswers,
    valid: result.valid && judged.valid ? 1 : 0,
    overalllevel: result.overalllevel,
    raw: result,
    results: quotasOf(scale).map(({ quotacode, scorecode, domain, isprimary }) => ({
      quotacode,
      score: result.scores[scorecode] ?? null,
      level: result.levels[scorecode] ?? null,
      levelname: result.labels[scorecode] ?? null,
      missing: result.missing[scorecode] ?? 0,
      domain,
      isprimary: isprimary ? 1 : 0,
    })),
  };
}

/** What the report says besides answers and results, as it is today. */
function basisOf(
  exam: LoadedExam,
  judged: ExamResult,
  { age, gestationaldays, duration, now }: Pick<SubmissionFacts, 'age' | 'duration' | 'now'> & { gestationaldays: number | null },
): ReportBasis {
  return {
    generatedat: shanghaiTime(now),
    institution: {
      insname: exam.insname,
      musercode: exam.musercode,
      ...(exam.hotline !== null && { hotline: exam.hotline }),
    },
    person: { name: exam.username, gender: exam.gender, age },
    exam: {
      examcode: exam.examcode,
      appid: exam.appid,
      planname: exam.planname,
      stagename: exam.stagename,
      submittime: shanghaiTime(now),
      duration,
      valid: judged.valid,
      invalidreason: judged.invalidreason,
      gestationaldays,
    },
    archive: exam.archive as ArchiveFacts,
    previous: Object.fromEntries(
      judged.forms.map(({ scale }) => [scale.formcode, exam.history.filter((test) => test.formcode === scale.formcode)]),
    ),
  };
}
