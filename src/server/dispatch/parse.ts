import { z } from 'zod';
import type { Action } from '#contract/action.ts';
import { describeIssue } from '#contract/fieldTitles.ts';
import { problems } from '#contract/problem.ts';

// A request must not contain the form of a sealed text: a stolen one would be opened for its reader (docs/decisions/0103).
const UNSTORABLE = /[\p{Surrogate}\0]|sealed\.1\./gu;
const clean = (text: string) => text.replace(UNSTORABLE, '\ufffd');

/**
 * Replaces characters that JSON allows but the database cannot store. In values and field names, a lone surrogate and U+0000
 * become U+FFFD. There is no recursion, because a body may be nested as deep as it is long.
 */
export function replaceUnstorableCharacters(body: unknown): unknown {
  if (typeof body === 'string') return clean(body);
  const pending: unknown[] = [body];
  while (pending.length > 0) {
    const container = pending.pop() as Record<string, unknown>;
    if (typeof container !== 'object' || container === null) continue;
    for (const [key, value] of Object.entries(container)) {
      if (typeof value === 'object') pending.push(value);
      else if (typeof value === 'string' && value.search(UNSTORABLE) >= 0) container[key] = clean(value);
      if (key.search(UNSTORABLE) < 0) continue;
      container[clean(key)] = container[key];
      delete container[key];
    }
  }
  return body;
}

/** Returns the body parsed by the action's schema. Throws the first error in Chinese, with the name of its field. */
export function parse(action: Action, body: unknown): unknown {
  const checked = action.request.safeParse(body, { reportInput: true });
  if (checked.success) return checked.data;
  const issue = checked.error.issues[0] as z.core.$ZodIssue;
  if (issue.path.length === 0 && issue.code === 'invalid_type') throw problems.invalid({ message: '请求格式不正确' });
  const field = issue.code === 'unrecognized_keys' ? issue.keys.join('、') : issue.path.join('.');
  const title = titleOf(action.request, issue.path) ?? field;
  const absent = issue.code === 'invalid_type' && (issue.input === undefined || issue.input === null);
  if (issue.code === 'unrecognized_keys') throw problems.invalid({ message: `不支持的字段：${field}` }, { field });
  if (absent) throw problems.missing({ title }, { field });
  throw problems.invalid({ message: describeIssue(issue, title) }, { field });
}

/** Returns the Chinese title that a schema gives to the field at `path` with `.describe('…')`. */
function titleOf(schema: z.ZodType, path: readonly PropertyKey[]): string | undefined {
  let part: z.ZodType | undefined = schema;
  let title: string | undefined;
  for (const key of path) {
    while (part && 'unwrap' in part && typeof part.unwrap === 'function' && !(part instanceof z.ZodArray))
      part = part.unwrap() as z.ZodType;
    if (part instanceof z.ZodObject) part = (part.shape as Record<string, z.ZodType>)[String(key)];
    else if (part instanceof z.ZodArray) part = part.element as z.ZodType;
    else return title;
    title = part?.description ?? title;
  }
  return title;
}
