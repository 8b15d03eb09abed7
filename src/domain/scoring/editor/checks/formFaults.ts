import { archiveFieldsOf, type ArchiveFieldDef } from '#domain/person/archive.ts';
import { errorAt, type Fault } from '#domain/scoring/editor/fault.ts';
import { atomsOf } from '#domain/scoring/editor/references.ts';
import type { Item, Scale } from '#domain/scoring/scale.ts';
import { matreg } from '#domain/scoring/scales/matreg.ts';
import { oldreg } from '#domain/scoring/scales/oldreg.ts';
import { stureg } from '#domain/scoring/scales/stureg.ts';
import { workreg } from '#domain/scoring/scales/workreg.ts';

/** What the server knows beside the definition. What is absent is not checked. */
export interface CheckContext {
  /** own archive fields of the institution, by population */
  ownfields?: Readonly<Record<string, readonly ArchiveFieldDef[]>>;
  /** forms that may follow this one */
  formcodes?: readonly string[];
  /** the licence of the owner: conditions accepted, proof uploaded, past its last day */
  licence?: { accepted: boolean; proof: boolean; expired: boolean };
}

/** Errors of the form as a whole: title, ages, following forms, rules of its type and of its licence. */
export function findFormFaults(scale: Scale, context: CheckContext): Fault[] {
  const faults: Fault[] = [];
  const add = (code: string, field: string, message: string) => faults.push(errorAt(code, { part: 'form', field }, message));
  if (scale.title.trim() === '') add('form.title', 'title', '请填写量表名称');
  if (scale.agemin !== undefined && scale.agemax !== undefined && scale.agemin > scale.agemax)
    add('form.ages', 'agemin', '最小年龄大于最大年龄');
  scale.nextform?.forEach(({ formcode }, index) => {
    const place = { part: 'nextform', index, field: 'formcode' } as const;
    if (formcode === '') faults.push(errorAt('nextform.empty', place, '请选择续测的量表'));
    else if (formcode === scale.formcode) faults.push(errorAt('nextform.self', place, '续测不能是本量表'));
    else if (context.formcodes && !context.formcodes.includes(formcode))
      faults.push(errorAt('nextform.unknown', place, `量表 ${formcode} 不存在或已停用`));
  });
  for (const { c, level } of scale.alerts ?? [])
    if (level > 3) faults.push(errorAt('alerts.level', { part: 'alerts', code: c, field: 'level' }, '预警等级只能是 1 至 3'));
  return [...faults, ...findTypeFaults(scale, context), ...findLicenceFaults(scale, context)];
}

function findTypeFaults(scale: Scale, context: CheckContext): Fault[] {
  if (scale.formtype !== '02' && scale.formtype !== '03') return [];
  const name = scale.formtype === '02' ? '建档表' : '登记表';
  const faults = scale.scores.map(({ c }) => errorAt('form.scores', { part: 'scores', code: c }, `${name}不计分，请删除得分`));
  if (scale.formtype === '02') return [...faults, ...findArchiveFaults(scale, context)];
  for (const { c, when } of scale.alerts ?? []) {
    if (atomsOf(when).some((atom) => 'score' in atom || 'level' in atom))
      faults.push(errorAt('alerts.items', { part: 'alerts', code: c, field: 'when' }, '登记表的预警只能根据题目判断'));
  }
  return faults;
}

const archiveForms = [matreg, stureg, workreg, oldreg];

/** Questions of an archive form that are no field of the population, or that ask for another kind of value. */
function findArchiveFaults(scale: Scale, { ownfields }: CheckContext): Fault[] {
  const appids = scale.appids ?? [];
  const allApps = appids.length ? appids : Object.keys(archiveFieldsOf);
  const fields = allApps.flatMap((appid) => [...(archiveFieldsOf[appid] ?? []), ...(ownfields?.[appid] ?? [])]);
  const shipped = archiveForms
    .filter((form) => form.appids?.some((appid) => allApps.includes(appid)))
    .flatMap((form) => form.items.map((item) => ({ form, item })));
  return scale.items.flatMap((item) => {
    const known = shipped.find((other) => other.item.c === item.c);
    const field = fields.find(({ code }) => code === item.c);
    const place = (name: string) => ({ part: 'items', code: item.c, field: name }) as const;
    if (!known && !field) return [errorAt('archive.unknown', place('c'), `${item.c} 不是该人群的档案字段`)];
    const isFitting =
      (known && isSameKind(scale, item, known.form, known.item)) || (field !== undefined && fitsField(scale, item, field));
    return isFitting
      ? []
      : [errorAt('archive.kind', place('type'), `题型须与档案字段“${field?.title ?? known?.item.t ?? ''}”一致`)];
  });
}

const codesOf = (scale: Scale, item: Item) => (scale.optionsets[item.o ?? ''] ?? []).map(([code]) => code);

function isSameKind(scale: Scale, item: Item, otherScale: Scale, other: Item): boolean {
  if ((item.type ?? 1) !== (other.type ?? 1) || (item.input ?? 0) !== (other.input ?? 0)) return false;
  const offered = codesOf(otherScale, other);
  return codesOf(scale, item).every((code) => offered.includes(code));
}

function fitsField(scale: Scale, item: Item, { kind, choices, min, max }: ArchiveFieldDef): boolean {
  const type = item.type ?? 1;
  const input = item.input ?? 0;
  const codes = codesOf(scale, item);
  const areOffered = codes.every((code) => !choices || choices.some(([offered]) => offered === code));
  switch (kind) {
    case 'text':
      return type === 0 && (input === 0 || input === 8);
    case 'date':
      return type === 0 && input === 3;
    case 'integer': {
      const isNumber = (code: string) =>
        Number.isInteger(Number(code)) && Number(code) >= (min ?? 0) && Number(code) <= (max ?? 1e6);
      return type === 0 ? input === 1 || input === 7 : type === 1 && codes.every(isNumber);
    }
    case 'yesno':
      return type === 1 && codes.every((code) => code === '0' || code === '1');
    case 'choice':
      return type === 1 && areOffered;
    case 'list':
      return type === 2 && areOffered;
  }
}

/** A free or conditional source is named; conditions are accepted; a licence is proven and has not ended. */
function findLicenceFaults(scale: Scale, { licence }: CheckContext): Fault[] {
  const place = (field: string) => ({ part: 'licence', field }) as const;
  if ((scale.tier === 'A' || scale.tier === 'B') && !scale.citation?.trim() && !scale.licencetext?.trim())
    return [errorAt('licence.citation', place('citation'), '请填写出处或许可说明')];
  if (scale.tier === 'B' && licence && !licence.accepted)
    return [errorAt('licence.accept', place('tier'), '附条件的量表须由管理员确认接受使用条件')];
  if (scale.tier === 'C' && licence && !licence.proof)
    return [errorAt('licence.proof', place('tier'), '已获授权的量表须上传授权证明')];
  if (scale.tier === 'C' && licence?.expired) return [errorAt('licence.expired', place('tier'), '授权已到期，不能再发布新版本')];
  return [];
}
