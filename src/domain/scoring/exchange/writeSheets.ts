import { Appid } from '#domain/base/enums.ts';
import { isSame, toItemCode, toPlain } from '#domain/scoring/exchange/cell.ts';
import { printComparison, printCondition, type Names } from '#domain/scoring/exchange/conditionGrammar.ts';
import { parseSteps, printSteps } from '#domain/scoring/exchange/postText.ts';
import { ITEM_COLUMNS } from '#domain/scoring/exchange/readItems.ts';
import { NO_OPTIONS, NO_POINTS } from '#domain/scoring/exchange/readOptions.ts';
import { normCondition } from '#domain/scoring/exchange/readRules.ts';
import { readItemList, SCORE_COLUMNS } from '#domain/scoring/exchange/readScores.ts';
import { FORM_COLUMNS, readSheets } from '#domain/scoring/exchange/readSheets.ts';
import * as words from '#domain/scoring/exchange/sheets.ts';
import { HEADS, SHEET_NAMES, type Sheet, type SheetName } from '#domain/scoring/exchange/sheets.ts';
import type { Item, Scale, ScoreDef } from '#domain/scoring/scale.ts';

/** The cells of one row by head, and what no cell can say. */
type Cells = Record<string, string>;
type Other = Record<string, unknown>;

const isText = (text: string): boolean => text !== '' && text.trim() === text;
const yesNo = (value: boolean | undefined): string => (value === undefined ? '' : value ? '是' : '否');
const numberText = (value: number | null | undefined): string => (value === null || value === undefined ? '' : String(value));
const jsonText = (other: Other): string => (Object.keys(other).length > 0 ? JSON.stringify(other) : '');
const without = (value: object, keys: readonly string[]): Other =>
  Object.fromEntries(Object.entries(value).filter(([key, entry]) => !keys.includes(key) && entry !== undefined));

/** Puts a text into its cell, or into 其他 where a cell would change it. */
function put(cells: Cells, other: Other, head: string, key: string, text: string | undefined): void {
  if (text === undefined) return;
  if (isText(text)) cells[head] = text;
  else other[key] = text;
}

/** The fields whose cells can be too narrow for a value. */
const FORM_KEYS: Readonly<Record<string, string>> = { 适用人群: 'appids', 类型: 'formtype', 来源: 'tier', 时长: 'minutes' };

/** Sheets that stay empty when 其他 has their whole part. */
const WHOLE: Readonly<Partial<Record<SheetName, string>>> = { 等级: 'bands', 常模: 'norms' };

function formCells(scale: Scale): [Cells, Other] {
  const sheetKeys = [
    'items',
    'optionsets',
    'reverse',
    'scores',
    'bands',
    'bandmode',
    'norms',
    'alerts',
    'validity',
    'derive',
    'nextform',
  ];
  const other = without(scale, [...FORM_COLUMNS, ...sheetKeys, 'schema']);
  // Without this mark the reader would make the usual scores.
  if (scale.scores.length === 0) other['scores'] = [];
  const names = scale.appids?.map((appid) => Appid.options.find(({ value }) => value === appid)?.label ?? appid);
  const cells: Cells = {
    类型: words.formTypes.print(scale.formtype),
    来源: words.tiers.print(scale.tier),
    适用人群: names?.join('、') ?? '',
    时长: numberText(scale.minutes),
    最小年龄: numberText(scale.agemin),
    最大年龄: numberText(scale.agemax),
  };
  put(cells, other, '名称', 'title', scale.title);
  put(cells, other, '指导语', 'instruction', scale.instruction);
  put(cells, other, '时间范围', 'recall', scale.recall);
  put(cells, other, '出处', 'citation', scale.citation);
  return [cells, other];
}

function itemCells(item: Item, scale: Scale, names: Names): Cells {
  const other = without(item, ITEM_COLUMNS);
  const cells: Cells = {
    输入类型: item.input === undefined ? '' : words.inputTypes.print(item.input),
    反向: scale.reverse?.includes(item.c) ? '是' : '',
    必答: yesNo(item.required),
    计分: yesNo(item.scored),
    显示条件: item.showif ? printCondition(item.showif, names) : '',
    敏感: yesNo(item.sensitive),
  };
  if (item.type === 1) other['type'] = 1;
  else cells['题型'] = words.itemTypes.print(item.type ?? 1);
  if (toItemCode(item.c) === item.c) cells['题号'] = item.c;
  else other['c'] = item.c;
  if (item.t !== '' || scale.tier !== 'C') put(cells, other, '题干', 't', item.t);
  put(cells, other, '小标题', 'head', item.head);
  const isNamed = item.o !== undefined && item.o !== NO_OPTIONS && isText(item.o) && (scale.optionsets[item.o]?.length ?? 0) > 0;
  if (item.type === 0) {
    if (item.o !== undefined) other['o'] = item.o;
  } else if (item.o === undefined) cells['选项'] = NO_OPTIONS;
  else if (isNamed) cells['选项'] = item.o;
  else other['o'] = item.o;
  return { ...cells, 其他: jsonText(other) };
}

function scoreCells(def: ScoreDef, scale: Scale, before: readonly ScoreDef[]): Cells {
  const counted = def.op === 'count' && def.where ? printComparison(def.where) : undefined;
  const other = without(def, [...SCORE_COLUMNS, ...(counted ? ['where'] : [])]);
  const cells: Cells = {
    算法: words.operations.print(def.op) + (counted ?? ''),
    权重: def.w?.join(',') ?? '',
    缺失上限: numberText(def.miss?.max),
    缺失处理: def.miss ? words.missings.print(def.miss.how) : '',
    主要: yesNo(def.primary),
    领域: def.domain ? words.domains.print(def.domain) : '',
    方向: def.better ? words.directions.print(def.better) : '',
  };
  if (def.w?.length === 0) other['w'] = [];
  if (isText(def.c) && toPlain(def.c) === def.c) cells['编码'] = def.c;
  else other['c'] = def.c;
  put(cells, other, '名称', 'n', def.n);
  if (def.post) {
    const text = printSteps(def.post);
    if (text !== '' && isSame(parseSteps(text), def.post)) cells['换算'] = text;
    else other['post'] = def.post;
  }
  const isBefore = (code: string | undefined) =>
    code !== undefined && before.find(({ c, n }) => c === code || n === code)?.c === code;
  const { of, ref, num, den } = def;
  const subject = without({ of, ref, num, den }, []);
  const text =
    def.op === 'ref' && isBefore(ref)
      ? ref
      : def.op === 'ratio' && isBefore(num) && isBefore(den)
        ? `${num}/${den}`
        : typeof of === 'string' && def.op !== 'ref' && def.op !== 'ratio' && readItemList(of, scale.items) === of
          ? of
          : undefined;
  const usedKeys = def.op === 'ratio' ? 'den,num' : def.op === 'ref' ? 'ref' : 'of';
  const isOne = Object.keys(subject).sort().join() === usedKeys;
  if (text !== undefined && isOne) cells['题目或得分'] = text;
  else Object.assign(other, Object.keys(subject).length > 0 ? subject : { of: null });
  return { ...cells, 其他: jsonText(other) };
}

const optionRows = (scale: Scale): Cells[] =>
  Object.entries(scale.optionsets).flatMap(([name, options]) =>
    options.map(([code, label, points]) => ({
      名称: name,
      编码: code,
      选项: label,
      分值: points === null ? NO_POINTS : String(points),
    })),
  );

function bandRows(scale: Scale, names: Names): Cells[] {
  const nameOf = (code: string) => {
    const name = names.scores.find(({ c }) => c === code)?.n ?? code;
    return names.scores.find(({ c, n }) => c === name || n === name)?.c === code ? name : code;
  };
  return Object.entries(scale.bands).flatMap(([score, bands]) =>
    bands.map(([low, high, level, name]) => ({
      得分: nameOf(score),
      下限: numberText(low),
      上限: numberText(high),
      等级: String(level),
      名称: name,
      边界: scale.bandmode?.[score] ? words.bandModes.print(scale.bandmode[score]) : '',
    })),
  );
}

function normRows(scale: Scale): Cells[] {
  return Object.entries(scale.norms ?? {}).flatMap(([name, rows]) =>
    rows.map(({ where, mean, sd, source }) => {
      const facts = JSON.stringify(where ?? {});
      const gender = /"eq":"(0[12])"/.exec(facts)?.[1] as '01' | '02' | undefined;
      const ages = (key: string) => new RegExp(`"${key}":(-?[\\d.]+)`).exec(facts)?.[1];
      const [from, to] = [ages('gte'), ages('lte')];
      const same = normCondition(gender, from === undefined ? from : Number(from), to === undefined ? to : Number(to));
      const isPlain = where === undefined || isSame(where, same);
      const other: Other = isPlain ? {} : { where };
      const cells: Cells = { 名称: name, 均值: String(mean), 标准差: String(sd) };
      put(cells, other, '来源', 'source', source);
      return {
        ...cells,
        ...(isPlain && where
          ? { 性别: gender ? words.genders.print(gender) : '', 年龄下限: from ?? '', 年龄上限: to ?? '' }
          : {}),
        其他: jsonText(other),
      };
    }),
  );
}

const answersText = (set: Readonly<Record<string, string>>): string => {
  const isPlain = Object.entries(set).every((pair) => pair.every((text) => /^[A-Za-z0-9_]+$/.test(text)));
  return isPlain && Object.keys(set).length > 0
    ? Object.entries(set)
        .map((pair) => pair.join('='))
        .join('；')
    : JSON.stringify(set);
};

const ruleRows = ({ alerts = [], validity = [], derive = [], nextform = [] }: Scale, names: Names): Cells[] => [
  ...alerts.map(({ c, when, level, msg }) => ({
    类型: '预警',
    编码: c,
    条件: printCondition(when, names),
    等级或动作: String(level),
    说明: msg,
  })),
  ...validity.map(({ c, when, action, msg }) => ({
    ...{ 类型: '效度', 编码: c, 条件: printCondition(when, names) },
    ...{ 等级或动作: words.actions.print(action), 说明: msg },
  })),
  ...derive.map((rule) => ({ 类型: '跳题', 条件: printCondition(rule.if, names), 等级或动作: answersText(rule.set) })),
  ...nextform.map(({ when, formcode }) => ({ 类型: '续测', 条件: printCondition(when, names), 等级或动作: formcode })),
];

const toSheet = (name: SheetName, rows: readonly Cells[]): Sheet => ({
  name,
  rows: [[...HEADS[name]], ...rows.map((cells) => HEADS[name].map((head) => cells[head.replace('*', '')] ?? ''))],
});

/**
 * A definition as worksheets. `readSheets` reads the same definition from them: what a cell would change stands in 其他 as JSON,
 * and as a last resort a whole part of the definition.
 */
export function writeSheets(scale: Scale): Sheet[] {
  const names: Names = { items: scale.items, scores: scale.scores };
  const [cells, other] = formCells(scale);
  const rows: Readonly<Record<SheetName, Cells[]>> = {
    量表: [],
    题目: scale.items.map((item) => itemCells(item, scale, names)),
    选项组: optionRows(scale),
    得分: scale.scores.map((def, index) => scoreCells(def, scale, scale.scores.slice(0, index))),
    等级: bandRows(scale, names),
    常模: normRows(scale),
    规则: ruleRows(scale, names),
  };
  const bookWith = (rest: Other): Sheet[] => {
    const shown = Object.fromEntries(Object.entries(cells).filter(([head]) => !(FORM_KEYS[head] && FORM_KEYS[head] in rest)));
    const rowsOf = (name: SheetName): Cells[] =>
      name === '量表' ? [{ ...shown, 其他: jsonText(rest) }] : (WHOLE[name] ?? '') in rest ? [] : rows[name];
    return SHEET_NAMES.map((name) => toSheet(name, rowsOf(name)));
  };
  const book = bookWith(other);
  const back = readSheets(book).scale as unknown as Other;
  const given = scale as unknown as Other;
  const isChanged = (key: string) =>
    !isSame(back[key], given[key]) || (key === 'bandmode' && !isSame(back['bands'], given['bands']));
  const changed = [...new Set([...Object.keys(back), ...Object.keys(given)])].filter(isChanged);
  return changed.length === 0
    ? book
    : bookWith({ ...other, ...Object.fromEntries(changed.map((key) => [key, given[key] ?? null])) });
}
