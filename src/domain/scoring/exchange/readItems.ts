import { toItemCode, toList, toYesNo } from '#domain/scoring/exchange/cell.ts';
import { parseCondition, type Names } from '#domain/scoring/exchange/conditionGrammar.ts';
import type { Factor } from '#domain/scoring/exchange/defaultScores.ts';
import type { Places } from '#domain/scoring/exchange/places.ts';
import type { OptionFinder } from '#domain/scoring/exchange/readOptions.ts';
import { inputTypes, itemTypes } from '#domain/scoring/exchange/sheets.ts';
import { fieldOf, restOf, withoutAbsent, type Row } from '#domain/scoring/exchange/table.ts';
import type { AlertDef, Cond, Item } from '#domain/scoring/scale.ts';

/** The keys of an item that have a column. */
export const ITEM_COLUMNS = ['c', 't', 'type', 'input', 'o', 'required', 'scored', 'showif', 'sensitive', 'head'] as const;

const YES_NO = '请写 是 或 否';
const yesNo = (row: Row, head: string, key: string) => fieldOf(row, head, key, toYesNo, YES_NO);
const CODE = /^[A-Za-z][A-Za-z0-9_]{0,19}$/;

/** Gives a condition its cell, or undefined. */
export function readCondition(row: Row, head: string, names: Names, self?: string): Cond | undefined {
  const text = row.text(head);
  if (text === '') return undefined;
  const parsed = parseCondition(text, names, self);
  if ('cond' in parsed) return parsed.cond;
  row.fault(head, parsed.message);
  return undefined;
}

function readCode(row: Row, index: number, usedCodes: ReadonlySet<string>): string {
  const text = row.text('题号');
  if (text === '') {
    if (typeof row.other['c'] === 'string') return row.other['c'];
    let number = index + 1;
    while (usedCodes.has(`q${number}`)) number++;
    return `q${number}`;
  }
  const code = toItemCode(text);
  if (!CODE.test(code)) row.fault('题号', `题号“${text.slice(0, 20)}”请写成数字，或字母开头的编码`);
  return code;
}

/** The items of the sheet 题目 without their conditions, the reversed ones and the factors. */
export function readItems(rows: readonly Row[], options: OptionFinder, isSkeleton: boolean, places: Places) {
  const factors = new Map<string, string[]>();
  const reverse: string[] = [];
  const usedCodes = new Set(rows.map((row) => toItemCode(row.text('题号'))));
  const items = rows.map((row, index): Item => {
    const c = readCode(row, index, usedCodes);
    usedCodes.add(c);
    const t = row.text('题干') || (row.other['t'] as string | undefined);
    if (t === undefined && !isSkeleton) row.fault('题干', '请填写题干');
    const hasInput = row.text('输入类型') !== '';
    const typed = fieldOf(row, '题型', 'type', itemTypes.read, '请写 单选、多选 或 填空', hasInput ? 0 : undefined);
    const type = row.text('题型') !== '' && typed === 1 ? undefined : typed;
    const input = fieldOf(row, '输入类型', 'input', inputTypes.read, '请写 文本、整数、小数、日期、时间、数字选择器 等');
    const o =
      'o' in row.other && row.text('选项') === '' ? (row.other['o'] as string) : type === 0 ? undefined : options.find(row);
    if (yesNo(row, '反向', 'reverse')) reverse.push(c);
    for (const name of toList(row.text('因子'))) factors.set(name, [...(factors.get(name) ?? []), c]);
    places.set(['items', index], row);
    return withoutAbsent({
      ...restOf(row, [...ITEM_COLUMNS, 'reverse']),
      ...{ c, t: t ?? '', type, input, o },
      required: yesNo(row, '必答', 'required'),
      scored: yesNo(row, '计分', 'scored'),
      sensitive: yesNo(row, '敏感', 'sensitive'),
      head: fieldOf(row, '小标题', 'head', (text) => text, YES_NO),
    }) as unknown as Item;
  });
  return { items, reverse, factors: [...factors].map(([name, codes]): Factor => ({ name, items: codes })) };
}

/** The items with their conditions. */
export const withConditions = (items: readonly Item[], rows: readonly Row[], names: Names): Item[] =>
  items.map((item, index) => {
    const row = rows[index];
    const showif = row && (readCondition(row, '显示条件', names) ?? (row.other['showif'] as Cond | null | undefined));
    return showif ? { ...item, showif } : item;
  });

/** Codes that are not used yet: A1, A2 … */
export function codesFrom(letter: string, usedCodes: Set<string>): () => string {
  let number = 1;
  return () => {
    while (usedCodes.has(`${letter}${number}`)) number++;
    usedCodes.add(`${letter}${number}`);
    return `${letter}${number}`;
  };
}

/** The alerts in the columns 预警条件, 预警等级 and 预警说明 of the items. */
export function readItemAlerts(rows: readonly Row[], items: readonly Item[], names: Names, next: () => string) {
  return rows.flatMap((row, index): { alert: AlertDef; row: Row }[] => {
    const item = items[index];
    const when = readCondition(row, '预警条件', names, item?.c);
    const text = row.text('预警等级');
    const msg = row.text('预警说明');
    if (!when) {
      if (row.text('预警条件') === '' && (text || msg)) row.fault('预警条件', '请填写预警条件，例如 >=2');
      return [];
    }
    const level = readLevel(text);
    if (!level) row.fault('预警等级', '预警等级请填 1、2 或 3');
    if (msg === '') row.fault('预警说明', '还没有预警说明', 'notice');
    return [{ alert: { c: next(), when, level: level ?? 1, msg }, row }];
  });
}

/** The level of an alert, 1 to 4; undefined when the text is none. */
export function readLevel(text: string): AlertDef['level'] | undefined {
  const digit = /^([1-4])(?:级|\.0)?$/.exec(text.normalize('NFKC').trim())?.[1];
  return digit === undefined ? undefined : (Number(digit) as AlertDef['level']);
}
