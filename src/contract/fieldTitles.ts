import { z } from 'zod';
import type { Action } from '#contract/action.ts';

/** Wrappers such as optional, nullable, default and pipes taken off. */
export function bare(schema: z.ZodType | undefined): z.ZodType | undefined {
  let at = schema;
  for (;;) {
    if (at instanceof z.ZodPipe) at = at.in as z.ZodType;
    else if (at && 'unwrap' in at && typeof at.unwrap === 'function' && !(at instanceof z.ZodArray))
      at = at.unwrap() as z.ZodType;
    else return at;
  }
}

/** The schema of a field of an object schema, or undefined. */
export function schemaOf(schema: z.ZodType | undefined, path: readonly PropertyKey[]): z.ZodType | undefined {
  let at = schema;
  for (const key of path) {
    const inner = bare(at);
    if (inner instanceof z.ZodObject) at = (inner.shape as Record<string, z.ZodType>)[String(key)];
    else if (inner instanceof z.ZodArray) at = inner.element as z.ZodType;
    else return undefined;
  }
  return at;
}

/** The Chinese title a contract gives a field by `.describe('…')`, on whichever wrapper it stands. */
export function titleOf(schema: z.ZodType, path: readonly PropertyKey[]): string | undefined {
  let at = schemaOf(schema, path);
  for (; at; at = 'unwrap' in at && typeof at.unwrap === 'function' ? (at.unwrap() as z.ZodType) : undefined)
    if (at.description) return at.description;
  return undefined;
}

/** Must the field be filled in? */
export const isRequired = (schema: z.ZodType, path: readonly PropertyKey[]): boolean => {
  const field = schemaOf(schema, path);
  return field !== undefined && !field.safeParse(undefined).success;
};

/** What is wrong with a request, by field, in the words the server would use. The first fault of a field counts. */
export function faultsOf(action: Action, values: unknown): Record<string, string> {
  const checked = action.request.safeParse(values);
  const faults: Record<string, string> = {};
  for (const issue of checked.error?.issues ?? []) {
    const field = issue.path.join('.');
    if (faults[field]) continue;
    const title = titleOf(action.request, issue.path) ?? '内容';
    const empty =
      issue.input === undefined ||
      issue.input === '' ||
      issue.input === null ||
      valueAt(values, issue.path) == null ||
      valueAt(values, issue.path) === '';
    faults[field] =
      empty && isRequired(action.request, issue.path)
        ? `${title}不能为空`
        : /[\u4e00-\u9fff]/.test(issue.message)
          ? issue.message
          : `${title}不正确`;
  }
  return faults;
}

const valueAt = (values: unknown, path: readonly PropertyKey[]): unknown =>
  path.reduce<unknown>(
    (at, key) => (typeof at === 'object' && at !== null ? (at as Record<PropertyKey, unknown>)[key] : undefined),
    values,
  );
