// `npm test`: runs all stages in order; the last line is `N passed, N failed`.
import { ensureInstalled, main } from './bootstrap.mjs';
import { browser, build, format, lint, runStages, types, unitAndDatabase } from './stages.mjs';

await main(async () => {
  try {
    await ensureInstalled();
  } catch (error) {
    console.error(error.message);
    console.log('\n0 passed, 1 failed');
    return 1;
  }
  return runStages([types, lint, format, unitAndDatabase, build, browser]);
});
