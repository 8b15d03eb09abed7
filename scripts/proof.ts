// `npm run proof [sittings] [kills]`: the long version of R-01, then each sabotage, which must be found.
import { crashRun, kept, type Sabotage } from '#testing/crash.ts';

const [count = 2_000, kills = 40] = process.argv.slice(2).map(Number);
const chosen = process.env['SABOTAGE'] as Sabotage | undefined;
let wrong = 0;
for (const sabotage of chosen ? [chosen] : [undefined, 'syncoff' as const, 'ackfirst' as const, 'nokey' as const]) {
  const started = performance.now();
  const verdict = await crashRun(sabotage ? Math.min(count, 600) : count, sabotage ? Math.min(kills, 20) : kills, sabotage);
  const asExpected = kept(verdict) === (sabotage === undefined);
  if (!asExpected) wrong += 1;
  console.log(
    JSON.stringify({
      sabotage: sabotage ?? 'none',
      ...verdict,
      seconds: Math.round((performance.now() - started) / 1000),
      asExpected,
    }),
  );
}
process.exitCode = wrong === 0 ? 0 : 1;
