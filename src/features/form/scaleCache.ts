import type { Scale } from '#domain/scoring/scale.ts';
import { scaleOf } from '#domain/scoring/scales/library.ts';
import { problems } from '#contract/problem.ts';
import type { Scope } from '#server/db/scope.ts';
import { findDefinition } from '#features/form/form.queries.ts';

/** Published versions never change, so each is parsed once per process. */
const definitions = new Map<string, Scale>();

/** A version of a form that this process has seen, or that it was shipped with. */
export function knownScale(formcode: string, version: string): Scale | undefined {
  const shipped = scaleOf(formcode);
  return shipped?.version === version ? shipped : definitions.get(`${formcode}@${version}`);
}

/** A version of a form; refuses one that there is not. */
export async function scaleFor(scope: Scope, formcode: string, version: string): Promise<Scale> {
  const known = knownScale(formcode, version);
  if (known) return known;
  const scale = await findDefinition(scope, formcode, version);
  if (!scale) throw problems.notFound({ what: '量表' });
  definitions.set(`${formcode}@${version}`, scale);
  return scale;
}

/** Sheets with the form each was answered on. */
export const withScales = <S extends { formcode: string; formversion: string }>(
  scope: Scope,
  sheets: readonly S[],
): Promise<(S & { scale: Scale })[]> =>
  Promise.all(sheets.map(async (sheet) => ({ ...sheet, scale: await scaleFor(scope, sheet.formcode, sheet.formversion) })));
