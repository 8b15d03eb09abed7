import { Appid, FormPurpose, FormType, InputType, LicenceTier, QuestionType } from '#domain/base/enums.ts';
import { expand } from '#domain/scoring/condition.ts';
import { conditionText, scoreText } from '#domain/scoring/scoringText.ts';
import type { Cond, Item, Scale, ScoreDef } from '#domain/scoring/scale.ts';

/** The fields that versions are compared by, in the words of the editor. */

/** How far a change reaches into results. */
export type Size = 'major' | 'minor' | 'patch' | 'none';

/** One field of a row: its words, and the value behind them where words are not exact. */
export interface Field<T> {
  name: string;
  size: Size;
  textOf: (row: T, scale: Scale) => string;
  exactOf?: (row: T, scale: Scale) => unknown;
}

const field = <T>(
  size: Size,
  name: string,
  textOf: Field<T>['textOf'],
  exactOf?: NonNullable<Field<T>['exactOf']>,
): Field<T> => ({ name, size, textOf, ...(exactOf && { exactOf }) });

/** A field with a condition. A range of items stands for its items, because another order changes them. */
export const conditionField = <T>(size: Size, name: string, condOf: (row: T) => Cond | undefined, without: string): Field<T> =>
  field(
    size,
    name,
    (row, scale) => {
      const cond = condOf(row);
      return cond ? conditionText(scale, cond) : without;
    },
    (row, scale) => {
      const cond = condOf(row);
      return cond ? exactCondition(cond, scale) : undefined;
    },
  );

function exactCondition(cond: Cond, scale: Scale): unknown {
  if ('all' in cond) return { all: cond.all.map((part) => exactCondition(part, scale)) };
  if ('any' in cond) return { any: cond.any.map((part) => exactCondition(part, scale)) };
  if ('not' in cond) return { not: exactCondition(cond.not, scale) };
  return 'count' in cond ? { ...cond, count: [...expand(cond.count, scale.items)].sort() } : cond;
}

const words = (text: string | undefined) => text ?? '';
const number = (value: number | undefined) => (value === undefined ? '' : String(value));
const yesNo = (value: boolean | undefined) => (value ? '是' : '否');

export const fieldsOfForm: readonly Field<Scale>[] = [
  field('patch', '名称', (form) => form.title),
  field('patch', '英文名称', (form) => words(form.entitle)),
  field('major', '类型', (form) => FormType.label(form.formtype)),
  field('minor', '许可', (form) => LicenceTier.label(form.tier)),
  field('patch', '时间范围', (form) => words(form.recall)),
  field('patch', '指导语', (form) => words(form.instruction)),
  field('patch', '许可说明', (form) => words(form.licencetext)),
  field('patch', '出处', (form) => words(form.citation)),
  field('patch', '时长', (form) => number(form.minutes)),
  field('patch', 'LOINC', (form) => [form.loinc?.panel, form.loinc?.total].filter(Boolean).join('、')),
  field('minor', '适用人群', (form) => form.appids?.map((appid) => Appid.label(appid)).join('、') ?? '全部'),
  field('minor', '最小年龄', (form) => number(form.agemin)),
  field('minor', '最大年龄', (form) => number(form.agemax)),
  field('minor', '用途', (form) => (form.purpose ? FormPurpose.label(form.purpose) : '')),
  field('minor', '填写方式', (form) => (form.capturemode === 'staff' ? '工作人员填写' : '本人填写')),
];

export const fieldsOfItem: readonly Field<Item>[] = [
  field('patch', '题干', (item) => item.t),
  field('major', '题型', (item) => QuestionType.label(item.type ?? 1)),
  field('minor', '输入类型', (item) => ((item.type ?? 1) === 0 ? InputType.label(item.input ?? 0) : '')),
  field('major', '填空计分', (item) => ((item.type ?? 1) === 0 ? yesNo(item.scored) : '')),
  field('minor', '选择题计分', (item) => ((item.type ?? 1) === 0 ? '' : yesNo(item.scored !== false))),
  field('minor', '必答', (item) => yesNo(item.required !== false)),
  conditionField('major', '显示条件', (item) => item.showif, '总是显示'),
  field('minor', '最小值', (item) => number(item.min)),
  field('minor', '最大值', (item) => number(item.max)),
  field('minor', '步长', (item) => number(item.step)),
  field('minor', '字数上限', (item) => number(item.maxlen)),
  field('minor', '格式', (item) => words(item.pattern)),
  field('minor', '最少选择', (item) => number(item.minsel)),
  field('minor', '最多选择', (item) => number(item.maxsel)),
  field('minor', '互斥选项', (item) => (item.excl ?? []).join('、')),
  field('minor', '另起一页', (item) => yesNo(item.page)),
  field('minor', '敏感', (item) => yesNo(item.sensitive)),
  field('patch', '小标题', (item) => words(item.head)),
  field('patch', '分组', (item) => words(item.group)),
  field('patch', 'LOINC', (item) => words(item.loinc)),
];

export const fieldsOfScore: readonly Field<ScoreDef>[] = [
  field('patch', '名称', (score) => score.n),
  field(
    'major',
    '算法',
    (score, scale) => scoreText(scale, score) + (score.op === 'weighted' ? `；权重 ${(score.w ?? []).join('、')}` : ''),
    exactScore,
  ),
  field('major', '主要', (score) => yesNo(score.primary)),
  field('major', '方向', (score) => (score.better === 'high' ? '越高越好' : '越低越好')),
  field('minor', '领域', (score) => domainNames[score.domain ?? '08']),
  field('minor', '最小值', (score) => number(score.min)),
  field('minor', '最大值', (score) => number(score.max)),
];

/** The names of the domains of scores. */
const domainNames: Readonly<Record<NonNullable<ScoreDef['domain']>, string>> = {
  '01': '抑郁',
  '02': '焦虑',
  '03': '压力与困扰',
  '04': '躯体',
  '05': '睡眠',
  '06': '幸福感',
  '07': '自杀风险',
  '08': '其他',
};

/** What a score computes, without its name and its place in reports. */
function exactScore({ op, of, where, w, b, ref, num, den, miss, post }: ScoreDef, scale: Scale): unknown {
  const items = of === undefined ? [] : expand(of, scale.items);
  const weighted = op === 'weighted' ? items.map((code, index) => [code, w?.[index] ?? 0] as const) : items;
  const lost = miss && miss.max > 0 ? miss : undefined;
  return {
    op,
    items: [...weighted].sort((a, z) => (String(a) < String(z) ? -1 : 1)),
    where,
    b: b ?? 0,
    ref,
    num,
    den,
    lost,
    post: post ?? [],
  };
}
