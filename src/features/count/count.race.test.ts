import { expect, test } from 'vitest';
import { countRun, type CountSabotage } from '#testing/countRun.ts';
import { startServer } from '#testing/server.ts';

test('two hundred grants, freezes, uses and releases at once: at every moment every wallet is what its ledger and its grants say', async () => {
  const verdict = await countRun(await startServer());
  expect(verdict).toMatchObject({ unexpected: [], wrong: [] });
  expect(verdict.done + verdict.refused).toBe(200);
  // Something happened, something was refused, and somebody looked all the while.
  expect(Math.min(verdict.done - 50, verdict.refused, verdict.looks - 1)).toBeGreaterThan(0);
});

const sabotages: readonly CountSabotage[] = ['readthenwrite', 'losinglines', 'noguard'];
test.for(sabotages)('the check would notice: %s', async (sabotage) => {
  const { wrong } = await countRun(await startServer(), sabotage);
  expect(wrong).not.toEqual([]);
});
