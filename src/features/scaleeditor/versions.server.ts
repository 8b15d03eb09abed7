import { shanghaiDate } from '#domain/base/calendar.ts';
import { compareVersions, nextVersion } from '#domain/scoring/editor/compareVersions.ts';
import { emptyScale } from '#domain/scoring/editor/emptyScale.ts';
import { faultKey, type Fault } from '#domain/scoring/editor/fault.ts';
import { findFaults } from '#domain/scoring/editor/findFaults.ts';
import { checkUsable, toLicenceFacts, withoutWording } from '#domain/scoring/licence.ts';
import type { Scale } from '#domain/scoring/scale.ts';
import { problems } from '#contract/problem.ts';
import { handle, type ReadContext } from '#server/dispatch/handle.ts';
import { requireTrial } from '#features/replaytrial/trial.ts';
import { createDraftConflict, lockOwnForm, requireForm } from '#features/scaleeditor/ownForm.ts';
import * as contract from '#features/scaleeditor/scaleeditor.contract.ts';
import * as queries from '#features/scaleeditor/scaleeditor.queries.ts';

type StaffContext = Pick<ReadContext<'staff'>, 'scope' | 'caller' | 'now'>;

/** Returns a version of a form, or refuses (130001). */
async function requireVersion({ scope }: Pick<StaffContext, 'scope'>, formcode: string, version: string): Promise<Scale> {
  const row = await queries.findVersion(scope, formcode, version);
  if (!row) throw problems.notFound({ what: version === queries.DRAFT ? '量表草稿' : '量表版本' });
  return row.definition as Scale;
}

/** Returns the findings about a definition: those of the domain, with the institution's licence and the forms that may follow. */
async function findFaultsOf({ scope, caller, now }: StaffContext, scale: Scale): Promise<Fault[]> {
  const row = scale.formcode ? await queries.findLicence(scope, scale.formcode, caller.musercode) : undefined;
  const facts = row ? toLicenceFacts(row, shanghaiDate(now)) : {};
  return findFaults(scale, {
    formcodes: scale.nextform?.length ? await queries.findPublishedCodes(scope) : [],
    licence: { accepted: facts.accepted ?? false, proof: facts.proof ?? false, expired: facts.expired !== undefined },
  });
}

const checkForm = handle(contract.checkForm, async ({ formcode, definition }, ctx) => {
  if (formcode) await requireForm(ctx, formcode);
  if (!formcode && !definition) throw problems.missing({ title: '量表' }, { field: 'formcode' });
  const scale = definition ?? (await requireVersion(ctx, formcode ?? '', queries.DRAFT));
  return { faults: await findFaultsOf(ctx, formcode ? { ...scale, formcode } : scale) };
});

/** Returns a version as the caller may read it: copyrighted texts of another institution need an own licence. */
async function readVersion(ctx: StaffContext, form: { formcode: string; musercode: string }, version: string): Promise<Scale> {
  const scale = await requireVersion(ctx, form.formcode, version);
  if (scale.tier !== 'C' || form.musercode === ctx.caller.musercode) return scale;
  const row = await queries.findLicence(ctx.scope, form.formcode, ctx.caller.musercode);
  return checkUsable(scale, row && toLicenceFacts(row, shanghaiDate(ctx.now))).ok ? scale : withoutWording(scale);
}

/** Returns the difference of two versions. A first version is compared with an empty one. */
const compare = (before: Scale | undefined, after: Scale) =>
  compareVersions(before ?? emptyScale(after.formtype, after.title), after);

const getFormDiff = handle(contract.getFormDiff, async ({ formcode, from, to }, ctx) => {
  const form = await requireForm(ctx, formcode);
  const hasDraft = (await queries.findVersion(ctx.scope, formcode, queries.DRAFT)) !== undefined;
  const newer = to ?? (hasDraft ? queries.DRAFT : form.currentversion);
  const older = from ?? (form.status === 0 ? undefined : form.currentversion);
  const before = older === undefined ? undefined : await readVersion(ctx, form, older);
  const after = await readVersion(ctx, form, newer);
  const { changes, size } = compare(before, after);
  const nextversion = form.status === 0 ? nextVersion(undefined, size) : nextVersion(form.currentversion, size);
  return { from: older ?? '', to: newer, changes, size, nextversion };
});

const publishForm = handle(contract.publishForm, async ({ formcode, rowversion, changelog, notices }, ctx) => {
  const { scope, caller, now } = ctx;
  const form = await lockOwnForm(ctx, formcode);
  const draft = await queries.findVersion(scope, formcode, queries.DRAFT);
  if (draft?.rowversion !== rowversion) throw await createDraftConflict(scope, formcode);
  const scale = draft.definition as Scale;
  const faults = await findFaultsOf(ctx, scale);
  const errors = faults.filter(({ kind }) => kind === 'error');
  if (errors.length)
    throw problems.invalid(
      { message: `还有 ${errors.length} 处错误，改正后才能发布` },
      { field: 'definition', data: { faults: errors } },
    );
  const unticked = faults.filter((fault) => fault.kind === 'notice' && !notices.includes(faultKey(fault)));
  if (unticked.length)
    throw problems.invalid(
      { message: `还有 ${unticked.length} 条提示没有确认` },
      { field: 'notices', data: { faults: unticked } },
    );
  const current = form.status === 0 ? undefined : await requireVersion(ctx, formcode, form.currentversion);
  const { size } = compare(current, scale);
  if (current && size === 'none') throw problems.wrongState({ why: '草稿与现行版本没有差别，不需要发布' });
  // The author of a change of scores or levels must have seen which persons it would flag.
  if (current && size === 'major') await requireTrial(ctx, { kind: 'version', formcode, definitionhash: draft.definitionhash });
  const version = nextVersion(current && form.currentversion, size);
  const published: Scale = { ...scale, version };
  const row = { formcode, rowversion, publishby: caller.accountid, publishtime: now, changelog };
  if (!(await queries.publishDraft(scope, row, published))) throw await createDraftConflict(scope, formcode);
  await queries.saveQuotas(scope, { musercode: form.musercode, isplatform: form.isplatform }, published);
  const status = form.status === 0 ? { status: 1 } : {};
  await queries.updateForm(scope, formcode, published, { updatetime: now, currentversion: version, ...status });
  ctx.audit({ objectid: formcode, detail: { version, size, changelog } });
  return { version };
});

const withdrawForm = handle(contract.withdrawForm, async ({ formcode, version, reason }, ctx) => {
  const { scope, caller, now } = ctx;
  await lockOwnForm(ctx, formcode);
  const row = { formcode, version, withdrawby: caller.accountid, withdrawtime: now, withdrawreason: reason };
  if (!(await queries.withdrawVersion(scope, row))) {
    const found = await queries.findVersion(scope, formcode, version);
    if (!found) throw problems.notFound({ what: '量表版本' });
    throw problems.wrongState({ why: version === queries.DRAFT ? '草稿还没有发布，可直接删除' : '该版本已经撤回' });
  }
  const persons = await queries.countPersons(scope, formcode, version);
  ctx.audit({ objectid: formcode, detail: { version, reason, persons } });
  return { persons };
});

const retireForm = handle(contract.retireForm, async ({ formcode }, ctx) => {
  const { status } = await lockOwnForm(ctx, formcode);
  if (status !== 1) throw problems.wrongState({ why: status === 0 ? '量表还没有发布，可删除草稿' : '量表已经停用' });
  await queries.setFormStatus(ctx.scope, formcode, 2, ctx.now);
  ctx.audit({ objectid: formcode });
  return {};
});

const restoreForm = handle(contract.restoreForm, async ({ formcode }, ctx) => {
  const { status } = await lockOwnForm(ctx, formcode);
  if (status !== 2) throw problems.wrongState({ why: '量表没有停用' });
  await queries.setFormStatus(ctx.scope, formcode, 1, ctx.now);
  ctx.audit({ objectid: formcode });
  return {};
});

export const versionHandlers = [checkForm, getFormDiff, publishForm, withdrawForm, retireForm, restoreForm];
