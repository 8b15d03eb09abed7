import { shanghaiDate, shanghaiTime } from '#domain/base/calendar.ts';
import { judgeOpenSheets } from '#domain/exam/openSheet.ts';
import { reviewDue, ReviewKind, type ReviewKindCode } from '#domain/exam/review.ts';
import { withBandsInForce } from '#domain/scoring/bandset/applyBandsets.ts';
import type { CustomRule } from '#domain/warning/customRule.ts';
import { jobReasons } from '#domain/warning/platformRules.ts';
import { platformCode } from '#domain/tenant/tenantTree.ts';
import type { WarningTrigger } from '#domain/warning/warningtrigger.ts';
import { runAsSystem } from '#server/db/systemSession.ts';
import type { Scope } from '#server/db/scope.ts';
import type { Services } from '#server/dispatch/services.ts';
import { withScales } from '#features/form/scaleCache.ts';
import { contextOf, raiseAlert } from '#features/respond/exam/raiseAlert.ts';
import { personAt } from '#features/respond/exam/sitting.ts';
import * as queries from '#features/respond/review/review.queries.ts';
import { attempt } from '#server/db/attempt.ts';
import { notifyOfFailures, type JobFailure } from '#features/warning/alerts/jobFailures.ts';
import { isTriggerKnown } from '#features/warning/alerts/openCase.queries.ts';
import { addNotices } from '#features/warning/alerts/notify.queries.ts';
import { findStaff, findWarningSettings, type WarningSettings } from '#features/warning/duty/duty.queries.ts';
import { findCustomRules } from '#features/warning/rules/rule.queries.ts';

/** The result of one run over all institutions. */
export interface OpenSheetsResult {
  judged: number;
  raised: number;
  /** sheets, or whole institutions, whose run failed; the run continued with the others */
  failed: JobFailure[];
}

/**
 * Judges the sheets that were left open, when their task is over or 24 hours after the last answer: opens cases, lists sheets that
 * staff must look at, and tells the psychologists. The recurring job calls it; running it twice changes nothing.
 */
export async function judgeAllOpenSheets(services: Pick<Services, 'pools'>, now: Date): Promise<OpenSheetsResult> {
  const result: OpenSheetsResult = { judged: 0, raised: 0, failed: [] };
  const institutions = await runAsSystem(services.pools, platformCode, (scope) => queries.findInstitutionsWithWork(scope, now));
  for (const musercode of institutions) {
    try {
      const { judged, raised, failed } = await runAsSystem(services.pools, musercode, (scope) =>
        judgeInstitution(scope, musercode, now),
      );
      result.judged += judged;
      result.raised += raised;
      result.failed.push(...failed.map((failure) => ({ musercode, ...failure })));
    } catch (error) {
      result.failed.push({ musercode, error: error instanceof Error ? error.message : String(error) });
    }
  }
  await notifyOfFailures(services, '未交答卷的判断', result.failed, now);
  return result;
}

async function judgeInstitution(scope: Scope, musercode: string, now: Date) {
  const exams = await queries.findOpenExams(scope, musercode, now);
  const unfollowed = await queries.findUnfollowedExams(scope, musercode, now);
  const settings = await findWarningSettings(scope, musercode);
  const rules = exams.length > 0 ? await findCustomRules(scope, musercode) : [];
  const failed: Omit<JobFailure, 'musercode'>[] = [];
  const run = async (work: () => Promise<number>, code: string) => {
    const outcome = await attempt(scope, work);
    if (!outcome.ok) failed.push({ code, error: outcome.error });
    return outcome.ok ? outcome.value : 0;
  };
  let raised = 0;
  for (const exam of exams) raised += await run(() => judgeExam(scope, exam, { rules, settings, now }), exam.examcode);
  for (const exam of unfollowed) raised += await run(() => raiseUnfollowed(scope, exam, now), exam.examcode);
  await tellPsychologists(scope, musercode, settings, now);
  return { judged: exams.length - failed.length, raised, failed };
}

/** The trigger of a positive short form without its longer form (R12). */
export const unfollowedTrigger: WarningTrigger = {
  source: '01',
  level: 2,
  itemtrigger: false,
  rulecodes: [jobReasons.unfollowed.c],
  alerts: [],
  alertmsgs: [jobReasons.unfollowed.n],
};

/** Opens the case of a positive short form without its longer form. Returns 1 when the log does not contain it yet. */
async function raiseUnfollowed(
  scope: Scope,
  exam: Awaited<ReturnType<typeof queries.findUnfollowedExams>>[number],
  now: Date,
): Promise<number> {
  if (await isTriggerKnown(scope, exam.cuserid, exam.examcode, unfollowedTrigger)) return 0;
  await raiseAlert(scope, exam, unfollowedTrigger, now);
  return 1;
}

/** Judges one exam. Returns 1 when its answers call for a case. */
async function judgeExam(
  scope: Scope,
  exam: queries.OpenExam,
  { rules, settings, now }: { rules: CustomRule[]; settings: WarningSettings; now: Date },
): Promise<number> {
  // This locks the exam before the case, as answering does: two transactions cannot wait for each other.
  await queries.markJudged(scope, exam.examcode, now);
  const { person } = personAt(exam, now);
  const forms = withBandsInForce(await withScales(scope, exam.forms), exam, person);
  const { trigger, isStopped, isDoubtful } = judgeOpenSheets(forms, person, contextOf({ ...exam, rules }, person, now, true));
  const kinds: [ReviewKindCode, boolean, string][] = [
    [ReviewKind.stopped, isStopped, '未交卷，停在有关安全的题目，或清空了该题的回答。请当面了解情况'],
    [ReviewKind.doubtful, isDoubtful, '未交卷，作答存疑，但已答部分达到重度。请核对并安排重测'],
    [ReviewKind.unsubmitted, trigger !== null, '未交卷，已答部分达到预警界值。已建立个案或并入个案'],
  ];
  for (const [kind, isListed, content] of kinds) {
    if (!isListed) continue;
    const { examcode, musercode, cuserid } = exam;
    const duetime = reviewDue(now, settings.trigger.calendar);
    await queries.addReview(scope, { examcode, kind, musercode, cuserid, content, createtime: now, duetime });
  }
  await raiseAlert(scope, exam, trigger, now);
  return trigger ? 1 : 0;
}

/** Tells the psychologists of new rows at once, and of overdue rows once a day. Without a psychologist the administrators get it. */
async function tellPsychologists(scope: Scope, musercode: string, { roster }: WarningSettings, now: Date): Promise<void> {
  const rows = await queries.takeUntoldReviews(scope, musercode, now);
  const overdueCount = await queries.countOverdueReviews(scope, musercode, now);
  if (rows.length === 0 && overdueCount === 0) return;
  const staff = await findStaff(scope, musercode, roster, now);
  const psychologists = staff.filter((item) => item.roles.includes('psychologist'));
  const recipients = psychologists.length > 0 ? psychologists : staff.filter((item) => item.roles.includes('insadmin'));
  const due = new Date(Math.min(...rows.map((row) => row.duetime.getTime())));
  const texts = [
    ...(rows.length > 0
      ? [
          {
            key: `new:${rows.map((row) => row.reviewid).join(',')}`,
            title: `新增 ${rows.length} 份待核对答卷`,
            content: `${[...new Set(rows.map((row) => ReviewKind.label(row.kind)))].join('、')}，请在 ${shanghaiTime(due).slice(0, 16)} 前核对。`,
          },
        ]
      : []),
    ...(overdueCount > 0
      ? [
          {
            key: `overdue:${shanghaiDate(now)}`,
            title: `${overdueCount} 份待核对答卷已超时`,
            content: '请今天核对，并写下核对结果。',
          },
        ]
      : []),
  ];
  await addNotices(
    scope,
    recipients.flatMap(({ userid }) =>
      texts.map(({ key, title, content }) => ({
        musercode,
        userid,
        kind: 'warning' as const,
        title,
        content,
        link: '/earlyWarning/reviews',
        dedupekey: `review:${key}:${userid}`,
        createtime: now,
      })),
    ),
  );
}
