import type { Scope } from '#server/db/scope.ts';
import { FIELD_TITLES, NUMBERED, labelOf, titleOfCode } from '#features/audit/detail/fieldNames.ts';
import { findNames, type Identifiers } from '#features/audit/detail/names.queries.ts';

/** Says the details of audit rows in names and Chinese titles instead of identifiers and JSON. */

interface Recorded {
  action: string;
  objectid: string | null;
  detail: Readonly<Record<string, unknown>>;
}
type Names = ReadonlyMap<string, string>;

/** A text that may be the code of a record; dates, words and long texts are none. */
const CODE = /^[A-Z][A-Za-z0-9_]{2,19}$/;
const MAX_LENGTH = 500;

/** The kind of record that a numeric object of an action is. */
const kindOfObject = (action: string): 'dept' | 'role' | undefined =>
  /\.dept\./i.test(action) ? 'dept' : /\.role\./i.test(action) ? 'role' : undefined;

function collect(value: unknown, field: string, found: { texts: Set<string>; dept: Set<number>; role: Set<number> }): void {
  if (typeof value === 'string' && CODE.test(value)) found.texts.add(value);
  else if (typeof value === 'number' && NUMBERED[field]) found[NUMBERED[field]].add(value);
  else if (Array.isArray(value)) for (const item of value) collect(item, field, found);
  else if (typeof value === 'object' && value !== null)
    for (const [key, item] of Object.entries(value)) collect(item, key, found);
}

/** Returns the names of all records in these audit rows that the caller may see. */
export function findNamesOf(scope: Scope, rows: readonly Recorded[]): Promise<Names> {
  const found = { texts: new Set<string>(), dept: new Set<number>(), role: new Set<number>() };
  for (const { action, objectid, detail } of rows) {
    collect(detail, '', found);
    const kind = kindOfObject(action);
    if (objectid === null) continue;
    if (kind && /^\d+$/.test(objectid)) found[kind].add(Number(objectid));
    else found.texts.add(objectid);
  }
  const identifiers: Identifiers = { texts: [...found.texts], depts: [...found.dept], roles: [...found.role] };
  return findNames(scope, identifiers);
}

/** Returns the name of the object of an audit row, or '' when it has none that the caller may see. */
export function nameOfObject({ action, objectid }: Pick<Recorded, 'action' | 'objectid'>, names: Names): string {
  if (objectid === null) return '';
  const kind = kindOfObject(action);
  return names.get(kind ? `${kind} ${objectid}` : objectid) ?? '';
}

const titleOfField = (field: string) => FIELD_TITLES[field.replace(/^(value|config|consentterms|archive)\./, '')] ?? field;

function formatValue(field: string, value: unknown, names: Names): string {
  if (value === null || value === undefined || value === '') return '空';
  if (typeof value === 'boolean') return value ? '是' : '否';
  if (Array.isArray(value)) return value.length === 0 ? '空' : value.map((item) => formatValue(field, item, names)).join('、');
  if (typeof value === 'object')
    return Object.entries(value)
      .filter(([, item]) => item !== undefined && item !== null && item !== '')
      .map(([key, item]) => `${titleOfField(key)} ${formatValue(key, item, names)}`)
      .join('，');
  const kind = NUMBERED[field];
  const text = String(value as string | number);
  const name = kind ? names.get(`${kind} ${text}`) : names.get(text);
  return labelOf(field, value) ?? name ?? (typeof value === 'string' ? (titleOfCode(value) ?? text) : text);
}

/** The old and the new value of a field; no values for a field whose content the audit log does not hold. */
type Change = readonly [before: unknown, after: unknown] | readonly [];
function describeChange(field: string, [before, after]: Change, names: Names): string {
  if (before === undefined && after === undefined) return '已修改';
  if (!Array.isArray(before) || !Array.isArray(after))
    return `${formatValue(field, before, names)} → ${formatValue(field, after, names)}`;
  // Of a long list, only the difference can be read.
  const added = after.filter((item) => !before.includes(item));
  const removed = before.filter((item) => !after.includes(item));
  return [
    added.length > 0 && `增加 ${formatValue(field, added, names)}`,
    removed.length > 0 && `移除 ${formatValue(field, removed, names)}`,
  ]
    .filter(Boolean)
    .join('；');
}

/** Returns the details of an audit row as titles and texts; a changed field as 旧值 → 新值. */
export function describeDetail(detail: Recorded['detail'], names: Names): { key: string; value: string }[] {
  // The paths of a move are for the chain (src/server/audit/verify.ts); from and to say the same in names.
  const { changes, paths: _, ...facts } = detail as Record<string, unknown> & { changes?: Record<string, Change> };
  const changed = Object.entries(changes ?? {}).map(([field, change]) => ({
    key: titleOfField(field),
    value: describeChange(field, change, names),
  }));
  const others = Object.entries(facts).flatMap(([field, value]) => {
    if (value === null || value === undefined || value === '' || (Array.isArray(value) && value.length === 0)) return [];
    const isListOfFields = (field === 'changed' || field === 'fields') && typeof value !== 'number';
    // The changes say more than the names of the fields.
    if (changes && (isListOfFields || field in changes || (changes['codes'] && ['added', 'removed'].includes(field)))) return [];
    const text = isListOfFields
      ? [value]
          .flat()
          .map((name) => titleOfField(String(name)))
          .join('、')
      : field === 'reset'
        ? titleOfField(String(value))
        : formatValue(field, value, names);
    return [{ key: typeof value === 'number' && field === 'changed' ? '已改变' : titleOfField(field), value: text }];
  });
  return [...changed, ...others]
    .map(({ key, value }) => ({ key, value: value.slice(0, MAX_LENGTH) }))
    .filter(({ value }) => value !== '');
}
