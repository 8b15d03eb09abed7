import { toItemCode, toNumber, toPlain, toYesNo } from '#domain/scoring/exchange/cell.ts';
import { parseComparison } from '#domain/scoring/exchange/conditionGrammar.ts';
import type { Places } from '#domain/scoring/exchange/places.ts';
import { parseSteps } from '#domain/scoring/exchange/postText.ts';
import { codesFrom } from '#domain/scoring/exchange/readItems.ts';
import { directions, domains, missings, operations } from '#domain/scoring/exchange/sheets.ts';
import { fieldOf, restOf, withoutAbsent, type Row } from '#domain/scoring/exchange/table.ts';
import type { Cmp, Item, ScoreDef } from '#domain/scoring/scale.ts';

/** The keys of a score that have a column. */
export const SCORE_COLUMNS = [
  ...['c', 'n', 'op', 'of', 'ref', 'num', 'den', 'w', 'miss'],
  ...['post', 'primary', 'domain', 'better'],
] as const;

/** Reads `求和`, or `计数>=2` with the comparison of the counted items. */
export function readOperation(text: string): { op: ScoreDef['op']; where?: Cmp } | undefined {
  const plain = toPlain(text);
  const op = operations.read(plain);
  if (op) return { op };
  const counted = /^(?:计数|题数|count)\s*(.{2,45})$/.exec(plain)?.[1];
  const where = counted === undefined ? undefined : parseComparison(counted);
  return where && { op: 'count', where };
}

/** A day that Excel made of a range such as `1-9`. */
const asRange = (text: string): string => {
  const [, month, day] = /^\d{4}-(\d\d)-(\d\d)$/.exec(text) ?? [];
  return month && day ? `${Number(month)}..${Number(day)}` : text;
};

/** Reads items such as `q1..q9`, `1-9`, `第1—7题、9`. Undefined when one of them does not exist. */
export function readItemList(text: string, items: readonly Pick<Item, 'c'>[]): string | undefined {
  const codes = new Set(items.map(({ c }) => c));
  const parts = toPlain(asRange(text.trim()))
    .replace(/[第题]/g, '')
    .split(/[、,;\s]+/)
    .filter(Boolean)
    .map((part) => {
      const [from = '', to, ...more] = part.split(/\.\.|—+|~|至|到|-/).map(toItemCode);
      const isKnown = codes.has(from) && (to === undefined || codes.has(to)) && more.length === 0;
      return isKnown ? (to === undefined ? from : `${from}..${to}`) : undefined;
    });
  return parts.length === 0 || parts.includes(undefined) ? undefined : parts.join(',');
}

/** The numbers of a cell; undefined when one of them is none. */
export function readNumbers(text: string): number[] | undefined {
  const numbers = toPlain(text)
    .split(/[、,;\s]+/)
    .filter(Boolean)
    .map(toNumber);
  return numbers.length === 0 || numbers.includes(undefined) ? undefined : (numbers as number[]);
}

type Found = Pick<ScoreDef, 'of' | 'ref' | 'num' | 'den'>;

/** What 题目或得分 says: items, one score, or two scores `甲/乙`. */
function readSubject(row: Row, op: ScoreDef['op'], items: readonly Item[], before: readonly ScoreDef[]): Found {
  const text = row.text('题目或得分');
  const scoreOf = (name: string) => before.find(({ c, n }) => c === name.trim() || n === name.trim())?.c;
  if (text === '') {
    const { of, ref, num, den } = row.other as Found;
    if ([of, ref, num, den].every((value) => value === undefined) && !('of' in row.other))
      row.fault('题目或得分', op === 'ref' || op === 'ratio' ? '请填写得分的名称或编码' : '请填写题号，例如 q1..q9');
    return { ...(of != null ? { of } : {}), ...(ref ? { ref } : {}), ...(num ? { num } : {}), ...(den ? { den } : {}) };
  }
  if (op === 'ref') {
    const ref = scoreOf(text);
    if (!ref) row.fault('题目或得分', `上面没有得分“${text.slice(0, 20)}”`);
    return ref ? { ref } : {};
  }
  if (op === 'ratio') {
    const [num, den] = text.split(/[/／÷]/).map(scoreOf);
    if (!num || !den) row.fault('题目或得分', '请写成 得分甲/得分乙，两个得分都在上面');
    return { ...(num ? { num } : {}), ...(den ? { den } : {}) };
  }
  const of = readItemList(text, items);
  if (!of) row.fault('题目或得分', '有的题号在“题目”表里找不到，请写成 q1..q9,q12');
  return of ? { of } : {};
}

function readMiss(row: Row): ScoreDef['miss'] {
  const how = fieldOf(row, '缺失处理', '', missings.read, '请写 折算 或 计0分');
  const max = fieldOf(row, '缺失上限', '', toNumber, '请填整数');
  if (row.text('缺失上限') === '') {
    if (row.text('缺失处理') !== '') row.fault('缺失上限', '请填写最多可以缺答几题');
    return (row.other['miss'] as ScoreDef['miss'] | null | undefined) ?? undefined;
  }
  return max === undefined ? undefined : { max, how: how ?? 'prorate' };
}

/** The scores of the sheet 得分. */
export function readScores(rows: readonly Row[], items: readonly Item[], places: Places): ScoreDef[] {
  const scores: ScoreDef[] = [];
  const next = codesFrom('s', new Set([...rows.map((row) => toPlain(row.text('编码'))), ...items.map(({ c }) => c)]));
  rows.forEach((row, index) => {
    const n = row.text('名称') || (row.other['n'] as string | undefined);
    if (n === undefined) row.fault('名称', '请填写得分的名称');
    const operation = fieldOf(row, '算法', '', readOperation, '请写 求和、平均、最大、最小、计数>=2、加权、引用 或 比值');
    if (row.text('算法') === '') row.fault('算法', '请填写算法，例如 求和');
    const op = operation?.op ?? 'sum';
    const c =
      toPlain(row.text('编码')) || (row.other['c'] as string | undefined) || (n === '总分' && index === 0 ? 'total' : next());
    const domain = fieldOf(
      row,
      '领域',
      'domain',
      (text) => domains.read(toPlain(text)),
      '请写 抑郁、焦虑、压力、躯体、睡眠、其他 等',
    );
    places.set(['scores', index], row);
    scores.push(
      withoutAbsent({
        ...restOf(row, SCORE_COLUMNS),
        ...(operation?.where ? { where: operation.where } : {}),
        ...{ c, n: n ?? '', op, domain, miss: readMiss(row) },
        ...readSubject(row, op, items, scores),
        w: fieldOf(row, '权重', 'w', readNumbers, '请写数字，用逗号隔开'),
        post: fieldOf(row, '换算', 'post', parseSteps, '请写成 乘1.25；取整；保留2位；限制0到100'),
        primary: fieldOf(row, '主要', 'primary', toYesNo, '请写 是 或 否'),
        better: fieldOf(row, '方向', 'better', directions.read, '请写 越低越好 或 越高越好'),
      }) as unknown as ScoreDef,
    );
  });
  return scores;
}
