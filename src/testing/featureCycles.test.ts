import { globSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

/** Returns for each feature the other features that it imports. Imports of contracts, screens and tests do not count. */
function featureImports(sources: Readonly<Record<string, string>>): Map<string, Set<string>> {
  const imports = new Map<string, Set<string>>();
  for (const [path, text] of Object.entries(sources)) {
    const feature = path.split('/')[2] as string;
    const targets = imports.get(feature) ?? new Set<string>();
    for (const [, target = '', file = ''] of text.matchAll(/from '#features\/(\w+)\/([^']+)'/g))
      if (target !== feature && !file.endsWith('.contract.ts')) targets.add(target);
    imports.set(feature, targets);
  }
  return imports;
}

/** Returns the features in import circles: those that remain after removing, step by step, features that import no remaining one. */
function featuresInCircles(imports: ReadonlyMap<string, ReadonlySet<string>>): string[] {
  let remaining = [...imports.keys()];
  for (;;) {
    const next = remaining.filter((feature) => remaining.some((other) => imports.get(feature)?.has(other)));
    if (next.length === remaining.length) return next.sort();
    remaining = next;
  }
}

const readSources = () =>
  Object.fromEntries(
    globSync('src/features/**/*.ts', { exclude: (path) => /\.(test|contract)\.ts$/.test(String(path)) }).map((path) => [
      path,
      readFileSync(path, 'utf8'),
    ]),
  );

test('no features import each other in a circle', () => {
  const imports = featureImports(readSources());
  expect(imports.size).toBeGreaterThan(20);
  expect(featuresInCircles(imports)).toEqual([]);
});

test('a circle of features is found', () => {
  const plantedImport = "import { findPlan } from '#features/team/team.queries.ts';";
  expect(featuresInCircles(featureImports({ ...readSources(), 'src/features/cuser/planted.ts': plantedImport }))).toContain(
    'cuser',
  );
});
