import { addHours, ageOn, daysBetween, shanghaiDate, shanghaiTime } from '#domain/base/calendar.ts';
import { effectiveRules, type CustomRule } from '#domain/warning/customRule.ts';
import type { Answers, FormResult, Scale } from '#domain/scoring/scale.ts';
import { scaleOf } from '#domain/scoring/scales/library.ts';
import { score } from '#domain/scoring/scoring.ts';
import { triggerFromForms, type TriggerForm, type WarningTrigger } from '#domain/warning/warningtrigger.ts';
import type { Scope } from '#server/db/scope.ts';
import type { Services } from '#server/dispatch/services.ts';
import { runAsSystem, activeInstitutions } from '#server/db/systemSession.ts';
import { findStaff } from '#features/warning/duty/duty.queries.ts';
import { addNotices } from '#features/warning/alerts/notify.queries.ts';
import { findCustomRules } from '#features/warning/rules/rule.queries.ts';
import { isTriggerKnown, openCase } from '#features/warning/alerts/openCase.queries.ts';
import { findRawExams, saveReport, type RawExam, type ReconcileReport } from '#features/warning/alerts/reconcile.queries.ts';
import { isMinor } from '#features/warning/warning.queries.ts';

/**
 * 零漏报对账, once a night: scores every exam of the last 24 hours again from its raw answers and looks for its case. It opens each
 * missing case, notifies administrators and psychologists, and saves the result. Returns the report of each institution with exams.
 */
export async function reconcileWarnings(
  services: Pick<Services, 'pools'>,
  now: Date,
): Promise<{ reports: Record<string, ReconcileReport>; failed: { musercode: string; error: string }[] }> {
  const reports: Record<string, ReconcileReport> = {};
  const failed: { musercode: string; error: string }[] = [];
  for (const musercode of await activeInstitutions(services.pools)) {
    try {
      const report = await runAsSystem(services.pools, musercode, (scope) => reconcileInstitution(scope, musercode, now));
      if (report) reports[musercode] = report;
    } catch (error) {
      failed.push({ musercode, error: error instanceof Error ? error.message : String(error) });
    }
  }
  return { reports, failed };
}

async function reconcileInstitution(scope: Scope, musercode: string, now: Date): Promise<ReconcileReport | undefined> {
  const exams = await findRawExams(scope, musercode, addHours(now, -24));
  if (exams.length === 0) return undefined;
  const report: ReconcileReport = { at: shanghaiTime(now), checked: exams.length, called: 0, gaps: [] };
  const customRules = await findCustomRules(scope, musercode);
  for (const exam of exams) {
    const trigger = findTrigger(exam, customRules, now);
    if (!trigger) continue;
    report.called += 1;
    if (await isTriggerKnown(scope, exam.cuserid, exam.examcode, trigger)) continue;
    const { cuserid, appid, examcode, sector } = exam;
    const { warningcode } = await openCase(scope, {
      cuserid,
      musercode,
      appid,
      examcode,
      trigger,
      time: now,
      isMinor: isMinor(exam, now),
      sector,
    });
    report.gaps.push(warningcode);
  }
  if (report.gaps.length > 0) await notifyOfGaps(scope, musercode, report, now);
  await saveReport(scope, musercode, report);
  return report;
}

/** The trigger of an exam by its raw answers: alerts of single answers always, rules only for a submitted and valid exam. */
function findTrigger(exam: RawExam, customRules: readonly CustomRule[], now: Date): WarningTrigger | null {
  const person = {
    gender: exam.gender,
    age: exam.birthday ? ageOn(exam.birthday, now) : null,
    grade: exam.gradecode,
  };
  const forms: Record<string, TriggerForm> = {};
  for (const { formcode, definition, answers } of exam.forms ?? []) {
    const scale = (definition as Scale | null) ?? scaleOf(formcode);
    if (!scale) continue;
    const outcome = score(scale, answers as Answers, person);
    if (outcome.kind !== 'invalid') forms[formcode] = { scale, result: outcome as FormResult };
  }
  const time = exam.submittime ?? now;
  return triggerFromForms(forms, {
    rules: exam.status === 2 && exam.valid !== 0 ? effectiveRules(customRules, exam.appid) : [],
    person,
    history: exam.history
      .filter((pastForm) => pastForm.valid)
      .map((pastForm) => ({
        form: pastForm.formcode,
        daysago: daysBetween(new Date(pastForm.submittime), time),
        scores: pastForm.scores,
      })),
    minlevel: exam.settings['warnlevelmin'] === 1 ? 1 : 2,
  });
}

async function notifyOfGaps(scope: Scope, musercode: string, report: ReconcileReport, now: Date) {
  const staff = await findStaff(scope, musercode, {}, now);
  await addNotices(
    scope,
    staff
      .filter((item) => item.roles.includes('insadmin') || item.roles.includes('psychologist'))
      .map((item) => ({
        musercode,
        userid: item.userid,
        kind: 'warning' as const,
        title: `零漏报对账：补建 ${report.gaps.length} 条预警`,
        content: `核对 ${report.checked} 份答卷，发现未及时建立的预警：${report.gaps.join('、')}，已补建，请立即处理。`,
        link: '/earlyWarning/earlyWarningLevel',
        dedupekey: `reconcile:${shanghaiDate(now)}:${report.gaps.join(',')}:${item.userid}`,
        createtime: now,
      })),
  );
}
