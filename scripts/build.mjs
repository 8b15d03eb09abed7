// `npm run build`: builds the pages when they are out of date.
import { ensureBuilt, ensureInstalled, main } from './bootstrap.mjs';

await main(async () => {
  await ensureInstalled();
  await ensureBuilt();
});
