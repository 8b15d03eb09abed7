import type { Action } from '#contract/action.ts';
import { findFaults, schemaOf, titleOf } from '#contract/fieldTitles.ts';

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

/**
 * Returns the request of a form. An absent field means "unchanged" on the wire, so an empty input is left out. If the field had a
 * value when the form opened (`saved`), the empty value is sent and clears it.
 */
export function toPayload(action: Action, values: Values, saved: Values): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(values).flatMap(([name, value]) => {
      if (!isEmpty(value)) return [[name, value]];
      const none = isEmpty(saved[name]) || saved[name] === null ? undefined : emptyValue(action, name);
      return none === undefined ? [] : [[name, none]];
    }),
  );
}

/** Returns the errors of the request. A field that cannot be cleared is reported, so that its old value never stays silently. */
export function validatePayload(action: Action, values: Values, saved: Values): Record<string, string> {
  const payload = toPayload(action, values, saved);
  const uncleared = Object.keys(values).filter(
    (name) => !(name in payload) && !isEmpty(saved[name]) && saved[name] !== null && !hasDefault(action, name),
  );
  const faults = Object.fromEntries(uncleared.map((name) => [name, `${titleOf(action.request, [name]) ?? '内容'}不能为空`]));
  return { ...faults, ...findFaults(action, payload) };
}
