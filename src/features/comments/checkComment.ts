import type { z } from 'zod';
import { conditionFaults, formsOfCondition } from '#domain/report/commentary/checkCondition.ts';
import { textFaults } from '#domain/report/commentary/checkText.ts';
import { formsIn, placeholdersOf } from '#domain/report/commentary/placeholders.ts';
import type { StoredCommentary } from '#domain/report/commentary/stored.ts';
import { problems } from '#contract/problem.ts';
import type { Scope } from '#server/db/scope.ts';
import type { insertComment } from '#features/comments/comments.contract.ts';
import { findFormOfQuota } from '#features/comments/comments.queries.ts';
import { findScalesOf } from '#features/comments/scales.ts';

type Fields = z.output<(typeof insertComment)['request']>;

const refuse = (field: keyof Fields, message: string) => problems.invalid({ message }, { field });

/** The row for the table. Refuses (120002, at the field) a text, a condition or keys that no report could use. */
export async function toCheckedRow(scope: Scope, fields: Fields): Promise<StoredCommentary & { enabled: number }> {
  const { section, audience, reader, quotacode, level, agemin, agemax, cond, template } = fields;
  if ((section === 'group') !== (audience === 'group')) throw refuse('audience', '团体报告的段落只给团体报告的读者');
  if (reader === 'child' && audience !== 'self') throw refuse('reader', '小学生版只有本人读的段落');
  if (typeof agemin === 'number' && typeof agemax === 'number' && agemin > agemax)
    throw refuse('agemax', '最大年龄不能小于最小年龄');
  const formcode = quotacode ? await findFormOfQuota(scope, quotacode) : (fields.formcode ?? undefined);
  if (quotacode && formcode === undefined) throw refuse('quotacode', '没有这个得分');
  if (fields.formcode && formcode !== fields.formcode) throw refuse('quotacode', '这个得分不属于所选量表');
  const codes = [...new Set([...(formcode ? [formcode] : []), ...formsIn(template), ...(cond ? formsOfCondition(cond) : [])])];
  const scales = await findScalesOf(scope, codes);
  if (formcode && !scales.some((scale) => scale.formcode === formcode)) throw refuse('formcode', '没有这份量表');
  const [fault] = cond ? conditionFaults(cond, scales) : [];
  if (fault) throw refuse('cond', fault);
  const allowed = new Set(placeholdersOf({ section, audience }, scales).map(({ name }) => name));
  const faults = textFaults({ template, audience, reader }, allowed);
  if (faults.length > 0) throw refuse('template', faults.join('；'));
  return {
    section,
    audience,
    template,
    reader: reader ?? null,
    appid: fields.appid ?? null,
    formcode: formcode ?? null,
    quotacode: quotacode ?? null,
    level: level ?? null,
    gender: fields.gender ?? null,
    agemin: agemin ?? null,
    agemax: agemax ?? null,
    priority: fields.priority,
    cond: cond ?? null,
    tier: fields.tier ?? null,
    excl: fields.excl || null,
    enabled: fields.enabled,
  };
}
