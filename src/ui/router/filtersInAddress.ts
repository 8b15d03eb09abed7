import { z } from 'zod';
import { unwrapSchema } from '#contract/fieldTitles.ts';

/**
 * Parses a list's request from the address bar. Text is converted to the types of the action's schema (numbers, lists, booleans).
 * Unknown and invalid parameters are dropped, so that an old or damaged link still opens the list.
 */
export function requestFrom(schema: z.ZodType, params: URLSearchParams): Record<string, unknown> {
  const object = unwrapSchema(schema);
  if (!(object instanceof z.ZodObject)) return {};
  const request: Record<string, unknown> = {};
  for (const [key, field] of Object.entries(object.shape as Record<string, z.ZodType>)) {
    const given = params.getAll(key).filter((text) => text !== '');
    const fitting = candidates(given).find((value) => field.safeParse(value).success);
    if (fitting !== undefined) request[key] = fitting;
  }
  return request;
}

function candidates(given: readonly string[]): unknown[] {
  const [first] = given;
  if (first === undefined) return [];
  const numbers = given.map(Number).filter(Number.isFinite);
  return [
    ...(given.length === 1 ? [first] : []),
    ...(numbers.length === 1 ? numbers : []),
    ...(first === 'true' || first === 'false' ? [first === 'true'] : []),
    given,
    ...(numbers.length === given.length ? [numbers] : []),
  ];
}

export type FilterValue = string | number | boolean | readonly (string | number)[] | null | undefined;

/** Formats filters for the address bar; empty ones disappear. */
export function paramsFrom(filters: Readonly<Record<string, FilterValue>>): URLSearchParams {
  const params = new URLSearchParams();
  for (const [key, value] of Object.entries(filters)) {
    if (value === null || value === undefined || value === '') continue;
    for (const item of Array.isArray(value) ? value : [value]) params.append(key, String(item));
  }
  return params;
}
