import { shanghaiDate, shanghaiTime } from '#domain/base/calendar.ts';
import { mentalStateOf } from '#domain/scoring/mentalState.ts';
import { gestationalDays, type PregnancyDates } from '#domain/person/gestation.ts';
import type { ArchiveFacts } from '#domain/person/populations.ts';
import type { ReportBasis } from '#domain/report/report.basis.ts';
import { bandsetidsOf } from '#domain/scoring/bandset/applyBandsets.ts';
import type { Level, PersonFacts, Scale } from '#domain/scoring/scale.ts';
import { definitionBandOf } from '#domain/scoring/scoring.ts';
import { quotasOf } from '#domain/scoring/scales/library.ts';
import type { ExamResult } from '#domain/exam/exam.ts';
import type { AnsweredForm } from '#features/respond/exam/answers.ts';
import type { AlertMark, LoadedExam, Submission, SubmittedForm } from '#features/respond/exam/submission.queries.ts';

/** The facts about a person that the conditions of a questionnaire may use. */
export const personFacts = (person: { gender: string; gradecode: string | null }, age: number | null): PersonFacts => ({
  gender: person.gender,
  age,
  grade: person.gradecode,
});

interface SubmissionFacts {
  submitkey: string;
  /** the alerts of the sitting, also of answers that were changed back */
  mark: AlertMark;
  /** staff must look at the sheet */
  review: Submission['exam']['review'];
  /** seconds from the start to the submission; null for a sheet that staff typed in */
  duration: number | null;
  age: number | null;
  now: Date;
}

/** The rows of a scored exam: levels, results for each score, and the basis of its report. Pure. */
export function buildSubmission(
  exam: LoadedExam,
  forms: readonly AnsweredForm[],
  result: ExamResult,
  { submitkey, mark, review, duration, age, now }: SubmissionFacts,
): Submission {
  const hasalert = result.hasalert || exam.hasalert === 1 || mark.alertlevel > 0;
  const gestationaldays = gestationDays(exam, now);
  return {
    exam: {
      submitkey,
      duration,
      valid: result.valid ? 1 : 0,
      invalidreason: result.invalidreason,
      overalllevel: result.valid ? result.overalllevel : result.hasalert ? result.alertlevel : null,
      mentalstate: mentalStateOf(result.valid ? result.overalllevel : null),
      hasalert: hasalert ? 1 : 0,
      alertlevel: Math.max(result.alertlevel, mark.alertlevel),
      alertchanged: mark.isChanged ? 1 : 0,
      review,
      isabnormal: hasalert || (result.valid && (result.overalllevel ?? 0) >= exam.abnormalminlevel) ? 1 : 0,
      age,
      gestationaldays,
    },
    forms: forms.map((form, index) => submittedForm(form, result, index)),
    report: {
      title: `${exam.planname}报告`,
      basis: basisOf(exam, result, { age, gestationaldays, duration, now }),
      isshow: exam.resultshow,
    },
  };
}

/** Whole days of pregnancy; null after the birth and for a person without its dates. */
const gestationDays = ({ appid, archive }: LoadedExam, now: Date): number | null =>
  appid === '000000001' ? gestationalDays(archive as PregnancyDates, shanghaiDate(now)) : null;

/** The stored form. `scoreExam` keeps the order of the forms, so a form and its result have the same index. */
function submittedForm(form: AnsweredForm, result: ExamResult, index: number): SubmittedForm {
  const { scale, result: formResult } = result.forms[index] as ExamResult['forms'][number];
  return {
    examformid: form.examformid,
    answers: form.answers,
    seqs: form.seqs,
    alertanswers: form.alertanswers,
    valid: formResult.valid && result.valid ? 1 : 0,
    overalllevel: formResult.overalllevel,
    raw: formResult,
    bandsets: bandsetidsOf(scale),
    results: quotasOf(scale).map(({ quotacode, scorecode, domain, isprimary }) => ({
      quotacode,
      score: formResult.scores[scorecode] ?? null,
      level: formResult.levels[scorecode] ?? null,
      deflevel: definitionLevelOf(scale, scorecode, formResult.scores[scorecode] ?? null),
      levelname: formResult.labels[scorecode] ?? null,
      missing: formResult.missing[scorecode] ?? 0,
      domain,
      isprimary: isprimary ? 1 : 0,
    })),
  };
}

/** The level of a score by the definition; null without a score or a band. */
const definitionLevelOf = (scale: Scale, code: string, value: number | null): Level | null =>
  value === null ? null : (definitionBandOf(scale, code, value)?.[2] ?? null);

/** The facts of the report besides answers and results, as of the submission. */
function basisOf(
  exam: LoadedExam,
  result: ExamResult,
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
      valid: result.valid,
      invalidreason: result.invalidreason,
      gestationaldays,
    },
    archive: exam.archive as ArchiveFacts,
    ...(exam.reporttemplate && {
      template: { ...exam.reporttemplate.sections, templatecode: exam.reporttemplate.templatecode },
    }),
    previous: Object.fromEntries(
      result.forms.map(({ scale }) => [
        scale.formcode,
        // The report compares times as Shanghai text.
        exam.history
          .filter((test) => test.formcode === scale.formcode)
          .map((test) => ({ ...test, submittime: shanghaiTime(new Date(test.submittime)) })),
      ]),
    ),
  };
}
