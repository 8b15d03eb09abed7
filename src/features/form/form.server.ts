import { shanghaiDate, shanghaiTime } from '#domain/base/calendar.ts';
import { explainScore } from '#domain/scoring/explainScore.ts';
import type { FormType, LicenceTier } from '#domain/base/enums.ts';
import type { CodeOf } from '#domain/base/enum.ts';
import { checkUsable, toLicenceFacts } from '#domain/scoring/licence.ts';
import type { Scale } from '#domain/scoring/scale.ts';
import { nextForms, score } from '#domain/scoring/scoring.ts';
import { codeOf } from '#contract/menu.ts';
import { problems } from '#contract/problem.ts';
import { handle, type ReadContext } from '#server/dispatch/handle.ts';
import { claimFiles } from '#features/file/attachments.ts';
import * as contract from '#features/form/form.contract.ts';
import * as queries from '#features/form/form.queries.ts';
import { DRAFT, findScale, requireForm } from '#features/form/formScale.ts';

function toFormRow(record: queries.FormRecord, { caller, now }: Pick<ReadContext<'staff'>, 'caller' | 'now'>) {
  const {
    definition,
    wording,
    prooffileid,
    accepted,
    expiredate,
    versionstatus,
    isplatform: _isplatform,
    rowversion,
    copyfrom,
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
  const facts = toLicenceFacts({ accepted, prooffileid, wording, expiredate }, shanghaiDate(now));
  const reasons = rest.status === 0 ? [] : checkUsable(scale, facts).reasons;
  if (rest.status === 0) reasons.push('该量表还没有发布');
  if (rest.status === 2) reasons.push('该量表已停用');
  if (versionstatus === 3) reasons.push('现行版本已撤回，须发布新版本后才能使用');
  const mayEdit = rest.musercode === caller.musercode && caller.codes.has(codeOf('form.edit'));
  return {
    ...rest,
    formtype: formtype as CodeOf<typeof FormType>,
    tier: tier as CodeOf<typeof LicenceTier>,
    recall: recall ?? '',
    introduce: introduce ?? '',
    citation: citation ?? '',
    licenceaccepted: accepted ?? 0,
    usable: reasons.length === 0 ? 1 : 0,
    blockers: reasons,
    staffonly: scale.capturemode === 'staff' ? 1 : 0,
    copyfrom: copyfrom ?? '',
    rowversion: mayEdit ? rowversion : 0,
    hasdraft: mayEdit && rowversion > 0 ? 1 : 0,
    canedit: mayEdit ? 1 : 0,
  };
}

const getFormPageList = handle(contract.getFormPageList, async (filters, ctx) => {
  const { total, rows } = await queries.findForms(ctx.scope, ctx.caller.musercode, filters);
  return { total, rows: rows.map((row) => toFormRow(row, ctx)) };
});

const getFormDetail = handle(contract.getFormDetail, async ({ formcode, version }, ctx) => {
  const record = await requireForm(ctx, formcode);
  const definition = await findScale(ctx, record, version);
  const versions = await queries.findVersions(ctx.scope, formcode);
  return {
    ...toFormRow(record, ctx),
    version: definition.version,
    definition,
    quotas: await queries.findQuotas(ctx.scope, formcode),
    versions: versions.map(({ publishby, publishname, withdrawname, ...item }) => ({
      ...item,
      publishtime: shanghaiTime(item.publishtime),
      publishname: publishname ?? (publishby === record.musercode ? '机构账号' : ''),
      changelog: item.changelog ?? '',
      withdrawtime: item.withdrawtime && shanghaiTime(item.withdrawtime),
      withdrawname: withdrawname ?? '',
      withdrawreason: item.withdrawreason ?? '',
    })),
    licencetext: record.licencetext ?? '',
    licence: {
      acceptname: record.accepted ? (record.acceptname ?? record.acceptby ?? '') : '',
      accepttime: record.accepted && record.accepttime ? shanghaiTime(record.accepttime) : null,
      note: record.note ?? '',
      expiredate: record.expiredate,
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

/** Returns the source that the author states: in the own draft, else in the current version. */
async function findTier(ctx: ReadContext<'staff'>, record: queries.FormRecord): Promise<string> {
  const isOwn = record.musercode === ctx.caller.musercode;
  const draft = isOwn ? await queries.findVersion(ctx.scope, record.formcode, DRAFT) : undefined;
  return (draft?.definition as Scale | undefined)?.tier ?? record.tier;
}

const acceptFormLicence = handle(contract.acceptFormLicence, async ({ formcode, note, prooffileid, expiredate }, ctx) => {
  const { scope, caller, now } = ctx;
  const before = await requireForm(ctx, formcode);
  const tier = await findTier(ctx, before);
  const { musercode, accountid: acceptby } = caller;
  const acceptance = { formcode, musercode, acceptby, accepttime: now, note };
  if (tier === 'B') await queries.acceptLicence(scope, acceptance);
  else if (tier === 'C') {
    const proof = prooffileid ?? before.prooffileid;
    if (!proof) throw problems.missing({ title: '授权证明' }, { field: 'prooffileid' });
    if (!expiredate) throw problems.missing({ title: '授权到期日' }, { field: 'expiredate' });
    if (expiredate < shanghaiDate(now)) throw problems.invalid({ message: '授权到期日已过' }, { field: 'expiredate' });
    if (prooffileid) await claimFiles(ctx, [prooffileid], 'licence', { refcode: `formlicence:${formcode}` });
    await queries.saveLicence(scope, { ...acceptance, prooffileid: proof, expiredate });
  } else throw problems.wrongState({ why: '只有附条件使用和须授权的量表需要登记' });
  ctx.audit({ objectid: formcode, detail: { note, ...(expiredate && { expiredate }) } });
  return { missing: toFormRow(await requireForm(ctx, formcode), ctx).blockers };
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
