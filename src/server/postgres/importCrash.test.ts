import { expect, test } from 'vitest';
import { importCrashRun } from '#testing/process/importCrash.ts';
import { sizeOf } from '#testing/size.ts';

test('after a kill during an import all pupils of the list exist or none, and the repeated call ends it exactly once', async () => {
  const kills = sizeOf(2, 24);
  const verdict = await importCrashRun(kills);
  console.log(JSON.stringify(verdict));
  expect(verdict).toMatchObject({ kills, half: [], unexpected: [] });
});
