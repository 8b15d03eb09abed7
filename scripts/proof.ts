// `npm run proof [respondents] [kills]` runs the mass tests in full size and the long version of R-01.
// Then it runs R-01 with each sabotage and expects it to fail.
import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { crashRun, isPromiseKept, type Sabotage } from '#testing/process/crash.ts';

const root = fileURLToPath(new URL('../', import.meta.url));
const [count = 2_000, kills = 40] = process.argv.slice(2).map(Number);
const chosen = process.env['SABOTAGE'] as Sabotage | undefined;
let failures = 0;

/** The test files with a larger size in this run (`sizeOf`). */
const massTests = readdirSync(join(root, 'src'), { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.test.ts'))
  .map((name) => join('src', name))
  .filter((name) => readFileSync(join(root, name), 'utf8').includes("from '#testing/size.ts'"));

if (!chosen) {
  const vitest = join(root, 'node_modules/vitest/vitest.mjs');
  const { status } = spawnSync(process.execPath, [vitest, 'run', ...massTests], {
    cwd: root,
    env: { ...process.env, PROOF: '1' },
    stdio: 'inherit',
  });
  if (status !== 0) failures += 1;
}

// The servers of one database again, with PgBouncer in transaction mode in between.
const hasBouncer = spawnSync('pgbouncer', ['--version']).status === 0;
if (!chosen && hasBouncer) {
  const { status } = spawnSync(process.execPath, [join(root, 'node_modules/vitest/vitest.mjs'), 'run', 'src/server/nodes'], {
    cwd: root,
    env: { ...process.env, PROOF_BOUNCER: '1' },
    stdio: 'inherit',
  });
  if (status !== 0) failures += 1;
} else if (!chosen) console.log('PgBouncer is not on this machine, so nothing was proven about it.');

for (const sabotage of chosen ? [chosen] : [undefined, 'syncoff' as const, 'ackBeforeCommit' as const, 'nokey' as const]) {
  const startTime = performance.now();
  const verdict = await crashRun(sabotage ? Math.min(count, 600) : count, sabotage ? Math.min(kills, 20) : kills, sabotage);
  const asExpected = isPromiseKept(verdict) === (sabotage === undefined);
  if (!asExpected) failures += 1;
  console.log(
    JSON.stringify({
      sabotage: sabotage ?? 'none',
      ...verdict,
      seconds: Math.round((performance.now() - startTime) / 1000),
      asExpected,
    }),
  );
}
process.exitCode = failures === 0 ? 0 : 1;
