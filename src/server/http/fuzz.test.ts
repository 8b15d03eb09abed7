import fc from 'fast-check';
import { expect, test } from 'vitest';
import { z } from 'zod';
import type { Action } from '#contract/action.ts';
import { actions } from '#server/actions.ts';
import { aBarePerson, aRespondentSession } from '#testing/factories.ts';
import { exampleOf } from '#testing/authorisation/example.ts';
import { startServer } from '#testing/server.ts';

/** Hostile values: every kind of JSON, oversized numbers, pieces of SQL and of JavaScript. */
const anything = fc.oneof(
  { weight: 3, arbitrary: fc.jsonValue({ maxDepth: 4 }) },
  { weight: 2, arbitrary: fc.string({ unit: 'binary', maxLength: 60 }) },
  fc.constantFrom<unknown>(
    null,
    '',
    ' ',
    "' or 1=1 --",
    '%',
    '_',
    '\\',
    '\u0000',
    '\ud800',
    '0x',
    'NaN',
    '1e999',
    -1,
    0,
    1.5,
    2 ** 31,
    2 ** 63,
    Number.MAX_SAFE_INTEGER,
    1e308,
    [],
    {},
    [[]],
    '99999-99-99',
    '2025-02-30',
    '2025-13-01 25:61',
    'toString',
    '__proto__',
    'x'.repeat(5_000),
  ),
);

/** Variations of a valid request: some fields replaced, some removed, some added. */
const variationsOf = (example: Record<string, unknown>, names: readonly string[]) =>
  fc
    .tuple(
      fc.dictionary(fc.constantFrom(...names, 'page', 'constructor'), anything, { maxKeys: 3 }),
      fc.subarray(Object.keys(example)),
    )
    .map(([replacements, keys]) => ({ ...Object.fromEntries(keys.map((key) => [key, example[key]])), ...replacements }));

/** The token of an account that may call the action. */
const tokenFor = ({ allow }: Action) =>
  allow.caller === 'respondent' ? 'pupil' : allow.types && !allow.types.includes('005') ? 'super' : 'chen';

/** Returns the paths of all fields of a request schema that accept a value. */
function pathsAccepting(value: unknown, schema: z.ZodType, path: readonly string[] = []): string[][] {
  if (schema instanceof z.ZodObject)
    return Object.entries(schema.shape as Record<string, z.ZodType>).flatMap(([name, part]) =>
      pathsAccepting(value, part, [...path, name]),
    );
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodDefault)
    return pathsAccepting(value, schema.unwrap() as z.ZodType, path);
  return path.length > 0 && schema.safeParse(value).success ? [[...path]] : [];
}
const withValue = (
  body: Record<string, unknown>,
  [name = '', ...rest]: readonly string[],
  value: unknown,
): Record<string, unknown> => ({
  ...body,
  [name]: rest.length === 0 ? value : withValue((body[name] ?? {}) as Record<string, unknown>, rest, value),
});

/** Starts a server with a respondent's session, whose token is `pupil`. */
async function startWithPupil() {
  const server = await startServer();
  await aBarePerson(server, 'C_SELF');
  await aRespondentSession(server, 'C_SELF', 'pupil');
  return server;
}

test.each([
  ['an empty list', []],
  ['a lone surrogate', '\ud800'],
  ['the character U+0000', 'a\u0000b'],
])('R-09: no action answers 900000 to %s', async (_, value) => {
  const { raw, errors } = await startWithPupil();
  const tried: string[] = [];
  for (const action of actions)
    for (const path of pathsAccepting(value, action.request)) {
      // Once in a complete request, once alone.
      for (const body of [(exampleOf(action, {}) ?? {}) as Record<string, unknown>, {}]) {
        const { errorCode } = await raw(action.name, tokenFor(action), withValue(body, path, value));
        tried.push(`${action.name} ${path.join('.')} ${errorCode === 900000 ? 'breaks' : ''}`.trim());
      }
    }
  expect(tried.length).toBeGreaterThan(20);
  expect(tried.filter((text) => text.endsWith('breaks'))).toEqual([]);
  expect(errors).toEqual([]);
});

test('R-09: every action answers any request body with an error code of the catalogue', async () => {
  const { raw, errors } = await startWithPupil();
  const broken: string[] = [];
  const runs = Math.ceil(3_000 / actions.length);
  for (const action of actions) {
    if (action.name === 'as.m.user.logout') continue;
    const example = exampleOf(action, {}) ?? {};
    const names = Object.keys((action.request as { shape?: object }).shape ?? {});
    const token = tokenFor(action);
    await fc.assert(
      fc.asyncProperty(
        fc.oneof({ weight: 1, arbitrary: anything }, { weight: 4, arbitrary: variationsOf(example, names) }),
        async (body) => {
          const { errorCode } = await raw(action.name, token, body);
          if (errorCode === 900000) broken.push(`${action.name} ${JSON.stringify(body)?.slice(0, 300)}`);
        },
      ),
      { numRuns: runs },
    );
  }
  expect(errors.map((error) => (error instanceof Error ? error.message : String(error)))).toEqual([]);
  expect(broken).toEqual([]);
  expect(({} as Record<string, unknown>)['admin']).toBeUndefined();
});
