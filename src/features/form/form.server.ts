import { shanghaiTime } from '#domain/base/calendar.ts';
import { explainScore } from '#domain/scoring/explainScore.ts';
import type { FormType, LicenceTier } from '#domain/base/enums.ts';
import type { CodeOf } from '#domain/base/enum.ts';
import { checkUsable, withWording, type FormWording } from '#domain/scoring/licence.ts';
import type { Scale } from '#domain/scoring/scale.ts';
import { nextForms, score } from '#domain/scoring/scoring.ts';
import { problems } from '#contract/problem.ts';
import { handle, type ReadContext } from '#server/dispatch/handle.ts';
import * as contract from '#features/form/form.contract.ts';
import * as queries from '#features/form/form.queries.ts';

/** Puts the institution's own item texts into a definition. */
const applyWording = (definition: unknown, wording: unknown): Scale =>
  wording ? withWording(definition as Scale, wording as FormWording) : (definition as Scale);

function toFormRow(record: queries.FormRecord) {
  const {
    definition,
    wording,
    prooffileid,
    accepted,
    acceptby: _by,
    accepttime: _at,
    note: _note,
    acceptname: _name,
    licencetext: _text,
    formtype,
    tier,
    recall,
    introduce,
    citation,
    ...rest
  } = record;
  const scale = definition as Scale;
  const { ok, reasons } = checkUsable(scale, {
    accepted: accepted === 1,
    proof: prooffileid !== null,
    ...(wording ? { wording: wording as FormWording } : {}),
  });
  return {
    ...rest,
    formtype: formtype as CodeOf<typeof FormType>,
    tier: tier as CodeOf<typeof LicenceTier>,
    recall: recall ?? '',
    introduce: introduce ?? '',
    citation: citation ?? '',
    licenceaccepted: accepted ?? 0,
    usable: ok ? 1 : 0,
    blockers: reasons,
    staffonly: scale.capturemode === 'staff' ? 1 : 0,
  };
}

const getFormPageList = handle(contract.getFormPageList, async (filters, { scope, caller }) => {
  const { total, rows } = await queries.findForms(scope, caller.musercode, filters);
  return { total, rows: rows.map(toFormRow) };
});

/** Finds a form; throws 130001 when there is none. */
async function requireForm({ scope, caller }: ReadContext<'staff'>, formcode: string) {
  const record = await queries.findForm(scope, caller.musercode, formcode);
  if (!record) throw problems.notFound({ what: '量表' });
  return record;
}

/** Returns the definition of a version, by default the current one, with the institution's own item texts. */
async function findScale(ctx: ReadContext<'staff'>, record: queries.FormRecord, version: string | undefined): Promise<Scale> {
  if (!version || version === record.currentversion) return applyWording(record.definition, record.wording);
  const row = await queries.findVersion(ctx.scope, record.formcode, version);
  if (!row) throw problems.notFound({ what: '量表版本' });
  return applyWording(row.definition, record.wording);
}

const getFormDetail = handle(contract.getFormDetail, async ({ formcode, version }, ctx) => {
  const record = await requireForm(ctx, formcode);
  const definition = await findScale(ctx, record, version);
  const versions = await queries.findVersions(ctx.scope, formcode);
  return {
    ...toFormRow(record),
    version: definition.version,
    definition,
    quotas: await queries.findQuotas(ctx.scope, formcode),
    versions: versions.map((item) => ({ ...item, publishtime: shanghaiTime(item.publishtime), changelog: item.changelog ?? '' })),
    licencetext: record.licencetext ?? '',
    licence: {
      acceptname: record.accepted ? (record.acceptname ?? record.acceptby ?? '') : '',
      accepttime: record.accepted && record.accepttime ? shanghaiTime(record.accepttime) : null,
      note: record.note ?? '',
    },
  };
});

const previewScore = handle(contract.previewScore, async ({ formcode, version, answers, person }, ctx) => {
  const scale = await findScale(ctx, await requireForm(ctx, formcode), version);
  const outcome = score(scale, answers, person);
  const steps = explainScore(scale, answers, person);
  if (outcome.kind === 'invalid') return { kind: outcome.kind, items: outcome.items, result: null, steps, nextforms: [] };
  const { kind, ...rest } = outcome;
  const { unanswered = [], ...result } = rest as typeof rest & { unanswered?: string[] };
  return { kind, items: unanswered, result, steps, nextforms: nextForms(scale, result, person) };
});

const acceptFormLicence = handle(contract.acceptFormLicence, async ({ formcode, note }, ctx) => {
  const { scope, caller, now } = ctx;
  const before = await requireForm(ctx, formcode);
  if (before.tier !== 'B') throw problems.wrongState({ why: '只有附条件使用的量表需要确认使用条件' });
  await queries.acceptLicence(scope, {
    formcode,
    musercode: caller.musercode,
    acceptby: caller.accountid,
    accepttime: now,
    note,
  });
  ctx.audit({ objectid: formcode, detail: { note } });
  return { missing: toFormRow(await requireForm(ctx, formcode)).blockers };
});

const getQuotaList = handle(contract.getQuotaList, ({ formcode }, { scope }) => queries.findQuotas(scope, formcode));

const getQuotaFilterConditions = handle(contract.getQuotaFilterConditions, async (filters, { scope }) => {
  const rows = await queries.findDefinitions(scope, filters);
  return rows
    .map(({ formcode, formname, definition }) => {
      const { scores, bands } = definition as Scale;
      return {
        formcode,
        formname,
        quotas: scores.flatMap(({ c, n }) => {
          const options = (bands[c] ?? []).map(([, , level, levelname]) => ({ level, levelname }));
          return options.length ? [{ quotacode: `${formcode}.${c}`, quotaname: n, options }] : [];
        }),
      };
    })
    .filter(({ quotas }) => quotas.length > 0);
});

export const formHandlers = [
  getFormPageList,
  getFormDetail,
  previewScore,
  acceptFormLicence,
  getQuotaList,
  getQuotaFilterConditions,
];
