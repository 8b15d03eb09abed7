import { mapInOrder } from '#domain/base/inOrder.ts';
import type { Scale } from '#domain/scoring/scale.ts';
import type { Scope } from '#server/db/scope.ts';
import { findDefinitions } from '#features/form/form.queries.ts';
import { scaleFor } from '#features/form/scaleCache.ts';

/** The current versions of the questionnaires that the caller sees, in their order. */
export const findScales = async (scope: Scope): Promise<{ formname: string; scale: Scale }[]> =>
  (await findDefinitions(scope, {})).map(({ formname, definition }) => ({ formname, scale: definition as Scale }));

/** The current versions of these questionnaires; those that the caller does not see are missing. */
export const findScalesOf = async (scope: Scope, formcodes: readonly string[]): Promise<Scale[]> => {
  const rows = await scope.db
    .selectFrom('form')
    .select(['formcode', 'currentversion'])
    .where('formcode', 'in', formcodes.length ? [...formcodes] : [''])
    .where('isdeleted', '=', 0)
    .where('status', '>', 0)
    .execute();
  return mapInOrder(rows, ({ formcode, currentversion }) => scaleFor(scope, formcode, currentversion));
};
