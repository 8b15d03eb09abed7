import { ageOn, shanghaiDate } from '#domain/base/calendar.ts';
import { findAgeRefusal } from '#domain/exam/questionFlow.ts';
import { checkUsable, withWording } from '#domain/scoring/licence.ts';
import type { Scale } from '#domain/scoring/scale.ts';
import { codesOf } from '#contract/menu.ts';
import { problems } from '#contract/problem.ts';
import type { Staff } from '#server/dispatch/caller.ts';
import type { Context } from '#server/dispatch/handle.ts';
import { permittedPopulations } from '#server/security/population.ts';
import { findGrant } from '#features/assess/assess.queries.ts';
import * as authorizations from '#features/assesscount/authorizations/authorize.queries.ts';
import { authorizePersons } from '#features/assesscount/authorizations/authorizePersons.ts';
import { freezeCounts } from '#features/assesscount/movement.queries.ts';
import { withScales } from '#features/form/scaleCache.ts';
import { isWithdrawn } from '#features/identity/sheet.queries.ts';
import { findPlan, findPlanForms } from '#features/plan/plan.queries.ts';
import { requirePlan } from '#features/plan/requirePlan.ts';
import { findConsentState } from '#features/respond/entry/consentState.ts';
import { fullEntryRights, type EntryWay } from '#features/staffexam/staffexam.contract.ts';
import * as queries from '#features/staffexam/staffexam.queries.ts';

/** What staff may type in for a person: the questionnaires with their licences, and the authorization that pays. */

type Ctx = Pick<Context<'staff'>, 'scope' | 'caller' | 'now' | 'cipher'>;
export type EntryPerson = NonNullable<Awaited<ReturnType<typeof queries.findPerson>>>;
export interface EntryTarget {
  cuserid: string;
  way: EntryWay;
  formcode?: string | undefined;
  plancode?: string | undefined;
  taskcode?: string | undefined;
  stagecode?: string | null | undefined;
}

const fullCodes = codesOf(fullEntryRights);
/** Whether the caller types in all ways. A class teacher only observes pupils of the own teams. */
const mayEnterAll = ({ ownTeamsOnly, codes }: Staff): boolean => !ownTeamsOnly && fullCodes.some((code) => codes.has(code));

/** The person within the caller's reach, and the ways that are open to the caller. */
export async function requirePerson(
  { scope, caller }: Ctx,
  cuserid: string,
): Promise<EntryPerson & { ways: readonly EntryWay[] }> {
  const person = await queries.findPerson(scope, cuserid);
  if (!person) throw problems.notFound({ what: '受测者' });
  if (mayEnterAll(caller)) {
    permittedPopulations(caller, person.appid);
    return { ...person, ways: ['01', '02', '03'] };
  }
  if (!caller.userid || !(await queries.isInOwnTeam(scope, cuserid, caller.userid))) throw problems.notAllowed();
  return { ...person, ways: ['01'] };
}

/** Why no result of a person may be typed in, and whether the report would wait for a consent. */
export async function findEntryState(
  ctx: Ctx,
  person: EntryPerson,
): Promise<{ refusal: string; waits: boolean; consentid: number | null }> {
  const { cuserid, enabled, deathtime, anonymizedtime } = person;
  const state = await findConsentState(ctx.scope, cuserid, ctx);
  const refusal =
    enabled !== 1 || deathtime || anonymizedtime
      ? '受测者已停用，不能录入'
      : state.isRefused
        ? '监护人没有同意参加，不能录入'
        : (await isWithdrawn(ctx.scope, [cuserid]))
          ? '本人或监护人已撤回同意，不能录入'
          : '';
  return { refusal, waits: state.isMissing || state.isGuardianOpen, consentid: state.consentid };
}

/** The person, when results may be typed in for that person in this way; refuses 110004, 130001 or 150005 otherwise. */
export async function requireEntry(ctx: Ctx, cuserid: string, way: EntryWay) {
  const person = await requirePerson(ctx, cuserid);
  if (!person.ways.includes(way)) throw problems.notAllowed();
  const state = await findEntryState(ctx, person);
  if (state.refusal) throw problems.consentMissing({ why: state.refusal });
  return { ...person, ...state };
}

/** Whether a questionnaire can be typed in this way: observations, scores of licensed paper scales, or their answers. */
export const hasWay = ({ formtype, tier }: Scale, way: EntryWay): boolean =>
  way === '01' ? formtype === '04' : formtype === '01' && tier === 'C';

/** A questionnaire of its own, in the version of today; refuses an unknown one, a missing licence and the wrong age. */
async function requireForm(ctx: Ctx, person: EntryPerson, formcode: string, way: EntryWay): Promise<queries.EntryForm> {
  const [form] = await queries.findForms(ctx.scope, { ...person, formcode });
  if (!form || !hasWay(form.definition, way)) throw problems.notFound({ what: '量表' });
  // Scores and answers of a paper copy need no wording and no proof on line (scales.md, 2.1).
  const { reasons } = checkUsable(form.definition, { accepted: form.accepted === 1, capturemode: 'score' });
  if (reasons.length > 0) throw problems.licenceMissing({ why: reasons.join('；') });
  const refusal = findAgeRefusal(form.definition, person.birthday ? ageOn(person.birthday, ctx.now) : null);
  if (refusal) throw problems.invalid({ message: refusal }, { field: 'formcode' });
  return form;
}

/** Words for the questions and options that a licence leaves empty: the number, and the points as they are printed. */
export function withPlainWords(scale: Scale): Scale {
  const optionsets = Object.fromEntries(
    Object.entries(scale.optionsets).map(([name, rows]) => [
      name,
      rows.map(([code, label, score], index) => [code, label || `第 ${index + 1} 项（${score} 分）`, score] as const),
    ]),
  );
  return { ...scale, optionsets, items: scale.items.map((item, index) => ({ ...item, t: item.t || `第 ${index + 1} 题` })) };
}

/** The name of what is typed in, and its questionnaires with words. */
export async function findEntryScales(
  ctx: Ctx,
  person: EntryPerson,
  { way, formcode, plancode, stagecode, taskcode }: EntryTarget,
): Promise<{ name: string; scales: Scale[] }> {
  if (formcode) {
    const { formname, definition, wording } = await requireForm(ctx, person, formcode, way);
    return { name: formname, scales: [withPlainWords(wording ? withWording(definition, wording) : definition)] };
  }
  if (way !== '03' || !plancode) throw problems.notFound({ what: '方案' });
  if (taskcode) return findTaskScales(ctx, person, taskcode);
  const { musercode, orgpath, appid } = person;
  const { plan, forms } = await requirePlan(ctx.scope, {
    musercode,
    orgpath,
    appid,
    plancode,
    stagecode: stagecode ?? null,
    now: ctx.now,
  });
  const rows = forms.map((form) => ({ formcode: form.formcode, formversion: form.formversion ?? form.currentversion }));
  const scales = (await withScales(ctx.scope, rows)).map(({ scale }) => withPlainWords(scale));
  return { name: plan.planname, scales };
}

/** The questionnaires of a task in the versions that it has frozen. A task goes on with a form that was retired since. */
async function findTaskScales(
  { scope, now }: Ctx,
  { cuserid }: EntryPerson,
  taskcode: string,
): Promise<{ name: string; scales: Scale[] }> {
  const grant = await requireTaskGrant(scope, cuserid, taskcode, now);
  const plan = await findPlan(scope, grant.plancode);
  const forms = (await findPlanForms(scope, grant.plancode, undefined, taskcode)).filter(
    (form) => form.stagecode === '' || form.stagecode === grant.stagecode,
  );
  const rows = forms.map((form) => ({ formcode: form.formcode, formversion: form.formversion ?? form.currentversion }));
  const scales = (await withScales(scope, rows)).map(({ scale }) => withPlainWords(scale));
  return { name: plan?.planname ?? grant.taskname, scales };
}

/** The authorization of a person in a task, as long as its sheet can be typed in. */
async function requireTaskGrant(scope: Ctx['scope'], cuserid: string, taskcode: string, now: Date) {
  const grant = (await queries.findTaskGrants(scope, cuserid, now)).find((row) => row.taskcode === taskcode);
  if (!grant) throw problems.wrongState({ why: '该受测者在这个任务中没有待录入的答卷，或任务已结束' });
  return grant;
}

/** The authorization that a sheet uses: the live one, or a new one that freezes a count. */
export async function requireGrant(ctx: Ctx, person: EntryPerson, target: EntryTarget): Promise<number> {
  const { scope, now } = ctx;
  const { cuserid, taskcode } = target;
  if (taskcode) {
    const grant = await requireTaskGrant(scope, cuserid, taskcode, now);
    if (grant.plancode !== target.plancode)
      throw problems.wrongState({ why: '该受测者在这个任务中没有待录入的答卷，或任务已结束' });
    return grant.cuserplanid;
  }
  const plancode = await requirePlancode(ctx, person, target);
  const stagecode = target.stagecode ?? '';
  const sought = { cuserid, plancode, stagecode, today: shanghaiDate(now) };
  const live = await findGrant(scope, sought);
  if (live) return live.cuserplanid;
  if (target.formcode) await freezeOne(ctx, person, { plancode, stagecode: stagecode || null });
  else {
    const { exclusions } = await authorizePersons(ctx, { cuserids: [cuserid], plancode, stagecode, total: 1 });
    const [exclusion] = exclusions;
    if (exclusion) throw problems.wrongState({ why: `不能录入：${exclusion.reason}` });
  }
  return ((await findGrant(scope, sought)) as { cuserplanid: number }).cuserplanid;
}

async function requirePlancode(ctx: Ctx, person: EntryPerson, target: EntryTarget): Promise<string> {
  if (target.formcode) {
    const { formname } = await requireForm(ctx, person, target.formcode, target.way);
    return queries.findOrCreatePlan(ctx.scope, { ...person, formcode: target.formcode, formname });
  }
  if (target.way !== '03' || !target.plancode) throw problems.notFound({ what: '方案' });
  return target.plancode;
}

/** Authorizes the person for the plan of one questionnaire, and freezes its count. */
async function freezeOne(
  { scope, caller, now }: Ctx,
  { cuserid, musercode, appid }: EntryPerson,
  { plancode, stagecode }: { plancode: string; stagecode: string | null },
): Promise<void> {
  const today = shanghaiDate(now);
  const authorization = {
    musercode,
    plancode,
    appid,
    stagecode,
    total: 1,
    begindate: today,
    enddate: null,
    grantby: caller.accountid,
    now,
  };
  const granted = await authorizations.insertAuthorizations(scope, authorization, [cuserid]);
  if (granted.length === 0) throw problems.wrongState({ why: '这份量表正在由其他人录入，请稍后再试' });
  const freeze = { musercode, plancode, cuserids: granted, operator: caller.accountid, now, today, remark: '录入结果' };
  const walletcode = await freezeCounts(scope, freeze);
  if (walletcode !== '*') await authorizations.setWallet(scope, authorization, granted, walletcode);
}
