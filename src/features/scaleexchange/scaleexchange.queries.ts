import type { FormWording } from '#domain/scoring/licence.ts';
import type { Scope } from '#server/db/scope.ts';

/** Stores the licensed wording of a form; the licence row with its proof is there already. */
export const saveWording = (
  scope: Scope,
  { formcode, musercode, wording }: { formcode: string; musercode: string; wording: FormWording },
) =>
  scope.db
    .updateTable('formlicence')
    .set({ wording: JSON.stringify(wording) })
    .where('formcode', '=', formcode)
    .where('musercode', '=', musercode)
    .execute();

/** Finds the name of an institution; '' when the caller does not see it. */
export const findInstitutionName = async (scope: Scope, musercode: string): Promise<string> =>
  (await scope.db.selectFrom('muser').select('insname').where('musercode', '=', musercode).executeTakeFirst())?.insname ?? '';
