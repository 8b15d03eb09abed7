import { readFile } from 'node:fs/promises';
import type { Action } from '#contract/action.ts';
import { canReadField, EACH, findPlaces, maskOf, type FieldRule } from '#contract/fieldAccess.ts';
import { identify, hashToken, type Staff } from '#server/dispatch/caller.ts';
import { withScope } from '#server/db/scope.ts';
import { readAgreedMatrix, signInRoles, type Role } from '#testing/authorisation/matrix.ts';
import type { startServer } from '#testing/server.ts';

/** The seats of docs/authorisation-fields.csv: the staff of docs/authorisation.csv with rights of their own. */
export const seats = [
  'platform',
  'provider',
  'bureau',
  'hospital',
  'school',
  'provideradmin',
  'insadmin',
  'psychologist',
  'classteacher',
  'warningduty',
  'nurse',
  'viewer',
  'norights',
  'acting',
] as const satisfies readonly Role[];
type Seat = (typeof seats)[number];

/** '+' reads the field; '*' reads it masked; '.' does not read it; '-' may not call the list. */
export type Reading = '+' | '*' | '.' | '-';
/** The fields of a list that follow one rule, and how each seat reads them. */
export interface FieldRow {
  fields: readonly string[];
  readings: Readonly<Record<string, string>>;
}

/** The reads and exports about persons: the answer names a person or has a field with a rule, or an export declares its columns. */
export const listsOfPersons = (actions: readonly Action[]): Action[] =>
  actions.filter(
    ({ allow, kind, columns, response }) =>
      allow.caller === 'staff' &&
      (columns !== undefined ||
        ((kind === 'read' || kind === 'reveal') &&
          findPlaces(response).some(({ path, rule }) => rule !== undefined || path.at(-1) === 'cuserid'))),
  );

/** The fields of a list, `shape.field` in a nested object, or the columns of an export; each with its rule. */
function rulesOf(action: Action): [string, FieldRule | 'all'][] {
  if (action.columns) return action.columns.map(({ head, rule }) => [head, rule ?? 'all']);
  return findPlaces(action.response).map(({ path, rule }) => [
    path.filter((name) => name !== EACH && name !== 'rows').join('.'),
    rule ?? 'all',
  ]);
}

/** Returns for each list and rule its fields and how each seat reads them. The keys are the first two cells of the file. */
export async function measureFields(
  server: Awaited<ReturnType<typeof startServer>>,
  actions: readonly Action[],
): Promise<Map<string, FieldRow>> {
  const tokens = await signInRoles(server);
  const callers = {} as Record<Seat, Staff>;
  for (const seat of seats)
    callers[seat] = await withScope(server.services.pools.app, { session: hashToken(tokens[seat]) }, identify.staff);
  const calls = await readAgreedMatrix();
  const readingOf = (action: Action, rule: FieldRule | 'all', seat: Seat): Reading => {
    if (calls.get(action.name)?.[seat] !== '+') return '-';
    if (rule === 'all' || canReadField(callers[seat], rule)) return '+';
    return maskOf(rule) ? '*' : '.';
  };
  const measured = new Map<string, FieldRow>();
  for (const action of listsOfPersons(actions)) {
    const fields = rulesOf(action);
    for (const rule of new Set(fields.map(([, own]) => own)))
      measured.set(`${action.name},${rule}`, {
        fields: fields.filter(([, own]) => own === rule).map(([field]) => field),
        readings: Object.fromEntries(seats.map((seat) => [seat, readingOf(action, rule, seat)])),
      });
  }
  return measured;
}

const file = new URL('../../../docs/authorisation-fields.csv', import.meta.url);

/** Returns the agreed sheet: docs/authorisation-fields.csv. People review this file; no test writes it. */
export async function readAgreedFields(): Promise<Map<string, FieldRow>> {
  const [head = '', ...lines] = (await readFile(file, 'utf8')).trim().split('\n');
  const columns = head.split(',').slice(3);
  return new Map(
    lines.map((line) => {
      const [name = '', rule = '', fields = '', ...cells] = line.split(',');
      const readings = Object.fromEntries(columns.map((column, index) => [column, cells[index] ?? '']));
      return [`${name},${rule}`, { fields: fields.split(' '), readings }];
    }),
  );
}

/** Returns the differences between the agreed and the measured sheet as texts. */
export function findFieldDifferences(agreed: ReadonlyMap<string, FieldRow>, measured: ReadonlyMap<string, FieldRow>): string[] {
  const found = [...measured].flatMap(([key, { fields, readings }]) => {
    const expected = agreed.get(key);
    if (!expected) return [`${key} has no row; its fields are ${fields.join(' ')}`];
    return [
      ...fields.filter((field) => !expected.fields.includes(field)).map((field) => `${key}: nobody reviewed ${field}`),
      ...expected.fields.filter((field) => !fields.includes(field)).map((field) => `${key}: ${field} no longer exists`),
      ...Object.entries(readings)
        .filter(([seat, reading]) => reading !== expected.readings[seat])
        .map(([seat, reading]) => `${key} ${seat}: agreed "${expected.readings[seat] ?? ''}", found "${reading}"`),
    ];
  });
  return [...found, ...[...agreed.keys()].filter((key) => !measured.has(key)).map((key) => `${key} no longer exists`)];
}
