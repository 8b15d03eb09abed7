import { sql, type RawBuilder, type SqlBool } from 'kysely';
import { shanghaiTime } from '#domain/base/calendar.ts';
import { maskPhone } from '#domain/base/mask.ts';
import { archiveFieldsOf } from '#domain/person/archive.ts';
import type { Action } from '#contract/action.ts';
import { titleOf } from '#contract/fieldTitles.ts';
import { problems, type FieldChange } from '#contract/problem.ts';
import type { Staff } from '#server/dispatch/caller.ts';
import type { Scope } from '#server/db/scope.ts';

type Values = Readonly<Record<string, unknown>>;
/** `Handler.current`. */
export type Current = ((input: unknown, scope: Scope, caller: Staff) => Promise<Values>) | undefined;

/** One call that edits a row: the condition that finds the row, and the mark of each field in its column `edits`. */
export interface Edit {
  action: Action;
  caller: Staff;
  input: Values;
  table: string;
  keyname: string;
  isRow: RawBuilder<SqlBool>;
  marks: Readonly<Record<string, string>>;
}

/** Returns the table and the key of the row. An institution's own account is the row of the institution. */
function rowOf({ table, key, or }: NonNullable<Action['edits']>, input: Values, caller: Staff) {
  if (typeof key === 'string')
    return input[key] === undefined && or
      ? { table: or.table, keyname: or.key, key: input[or.key] }
      : { table, keyname: key, key: input[key] };
  if (key.column !== undefined)
    return { table, keyname: key.column, key: key.own === 'account' ? caller.accountid : caller.musercode };
  return key.own === 'account' && caller.userid !== null
    ? { table, keyname: 'userid', key: caller.userid }
    : { table: key.own === 'account' ? 'muser' : table, keyname: 'musercode', key: caller.musercode };
}

/** Returns the row that a call edits; undefined when the action edits none, or the request creates one. */
export function editOf(action: Action, input: unknown, caller: Staff): Edit | undefined {
  const { edits } = action;
  if (!edits) return undefined;
  const values = input as Values;
  const { table, keyname, key } = rowOf(edits, values, caller);
  if (key === undefined || key === null) return undefined;
  const isKey = edits.only
    ? sql<SqlBool>`${sql.ref(keyname)} = ${key} and ${sql.ref(edits.only.column)} = ${edits.only.value}`
    : sql<SqlBool>`${sql.ref(keyname)} = ${key}`;
  return {
    action,
    caller,
    input: values,
    table,
    keyname,
    isRow: edits.setting === undefined ? isKey : sql<SqlBool>`${isKey} and key = ${edits.setting}`,
    marks: table !== edits.table ? {} : typeof edits.marks === 'function' ? edits.marks(input as never) : (edits.marks ?? {}),
  };
}

interface EditedRow {
  version: number;
  edits: Record<string, { v: number; by: string | null; at: string; was?: unknown }>;
  row: Record<string, unknown>;
}

/** Returns the Chinese title of a field of a person's archive. */
const titleInArchive = (appid: unknown, field: string): string =>
  archiveFieldsOf[String(appid)]?.find(({ code }) => `archive.${code}` === field)?.title ?? '内容';

/** Returns the names of the sent fields. A member of one of the `parts` is a field of its own. */
function sentFields({ action, keyname, input }: Edit, body: unknown): string[] {
  const parts = action.edits?.parts ?? [];
  return Object.keys((body ?? {}) as object)
    .filter((name) => name !== 'version' && name !== keyname && input[name] !== undefined)
    .flatMap((name) => (parts.includes(name) ? Object.keys(input[name] as object).map((member) => `${name}.${member}`) : [name]));
}

/** Returns the mark of a field. A member of a part is marked under the column of the part, a setting under `value`. */
function markNameOf({ action, marks }: Edit, field: string): string {
  const [head = '', member] = field.split('.');
  if (action.edits?.setting) return `value.${marks[field] ?? field}`;
  return member === undefined ? (marks[field] ?? field) : `${marks[head] ?? head}.${member}`;
}

const valueAt = (values: Values, field: string): unknown =>
  field.split('.').reduce<unknown>((value, name) => (value as Values | undefined)?.[name], values);
const sorted = (value: unknown) => (Array.isArray(value) ? value.map((item) => JSON.stringify(item)).sort() : (value ?? ''));
const isSame = (a: unknown, b: unknown) => JSON.stringify(sorted(a)) === JSON.stringify(sorted(b));

/**
 * Locks the edited row. Throws 140002 when another person has changed one of the sent fields to another value since the version of
 * the request. Edits of different fields both stay. Without a version, every edit applies (clients of the specification).
 * Returns the version of the row before the edit; 0 for a row that does not exist yet.
 */
export async function assertUnchanged(scope: Scope, edit: Edit, body: unknown, current: Current): Promise<number> {
  const { action, input, table, isRow } = edit;
  const { rows } = await sql<EditedRow>`select version, edits, to_jsonb(t) as row from ${sql.table(table)} t where ${isRow}
    for no key update`.execute(scope.db);
  const found = rows[0];
  const version = input['version'];
  if (!found) return 0;
  if (typeof version !== 'number' || version >= found.version) return found.version;
  const markOf = (field: string) => found.edits[markNameOf(edit, field)];
  const newer = sentFields(edit, body).filter((field) => (markOf(field)?.v ?? 0) > version);
  if (newer.length === 0) return found.version;
  const isPrivate = action.edits?.isPrivate === true;
  const member = found.row['value'];
  const present = {
    ...(action.edits?.setting ? (member as Values) : found.row),
    ...(await current?.(input, scope, edit.caller)),
  } as Values;
  const changes: FieldChange[] = [];
  for (const field of newer) {
    const mark = markOf(field);
    const markName = markNameOf(edit, field);
    const after = valueAt(present, field) ?? valueAt(found.row, markName);
    if (!mark || (!isPrivate && isSame(after, valueAt(input, field)))) continue;
    changes.push({
      field,
      title: titleOf(action.request, field.split('.')) ?? titleInArchive(found.row['appid'], field),
      name: await findName(scope, mark.by),
      time: shanghaiTime(new Date(mark.at)).slice(0, 16),
      ...(isPrivate ? {} : { after, ...(markName.endsWith(field) ? { before: mark.was } : {}) }),
    });
  }
  const latest = changes.reduce<FieldChange | undefined>(
    (last, next) => (last && last.time >= next.time ? last : next),
    undefined,
  );
  if (!latest) return found.version;
  const titles = changes.map(({ title }) => `“${title}”`).join('、');
  throw problems.changedMeanwhile(
    { name: latest.name, time: latest.time, titles },
    { data: { changes, version: found.version } },
  );
}

/** The old and the new value of each changed field; no values where the audit log may not hold them. */
export type Changes = Record<string, readonly [before: unknown, after: unknown] | readonly []>;

/** Secrets, and the parts of a row that are no single value, appear in the audit log without their content. */
const WITHOUT_VALUES = /secret|sealed|pwd|token|hash$|^settings$|^cond$/;
const MAX_TEXT = 200;
const isObject = (value: unknown) => typeof value === 'object' && value !== null && !Array.isArray(value);
/** Returns a value as the audit log holds it: contacts masked, texts of a limited length. */
function toAudited(field: string, value: unknown): unknown {
  if (typeof value !== 'string') return value ?? null;
  if (field.endsWith('phonenumber')) return maskPhone(value);
  if (field.endsWith('email')) return value.replace(/^(.).*@/, '$1***@');
  return value.slice(0, MAX_TEXT);
}

/** Returns the version of the edited row and the fields that this edit changed. Undefined when the call has created no row. */
export async function findChanges(
  scope: Scope,
  { table, isRow }: Edit,
  versionBefore: number,
): Promise<{ version: number; changes: Changes } | undefined> {
  const { rows } =
    await sql<EditedRow>`select version, edits, to_jsonb(t) as row from ${sql.table(table)} t where ${isRow}`.execute(scope.db);
  const [found] = rows;
  if (!found) return undefined;
  const changes: Changes = {};
  for (const [field, mark] of Object.entries(found.edits)) {
    if (mark.v <= versionBefore) continue;
    const after = valueAt(found.row, field);
    const hasValues = 'was' in mark && !WITHOUT_VALUES.test(field) && !isObject(mark.was) && !isObject(after);
    changes[field] = hasValues ? [toAudited(field, mark.was), toAudited(field, after)] : [];
  }
  return { version: found.version, changes };
}

/** Returns the name of an account. The rows of an institution above the caller are not visible. */
async function findName(scope: Scope, accountid: string | null): Promise<string> {
  if (accountid === null) return '系统';
  const { rows } = await sql<{ name: string }>`select realname as name from sysuser where userid = ${accountid}
    union all select insname from muser where musercode = ${accountid}`.execute(scope.db);
  return rows[0]?.name ?? '上级单位的账号';
}

/** Marks a field of a row that lives in another table, for example the roles of a member of staff. Call it when the field changes. */
export const markEdit = async (
  scope: Scope,
  table: string,
  keyname: string,
  key: string | number,
  field: string,
): Promise<void> => {
  await sql`select access.mark_edit(${table}, ${keyname}, ${String(key)}, ${field})`.execute(scope.db);
};
