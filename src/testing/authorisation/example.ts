import { z } from 'zod';
import type { Action } from '#contract/action.ts';

type Json = z.core.JSONSchema.BaseSchema;

/** Texts in the formats of the wire. `valueOf` uses the first text that fits. */
const sampleTexts = [
  '测',
  '一段足够长的情况说明文字',
  '2025-10-09',
  '2025-10-09 10:00',
  '13800000000',
  '2025-2026',
  '01',
  '1',
  'entry_none',
  '0b8d0e9a-6a51-4ac5-93f1-0d4bb5d7c001',
  'D41D8CD98F00B204E9800998ECF8427E',
  '000000002',
  '287082',
  '08:30',
  'a@b.example',
  'https://hook.example/',
  '1234',
  '0123456789',
  'B5',
  'PHQ9.total',
  '20251009100000000001',
  'R20251009100000000001',
];

/**
 * Returns a request that the schema of an action accepts, or undefined. It contains the fields of `known` with their values, and the
 * other required fields with the first value that fits.
 */
export function exampleOf(action: Action, known: Readonly<Record<string, unknown>>): Record<string, unknown> | undefined {
  const schema = z.toJSONSchema(action.request, { io: 'input', unrepresentable: 'any' }) as Json;
  const request = valueOf(schema, '', known) as Record<string, unknown>;
  // Some actions need one of several optional fields.
  const extended = Object.entries(schema.properties ?? {}).map(([key, part]) => ({
    ...request,
    [key]: request[key] ?? valueOf(part as Json, key, known),
  }));
  // Some texts have a least length that the JSON schema does not show.
  const longTexts = valueOf(schema, '', known, sampleTexts.slice(1)) as Record<string, unknown>;
  const whole = Object.fromEntries(
    Object.entries(schema.properties ?? {}).map(([key, part]) => [key, valueOf(part as Json, key, known)]),
  );
  return [request, ...extended, longTexts, whole].find((candidate) => action.request.safeParse(candidate).success);
}

/** Returns the names of all fields of a schema, at every depth. */
export function fieldsOf(schema: z.ZodType, io: 'input' | 'output' = 'input'): Set<string> {
  const names = new Set<string>();
  const collect = (part: unknown) => {
    if (typeof part !== 'object' || part === null) return;
    for (const [key, value] of Object.entries(part)) {
      if (key === 'properties') for (const name of Object.keys(value as object)) names.add(name);
      collect(value);
    }
  };
  collect(z.toJSONSchema(schema, { io, unrepresentable: 'any' }));
  return names;
}

function valueOf(schema: Json, name: string, known: Readonly<Record<string, unknown>>, texts = sampleTexts): unknown {
  const knownValue = known[name];
  if (knownValue !== undefined) return schema.type === 'array' && !Array.isArray(knownValue) ? [knownValue] : knownValue;
  if (schema.const !== undefined) return schema.const;
  if (schema.enum) return schema.enum[0];
  const choices = schema.anyOf ?? schema.oneOf;
  if (choices) return valueOf(choices[0] as Json, name, known, texts);
  switch (schema.type) {
    case 'object': {
      const required = new Set(schema.required ?? []);
      const properties = Object.entries(schema.properties ?? {}) as [string, Json][];
      return Object.fromEntries(
        properties
          .filter(([key]) => required.has(key) || known[key] !== undefined)
          .map(([key, part]) => [key, valueOf(part, key, known, texts)]),
      );
    }
    case 'array':
      return Array.from({ length: schema.minItems ?? 0 }, () => valueOf((schema.items ?? {}) as Json, '', known, texts));
    case 'integer':
    case 'number':
      return Math.max(schema.minimum ?? 1, 1) > (schema.maximum ?? Infinity) ? schema.maximum : Math.max(schema.minimum ?? 1, 1);
    case 'boolean':
      return false;
    case 'string': {
      const pattern = schema.pattern === undefined ? undefined : new RegExp(schema.pattern);
      const fits = (text: string) =>
        text.length >= (schema.minLength ?? 0) && text.length <= (schema.maxLength ?? Infinity) && (pattern?.test(text) ?? true);
      return texts.find(fits) ?? '测'.repeat(schema.minLength ?? 1);
    }
    default:
      return null;
  }
}
