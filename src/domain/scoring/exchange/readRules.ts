import { toNumber, toPlain } from '#domain/scoring/exchange/cell.ts';
import type { Names } from '#domain/scoring/exchange/conditionGrammar.ts';
import type { Places } from '#domain/scoring/exchange/places.ts';
import { codesFrom, readCondition, readLevel } from '#domain/scoring/exchange/readItems.ts';
import { actions, bandModes, genders } from '#domain/scoring/exchange/sheets.ts';
import { fieldOf, type Row } from '#domain/scoring/exchange/table.ts';
import type { AlertDef, Band, Cond, Level, Scale } from '#domain/scoring/scale.ts';

const limit = (row: Row, head: string): number | null => fieldOf(row, head, '', toNumber, '请填数字') ?? null;

/** The bands of the sheet 等级. An empty 得分 repeats the one above. */
export function readBands(rows: readonly Row[], { scores }: Names, places: Places): Pick<Scale, 'bands' | 'bandmode'> {
  const bands: Record<string, Band[]> = {};
  const bandmode: Record<string, 'closed' | 'halfopen'> = {};
  let score: string | undefined;
  for (const row of rows) {
    const name = row.text('得分');
    if (name !== '') score = scores.find(({ c, n }) => c === name || n === name)?.c;
    if (score === undefined) {
      row.fault('得分', name ? `没有得分“${name.slice(0, 20)}”` : '请填写得分的名称或编码');
      continue;
    }
    const digit = /^([0-4])(?:级|\.0)?$/.exec(toPlain(row.text('等级')))?.[1];
    if (digit === undefined) row.fault('等级', '等级请填 0 到 4');
    if (row.text('名称') === '') row.fault('名称', '还没有等级的名称', 'notice');
    const mode = fieldOf(row, '边界', '', bandModes.read, '请写 闭 或 半开');
    if (mode) bandmode[score] = mode;
    const list = (bands[score] ??= []);
    places.set(['bands', score, list.length], row);
    list.push([limit(row, '下限'), limit(row, '上限'), Number(digit ?? 0) as Level, row.text('名称')]);
  }
  return { bands, ...(Object.keys(bandmode).length ? { bandmode } : {}) };
}

/** The persons of a norm as a condition. */
export function normCondition(
  gender: '01' | '02' | undefined,
  from: number | undefined,
  to: number | undefined,
): Cond | undefined {
  const age = {
    person: 'age',
    ...(from === undefined ? {} : { gte: from }),
    ...(to === undefined ? {} : { lte: to }),
  };
  const conds: Cond[] = [
    ...(gender ? [{ person: 'gender', eq: gender }] : []),
    ...(from === undefined && to === undefined ? [] : [age]),
  ];
  return conds.length > 1 ? { all: conds } : conds[0];
}

/** The norms of the sheet 常模. Sample and year become part of the source, because a version keeps nothing else of them. */
export function readNorms(rows: readonly Row[], places: Places): NonNullable<Scale['norms']> {
  const norms: Record<string, { where?: Cond; mean: number; sd: number; source: string }[]> = {};
  let name = '';
  for (const row of rows) {
    name = row.text('名称') || name;
    if (name === '') row.fault('名称', '请填写常模的名称');
    const number = (head: string) => fieldOf(row, head, '', toNumber, '请填数字');
    const [mean, sd] = [number('均值'), number('标准差')];
    if (row.text('均值') === '') row.fault('均值', '请填写均值');
    if (row.text('标准差') === '') row.fault('标准差', '请填写标准差');
    const year = /^\d{4}/.exec(toPlain(row.text('年份')))?.[0];
    const facts = [row.text('样本量') && `样本量 ${row.text('样本量')}`, year && `${year} 年`].filter(Boolean).join('，');
    const source = row.text('来源') || (row.other['source'] as string | undefined);
    if (source === undefined) row.fault('来源', '请填写来源');
    const gender = fieldOf(row, '性别', '', genders.read, '请写 男 或 女');
    const where = (row.other['where'] as Cond | undefined) ?? normCondition(gender, number('年龄下限'), number('年龄上限'));
    const list = (norms[name] ??= []);
    places.set(['norms', name, list.length], row);
    const full = facts ? `${source ?? ''}（${facts}）` : (source ?? '');
    list.push({ ...(where ? { where } : {}), mean: mean ?? 0, sd: sd ?? 1, source: full });
  }
  return norms;
}

type Rules = Required<Pick<Scale, 'alerts' | 'validity' | 'derive' | 'nextform'>>;

function readAnswers(row: Row): Record<string, string> {
  const text = row.text('等级或动作');
  if (text.startsWith('{')) {
    try {
      return JSON.parse(text) as Record<string, string>;
    } catch {
      row.fault('等级或动作', '花括号里的内容写得不完整');
      return {};
    }
  }
  const pairs = toPlain(text)
    .split(/[;,、\s]+/)
    .filter(Boolean)
    .map((part) => part.split('='));
  if (pairs.length === 0 || pairs.some((pair) => pair.length !== 2)) row.fault('等级或动作', '请写明补填的答案，例如 q4=0；q5=0');
  return Object.fromEntries(pairs.map(([code = '', option = '']) => [code, option]));
}

const KINDS: Readonly<Record<string, keyof Rules>> = { 预警: 'alerts', 效度: 'validity', 跳题: 'derive', 续测: 'nextform' };

/** The rules of the sheet 规则, behind the alerts of the items. */
export function readRules(
  rows: readonly Row[],
  names: Names,
  itemAlerts: readonly { alert: AlertDef; row: Row }[],
  next: () => string,
  places: Places,
): Rules {
  const rules = { alerts: itemAlerts.map(({ alert }) => alert), validity: [], derive: [], nextform: [] } as {
    [Key in keyof Rules]: Rules[Key][number][];
  };
  itemAlerts.forEach(({ row }, index) => places.set(['alerts', index], row));
  const nextValidity = codesFrom('V', new Set(rows.map((row) => toPlain(row.text('编码')))));
  for (const row of rows) {
    const kind = KINDS[toPlain(row.text('类型'))];
    if (!kind) {
      row.fault('类型', '类型请写 预警、效度、跳题 或 续测');
      continue;
    }
    const when = readCondition(row, '条件', names);
    if (row.text('条件') === '') row.fault('条件', '请填写条件，例如 q3>=2');
    const text = row.text('等级或动作');
    const msg = row.text('说明');
    if (msg === '' && (kind === 'alerts' || kind === 'validity')) row.fault('说明', '还没有说明', 'notice');
    if (!when) continue;
    places.set([kind, rules[kind].length], row);
    const code = toPlain(row.text('编码'));
    if (kind === 'alerts') {
      const level = readLevel(text);
      if (!level) row.fault('等级或动作', '预警等级请填 1、2 或 3');
      rules.alerts.push({ c: code || next(), when, level: level ?? 1, msg });
    } else if (kind === 'validity') {
      const action = actions.read(toPlain(text));
      if (!action) row.fault('等级或动作', '效度规则请写 作废 或 提示');
      rules.validity.push({ c: code || nextValidity(), when, action: action ?? 'warn', msg });
    } else if (kind === 'derive') rules.derive.push({ if: when, set: readAnswers(row) });
    else {
      if (text === '') row.fault('等级或动作', '还没有接着做的量表，请填它的编码', 'notice');
      rules.nextform.push({ when, formcode: toPlain(text) });
    }
  }
  return rules;
}
