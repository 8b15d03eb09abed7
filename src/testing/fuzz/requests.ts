import fc from 'fast-check';
import { z } from 'zod';
import type { Action } from '#contract/action.ts';
import { exampleOf } from '#testing/authorisation/example.ts';

type Json = z.core.JSONSchema.BaseSchema;

/** Texts that break careless code: pieces of SQL, HTML and shells, directions of writing, oversized and unstorable characters. */
const hostileTexts = [
  "' or 1=1 --",
  "'; delete from cuser; --",
  '${7*7}',
  '{{constructor}}',
  '<script>alert(1)</script>',
  '<img src=x onerror=alert(1)>',
  '../../../etc/passwd',
  '=HYPERLINK("http://127.0.0.1/")',
  '\u202e\u0000\ud800',
  '%',
  '_',
  '\\',
  '__proto__',
  'M_CHENGUANG',
  'ＤＲＯＰ　ＴＡＢＬＥ',
  '👨‍👩‍👧‍👦'.repeat(20),
  'x'.repeat(5_000),
];

/** Values of a wrong type or out of every range. */
const hostileValues = fc.constantFrom<unknown>(
  null,
  '',
  -1,
  0,
  1.5,
  2 ** 31,
  2 ** 53,
  1e308,
  true,
  [],
  {},
  [[]],
  '99999-99-99',
  '2025-02-30',
  '1e999',
  { toString: 'x' },
  ...hostileTexts,
);

/** Texts in the forms of the wire, which a pattern of a contract may ask for. */
const plainTexts = [
  '测',
  '一段足够长的情况说明文字',
  '2025-10-09',
  '2025-10-09 10:00',
  '2099-12-31 23:59',
  '1900-01-01',
  '13800000000',
  '2025-2026',
  '01',
  '9',
  '0.5',
  'PHQ9',
  'PHQ9.total',
  '000000002',
  '287082',
  '08:30',
  'a@b.example',
  'https://hook.example/',
  '0b8d0e9a-6a51-4ac5-93f1-0d4bb5d7c001',
  'D41D8CD98F00B204E9800998ECF8427E',
];

/** Texts that a schema accepts. A pattern that fast-check cannot read falls back on the texts of the wire. */
function textsOf(schema: Json): fc.Arbitrary<unknown> {
  const least = schema.minLength ?? 0;
  const most = Math.min(schema.maxLength ?? 300, 5_000);
  const pattern = schema.pattern === undefined ? undefined : new RegExp(schema.pattern, 'u');
  const fits = (text: string) => text.length >= least && text.length <= most && (pattern?.test(text) ?? true);
  const fitting = [...plainTexts, ...hostileTexts, '测'.repeat(most), '测'.repeat(Math.max(1, least))].filter(fits);
  const known = fitting.length > 0 ? [fc.constantFrom(...fitting)] : [];
  if (pattern) {
    try {
      return fc.oneof(...known, fc.stringMatching(pattern).filter(fits));
    } catch {
      return known[0] ?? fc.constant('测');
    }
  }
  return fc.oneof(...known, fc.string({ unit: 'grapheme', minLength: least, maxLength: Math.min(most, least + 40) }));
}

function numbersOf(schema: Json): fc.Arbitrary<unknown> {
  const least = Math.ceil(Math.max(schema.minimum ?? -(2 ** 31), -(2 ** 53) + 1));
  const most = Math.floor(Math.max(least, Math.min(schema.maximum ?? 2 ** 31, 2 ** 53 - 1)));
  return fc.oneof(fc.constantFrom(least, most), fc.integer({ min: least, max: Math.min(most, least + 200) }));
}

/** Values that a schema accepts. `known` gives identifiers of records by the field names of requests. */
function valuesOf(schema: Json, name: string, known: Readonly<Record<string, unknown>>, depth = 0): fc.Arbitrary<unknown> {
  const identifier = known[name];
  if (identifier !== undefined && depth < 6) {
    const value = schema.type === 'array' && !Array.isArray(identifier) ? [identifier] : identifier;
    return fc.oneof({ weight: 4, arbitrary: fc.constant(value) }, { weight: 1, arbitrary: valuesOf(schema, '', known, depth) });
  }
  if (schema.const !== undefined) return fc.constant(schema.const);
  if (schema.enum) return fc.constantFrom(...(schema.enum as unknown[]));
  const choices = (schema.anyOf ?? schema.oneOf) as Json[] | undefined;
  if (choices) return fc.oneof(...choices.map((choice) => valuesOf(choice, name, known, depth)));
  switch (schema.type) {
    case 'object': {
      const required = new Set(schema.required ?? []);
      const properties = Object.entries(schema.properties ?? {}) as [string, Json][];
      return fc.record(Object.fromEntries(properties.map(([key, part]) => [key, valuesOf(part, key, known, depth + 1)])), {
        requiredKeys: [...required],
      });
    }
    case 'array': {
      const least = schema.minItems ?? 0;
      const most = Math.max(least, Math.min(schema.maxItems ?? 3, least + 2));
      return fc.array(valuesOf((schema.items ?? {}) as Json, name, known, depth + 1), { minLength: least, maxLength: most });
    }
    case 'integer':
    case 'number':
      return numbersOf(schema);
    case 'boolean':
      return fc.boolean();
    case 'string':
      return textsOf(schema);
    default:
      return depth > 3 ? fc.constant(null) : fc.jsonValue({ maxDepth: 2 });
  }
}

/**
 * Requests of an action: from its contract, from a complete example with some fields from the contract, and either of these with
 * hostile values or unknown fields.
 */
export function requestsOf(action: Action, known: Readonly<Record<string, unknown>>): fc.Arbitrary<Record<string, unknown>> {
  const schema = z.toJSONSchema(action.request, { io: 'input', unrepresentable: 'any' }) as Json;
  const names = Object.keys(schema.properties ?? {});
  const example = exampleOf(action, known) ?? {};
  const generated = valuesOf(schema, '', known).map((value) => (typeof value === 'object' ? { ...value } : {}));
  const varied = fc
    .tuple(generated, names.length > 0 ? fc.subarray(names, { maxLength: Math.min(3, names.length) }) : fc.constant([]))
    .map(([values, keys]) => {
      const own = values as Record<string, unknown>;
      return { ...example, ...Object.fromEntries(keys.filter((key) => key in own).map((key) => [key, own[key]])) };
    });
  const hostile = fc
    .tuple(varied, fc.dictionary(fc.constantFrom(...names, 'musercode', 'orgpath', 'constructor'), hostileValues, { maxKeys: 2 }))
    .map(([values, faults]) => ({ ...values, ...faults }));
  return fc.oneof(
    { weight: 3, arbitrary: varied },
    { weight: 2, arbitrary: generated as fc.Arbitrary<Record<string, unknown>> },
    { weight: 2, arbitrary: hostile },
  );
}
