// `npm run dev`: the server restarts when its files change; Vite serves the pages and passes calls on to it.
import { ensureInstalled, main, node, projectEnv, root, run } from './bootstrap.mjs';

await main(async () => {
  await ensureInstalled();
  const env = projectEnv({ NODE_ENV: 'development' });
  const both = [['--watch', '--watch-preserve-output', `${root}/src/server/main.ts`], [`${root}/node_modules/.bin/vite`]];
  const codes = await Promise.all(both.map((args) => run(node, args, { env })));
  return Math.max(...codes);
});
