import { shanghaiTime } from '#domain/calendar.ts';
import { mentalStateOf } from '#domain/level.ts';
import type { ReportBasis } from '#domain/report.basis.ts';
import type { Answers, PersonFacts, Scale } from '#domain/scale.ts';
import { quotasOf } from '#domain/scales/library.ts';
import { judge } from '#domain/sitting.ts';
import type { ArchiveFacts } from '#domain/populations.ts';
import type { HandIn, SittingRow } from '#features/respond/exam.queries.ts';

/** Facts about the person that conditions of a questionnaire may ask. */
export const personFacts = (person: { gender: string; gradecode: string | null }, age: number | null): PersonFacts => ({
  gender: person.gender,
  age,
  grade: person.gradecode,
});

interface AnsweredForm {
  examformid: number;
  scale: Scale;
  answers: Answers;
}

/** What a complete sitting amounts to: levels, indicators and what its report will be made from. Pure. */
export function handInOf(
  sitting: SittingRow,
  forms: readonly AnsweredForm[],
  person: PersonFacts,
  age: number | null,
  submitkey: string,
  now: Date,
): HandIn {
  const duration = Math.max(0, Math.round((now.getTime() - new Date(sitting.starttime).getTime()) / 1000));
  const judged = judge(forms, person, duration);
  const level = judged.valid ? judged.overalllevel : judged.hasalert ? judged.alertlevel : null;
  const lmp = sitting.archive['lmpdate'];
  const gestationaldays =
    sitting.appid === '000000001' && typeof lmp === 'string'
      ? Math.floor((now.getTime() - Date.parse(`${lmp}T00:00:00+08:00`)) / 86_400_000)
      : null;
  const basis: ReportBasis = {
    generatedat: shanghaiTime(now),
    institution: {
      insname: sitting.insname,
      musercode: sitting.musercode,
      ...(sitting.hotline !== null && { hotline: sitting.hotline }),
    },
    person: { name: sitting.username, gender: sitting.gender, age },
    exam: {
      examcode: sitting.examcode,
      appid: sitting.appid,
      planname: sitting.planname,
      stagename: sitting.stagename,
      submittime: shanghaiTime(now),
      duration,
      valid: judged.valid,
      invalidreason: judged.invalidreason,
      gestationaldays,
    },
    archive: sitting.archive as ArchiveFacts,
    previous: Object.fromEntries(
      forms.map(({ scale }) => [scale.formcode, sitting.history.filter((test) => test.formcode === scale.formcode)]),
    ),
  };
  return {
    sitting,
    submitkey,
    now,
    valid: judged.valid,
    invalidreason: judged.invalidreason,
    overalllevel: level as HandIn['overalllevel'],
    mentalstate: mentalStateOf(judged.valid ? judged.overalllevel : null),
    hasalert: judged.hasalert,
    alertlevel: judged.alertlevel,
    isabnormal: judged.hasalert || (judged.valid && (judged.overalllevel ?? 0) >= sitting.abnormalminlevel),
    duration,
    age,
    gestationaldays,
    forms: judged.forms.map(({ examformid, result }) => ({
      examformid,
      valid: result.valid && judged.valid ? 1 : 0,
      overalllevel: result.overalllevel,
      raw: result,
    })),
    results: judged.forms.flatMap(({ examformid, scale, result }) =>
      quotasOf(scale).map((quota) => ({
        examformid,
        quotacode: quota.quotacode,
        score: result.scores[quota.scorecode] ?? null,
        level: result.levels[quota.scorecode] ?? null,
        levelname: result.labels[quota.scorecode] ?? null,
        missing: result.missing[quota.scorecode] ?? 0,
        domain: quota.domain,
        isprimary: quota.isprimary ? 1 : 0,
      })),
    ),
    report: { title: `${sitting.planname}报告`, basis, isshow: sitting.resultshow },
  };
}
