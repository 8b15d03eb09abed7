import type { Action } from '#contract/action.ts';
import { findFaults, isRequired, schemaOf, titleOf } from '#contract/fieldTitles.ts';

type Values = Readonly<Record<string, unknown>>;

const isEmpty = (value: unknown) => value === undefined || value === '';

/** Returns the wire's empty value of a field: `''` or `null`, depending on which one its schema accepts unchanged. */
function emptyValue(action: Action, name: string): '' | null | undefined {
  const schema = schemaOf(action.request, [name]);
  return (['', null] as const).find((value) => {
    const checked = schema?.safeParse(value);
    return checked?.success === true && (checked.data === '' || checked.data === null);
  });
}

/** The schema gives an absent field a default value. */
const hasDefault = (action: Action, name: string) => schemaOf(action.request, [name])?.safeParse(undefined).data !== undefined;

/** Whether two values of a field are the same on the wire: nothing, '' and null all mean empty. */
const isSame = (a: unknown, b: unknown) =>
  JSON.stringify(a === null || isEmpty(a) ? '' : a) === JSON.stringify(b === null || isEmpty(b) ? '' : b);
const membersOf = (value: unknown) => (value ?? {}) as Values;

/** Whether the form edits a row that exists. Then it sends only what changed. */
const isEdit = ({ edits }: Action, saved: Values) =>
  edits !== undefined && (typeof edits.key !== 'string' || !isEmpty(saved[edits.key]));

/** Returns the changed values of an edit with its key and version, and the fields that every request needs. */
function onlyChanged(action: Action, values: Values, saved: Values): Values {
  const { key, parts = [], together = [] } = action.edits ?? {};
  // A field that the form opened without, for example a picture: null removes it.
  const isChanged = (name: string) => (name in saved ? !isSame(values[name], saved[name]) : !isEmpty(values[name]));
  const accompanied = new Set(together.filter((fields) => fields.some(isChanged)).flat());
  return Object.fromEntries(
    Object.entries(values).flatMap(([name, value]): [string, unknown][] => {
      if (name === key || name === 'version' || isRequired(action.request, [name])) return [[name, value]];
      if (accompanied.has(name) && !isEmpty(value)) return [[name, value]];
      if (!isChanged(name)) return [];
      if (!parts.includes(name)) return [[name, value]];
      const before = membersOf(saved[name]);
      return [
        [name, Object.fromEntries(Object.entries(membersOf(value)).filter(([member, part]) => !isSame(part, before[member])))],
      ];
    }),
  );
}

/**
 * Returns the request of a form. An absent field means "unchanged" on the wire, so an empty input is left out. If the field had a
 * value when the form opened (`saved`), the empty value is sent and clears it. An edit sends only the fields that changed.
 */
export function toPayload(action: Action, values: Values, saved: Values): Record<string, unknown> {
  const sent = isEdit(action, saved) ? onlyChanged(action, values, saved) : values;
  return Object.fromEntries(
    Object.entries(sent).flatMap(([name, value]) => {
      if (!isEmpty(value)) return [[name, value]];
      const none = isEmpty(saved[name]) || saved[name] === null ? undefined : emptyValue(action, name);
      return none === undefined ? [] : [[name, none]];
    }),
  );
}

/** Whether an edit would send its key and version only, so that there is nothing to save. */
export const isUnchanged = (action: Action, values: Values, saved: Values): boolean =>
  isEdit(action, saved) &&
  Object.keys(toPayload(action, values, saved)).every((name) => name === 'version' || name === action.edits?.key);

/** Returns the errors of the request. A field that cannot be cleared is reported, so that its old value never stays silently. */
export function validatePayload(action: Action, values: Values, saved: Values): Record<string, string> {
  const payload = toPayload(action, values, saved);
  const uncleared = Object.keys(values).filter(
    (name) =>
      isEmpty(values[name]) && !(name in payload) && !isEmpty(saved[name]) && saved[name] !== null && !hasDefault(action, name),
  );
  const faults = Object.fromEntries(uncleared.map((name) => [name, `${titleOf(action.request, [name]) ?? '内容'}不能为空`]));
  return { ...faults, ...findFaults(action, payload) };
}
