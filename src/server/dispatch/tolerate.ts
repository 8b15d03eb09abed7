import { z } from 'zod';
import type { Action } from '#contract/action.ts';

/** A request as another client may send it, made ready for the strict schema of its action. */
export interface Tolerated {
  body: unknown;
  /** The paths of the fields that the action does not know and the server ignores. */
  ignored: readonly string[];
}

type Fields = Record<string, unknown>;
const isFields = (value: unknown): value is Fields => typeof value === 'object' && value !== null && !Array.isArray(value);

/** Returns the schema inside `optional`, `nullable`, `default` and `pipe`. */
function unwrap(schema: z.core.$ZodType): z.core.$ZodType {
  if (
    schema instanceof z.ZodOptional ||
    schema instanceof z.ZodNullable ||
    schema instanceof z.ZodDefault ||
    schema instanceof z.ZodPrefault ||
    schema instanceof z.ZodLazy
  )
    return unwrap(schema.unwrap());
  return schema instanceof z.ZodPipe && !(schema.in instanceof z.ZodTransform) ? unwrap(schema.in) : schema;
}

/**
 * Whether '' or null counts as absent in an optional field. In a write a text may be emptied, and a field that accepts null is
 * cleared with it. A number would read both as 0.
 */
function isAbsent(schema: z.core.$ZodType, value: unknown, isWrite: boolean): boolean {
  if ((value !== '' && value !== null) || !z.safeParse(schema, undefined).success) return false;
  if (!isWrite) return true;
  const isNullAccepted = value === null && z.safeParse(schema, null).data === null;
  return !isNullAccepted && (unwrap(schema) instanceof z.ZodNumber || !z.safeParse(schema, value).success);
}

/**
 * Returns the request of a client that is not our console in the form of the contract: `limit` becomes `pageSize`, '' and null in
 * optional fields are left out, unknown fields are ignored. `parse` then checks the rest.
 */
export function tolerate(action: Action, body: unknown): Tolerated {
  const ignored: string[] = [];
  const isWrite = action.kind === 'write' || action.kind === 'import';
  const clean = (schema: z.core.$ZodType, value: unknown, path: string): unknown => {
    const inner = unwrap(schema);
    if (inner instanceof z.ZodArray && Array.isArray(value))
      return value.map((item: unknown, index) => clean(inner.element, item, `${path}${index}.`));
    if (inner instanceof z.ZodUnion && (isFields(value) || Array.isArray(value))) return cleanUnion(inner, value, path);
    if (!(inner instanceof z.ZodObject) || !isFields(value)) return value;
    const shape = inner.shape as Readonly<Record<string, z.core.$ZodType>>;
    const fields: Fields = {};
    for (const [name, field] of Object.entries(value)) {
      const key = name === 'limit' && !shape['limit'] && shape['pageSize'] && !('pageSize' in value) ? 'pageSize' : name;
      const part = Object.hasOwn(shape, key) ? shape[key] : undefined;
      if (part) {
        if (!isAbsent(part, field, isWrite)) fields[key] = clean(part, field, `${path}${key}.`);
      } else if (inner.def.catchall instanceof z.ZodNever) ignored.push(path + key);
      else fields[key] = field;
    }
    return fields;
  };
  /** Cleans by the first option that then accepts the value; a value that no option accepts stays as it is. */
  const cleanUnion = (union: z.ZodUnion, value: unknown, path: string): unknown => {
    const ignoredBefore = ignored.length;
    for (const option of union.options) {
      const cleaned = clean(option, value, path);
      if (z.safeParse(option, cleaned).success) return cleaned;
      ignored.length = ignoredBefore;
    }
    return value;
  };
  return { body: clean(action.request, body, ''), ignored };
}
