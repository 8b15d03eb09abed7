import type { CompiledItem } from '#domain/scoring/compiledScale.ts';
import { compileScale } from '#domain/scoring/compiledScale.ts';
import { errorAt, type Fault } from '#domain/scoring/editor/fault.ts';
import { findTwice } from '#domain/scoring/editor/references.ts';
import { findPatternFault } from '#domain/scoring/editor/checks/safePattern.ts';
import type { Item, Scale } from '#domain/scoring/scale.ts';

/** Errors in the questions and their options. */
export function findItemFaults(scale: Scale): Fault[] {
  const faults: Fault[] = [];
  if (scale.items.length === 0) faults.push(errorAt('items.none', { part: 'items' }, '量表没有题目'));
  for (const code of findTwice(scale.items.map((item) => item.c)))
    faults.push(errorAt('items.twice', { part: 'items', code, field: 'c' }, `题号 ${code} 出现了两次`));
  for (const item of compileScale(scale).items) faults.push(...findFaultsOfItem(scale, item));
  const codes = new Set(scale.items.map((item) => item.c));
  for (const code of scale.reverse ?? [])
    if (!codes.has(code))
      faults.push(errorAt('reverse.unknown', { part: 'items', code, field: 'reverse' }, `反向计分题 ${code} 不存在`));
  return [...faults, ...findOptionFaults(scale)];
}

function findFaultsOfItem(scale: Scale, { item, type, options }: CompiledItem): Fault[] {
  const faults: Fault[] = [];
  const add = (code: string, field: string, message: string) =>
    faults.push(errorAt(code, { part: 'items', code: item.c, field }, message));
  if (item.t.trim() === '') add('items.text', 't', '请填写题干');
  if (type === 0) findFillFaults(item, add);
  else {
    if (item.o !== undefined && !scale.optionsets[item.o]) add('items.set', 'o', `选项组“${item.o}”不存在`);
    else if (options.size === 0) add('items.options', 'o', '选择题没有选项');
    if (type === 2) findChoiceFaults(item, options, add);
  }
  return faults;
}

type Add = (code: string, field: string, message: string) => void;

function findFillFaults(item: Item, add: Add): void {
  const input = item.input ?? 0;
  if (item.min !== undefined && item.max !== undefined && item.min > item.max) add('items.limits', 'min', '最小值大于最大值');
  if (input === 7 && (item.min === undefined || item.max === undefined))
    add('items.range', 'min', '滑动或步进填写须有最小值和最大值');
  if (input === 7 && item.min !== undefined && item.max !== undefined && item.step !== undefined) {
    if (item.step > item.max - item.min) add('items.step', 'step', '步长大于取值范围');
  }
  if (item.scored && input !== 1 && input !== 2 && input !== 7) add('items.numeric', 'scored', '只有数字填空可以计分');
  const fault = item.pattern === undefined ? null : findPatternFault(item.pattern);
  if (fault) add('items.pattern', 'pattern', fault);
}

function findChoiceFaults(item: Item, options: ReadonlyMap<string, unknown>, add: Add): void {
  const excl = item.excl ?? [];
  const free = options.size - excl.length;
  for (const code of excl) if (!options.has(code)) add('items.excl', 'excl', `互斥选项 ${code} 不存在`);
  if (item.minsel !== undefined && item.maxsel !== undefined && item.minsel > item.maxsel)
    add('items.selection', 'minsel', '最少选择数大于最多选择数');
  if (options.size > 0 && (item.minsel ?? 0) > free) add('items.selection', 'minsel', `最多只有 ${free} 个选项可以同时选择`);
}

/** Errors in the option sets that questions use; a set without questions matters to nobody, but its codes must be clear. */
function findOptionFaults(scale: Scale): Fault[] {
  return Object.entries(scale.optionsets).flatMap(([code, rows]) => {
    const place = (index: number, field: string) => ({ part: 'optionsets', code, index, field }) as const;
    const twice = findTwice(rows.map(([option]) => option));
    return rows.flatMap(([option, label], index) => [
      ...(label.trim() === '' ? [errorAt('options.label', place(index, 'label'), '请填写选项文字')] : []),
      ...(option.trim() === '' ? [errorAt('options.code', place(index, 'code'), '请填写选项编码')] : []),
      ...(twice.includes(option) && rows.findIndex(([first]) => first === option) !== index
        ? [errorAt('options.twice', place(index, 'code'), `选项编码 ${option} 出现了两次`)]
        : []),
    ]);
  });
}
