import { archiveFieldsOf } from '#domain/person/archive.ts';
import { normaliseCondition, type CommentaryCond } from '#domain/report/commentary/commentary.ts';
import type { Cond, Scale } from '#domain/scoring/scale.ts';

/** The facts about a person that a condition of a paragraph may name. */
const personFacts = new Set([
  'age',
  'gender',
  'overall',
  'hasalert',
  'maxscorelevel',
  'assessed',
  'form.level',
  'form.scored',
  'form.withheld',
  'form.notapplicable',
  'form.delta',
  'form.meaning',
  'form.changereached',
]);
const archiveFields = new Set(
  Object.values(archiveFieldsOf).flatMap((fields) =>
    fields.flatMap(({ code, kind }) => (kind === 'list' ? [`archive.${code}`, `archive.${code}.count`] : [`archive.${code}`])),
  ),
);
/** The codes of an institution's own fields (档案字段). */
const ownField = /^archive\.x([1-9]|10)(\.count)?$/;

/** The codes of the questionnaires that a condition names. */
export function formsOfCondition(cond: CommentaryCond): string[] {
  const collect = (part: Cond): string[] => {
    if ('all' in part) return part.all.flatMap(collect);
    if ('any' in part) return part.any.flatMap(collect);
    if ('not' in part) return collect(part.not);
    if ('delta' in part) return [part.delta.form];
    return 'form' in part ? [part.form] : [];
  };
  return [...new Set(collect(normaliseCondition(cond)))];
}

/** The references of a condition to something unknown, in Chinese; empty when all are known. */
export function conditionFaults(cond: CommentaryCond, scales: readonly Scale[]): string[] {
  const check = (part: Cond): string[] => {
    if ('all' in part) return part.all.flatMap(check);
    if ('any' in part) return part.any.flatMap(check);
    if ('not' in part) return check(part.not);
    if ('delta' in part) return checkForm(part.delta.form, 'score', part.delta.score);
    if ('form' in part) {
      if ('alert' in part) return checkForm(part.form, 'alert', part.alert);
      if ('item' in part) return checkForm(part.form, 'item', part.item);
      return checkForm(part.form, 'score', 'score' in part ? part.score : part.level);
    }
    if ('person' in part)
      return personFacts.has(part.person) || archiveFields.has(part.person) || ownField.test(part.person)
        ? []
        : [`条件里没有 ${part.person.replace(/^archive\./, '档案字段 ')} 这一项`];
    if ('item' in part || 'score' in part || 'level' in part)
      return ['条件里的得分、等级和题目要写明量表，写成“量表编号.得分编号”'];
    return [];
  };
  const checkForm = (formcode: string, kind: 'score' | 'item' | 'alert', code: string): string[] => {
    const scale = scales.find((candidate) => candidate.formcode === formcode);
    if (!scale) return [`条件里的量表 ${formcode} 不存在`];
    const rows = { score: scale.scores, item: scale.items, alert: scale.alerts ?? [] }[kind];
    return rows.some(({ c }) => c === code) ? [] : [`量表 ${formcode} 没有 ${code}`];
  };
  return check(normaliseCondition(cond));
}
