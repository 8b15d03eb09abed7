import { isSame, toItemCode, toNumber, toPlain } from '#domain/scoring/exchange/cell.ts';
import type { Cmp, Cond, Item, ScoreDef } from '#domain/scoring/scale.ts';

/**
 * Conditions as one cell: `q3>=2 且 总分<10`, with one connective. Items are named by code, scores by name or code, levels as
 * `总分等级`, persons by 性别 and 年龄. A richer condition is JSON. What `printCondition` writes, `parseCondition` reads back unchanged.
 */

/** The names that a condition may use. */
export interface Names {
  items: readonly Pick<Item, 'c'>[];
  scores: readonly Pick<ScoreDef, 'c' | 'n'>[];
}
export type Parsed = { cond: Cond } | { message: string };

type Sign = Exclude<keyof Cmp, 'in'>;
const SIGNS: Readonly<Record<string, Sign>> = {
  '>=': 'gte',
  '=>': 'gte',
  '≥': 'gte',
  '≧': 'gte',
  '<=': 'lte',
  '=<': 'lte',
  '≤': 'lte',
  '≦': 'lte',
  '!=': 'ne',
  '<>': 'ne',
  '≠': 'ne',
  '==': 'eq',
  '=': 'eq',
  '>': 'gt',
  '<': 'lt',
};
const PRINTED: Readonly<Record<Sign, string>> = { eq: '=', ne: '≠', gte: '>=', gt: '>', lte: '<=', lt: '<' };
const CLAUSE = /^([^<>=!≥≤≧≦≠]{0,60}?)\s*(>=|=>|<=|=<|!=|<>|==|[≥≤≧≦≠<>=])\s*([^<>=!≥≤≧≦≠]{1,40})$/;
const AND = /并且|而且|且|&&|&|\band\b/i;
const OR = /或者|或是|或|\|\||\bor\b/i;
const GENDERS: Readonly<Record<string, string>> = { 男: '01', 男性: '01', 女: '02', 女性: '02' };

/** A comparison such as `>=2`; undefined when the text is none. */
export function parseComparison(text: string): Cmp | undefined {
  const [, operand = '', sign = '', value = ''] = CLAUSE.exec(toPlain(text)) ?? [];
  const key = SIGNS[sign];
  const number = toNumber(value);
  return operand === '' && key && number !== undefined ? { [key]: number } : undefined;
}

/** One comparison as text; undefined where `parseComparison` would not give it back. */
export function printComparison(cmp: Cmp): string | undefined {
  const [[key, value] = [], ...rest] = Object.entries(cmp);
  const sign = key === undefined ? undefined : PRINTED[key as Sign];
  const text = sign && rest.length === 0 && typeof value === 'number' ? `${sign}${value}` : '';
  return isSame(parseComparison(text), cmp) ? text : undefined;
}

function operandOf(text: string, { items, scores }: Names, self: string | undefined): { [key: string]: string } | string {
  if (text === '') return self ? { item: self } : '条件缺少题号或得分';
  if (text === '年龄') return { person: 'age' };
  const plain = text.replace(/\s*得分$/, '');
  for (const name of [text, plain]) {
    const item = items.find(({ c }) => c === name || c === toItemCode(name));
    if (item) return { item: item.c };
    const score = scores.find(({ c, n }) => c === name || toPlain(n) === name);
    if (score) return { score: score.c };
  }
  if (text.endsWith('等级')) {
    const name = text.slice(0, -2).replace(/的$/, '').trim();
    const score = scores.find(({ c, n }) => c === name || toPlain(n) === name);
    if (score) return { level: score.c };
  }
  return `没有题目或得分“${text}”`;
}

function parseClause(text: string, names: Names, self: string | undefined): Parsed {
  const [, operand = '', sign = '', value = ''] = CLAUSE.exec(text) ?? [];
  const key = SIGNS[sign];
  if (!key) return { message: `看不懂“${text.slice(0, 20)}”，请写成 q3>=2` };
  if (operand === '性别') {
    const gender = GENDERS[value.trim()];
    return gender && (key === 'eq' || key === 'ne')
      ? { cond: { person: 'gender', [key]: gender } }
      : { message: '性别请写 性别=男 或 性别=女' };
  }
  const found = operandOf(operand.trim(), names, self);
  if (typeof found === 'string') return { message: found };
  const number = toNumber(value);
  if (number === undefined) return { message: `“${value.slice(0, 20)}”不是数字` };
  return { cond: { ...found, [key]: number } as Cond };
}

/** Reads a condition. `self` is the item that a comparison without a name means, as in the column 预警条件 of an item. */
export function parseCondition(text: string, names: Names, self?: string): Parsed {
  const plain = toPlain(text);
  if (plain.startsWith('{')) {
    try {
      return { cond: JSON.parse(text) as Cond };
    } catch {
      return { message: '花括号里的条件写得不完整' };
    }
  }
  const isAll = AND.test(plain);
  const isAny = OR.test(plain);
  const whole = parseClause(plain, names, self);
  if ('cond' in whole || (!isAll && !isAny)) return whole;
  if (isAll && isAny) return { message: '一个条件里只能用一种连接词：且，或者 或' };
  const conds: Cond[] = [];
  for (const part of plain.split(isAll ? AND : OR)) {
    const clause = parseClause(part.trim(), names, self);
    if ('message' in clause) return clause;
    conds.push(clause.cond);
  }
  return { cond: isAll ? { all: conds } : { any: conds } };
}

function printOperand(cond: Cond, names: Names): string[] {
  if ('form' in cond || 'delta' in cond) return [];
  const scoreNames = (code: string) => [...names.scores.filter(({ c }) => c === code).map(({ n }) => n), code];
  if ('item' in cond) return [cond.item];
  if ('score' in cond) return scoreNames(cond.score);
  if ('level' in cond) return scoreNames(cond.level).map((name) => `${name}等级`);
  if ('person' in cond) return [cond.person === 'age' ? '年龄' : ''];
  return [];
}

function printClause(cond: Cond, names: Names): string[] {
  if ('person' in cond && cond.person === 'gender')
    return ['性别=男', '性别=女', '性别≠男', '性别≠女'].filter((text) => isRead(text, cond, names));
  const [key] = (Object.keys(PRINTED) as Sign[]).filter((sign) => sign in cond);
  const value: unknown = key ? (cond as Cmp)[key] : undefined;
  if (!key || typeof value !== 'number') return [];
  return printOperand(cond, names).map((operand) => `${operand}${PRINTED[key]}${value}`);
}

const isRead = (text: string, cond: Cond, names: Names): boolean => {
  const parsed = parseCondition(text, names);
  return 'cond' in parsed && isSame(parsed.cond, cond);
};

/** Writes a condition so that `parseCondition` gives back the same one: as text where the grammar has it, else as JSON. */
export function printCondition(cond: Cond, names: Names): string {
  const parts = 'all' in cond ? cond.all : 'any' in cond ? cond.any : [cond];
  const texts = parts.map((part) => printClause(part, names).find((text) => isRead(text, part, names)));
  const text = texts.join('any' in cond ? ' 或 ' : ' 且 ');
  return texts.length > 0 && !texts.includes(undefined) && isRead(text, cond, names) ? text : JSON.stringify(cond);
}
