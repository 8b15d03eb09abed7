import { expect, test } from 'vitest';
import { countRun, type CountSabotage } from '#testing/load/countRun.ts';
import { startServer } from '#testing/server.ts';
import { sizeOf } from '#testing/size.ts';

test('every wallet agrees with its ledger and its authorizations at every moment of two hundred concurrent calls', async () => {
  const verdict = await countRun(await startServer());
  expect(verdict).toMatchObject({ unexpected: [], wrong: [] });
  expect(verdict.done + verdict.refused).toBe(200);
  // The run had successes, refusals and checks during the calls.
  expect(Math.min(verdict.done - 50, verdict.refused, verdict.looks - 1)).toBeGreaterThan(0);
});

const sabotages = sizeOf<readonly CountSabotage[]>(['noguard'], ['readthenwrite', 'losinglines', 'noguard']);
test.for(sabotages)('the wallet check detects the sabotage %s', async (sabotage) => {
  const { wrong } = await countRun(await startServer(), sabotage);
  expect(wrong).not.toEqual([]);
});
