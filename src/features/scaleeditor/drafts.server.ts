import { shanghaiDate, shanghaiTime } from '#domain/base/calendar.ts';
import { emptyScale } from '#domain/scoring/editor/emptyScale.ts';
import { checkUsable, toLicenceFacts, withoutWording, withWording } from '#domain/scoring/licence.ts';
import type { Scale } from '#domain/scoring/scale.ts';
import { problems } from '#contract/problem.ts';
import { handle, type Context } from '#server/dispatch/handle.ts';
import { createDraftConflict, lockOwnForm, requireForm } from '#features/scaleeditor/ownForm.ts';
import * as contract from '#features/scaleeditor/scaleeditor.contract.ts';
import * as queries from '#features/scaleeditor/scaleeditor.queries.ts';

type StaffContext = Context<'staff'>;

const toDraft = (scale: Scale, formcode: string): Scale => ({ ...scale, formcode, version: queries.DRAFT });

/** Adds a form of the caller's institution with its first draft. */
async function createForm({ scope, caller, now }: StaffContext, scale: Scale, copyfrom: string | null) {
  const owner = { musercode: caller.musercode, isplatform: caller.musertype === '001' ? 1 : 0 };
  const formcode = await queries.addForm(scope, { ...owner, copyfrom }, scale);
  const save = { formcode, ...owner, updateby: caller.accountid, updatetime: now };
  await queries.addDraft(scope, save, toDraft(scale, formcode));
  return { formcode, rowversion: 1 };
}

const insertForm = handle(contract.insertForm, async ({ formname, formtype, appids, definition }, ctx) => {
  const empty = emptyScale(formtype, formname, appids);
  const form = await createForm(ctx, definition ? { ...definition, title: definition.title || formname } : empty, null);
  ctx.audit({ objectid: form.formcode });
  return form;
});

const updateForm = handle(contract.updateForm, async ({ formcode, rowversion, definition }, ctx) => {
  const { scope, caller, now } = ctx;
  const { musercode, isplatform, status } = await lockOwnForm(ctx, formcode);
  const scale = toDraft(definition, formcode);
  const save = { formcode, musercode, isplatform, updateby: caller.accountid, updatetime: now };
  const next =
    rowversion === 0
      ? (await queries.addDraft(scope, save, scale)) && 1
      : await queries.saveDraft(scope, save, rowversion, scale);
  if (!next) throw await createDraftConflict(scope, formcode);
  if (status === 0) await queries.updateForm(scope, formcode, scale, { updatetime: now });
  ctx.audit({ objectid: formcode, detail: { rowversion: next } });
  return { rowversion: next, updatetime: shanghaiTime(now) };
});

const copyForm = handle(contract.copyForm, async ({ formcode, version, formname }, ctx) => {
  const { scope, caller, now } = ctx;
  const form = await requireForm(ctx, formcode);
  const row = await queries.findVersion(scope, formcode, version ?? form.currentversion);
  if (!row) throw problems.notFound({ what: '量表版本' });
  const licence = await queries.findLicence(scope, formcode, caller.musercode);
  const definition = row.definition as Scale;
  const scale = licence?.wording ? withWording(definition, licence.wording) : definition;
  const isFree = scale.tier === 'A' || scale.tier === 'S';
  const mayCopyWords = isFree || checkUsable(definition, licence && toLicenceFacts(licence, shanghaiDate(now))).ok;
  const copy = mayCopyWords ? scale : withoutWording(scale);
  const title = formname ?? `${scale.title.slice(0, 45)}（副本）`;
  const result = await createForm(ctx, { ...copy, title }, formcode);
  ctx.audit({ objectid: result.formcode, detail: { copyfrom: formcode } });
  return result;
});

const deleteFormDraft = handle(contract.deleteFormDraft, async ({ formcode, rowversion }, ctx) => {
  const { status } = await lockOwnForm(ctx, formcode);
  if (!(await queries.removeDraft(ctx.scope, formcode, rowversion))) throw await createDraftConflict(ctx.scope, formcode);
  if (status === 0) await queries.removeForm(ctx.scope, formcode);
  ctx.audit({ objectid: formcode });
  return {};
});

export const draftHandlers = [insertForm, updateForm, copyForm, deleteFormDraft];
