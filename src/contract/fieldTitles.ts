import { z } from 'zod';
import { formatNumber } from '#domain/base/number.ts';
import type { Action } from '#contract/action.ts';

/** The schema without wrappers such as optional, nullable, default and pipe. */
export function unwrapSchema(schema: z.ZodType | undefined): z.ZodType | undefined {
  let inner = schema;
  for (;;) {
    if (inner instanceof z.ZodPipe) inner = inner.in as z.ZodType;
    else if (inner && 'unwrap' in inner && typeof inner.unwrap === 'function' && !(inner instanceof z.ZodArray))
      inner = inner.unwrap() as z.ZodType;
    else return inner;
  }
}

/** The schema of a field of an object schema, or undefined. */
export function schemaOf(schema: z.ZodType | undefined, path: readonly PropertyKey[]): z.ZodType | undefined {
  let current = schema;
  for (const key of path) {
    const inner = unwrapSchema(current);
    if (inner instanceof z.ZodObject) current = (inner.shape as Record<string, z.ZodType>)[String(key)];
    else if (inner instanceof z.ZodArray) current = inner.element as z.ZodType;
    else return undefined;
  }
  return current;
}

/** The Chinese title of a field from `.describe('…')`, on the schema or on any wrapper. */
export function titleOf(schema: z.ZodType, path: readonly PropertyKey[]): string | undefined {
  let current = schemaOf(schema, path);
  for (
    ;
    current;
    current = 'unwrap' in current && typeof current.unwrap === 'function' ? (current.unwrap() as z.ZodType) : undefined
  )
    if (current.description) return current.description;
  return undefined;
}

/** Whether the field is required. */
export const isRequired = (schema: z.ZodType, path: readonly PropertyKey[]): boolean => {
  const field = schemaOf(schema, path);
  return field !== undefined && !field.safeParse(undefined).success;
};

/** Returns the fault of a field in Chinese: the words of its schema, or the limit that a number or text exceeds. */
export function describeIssue(issue: z.core.$ZodIssue, title: string): string {
  if (/[\u4e00-\u9fff]/.test(issue.message)) return issue.message;
  const isNumber =
    (issue.code === 'too_big' || issue.code === 'too_small') && (issue.origin === 'number' || issue.origin === 'int');
  if (isNumber && issue.origin === 'int') return `${title}超出允许的范围`;
  if (isNumber && issue.code === 'too_big')
    return `${title}不能大于 ${formatNumber(issue.inclusive === false ? Number(issue.maximum) - 1 : issue.maximum)}`;
  if (isNumber && issue.code === 'too_small')
    return `${title}不能小于 ${formatNumber(issue.inclusive === false ? Number(issue.minimum) + 1 : issue.minimum)}`;
  if (issue.code === 'too_big' && issue.origin === 'string') return `${title}不超过 ${issue.maximum} 个字`;
  if (issue.code === 'invalid_type' && issue.expected === 'int') return `${title}应为整数`;
  return `${title}不正确`;
}

/** The faults of a request by field, with the messages of the server. Only the first fault of a field counts. */
export function findFaults(action: Action, values: unknown): Record<string, string> {
  const checked = action.request.safeParse(values);
  const faults: Record<string, string> = {};
  for (const issue of checked.error?.issues ?? []) {
    const field = issue.path.join('.');
    if (faults[field]) continue;
    const title = titleOf(action.request, issue.path) ?? '内容';
    const value = valueAt(values, issue.path);
    const empty = value == null || (typeof value === 'string' && value.trim() === '');
    faults[field] = empty && isRequired(action.request, issue.path) ? `${title}不能为空` : describeIssue(issue, title);
  }
  return faults;
}

const valueAt = (values: unknown, path: readonly PropertyKey[]): unknown =>
  path.reduce<unknown>(
    (value, key) => (typeof value === 'object' && value !== null ? (value as Record<PropertyKey, unknown>)[key] : undefined),
    values,
  );
