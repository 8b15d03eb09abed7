/** A number of a JSON text as it was written: JavaScript would change 1.50 to 1.5, and a hash over the text with it. */
class WrittenNumber {
  readonly source: string;
  constructor(source: string) {
    this.source = source;
  }
}

type Json = string | boolean | null | WrittenNumber | Json[] | { [name: string]: Json };
type Reviver = (this: unknown, name: string, value: unknown, context?: { source?: string }) => unknown;

/** Changes a text of a JSON value; `path` are the members around it, the nearest last. `row` is the object that has it. */
export type ChangeText = (text: string, path: readonly string[], row: Readonly<Record<string, unknown>>) => string;

/** Returns a JSON text with every string value changed. All else stays as it was written. */
export function changeTexts(json: string, change: ChangeText): string {
  const keepNumbers: Reviver = (_, value, context) =>
    typeof value === 'number' ? new WrittenNumber(context?.source ?? String(value)) : value;
  return write(changeIn(JSON.parse(json, keepNumbers) as Json, [], {}, change));
}

function changeIn(value: Json, path: readonly string[], row: Readonly<Record<string, unknown>>, change: ChangeText): Json {
  if (typeof value === 'string') return change(value, path, row);
  if (Array.isArray(value)) return value.map((item) => changeIn(item, path, row, change));
  if (typeof value !== 'object' || value === null || value instanceof WrittenNumber) return value;
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, changeIn(item, [...path, name], value, change)]));
}

function write(value: Json): string {
  if (value instanceof WrittenNumber) return value.source;
  if (Array.isArray(value)) return `[${value.map(write).join(',')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  return `{${Object.entries(value)
    .map(([name, item]) => `${JSON.stringify(name)}:${write(item)}`)
    .join(',')}}`;
}
