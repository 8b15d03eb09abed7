import { shanghaiDate, shanghaiTime } from '#domain/base/calendar.ts';
import { explainScore } from '#domain/scoring/explainScore.ts';
import type { FormType, LicenceTier } from '#domain/base/enums.ts';
import type { CodeOf } from '#domain/base/enum.ts';
import { checkUsable, toLicenceFacts, withoutWording, withWording, type FormWording } from '#domain/scoring/licence.ts';
import type { Scale } from '#domain/scoring/scale.ts';
import { nextForms, score } from '#domain/scoring/scoring.ts';
import { codeOf } from '#contract/menu.ts';
import { problems } from '#contract/problem.ts';
import { handle, type ReadContext } from '#server/dispatch/handle.ts';
import { claimFiles } from '#features/file/attachments.ts';
import * as contract from '#features/form/form.contract.ts';
import * as queries from '#features/form/form.queries.ts';

/** Puts the institution's own item texts into a definition. */
const applyWording = (definition: unknown, wording: unknown): Scale =>
  wording ? withWording(definition as Scale, wording as FormWording) : (definition as Scale);

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

/** Finds a form; throws 130001 when there is none. */
async function requireForm({ scope, caller }: ReadContext<'staff'>, formcode: string) {
  const record = await queries.findForm(scope, caller.musercode, formcode);
  if (!record) throw problems.notFound({ what: '量表' });
  return record;
}

const DRAFT = 'draft';

/** Returns the draft without the institution's uploaded texts: an editor saves what it reads. Only the owner's editors read it. */
async function findDraft({ scope, caller }: ReadContext<'staff'>, { formcode, musercode }: queries.FormRecord): Promise<Scale> {
  const mayRead = musercode === caller.musercode && caller.codes.has(codeOf('form.edit'));
  const row = mayRead ? await queries.findVersion(scope, formcode, DRAFT) : undefined;
  if (!row) throw problems.notFound({ what: '量表草稿' });
  return row.definition as Scale;
}

/** Returns the definition of a version, by default the current one, with the institution's own item texts. */
async function findScale(ctx: ReadContext<'staff'>, record: queries.FormRecord, version: string | undefined): Promise<Scale> {
  if ((version ?? record.currentversion) === DRAFT) return findDraft(ctx, record);
  const row =
    !version || version === record.currentversion ? record : await queries.findVersion(ctx.scope, record.formcode, version);
  if (!row) throw problems.notFound({ what: '量表版本' });
  const scale = applyWording(row.definition, record.wording);
  // The platform's copyrighted forms have no texts. Texts of another institution's form need an own licence.
  const isOpen = record.tier !== 'C' || record.isplatform === 1 || record.musercode === ctx.caller.musercode;
  return isOpen || checkUsable(scale, toLicenceFacts(record, shanghaiDate(ctx.now))).ok ? scale : withoutWording(scale);
}

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
