// `npm run check`: runs the fast part of `npm test`, without database and browser.
import { ensureInstalled, main } from './bootstrap.mjs';
import { format, lint, runStages, types, unit } from './stages.mjs';

await main(async () => {
  await ensureInstalled();
  return runStages([types, lint, format, unit]);
});
