import type { z } from 'zod';
import { Appid, Gender } from '#domain/base/enums.ts';
import { mapInOrder } from '#domain/base/inOrder.ts';
import { scorecodeOf } from '#domain/scoring/bandset/applyBandsets.ts';
import { findBandFaults, isOverlapping } from '#domain/scoring/bandset/checkBandset.ts';
import { findTextFaults } from '#domain/scoring/bandset/checkTexts.ts';
import type { BandOption, Level, Scale } from '#domain/scoring/scale.ts';
import { problems } from '#contract/problem.ts';
import { handle, type Context, type ReadContext } from '#server/dispatch/handle.ts';
import * as contract from '#features/bandset/bandset.contract.ts';
import { listOptions } from '#features/bandset/listOptions.ts';
import * as queries from '#features/bandset/bandset.queries.ts';

type StaffContext = Context<'staff'>;
type Form = Awaited<ReturnType<typeof queries.findScales>>[number];

const getQuotaFormOptionList = handle(contract.getQuotaFormOptionList, async (filters, ctx) => {
  const rows = await listOptions(ctx, filters);
  const { page, pageSize } = filters;
  return { total: rows.length, rows: rows.slice((page - 1) * pageSize, page * pageSize) };
});

/** Finds the form of a score with bands; throws 130001 when there is none. */
async function requireForm({ scope }: ReadContext<'staff'>, quotacode: string): Promise<Form & { code: string }> {
  const code = scorecodeOf(quotacode);
  const [form] = await queries.findScales(scope, quotacode.slice(0, quotacode.indexOf('.')));
  if (!form?.scale.bands[code]?.length) throw problems.notFound({ what: '有分级的得分' });
  return { ...form, code };
}

/** Refuses texts that no reader may get, at their field. */
function assertTexts(
  options: readonly Parameters<typeof findTextFaults>[0][],
  scale: Scale,
  path: (index: number, field: string) => string,
) {
  const faults = options.flatMap((option, index) => findTextFaults(option, scale).map((fault) => ({ ...fault, index })));
  const [first] = faults;
  if (first) throw problems.invalid({ message: first.message }, { field: path(first.index, first.field), data: { faults } });
}

const ownerOf = ({ caller }: StaffContext) => ({
  isplatform: caller.musertype === '001' ? 1 : 0,
  updateby: caller.accountid,
});

interface PopulationInput {
  appid?: string | null | undefined;
  gender?: string | null | undefined;
  agemin?: number | null | undefined;
  agemax?: number | null | undefined;
}

/** The key of a set of the caller. Refuses ages in the wrong order and populations that the form excludes. */
function keyOf(
  { caller }: StaffContext,
  quotacode: string,
  { appid = null, gender = null, agemin = null, agemax = null }: PopulationInput,
  scale: Scale,
) {
  if (agemin !== null && agemax !== null && agemin > agemax)
    throw problems.invalid({ message: '最大年龄应不小于最小年龄' }, { field: 'agemax' });
  if (appid !== null && scale.appids?.length && !scale.appids.includes(appid))
    throw problems.invalid({ message: '该量表不适用于所选人群' }, { field: 'appid' });
  return { quotacode, musercode: caller.musercode, appid, gender, agemin, agemax };
}

const insertQuotaFormOption = handle(contract.insertQuotaFormOption, async (request, ctx) => {
  const { scope } = ctx;
  const { quotacode, options, originids = [], ...rest } = request;
  const { scale } = await requireForm(ctx, quotacode);
  const key = keyOf(ctx, quotacode, rest, scale);
  const given = options ?? [toSingleRow(rest)];
  assertTexts(given, scale, (index, field) => (options ? `options.${index}.${field}` : field));
  const before = new Set((await queries.lockSetOf(scope, key)).map(({ optionid }) => optionid));
  const origins = await findOrigins(ctx, quotacode);
  const updateby = ctx.caller.accountid;
  const rows = given.map((row, index) => ({ ...row, index, ordernum: options ? index + 1 : before.size + 1 }));
  const optionids = await mapInOrder(rows, async ({ optionid, index, ordernum, ...row }) => {
    const option = { ...toStored(row), ordernum };
    if (optionid !== undefined && before.delete(optionid)) {
      await queries.changeOption(scope, optionid, { ...option, updateby });
      return optionid;
    }
    const originid = originids[index] ?? null;
    const origintime = originid === null ? undefined : origins.get(originid);
    const origin = origintime ? { originid, origintime } : { originid: null, origintime: null };
    return queries.addOption(scope, key, ownerOf(ctx), { ...option, ...origin });
  });
  if (options) await queries.deleteOptions(scope, [...before], updateby);
  await queries.markSet(scope, key, 0);
  const [optionid = 0] = optionids;
  ctx.audit({ objectid: String(optionid), detail: { quotacode, count: optionids.length } });
  return { optionid, optionids };
});

type GivenOption = z.output<typeof contract.bandOption>;

/** The row of a request for one band. Refuses a request that names neither a band nor `options`. */
function toSingleRow({ minscore = null, maxscore = null, level, levelname, ...texts }: Partial<Unset<GivenOption>>): GivenOption {
  if (level === undefined) throw problems.missing({ title: '等级' }, { field: 'level' });
  if (!levelname) throw problems.missing({ title: '等级名称' }, { field: 'levelname' });
  const { comment, staffcomment, suggestion } = texts;
  return { minscore, maxscore, level, levelname, comment, staffcomment, suggestion };
}
type Unset<T> = { [K in keyof T]: T[K] | undefined };

/** A row as the table has it: an empty text is null. */
const toStored = ({ minscore, maxscore, level, levelname, comment, staffcomment, suggestion }: GivenOption): BandOption => ({
  minscore,
  maxscore,
  level: level as Level,
  levelname,
  comment: comment || null,
  staffcomment: staffcomment || null,
  suggestion: suggestion || null,
});

/** The rows in force above the caller, with the time since when they are in force. */
async function findOrigins({ scope, caller }: StaffContext, quotacode: string): Promise<Map<number, Date>> {
  const sets = await queries.findSetsInForce(scope, caller.musercode, quotacode.slice(0, quotacode.indexOf('.')));
  return new Map(
    sets
      .filter((set) => set.quotacode === quotacode && set.musercode !== caller.musercode)
      .flatMap((set) => set.options.map(({ optionid }) => [optionid, set.validfrom])),
  );
}

const updateQuotaFormOption = handle(
  contract.updateQuotaFormOption,
  async ({ optionid, version: _, enabled, ...changes }, ctx) => {
    const { scope, caller } = ctx;
    const found = (await queries.lockSet(scope, caller.musercode, optionid)) ?? (await copySet(ctx, optionid));
    if (!found) throw problems.notFound({ what: '等级行' });
    const { row } = found;
    const form = await requireForm(ctx, row.quotacode);
    const sent = Object.fromEntries(Object.entries(changes).filter(([, value]) => value !== undefined)) as Partial<BandOption>;
    assertTexts([sent], form.scale, (_index, field) => field);
    if (Object.keys(sent).length > 0) {
      await queries.changeOption(scope, row.optionid, { ...sent, updateby: caller.accountid });
      await queries.markSet(scope, row, 0);
    }
    if (enabled === 1) await switchOn(ctx, form, row.optionid);
    if (enabled === 0) {
      await queries.closeSet(scope, row, ctx.now);
      await queries.markSet(scope, row, 0);
    }
    const copied = row.optionid === optionid ? 0 : 1;
    ctx.audit({
      objectid: String(row.optionid),
      detail: { quotacode: row.quotacode, changed: Object.keys(sent), ...(enabled !== undefined && { enabled }) },
    });
    return { optionid: row.optionid, copied };
  },
);

/** Copies the set of a row in force above the caller, as a draft. Refuses to replace an own set for the same persons. */
async function copySet(ctx: StaffContext, optionid: number) {
  const { scope, caller } = ctx;
  const sets = await queries.findSetsInForce(scope, caller.musercode);
  const above = sets.find(
    (set) => set.musercode !== caller.musercode && set.options.some((option) => option.optionid === optionid),
  );
  if (!above) return undefined;
  const { quotacode, appid, gender, agemin, agemax } = above;
  const key = { quotacode, musercode: caller.musercode, appid, gender, agemin, agemax };
  if ((await queries.lockSetOf(scope, key)).length > 0)
    throw problems.duplicate({ what: '本机构对同一人群的分级，请直接修改；' });
  const copies = await mapInOrder(
    above.options.map((option, index) => ({ ...option, ordernum: index + 1 })),
    async ({ optionid: originid, ordernum, ...option }) => ({
      originid,
      optionid: await queries.addOption(scope, key, ownerOf(ctx), {
        ...toStored(option),
        ordernum,
        originid,
        origintime: above.validfrom,
      }),
    }),
  );
  const copy = copies.find(({ originid }) => originid === optionid);
  return copy && queries.lockSet(scope, caller.musercode, copy.optionid);
}

const personsText = ({ appid, gender, agemin, agemax }: queries.Population) =>
  [
    appid === null ? '全部人群' : Appid.label(appid),
    gender === null ? '' : Gender.label(gender),
    agemin === null && agemax === null ? '' : `${agemin ?? 0}–${agemax ?? ''} 岁`,
  ]
    .filter(Boolean)
    .join(' · ');

/** Checks the set of a row as a whole and switches it on; closes the state that was in force before. */
async function switchOn(ctx: StaffContext, { scale, code, currentversion, formcode }: Form & { code: string }, optionid: number) {
  const { scope, caller, now } = ctx;
  const set = await queries.lockSet(scope, caller.musercode, optionid);
  if (!set) throw problems.notFound({ what: '等级行' });
  const { row, rows } = set;
  const others = (await queries.findSetsInForce(scope, caller.musercode, formcode)).filter(
    (other) => other.quotacode === row.quotacode,
  );
  const above = others.filter((other) => other.musercode !== caller.musercode && isOverlapping(other, row));
  const faults = findBandFaults(scale, code, rows, above);
  const [first] = faults;
  if (first) {
    const more = faults.length > 1 ? `（另有 ${faults.length - 1} 处）` : '';
    const field = first.index === undefined ? 'options' : `options.${first.index}.${first.field}`;
    throw problems.invalid({ message: `${first.message}${more}` }, { field, data: { faults } });
  }
  const rival = others.find((other) => other.musercode === caller.musercode && isAmbiguous(other, row));
  if (rival)
    throw problems.invalid({ message: `年龄与已启用的“${personsText(rival)}”重叠，请先停用其中一个` }, { field: 'agemin' });
  // A trial of this content must be known here before the set is switched on (rule sandbox).
  await queries.closeSet(scope, row, now);
  await queries.addSet(scope, row, {
    formcode,
    formversion: currentversion,
    isplatform: caller.musertype === '001' ? 1 : 0,
    options: rows.map((option) => ({ optionid: option.optionid, ...toStored(option) })),
    validfrom: now,
    createby: caller.accountid,
  });
  await queries.markSet(scope, row, 1);
}

/** Whether two sets of one institution fit a person equally well, with different ages. */
const isAmbiguous = (a: queries.Population, b: queries.Population): boolean =>
  a.appid === b.appid &&
  a.gender === b.gender &&
  (a.agemin !== b.agemin || a.agemax !== b.agemax) &&
  (a.agemin !== null || a.agemax !== null) &&
  (b.agemin !== null || b.agemax !== null) &&
  isOverlapping(a, b);

const deleteQuotaFormOption = handle(contract.deleteQuotaFormOption, async ({ optionid, whole }, ctx) => {
  const { scope, caller } = ctx;
  const set = await queries.lockSet(scope, caller.musercode, optionid);
  if (!set) throw problems.notFound({ what: '等级行' });
  const inForce = await queries.findSetsInForce(scope, caller.musercode, set.row.formcode);
  if (inForce.some((other) => other.options.some((option) => set.rows.some((row) => row.optionid === option.optionid))))
    throw problems.inUse({ why: '这套分级正在使用，请先停用再删除' });
  const rows = whole === 1 ? set.rows : [set.row];
  await queries.deleteOptions(
    scope,
    rows.map((row) => row.optionid),
    caller.accountid,
  );
  ctx.audit({ objectid: String(optionid), detail: { quotacode: set.row.quotacode, count: rows.length } });
  return {};
});

export const bandsetHandlers = [getQuotaFormOptionList, insertQuotaFormOption, updateQuotaFormOption, deleteQuotaFormOption];
