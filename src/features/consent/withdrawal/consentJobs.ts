import { addDays, daysBetween, shanghaiDate } from '#domain/base/calendar.ts';
import { chaseDays, eraseDay } from '#domain/exam/consent.ts';
import { platformCode } from '#domain/tenant/tenantTree.ts';
import type { Services } from '#server/dispatch/services.ts';
import { runAsSystem } from '#server/db/systemSession.ts';
import * as jobs from '#features/consent/withdrawal/consentJobs.queries.ts';
import { guardianConsentPath, notifyOfConsent } from '#features/consent/withdrawal/notices.ts';
import {
  clearThirdParties,
  eraseAnswers,
  findDueWithdrawals,
  finishWithdrawal,
} from '#features/consent/withdrawal/withdrawal.queries.ts';

/** Rows of one run; the next run takes the rest. */
const LIMIT = 200;

/**
 * Asks staff on days 1, 3 and 7 for the open consents of guardians. On day 14 deletes the withheld answers, except those of an open
 * case. Carries out withdrawals. Also works for disabled institutions. Returns the numbers.
 */
export const runConsentJobs = ({ pools }: Pick<Services, 'pools'>, now: Date) =>
  runAsSystem(pools, platformCode, async (scope) => {
    const open = await jobs.findOpenGuardianConsents(scope);
    const byInstitution = new Map<string, typeof open>();
    for (const row of open.filter((candidate) => nextChase(candidate, now) !== undefined))
      byInstitution.set(row.musercode, [...(byInstitution.get(row.musercode) ?? []), row]);
    for (const [musercode, rows] of byInstitution) {
      for (const row of rows) await jobs.saveChase(scope, row.guardianconsentid, nextChase(row, now) as number);
      await notifyOfConsent(scope, musercode, {
        title: `监护人同意待核实：${rows.length} 人`,
        content: `请用纸质同意书或电话核实。核实前分数和报告不显示；满 ${eraseDay} 天仍未核实的，回答将被删除（安全个案除外）。`,
        link: guardianConsentPath,
        key: `chase:${musercode}:${shanghaiDate(now)}`,
        now,
      });
    }
    let erased = 0;
    for (const row of open.filter(({ sincetime }) => addDays(sincetime, eraseDay) <= now)) {
      const result = await eraseAnswers(scope, row.cuserid, true, now);
      erased += result.erased;
      await jobs.saveErased(scope, row.guardianconsentid, result.kept === 0, now);
    }
    const withdrawals = await findDueWithdrawals(scope, now, LIMIT);
    for (const { withdrawalid, cuserid, time, resumetime } of withdrawals) {
      const result = await eraseAnswers(scope, cuserid, false, time);
      erased += result.erased;
      // Who agreed again works with staff again: the plan and the guardian belong to the new consent.
      const isPlanKept = resumetime === null && (await clearThirdParties(scope, cuserid));
      // An open case keeps its answers and its plan. The next run tries again.
      if (result.kept === 0 && !isPlanKept) await finishWithdrawal(scope, withdrawalid, now);
    }
    return { chased: byInstitution.size, erased };
  });

/** The latest chase day that has come and of which staff are not told yet. */
function nextChase({ sincetime, chasedday }: { sincetime: Date; chasedday: number }, now: Date): number | undefined {
  const days = daysBetween(sincetime, now);
  return chaseDays.findLast((day) => day <= days && day > chasedday);
}
