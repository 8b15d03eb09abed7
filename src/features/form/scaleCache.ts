import { mapInOrder } from '#domain/base/inOrder.ts';
import type { Scale } from '#domain/scoring/scale.ts';
import { scaleOf } from '#domain/scoring/scales/library.ts';
import { problems } from '#contract/problem.ts';
import type { Scope } from '#server/db/scope.ts';
import { findCurrentVersions, findDefinition } from '#features/form/form.queries.ts';

/** Definitions of published versions. A published version never changes, so each process reads it once. A draft is never kept. */
const definitions = new Map<string, Scale>();

/** The version of every draft. */
const DRAFT = 'draft';

/** Empties the cache. Another database in the same process may hold other definitions under the same code and version. */
export const forgetDefinitions = (): void => definitions.clear();

/** Returns a version of a form from the code or from this cache; undefined when it is in neither. */
function cachedScale(formcode: string, version: string): Scale | undefined {
  const shipped = scaleOf(formcode);
  return shipped?.version === version ? shipped : definitions.get(`${formcode}@${version}`);
}

/** Returns a version of a form; throws 130001 when there is none. */
export async function scaleFor(scope: Scope, formcode: string, version: string): Promise<Scale> {
  const cached = cachedScale(formcode, version);
  if (cached) return cached;
  const scale = await findDefinition(scope, formcode, version);
  if (!scale) throw problems.notFound({ what: '量表' });
  if (version !== DRAFT) definitions.set(`${formcode}@${version}`, scale);
  return scale;
}

/** Returns the questionnaires of an exam, each with the version of its form. */
export const withScales = <S extends { formcode: string; formversion: string }>(
  scope: Scope,
  questionnaires: readonly S[],
): Promise<(S & { scale: Scale })[]> =>
  mapInOrder(questionnaires, async (questionnaire) => ({
    ...questionnaire,
    scale: await scaleFor(scope, questionnaire.formcode, questionnaire.formversion),
  }));

/** The current versions of forms by their codes, as far as the caller sees them. */
export const findScales = async (scope: Scope, formcodes: readonly string[]): Promise<Map<string, Scale>> =>
  currentScales(scope, await findCurrentVersions(scope, { formcodes }));

/**
 * The published forms that an institution may use, in their current versions: the platform's, its own, and those of institutions
 * above. Retired ones are among them, because what runs goes on with them.
 */
export const findUsableScales = async (scope: Scope, musercode: string): Promise<Map<string, Scale>> =>
  currentScales(scope, await findCurrentVersions(scope, { musercode }));

async function currentScales(scope: Scope, forms: readonly { formcode: string; currentversion: string }[]) {
  const rows = forms.map(({ formcode, currentversion }) => ({ formcode, formversion: currentversion }));
  return new Map((await withScales(scope, rows)).map(({ formcode, scale }) => [formcode, scale]));
}
