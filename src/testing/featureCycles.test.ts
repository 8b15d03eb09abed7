import { globSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

/** For each feature the other features whose queries, steps or handlers it imports. Contracts, screens and tests do not count. */
function featureImports(sources: Readonly<Record<string, string>>): Map<string, Set<string>> {
  const imports = new Map<string, Set<string>>();
  for (const [path, text] of Object.entries(sources)) {
    const feature = path.split('/')[2] as string;
    const foundImport = imports.get(feature) ?? new Set<string>();
    for (const [, target = '', file = ''] of text.matchAll(/from '#features\/(\w+)\/([^']+)'/g))
      if (target !== feature && !file.endsWith('.contract.ts')) foundImport.add(target);
    imports.set(feature, foundImport);
  }
  return imports;
}

/** The features that import each other in a circle. They remain when features that import no remaining feature are removed. */
function featuresInCircles(imports: ReadonlyMap<string, ReadonlySet<string>>): string[] {
  let left = [...imports.keys()];
  for (;;) {
    const still = left.filter((feature) => left.some((other) => imports.get(feature)?.has(other)));
    if (still.length === left.length) return still.sort();
    left = still;
  }
}

const read = () =>
  Object.fromEntries(
    globSync('src/features/**/*.ts', { exclude: (path) => /\.(test|contract)\.ts$/.test(String(path)) }).map((path) => [
      path,
      readFileSync(path, 'utf8'),
    ]),
  );

test('no features import each other in a circle', () => {
  const imports = featureImports(read());
  expect(imports.size).toBeGreaterThan(20);
  expect(featuresInCircles(imports)).toEqual([]);
});

test('a circle of features is found', () => {
  const planted = "import { findPlan } from '#features/team/team.queries.ts';";
  expect(featuresInCircles(featureImports({ ...read(), 'src/features/cuser/planted.ts': planted }))).toContain('cuser');
});
