import { compileScale } from '#domain/scoring/compiledScale.ts';
import type { CompiledScore } from '#domain/scoring/compiledScale.ts';
import { errorAt, type Fault } from '#domain/scoring/editor/fault.ts';
import { reachOfItem } from '#domain/scoring/editor/reachable.ts';
import { findTwice, findUnknownItems } from '#domain/scoring/editor/references.ts';
import type { Scale } from '#domain/scoring/scale.ts';

/** Errors in the scores and norms. */
export function findScoreFaults(scale: Scale): Fault[] {
  const faults = findTwice(scale.scores.map((score) => score.c)).map((code) =>
    errorAt('scores.twice', { part: 'scores', code, field: 'c' }, `得分编码 ${code} 出现了两次`),
  );
  compileScale(scale).scores.forEach((score, index) => faults.push(...findFaultsOfScore(scale, score, index)));
  for (const [code, rows] of Object.entries(scale.norms ?? {})) {
    rows.forEach((row, index) => {
      const place = (field: string) => ({ part: 'norms', code, index, field }) as const;
      if (!(row.sd > 0)) faults.push(errorAt('norms.sd', place('sd'), '标准差须大于 0'));
      if (row.source.trim() === '') faults.push(errorAt('norms.source', place('source'), '请填写常模来源'));
    });
  }
  return faults;
}

function findFaultsOfScore(scale: Scale, { def, codes }: CompiledScore, index: number): Fault[] {
  const faults: Fault[] = [];
  const add = (code: string, field: string, message: string) =>
    faults.push(errorAt(code, { part: 'scores', code: def.c, field }, message));
  if (def.n.trim() === '') add('scores.name', 'n', '请填写得分名称');
  if (def.op === 'ref' || def.op === 'ratio') {
    const fields = def.op === 'ref' ? (['ref'] as const) : (['num', 'den'] as const);
    for (const field of fields) {
      const other = scale.scores.findIndex((score) => score.c === def[field]);
      if (other < 0) add('scores.unknown', field, def[field] ? `得分 ${def[field]} 不存在` : '请选择得分');
      else if (other >= index) add('scores.later', field, other === index ? '得分不能引用自己' : '得分只能引用排在前面的得分');
    }
  } else findFaultsOfItems(scale, { def, codes }, add);
  if (def.min !== undefined && def.max !== undefined && def.min > def.max) add('scores.limits', 'min', '最小值大于最大值');
  for (const step of def.post ?? []) {
    if (step[0] === 'tscore' && !scale.norms?.[step[1]]?.length) add('scores.norm', 'post', `常模“${step[1]}”不存在`);
    if (step[0] === 'clamp' && step[1] > step[2]) add('scores.clamp', 'post', '换算的下限大于上限');
  }
  return faults;
}

function findFaultsOfItems(
  scale: Scale,
  { def, codes }: Pick<CompiledScore, 'def' | 'codes'>,
  add: (code: string, field: string, message: string) => void,
): void {
  const unknown = def.of === undefined ? [] : findUnknownItems(def.of, scale.items).filter((part) => part !== '');
  for (const part of unknown) add('scores.item', 'of', `题目 ${part} 不存在`);
  if (unknown.length) return;
  if (codes.filter((code) => code !== '').length === 0) return add('scores.empty', 'of', '请选择计分的题目');
  for (const code of findTwice(codes)) add('scores.double', 'of', `题目 ${code} 在同一得分中出现了两次`);
  const byCode = compileScale(scale).byCode;
  const blank = codes.filter((code) => {
    const item = byCode.get(code);
    return item && !reachOfItem(item) && !(item.type === 0 && item.item.scored);
  });
  if (blank.length) add('scores.number', 'of', `题目 ${blank.slice(0, 3).join('、')} 没有分值，不能计分`);
  if (def.op === 'weighted' && def.w?.length !== codes.length)
    add('scores.weights', 'w', `有 ${codes.length} 道题、${def.w?.length ?? 0} 个权重，数目须相同`);
  if (def.op === 'count' && (!def.where || Object.keys(def.where).length === 0)) add('scores.where', 'where', '请填写计数的条件');
  if (def.miss && def.miss.max >= codes.length) add('scores.miss', 'miss', `允许缺答的题数须少于 ${codes.length}`);
}
