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
import { isKnown, openCase } from '#features/warning/alerts/openCase.queries.ts';
import { findRawExams, saveReport, type RawExam, type ReconcileReport } from '#features/warning/alerts/reconcile.queries.ts';
import { isMinor } from '#features/warning/warning.queries.ts';

/**
 * 零漏报对账: scores every sheet of the last 24 hours anew from its raw answers and compares what it calls for with the cases
 * there are. A gap raises its warning and is told to the administrators; the result is kept. Meant for once a night.
 * Answers the report of every institution that had sheets.
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
  const sittings = await findRawExams(scope, musercode, addHours(now, -24));
  if (sittings.length === 0) return undefined;
  const report: ReconcileReport = { at: shanghaiTime(now), checked: sittings.length, called: 0, gaps: [] };
  const own = await findCustomRules(scope, musercode);
  for (const sitting of sittings) {
    const trigger = triggerOf(sitting, own, now);
    if (!trigger) continue;
    report.called += 1;
    if (await isKnown(scope, sitting.cuserid, sitting.examcode, trigger)) continue;
    const { cuserid, appid, examcode, sector } = sitting;
    const { warningcode } = await openCase(scope, {
      cuserid,
      musercode,
      appid,
      examcode,
      trigger,
      at: now,
      minor: isMinor(sitting, now),
      sector,
    });
    report.gaps.push(warningcode);
  }
  if (report.gaps.length > 0) await notifyOfGaps(scope, musercode, report, now);
  await saveReport(scope, musercode, report);
  return report;
}

/** What the raw answers call for: alerts of single answers always, rules over scores once the sheet was handed in and is valid. */
function triggerOf(sitting: RawExam, own: readonly CustomRule[], now: Date): WarningTrigger | null {
  const person = {
    gender: sitting.gender,
    age: sitting.birthday ? ageOn(sitting.birthday, now) : null,
    grade: sitting.gradecode,
  };
  const forms: Record<string, TriggerForm> = {};
  for (const { formcode, definition, answers } of sitting.forms ?? []) {
    const scale = (definition as Scale | null) ?? scaleOf(formcode);
    if (!scale) continue;
    const outcome = score(scale, answers as Answers, person);
    if (outcome.kind !== 'invalid') forms[formcode] = { scale, result: outcome as FormResult };
  }
  const time = sitting.submittime ?? now;
  return triggerFromForms(forms, {
    rules: sitting.status === 2 && sitting.valid !== 0 ? effectiveRules(own, sitting.appid) : [],
    person,
    history: sitting.history
      .filter((test) => test.valid)
      .map((test) => ({ form: test.formcode, daysago: daysBetween(new Date(test.submittime), time), scores: test.scores })),
    minlevel: sitting.settings['warnlevelmin'] === 1 ? 1 : 2,
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
