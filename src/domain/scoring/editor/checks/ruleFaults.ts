import { expand } from '#domain/scoring/condition.ts';
import { canHappen } from '#domain/scoring/editor/canHappen.ts';
import { errorAt, noticeAt, type Fault } from '#domain/scoring/editor/fault.ts';
import { atomsOf, findTwice, findUnknownItems, rulesOf, type Atom, type Rule } from '#domain/scoring/editor/references.ts';
import type { Cond, Scale } from '#domain/scoring/scale.ts';

/** Errors in the conditions: display conditions, skip rules, validity, alerts, following forms, norms. */
export function findRuleFaults(scale: Scale): Fault[] {
  const faults = [...findMessageFaults(scale), ...findSkipFaults(scale)];
  for (const rule of rulesOf(scale)) {
    const wrong = findReferenceFaults(scale, rule);
    faults.push(...(wrong.length ? wrong : findUnreachable(scale, rule)));
  }
  return faults;
}

/** Alerts and validity rules with one code twice or without words. */
function findMessageFaults(scale: Scale): Fault[] {
  const faults: Fault[] = [];
  const alerts = scale.alerts ?? [];
  for (const code of findTwice(alerts.map(({ c }) => c)))
    faults.push(errorAt('alerts.twice', { part: 'alerts', code, field: 'c' }, `预警编码 ${code} 出现了两次`));
  for (const { c, msg } of alerts)
    if (msg.trim() === '') faults.push(errorAt('alerts.text', { part: 'alerts', code: c, field: 'msg' }, '请填写预警说明'));
  const validity = scale.validity ?? [];
  for (const code of findTwice(validity.map(({ c }) => c)))
    faults.push(errorAt('validity.twice', { part: 'validity', code, field: 'c' }, `效度规则编码 ${code} 出现了两次`));
  for (const { c, msg } of validity)
    if (msg.trim() === '') faults.push(errorAt('validity.text', { part: 'validity', code: c, field: 'msg' }, '请填写效度说明'));
  return faults;
}

/** Skip rules that answer a question that does not exist, or with an option that it does not offer. */
function findSkipFaults(scale: Scale): Fault[] {
  return (scale.derive ?? []).flatMap((rule, index) =>
    Object.entries(rule.set).flatMap(([code, option]) => {
      const place = { part: 'derive', index, field: 'set' } as const;
      const item = scale.items.find(({ c }) => c === code);
      if (!item) return [errorAt('derive.item', place, `跳过的题目 ${code} 不存在`)];
      const isOffered = scale.optionsets[item.o ?? '']?.some(([offered]) => offered === option) ?? false;
      return isOffered && item.type !== 2 ? [] : [errorAt('derive.option', place, `题目 ${code} 没有选项 ${option}`)];
    }),
  );
}

const comparisons = ['eq', 'ne', 'gte', 'gt', 'lte', 'lt', 'in'] as const;

/** References of a condition to something unknown, or to something that is not known yet. */
function findReferenceFaults(scale: Scale, { use, cond, place }: Rule): Fault[] {
  if (isEmpty(cond)) return [errorAt('condition.empty', place, '条件没有填写完整')];
  const messages = atomsOf(cond).flatMap((atom) => [
    ...findUnknown(scale, atom),
    ...(use === 'showif' || use === 'derive' || use === 'norm' ? findTooEarly(atom, use) : []),
  ]);
  const faults = [...new Set(messages)].map((message) => errorAt('condition.unknown', place, message));
  if (use === 'showif' && !faults.length) faults.push(...findOrderFaults(scale, cond, place));
  return faults;
}

const isEmpty = (cond: Cond): boolean => {
  if ('all' in cond) return cond.all.length === 0 || cond.all.some(isEmpty);
  if ('any' in cond) return cond.any.length === 0 || cond.any.some(isEmpty);
  if ('not' in cond) return isEmpty(cond.not);
  if ('flag' in cond) return cond.flag === '';
  if ('valid' in cond || 'alert' in cond) return false;
  const isCompared = (part: object) => comparisons.some((key) => key in part && part[key as keyof typeof part] !== undefined);
  return !isCompared(cond) || ('count' in cond && !isCompared(cond.where));
};

function findUnknown(scale: Scale, atom: Atom): string[] {
  if ('form' in atom || 'delta' in atom) return ['量表内的条件不能引用其他量表'];
  if ('item' in atom) return scale.items.some(({ c }) => c === atom.item) ? [] : [`条件引用的题目 ${atom.item} 不存在`];
  if ('count' in atom) return findUnknownItems(atom.count, scale.items).map((part) => `条件引用的题目 ${part} 不存在`);
  if ('score' in atom) return scale.scores.some(({ c }) => c === atom.score) ? [] : [`条件引用的得分 ${atom.score} 不存在`];
  if ('level' in atom) return scale.bands[atom.level]?.length ? [] : [`条件引用的得分 ${atom.level} 没有等级`];
  if (!('flag' in atom)) return [];
  const isKnown = (scale.validity ?? []).some(({ c }) => c === atom.flag) || /^nonorm:/.test(atom.flag);
  return isKnown ? [] : [`条件引用的效度规则 ${atom.flag} 不存在`];
}

/** What is not known when questions are asked, or when a norm is chosen. */
function findTooEarly(atom: Atom, use: Rule['use']): string[] {
  if (use === 'norm') return 'person' in atom ? [] : ['常模的条件只能使用性别、年龄等个人信息'];
  if ('score' in atom || 'level' in atom || 'flag' in atom || 'valid' in atom) return ['显示或跳题的条件只能使用题目和个人信息'];
  return [];
}

/**
 * Display conditions may read earlier questions only. The question itself may stand as one alternative beside others: an answer
 * that was given keeps its question.
 */
function findOrderFaults(scale: Scale, cond: Cond, place: Rule['place']): Fault[] {
  const own = scale.items.findIndex(({ c }) => c === place.code);
  const indexOf = (code: string) => scale.items.findIndex(({ c }) => c === code);
  const readsOf = (part: Cond) =>
    atomsOf(part).flatMap((atom) =>
      'count' in atom ? expand(atom.count, scale.items).map(indexOf) : 'item' in atom ? [indexOf(atom.item)] : [],
    );
  const isOwnAnswer = (part: Cond) => 'item' in part && indexOf(part.item) === own;
  const parts = 'any' in cond && cond.any.length > 1 ? cond.any.filter((part) => !isOwnAnswer(part)) : [cond];
  const reads = parts.flatMap(readsOf);
  if (parts.length === 0 || reads.includes(own)) return [errorAt('showif.self', place, '显示条件不能引用本题')];
  return reads.some((index) => index > own) ? [errorAt('showif.later', place, '显示条件只能引用排在前面的题目')] : [];
}

const neverMet: Partial<Record<Rule['use'], string>> = {
  showif: '没有任何作答会显示这道题',
  alert: '没有任何作答会触发这条预警',
  validity: '没有任何作答会触发这条效度规则',
  nextform: '没有任何作答会满足这个条件',
  derive: '没有任何作答会满足这个跳题条件',
};

/** Rules that no answers can reach. */
function findUnreachable(scale: Scale, { use, cond, place }: Rule): Fault[] {
  const message = neverMet[use];
  if (message === undefined) return [];
  const isEarly = use === 'showif' || use === 'derive';
  const skips = (scale.derive ?? []).filter((rule) => use === 'showif' && (place.code ?? '') in rule.set);
  const whole: Cond = skips.length ? { all: [cond, ...skips.map((rule) => ({ not: rule.if }))] } : cond;
  const result = canHappen(scale, whole, isEarly);
  if (result === true) return [];
  if (result === null) return [noticeAt(`${use}.unproven`, place, '组合过多，未能确认这个条件可以满足，请人工核对')];
  return [errorAt(`${use}.unreachable`, place, message)];
}
