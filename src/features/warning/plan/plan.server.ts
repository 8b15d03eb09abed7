import { withMeansDuty } from '#domain/warning/safetyPlan.ts';
import { isOpen } from '#domain/warning/warningfacts.ts';
import { problems } from '#contract/problem.ts';
import { handle } from '#server/dispatch/handle.ts';
import { findCUser } from '#features/cuser/cuser.queries.ts';
import { assertVersion, lockCase, saveTransition, type StaffContext } from '#features/warning/handling/transition.ts';
import * as contract from '#features/warning/plan/plan.contract.ts';
import { findContact, findSafetyPlan } from '#features/warning/plan/plan.queries.ts';
import { saveSafetyPlan, toSafetyPlanView } from '#features/warning/plan/saveSafetyPlan.ts';
import { isMinor } from '#features/warning/warning.queries.ts';
import { findWarningRow } from '#features/warning/warninglist.queries.ts';

const insertSafetyPlan = handle(contract.insertSafetyPlan, async ({ warningcode, version, ...fields }, ctx) => {
  const lockedCase = await lockCase(ctx, warningcode);
  await assertVersion(ctx, lockedCase, version);
  if (!isOpen(lockedCase.facts)) throw problems.wrongState({ why: '预警已结束，请先重开' });
  const saved = await saveSafetyPlan(ctx, lockedCase, fields);
  const after = withMeansDuty({ ...lockedCase.facts, safetyplan: saved.fact }, ctx.now);
  const log = { action: '安全计划', content: saved.logText, detail: { planid: saved.planid } };
  return {
    ...(await saveTransition(ctx, lockedCase, after, log)),
    planid: saved.planid,
    planversion: saved.version,
    gaps: saved.gaps,
  };
});

/** The person to call on the sheet: the owner of the case, or the contact person of the institution. */
async function findPlanContact(
  { scope }: Pick<StaffContext, 'scope'>,
  { musercode, ownername, ownerphone }: { musercode: string; ownername: string | null; ownerphone: string | null },
): Promise<{ contactname: string; contactphone: string }> {
  if (ownerphone) return { contactname: ownername ?? '', contactphone: ownerphone };
  const contact = await findContact(scope, musercode);
  return { contactname: contact?.realname ?? '', contactphone: contact?.phonenumber ?? '' };
}

const getSafetyPlan = handle(contract.getSafetyPlan, async ({ planid }, ctx) => {
  const { scope, caller, now, audit } = ctx;
  if (caller.ownTeamsOnly) throw problems.notAllowed();
  const row = await findSafetyPlan(scope, planid);
  const warningRow = row && (await findWarningRow(scope, row.warningcode, now));
  const person = row && (await findCUser(scope, row.cuserid));
  if (!warningRow || !person) throw problems.notFound({ what: '安全计划' });
  audit({ cuserids: [row.cuserid], objectid: row.warningcode });
  return {
    ...toSafetyPlanView(ctx, row, isMinor(person, now)),
    warningcode: row.warningcode,
    insname: warningRow.insname,
    ...(await findPlanContact(ctx, warningRow)),
  };
});

export const safetyPlanHandlers = [insertSafetyPlan, getSafetyPlan];
