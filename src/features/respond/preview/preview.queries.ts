import { sql } from 'kysely';
import type { ReadContext } from '#server/dispatch/handle.ts';
import type { Scope } from '#server/db/scope.ts';

/** The entry of an institution in the caller's range; undefined when it has none. */
export const findEntryOf = (scope: Scope, musercode: string) =>
  scope.db
    .selectFrom('muserclient')
    .select('clientcode')
    .where('musercode', '=', musercode)
    .where('enabled', '=', 1)
    .limit(1)
    .executeTakeFirst();

/** The chosen forms with their current versions, in the order of the request. */
export const findForms = async (scope: Scope, formcodes: readonly string[]) => {
  const rows = await scope.db
    .selectFrom('form')
    .select(['formcode', 'currentversion', 'minutes'])
    .select(sql<string | null>`null`.as('formversion'))
    .where('formcode', 'in', formcodes)
    .where('isdeleted', '=', 0)
    .execute();
  return rows.sort((a, b) => formcodes.indexOf(a.formcode) - formcodes.indexOf(b.formcode));
};

/** A version of a form with the item texts of an institution, read without a session; undefined when it is deleted. */
export async function findLinkedVersion(
  authn: ReadContext['authn'],
  { formcode, version, musercode }: { formcode: string; version: string; musercode: string },
) {
  const { rows } = await authn.query<{ definition: unknown; wording: unknown }>(
    'select definition, wording from auth.form_of_link($1, $2, $3)',
    [formcode, version, musercode],
  );
  return rows[0];
}
