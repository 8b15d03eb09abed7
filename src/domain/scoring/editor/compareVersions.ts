import { findReadItems } from '#domain/scoring/editor/references.ts';
import { conditionField, fieldsOfForm, fieldsOfItem, fieldsOfScore } from '#domain/scoring/editor/versionFields.ts';
import type { Field, Size } from '#domain/scoring/editor/versionFields.ts';
import { bandText, conditionText } from '#domain/scoring/scoringText.ts';
import type { Band, Item, OptionRow, Scale } from '#domain/scoring/scale.ts';

/** One difference between two versions, in Chinese words. */
export interface FormChange {
  part: string;
  code: string;
  /** how a reader knows the row: the text of the question, the name of the score */
  name: string;
  change: '新增' | '删除' | '修改';
  /** the field; empty for a whole row */
  field: string;
  before: string;
  after: string;
}

/** The differences of two versions and what they mean for results. */
export interface VersionDifference {
  changes: FormChange[];
  /** major: a sheet could score, rank or alert differently; minor: unscored items, order, limits; patch: words */
  size: Size;
}

type SizedChange = FormChange & { size: Size };
type Row<T> = readonly [code: string, name: string, row: T];
type Pair = readonly [before: Scale, after: Scale];

/** Compares two versions; rows are paired by code. */
export function compareVersions(before: Scale, after: Scale): VersionDifference {
  const pair = [before, after] as const;
  const read = new Set([...findReadItems(before), ...findReadItems(after)]);
  const sized = [
    ...compareFields('form', ['', after.title], before, after, fieldsOfForm, pair),
    ...compareItems(pair, read),
    ...compareOptionSets(pair, read),
    ...compareRows('scores', pair, (scale) => scale.scores.map((row) => [row.c, row.n, row]), fieldsOfScore),
    ...compareRows('bands', pair, bandRows, fieldsOfBand),
    ...compareRows('norms', pair, normRows, fieldsOfNorm),
    ...compareRows('alerts', pair, (scale) => (scale.alerts ?? []).map((row) => [row.c, row.msg, row]), fieldsOfAlert),
    ...compareRows('validity', pair, (scale) => (scale.validity ?? []).map((row) => [row.c, row.msg, row]), fieldsOfValidity),
    ...compareRows('derive', pair, deriveRows, fieldsOfDerive, (row) =>
      Object.keys(row.set).some((code) => read.has(code)) ? 'major' : 'minor',
    ),
    ...compareRows('nextform', pair, nextRows, fieldsOfNext, () => 'minor'),
  ];
  const sizes = sized.map(({ size }) => size);
  return {
    changes: sized.map(({ size: _size, ...change }) => change),
    size: (['major', 'minor', 'patch'] as const).find((size) => sizes.includes(size)) ?? 'none',
  };
}

/** The number of the next version; a form begins with 1.0.0. */
export function nextVersion(current: string | undefined, size: Size): string {
  if (current === undefined) return '1.0.0';
  const [major = 1, minor = 0, patch = 0] = current.split('.').map(Number);
  if (size === 'major') return `${major + 1}.0.0`;
  if (size === 'minor') return `${major}.${minor + 1}.0`;
  return size === 'patch' ? `${major}.${minor}.${patch + 1}` : current;
}

/** The differing fields of one row. */
function compareFields<T>(
  part: string,
  [code, name]: readonly [string, string],
  old: T,
  now: T,
  fields: readonly Field<T>[],
  [before, after]: Pair,
): SizedChange[] {
  return fields.flatMap(({ name: field, size, textOf, exactOf = textOf }): SizedChange[] => {
    if (exactText(exactOf(old, before)) === exactText(exactOf(now, after))) return [];
    return [{ part, code, name, change: '修改', field, before: textOf(old, before), after: textOf(now, after), size }];
  });
}

/** A value as text, independent of the order of its keys. */
const exactText = (value: unknown): string =>
  JSON.stringify(value, (_key, inner: unknown) =>
    typeof inner === 'object' && inner !== null && !Array.isArray(inner)
      ? Object.fromEntries(Object.entries(inner).sort(([a], [b]) => (a < b ? -1 : 1)))
      : inner,
  ) ?? '';

/** New, removed and changed rows of one part, paired by code. `sizeOf` is the greatest size of a change of a row. */
function compareRows<T>(
  part: string,
  pair: Pair,
  rowsOf: (scale: Scale) => readonly Row<T>[],
  fields: readonly Field<T>[],
  sizeOf: (row: T) => Size = () => 'major',
): SizedChange[] {
  const [old, now] = [rowsOf(pair[0]), rowsOf(pair[1])];
  const oldByCode = new Map(old.map((row) => [row[0], row]));
  const codes = new Set(now.map(([code]) => code));
  const changes = now.flatMap(([code, name, row]): SizedChange[] => {
    const before = oldByCode.get(code);
    if (!before) return [wholeRow(part, code, name, '新增', sizeOf(row))];
    const limit = sizeOf(row);
    return compareFields(part, [code, name], before[2], row, fields, pair).map((change) =>
      change.size === 'major' ? { ...change, size: limit } : change,
    );
  });
  const removed = old.filter(([code]) => !codes.has(code));
  for (const [code, name, row] of removed) changes.push(wholeRow(part, code, name, '删除', sizeOf(row)));
  const order = (rows: readonly Row<T>[], other: ReadonlySet<string>) =>
    rows.flatMap(([code]) => (other.has(code) ? [code] : [])).join('、');
  const [before, after] = [order(old, codes), order(now, new Set(oldByCode.keys()))];
  if (before !== after) {
    // The order of these rules decides which one counts.
    const size = part === 'derive' || part === 'norms' || part === 'validity' ? 'major' : 'minor';
    changes.push({ part, code: '', name: '', change: '修改', field: '顺序', before, after, size });
  }
  return changes;
}

const wholeRow = (part: string, code: string, name: string, change: '新增' | '删除', size: Size): SizedChange => ({
  ...{ part, code, name, change, field: '' },
  before: change === '删除' ? name : '',
  after: change === '新增' ? name : '',
  size,
});

function compareItems(pair: Pair, read: ReadonlySet<string>): SizedChange[] {
  const [before, after] = pair;
  const sizeOf = ({ c }: Item): Size => (read.has(c) ? 'major' : 'minor');
  const changes = compareRows(
    'items',
    pair,
    (scale) => scale.items.map((row): Row<Item> => [row.c, row.t, row]),
    fieldsOfItem,
    sizeOf,
  );
  for (const item of after.items) {
    const old = before.items.find(({ c }) => c === item.c);
    if (!old) continue;
    const row = { part: 'items', code: item.c, name: item.t, change: '修改' } as const;
    const directions = pair.map((scale) => (scale.reverse?.includes(item.c) ? '反向计分' : '正向计分'));
    const [was = '', is = ''] = directions;
    if (was !== is) changes.push({ ...row, field: '计分方向', before: was, after: is, size: sizeOf(item) });
    const [oldRows, rows] = [before.optionsets[old.o ?? ''] ?? [], after.optionsets[item.o ?? ''] ?? []];
    if (old.o === item.o || exactText(oldRows) === exactText(rows)) continue;
    const scores = (list: readonly OptionRow[]) => exactText(list.map(([code, , score]) => [code, score]));
    const size = scores(oldRows) === scores(rows) ? 'patch' : sizeOf(item);
    changes.push({ ...row, field: '选项', before: optionText(oldRows), after: optionText(rows), size });
  }
  return changes;
}

const scoreOf = (score: number | null) => (score === null ? '不计分' : String(score));
const optionText = (rows: readonly OptionRow[]) => rows.map(([, label, score]) => `${label}＝${scoreOf(score)}`).join('；');

/** The options of the sets of both versions. A set whose questions no score or rule reads changes no result. */
function compareOptionSets(pair: Pair, read: ReadonlySet<string>): SizedChange[] {
  const names = Object.keys(pair[1].optionsets).filter((name) => name in pair[0].optionsets);
  return names.flatMap((name) => {
    const isRead = pair.some((scale) => scale.items.some(({ c, o }) => o === name && read.has(c)));
    const rowsOf = (scale: Scale) =>
      (scale.optionsets[name] ?? []).map((row): Row<OptionRow> => [row[0], `选项组 ${name}：${row[1]}`, row]);
    const changes = compareRows('optionsets', pair, rowsOf, fieldsOfOption, () => (isRead ? 'major' : 'minor'));
    return changes.map((change) => ({ ...change, code: change.code === '' ? name : `${name}.${change.code}` }));
  });
}

const fieldsOfOption: readonly Field<OptionRow>[] = [
  { name: '选项文字', size: 'patch', textOf: ([, label]) => label },
  { name: '分值', size: 'major', textOf: ([, , score]) => scoreOf(score) },
];

interface BandRow {
  band: Band;
  mode: 'closed' | 'halfopen';
}

/** The bands of all scores. Bands have no code: they are paired by their level, those of one level in order. */
const bandRows = (scale: Scale): Row<BandRow>[] =>
  Object.entries(scale.bands).flatMap(([code, bands]) => {
    const mode = scale.bandmode?.[code] ?? 'closed';
    const name = scale.scores.find((score) => score.c === code)?.n ?? code;
    return bands.map((band, index): Row<BandRow> => {
      const sameBefore = bands.slice(0, index).filter((other) => other[2] === band[2]).length;
      const key = `${code}.${band[2]}${sameBefore ? `.${sameBefore + 1}` : ''}`;
      return [key, `${name}：${band[3]}`, { band, mode }];
    });
  });

const fieldsOfBand: readonly Field<BandRow>[] = [
  {
    name: '分值范围',
    size: 'major',
    textOf: ({ band, mode }) => bandText(band, mode),
    exactOf: (row) => [row.mode, row.band[0], row.band[1]],
  },
  { name: '等级名称', size: 'patch', textOf: ({ band }) => band[3] },
];

type Norm = NonNullable<Scale['norms']>[string][number];
const normRows = (scale: Scale): Row<Norm>[] =>
  Object.entries(scale.norms ?? {}).flatMap(([name, rows]) =>
    rows.map((row, index): Row<Norm> => {
      const people = row.where ? `：${conditionText(scale, row.where)}` : '';
      return [`${name}.${index + 1}`, name + people, row];
    }),
  );
const fieldsOfNorm: readonly Field<Norm>[] = [
  conditionField('major', '适用', ({ where }) => where, '全部'),
  { name: '均值', size: 'major', textOf: ({ mean }) => String(mean) },
  { name: '标准差', size: 'major', textOf: ({ sd }) => String(sd) },
  { name: '来源', size: 'patch', textOf: ({ source }) => source },
];

const fieldsOfAlert: readonly Field<NonNullable<Scale['alerts']>[number]>[] = [
  conditionField('major', '条件', ({ when }) => when, ''),
  { name: '预警等级', size: 'major', textOf: ({ level }) => String(level) },
  { name: '预警说明', size: 'patch', textOf: ({ msg }) => msg },
];

const fieldsOfValidity: readonly Field<NonNullable<Scale['validity']>[number]>[] = [
  conditionField('major', '条件', ({ when }) => when, ''),
  { name: '处理', size: 'major', textOf: ({ action }) => (action === 'invalid' ? '答卷无效' : '提示') },
  { name: '说明', size: 'patch', textOf: ({ msg }) => msg },
];

type Derive = NonNullable<Scale['derive']>[number];
const deriveRows = (scale: Scale): Row<Derive>[] =>
  (scale.derive ?? []).map((row, index): Row<Derive> => [String(index + 1), conditionText(scale, row.if), row]);
const fieldsOfDerive: readonly Field<Derive>[] = [
  conditionField('major', '条件', (row) => row.if, ''),
  {
    name: '跳过',
    size: 'major',
    textOf: ({ set }) =>
      Object.entries(set)
        .map(([code, option]) => `${code}＝${option}`)
        .join('、'),
    exactOf: ({ set }) => set,
  },
];

type Next = NonNullable<Scale['nextform']>[number];
const nextRows = (scale: Scale): Row<Next>[] => (scale.nextform ?? []).map((row): Row<Next> => [row.formcode, row.formcode, row]);
const fieldsOfNext: readonly Field<Next>[] = [conditionField('minor', '条件', ({ when }) => when, '')];
