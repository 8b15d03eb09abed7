import { Appid } from '#domain/base/enums.ts';
import { archiveFieldsOf, type ArchiveFieldDef } from '#domain/person/archive.ts';
import { hasOptions, numberOptions, OWN_CODES, OwnFieldKind } from '#domain/person/ownFields.ts';
import { plainHead, type Column } from '#contract/workbook/column.ts';
import { importWorksheets } from '#contract/workbook/importSheet.ts';
import { populationsOfSheet } from '#contract/workbook/own/own.columns.ts';
import { problems } from '#contract/problem.ts';
import { handle, type Context } from '#server/dispatch/handle.ts';
import * as contract from '#features/archivefield/archivefield.contract.ts';
import type { ArchiveHead } from '#features/archivefield/archivefield.contract.ts';
import * as queries from '#features/archivefield/archivefield.queries.ts';

const INPUT_TYPES = { text: 0, integer: 3, date: 1, yesno: 0, choice: 0, list: 0 } as const;
const questionTypeOf = ({ kind }: ArchiveFieldDef) => (kind === 'choice' || kind === 'yesno' ? 1 : kind === 'list' ? 2 : 0);
const yesNo = [
  { code: '1', label: '是' },
  { code: '0', label: '否' },
];

const toHead = (field: ArchiveFieldDef, index: number): ArchiveHead => ({
  fieldcode: field.code,
  fieldname: field.title,
  kind: field.kind,
  questiontype: questionTypeOf(field),
  inputtype: INPUT_TYPES[field.kind],
  options: field.kind === 'yesno' ? yesNo : (field.choices ?? []).map(([code, label]) => ({ code, label })),
  ordernum: index + 1,
  inlist: field.inList ? 1 : 0,
  inexport: field.isExported === false ? 0 : 1,
  insearch: field.inSearch ? 1 : 0,
  required: field.isRequired ? 1 : 0,
  sensitive: field.isSensitive ? 1 : 0,
  own: field.isOwn ? 1 : 0,
});

const getCUserArchiveHeadList = handle(contract.getCUserArchiveHeadList, async ({ appid, musercode }, { scope, caller }) => {
  const ownFieldsOf = await queries.findOwnFields(scope, musercode ?? caller.musercode);
  return [...(archiveFieldsOf[appid] ?? []), ...ownFieldsOf(appid)].map(toHead);
});

const getArchiveFieldList = handle(contract.getArchiveFieldList, async ({ appid }, { scope, caller }) => {
  const rows = await queries.findAllOwnFields(scope, caller.musercode, appid);
  const uses = await queries.countUses(scope, caller.musercode, appid);
  return rows.map((row) => ({ ...row, options: [...row.options], used: uses.get(row.fieldcode) ?? 0 }));
});

const sheetKindOf = (appid: string) =>
  appid === Appid.students ? 'students' : appid === Appid.maternity ? 'maternity' : ('adults' as const);
/** The sheets of persons that bring archives of a population. */
const sheetsOf = (appid: string) => [importWorksheets[sheetKindOf(appid)], importWorksheets.roster];

/**
 * Refuses a name that another field of the population or a column of its import has: a sheet could not tell them apart. Template C has
 * one column for a name, so its populations use a name with one kind.
 */
async function assertNameFree(
  { scope, caller }: Pick<Context<'staff'>, 'scope' | 'caller'>,
  { appid, fieldname, kind, fieldid }: { appid: string; fieldname: string; kind: string; fieldid?: number },
) {
  const sheets = sheetsOf(appid).flatMap((sheet) => sheet.columns as readonly Column[]);
  const others = (await queries.findAllOwnFields(scope, caller.musercode, appid)).filter((field) => field.fieldid !== fieldid);
  const taken = [
    ...sheets.flatMap(({ head, aliases = [] }) => [head, ...aliases]),
    ...(archiveFieldsOf[appid] ?? []).map(({ title }) => title),
    ...others.map((field) => field.fieldname),
  ].map(plainHead);
  if (taken.includes(plainHead(fieldname)))
    throw problems.duplicate({ what: `档案或导入模板中“${fieldname}”` }, { field: 'fieldname' });
  const ownFieldsOf = await queries.findOwnFields(scope, caller.musercode);
  const beside = populationsOfSheet(sheetKindOf(appid), appid)
    .flatMap((other) => (other === appid ? [] : ownFieldsOf(other)))
    .find(({ title }) => plainHead(title) === plainHead(fieldname));
  if (beside && beside.kind !== kind)
    throw problems.invalid(
      { message: `另一人群的“${fieldname}”是${OwnFieldKind.label(beside.kind)}，同名字段请用同样的类型` },
      { field: 'fieldname' },
    );
}

const requireOptions = (kind: string, options: readonly { label: string }[]) => {
  if (hasOptions(kind) && options.length < 2) throw problems.invalid({ message: '请至少填写两个选项' }, { field: 'options' });
  if (new Set(options.map(({ label }) => label)).size < options.length)
    throw problems.invalid({ message: '选项不能重复' }, { field: 'options' });
};

const insertArchiveField = handle(contract.insertArchiveField, async ({ options, ...field }, ctx) => {
  const { scope, caller } = ctx;
  if (!archiveFieldsOf[field.appid]) throw problems.notFound({ what: '人群' });
  await assertNameFree(ctx, field);
  requireOptions(field.kind, options);
  const taken = new Set((await queries.findAllOwnFields(scope, caller.musercode, field.appid)).map(({ fieldcode }) => fieldcode));
  const fieldcode = OWN_CODES.find((code) => !taken.has(code));
  if (!fieldcode) throw problems.wrongState({ why: '每个人群最多 10 个自定义字段（含已隐藏的）' });
  const { fieldid } = await queries.addOwnField(scope, {
    ...field,
    musercode: caller.musercode,
    fieldcode,
    options: hasOptions(field.kind) ? numberOptions(options.map(({ label }) => ({ label }))) : [],
  });
  ctx.audit({ objectid: String(fieldid), detail: { appid: field.appid, fieldcode, fieldname: field.fieldname } });
  return { fieldid, fieldcode };
});

const updateArchiveField = handle(contract.updateArchiveField, async ({ fieldid, version: _, options, ...changes }, ctx) => {
  const { scope, caller } = ctx;
  const field = await queries.lockOwnField(scope, caller.musercode, fieldid);
  if (!field) throw problems.notFound({ what: '档案字段' });
  if (changes.fieldname !== undefined) await assertNameFree(ctx, { ...field, fieldname: changes.fieldname });
  const numbered = options && hasOptions(field.kind) ? numberOptions(options) : undefined;
  if (numbered) {
    requireOptions(field.kind, numbered);
    const kept = new Set(numbered.map(({ code }) => code));
    const used = await queries.findUsedOptions(scope, { musercode: caller.musercode, ...field });
    const lost = field.options.find(({ code }) => !kept.has(code) && used.has(code));
    if (lost) throw problems.inUse({ why: `已有档案选择“${lost.label}”，不能删除这个选项；可以改名` }, { field: 'options' });
  }
  const set = {
    ...Object.fromEntries(Object.entries(changes).filter(([, value]) => value !== undefined)),
    ...(numbered ? { options: numbered } : {}),
  };
  if (Object.keys(set).length === 0) throw problems.invalid({ message: '没有需要修改的内容' });
  await queries.changeOwnField(scope, fieldid, set);
  ctx.audit({ objectid: String(fieldid), detail: { changed: Object.keys(set) } });
  return {};
});

const deleteArchiveField = handle(contract.deleteArchiveField, async ({ fieldid }, ctx) => {
  const { scope, caller } = ctx;
  const field = await queries.lockOwnField(scope, caller.musercode, fieldid);
  if (!field) throw problems.notFound({ what: '档案字段' });
  const isUsed = ((await queries.countUses(scope, caller.musercode, field.appid)).get(field.fieldcode) ?? 0) > 0;
  if (isUsed) await queries.changeOwnField(scope, fieldid, { enabled: 0 });
  else await queries.removeOwnField(scope, fieldid);
  ctx.audit({ objectid: String(fieldid), detail: { fieldname: field.fieldname, hidden: isUsed } });
  return { hidden: isUsed ? 1 : 0 };
});

export const archiveFieldHandlers = [
  getCUserArchiveHeadList,
  getArchiveFieldList,
  insertArchiveField,
  updateArchiveField,
  deleteArchiveField,
];
