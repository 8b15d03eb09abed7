import type { Action } from '#contract/action.ts';
import { findFaults, schemaOf, titleOf } from '#contract/fieldTitles.ts';

type Values = Readonly<Record<string, unknown>>;

const isEmpty = (value: unknown) => value === undefined || value === '';

/** Nothing, as the wire says it: `''` or `null`, whichever the field's schema takes and keeps as it is. */
function nothing(action: Action, name: string): '' | null | undefined {
  const schema = schemaOf(action.request, [name]);
  return (['', null] as const).find((value) => {
    const checked = schema?.safeParse(value);
    return checked?.success === true && (checked.data === '' || checked.data === null);
  });
}

/** Left out, the field takes a value of its own. */
const fallsBack = (action: Action, name: string) => schemaOf(action.request, [name])?.safeParse(undefined).data !== undefined;

/**
 * What a form sends. An absent field means "as it is" on the wire, so an input left empty is left out; one that held something
 * when the form was opened (`saved`) and was emptied is sent as nothing, which clears it.
 */
export function toPayload(action: Action, values: Values, saved: Values): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(values).flatMap(([name, value]) => {
      if (!isEmpty(value)) return [[name, value]];
      const none = isEmpty(saved[name]) || saved[name] === null ? undefined : nothing(action, name);
      return none === undefined ? [] : [[name, none]];
    }),
  );
}

/** What is wrong with what a form would send; a value that can be changed but not cleared is said, never quietly kept. */
export function validatePayload(action: Action, values: Values, saved: Values): Record<string, string> {
  const given = toPayload(action, values, saved);
  const kept = Object.keys(values).filter(
    (name) => !(name in given) && !isEmpty(saved[name]) && saved[name] !== null && !fallsBack(action, name),
  );
  const faults = Object.fromEntries(kept.map((name) => [name, `${titleOf(action.request, [name]) ?? '内容'}不能为空`]));
  return { ...faults, ...findFaults(action, given) };
}
