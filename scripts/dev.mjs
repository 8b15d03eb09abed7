// `npm run dev`: runs the server, which restarts when its files change, and Vite, which serves the pages and forwards calls.
import { ensureInstalled, main, node, projectEnv, root, run } from './bootstrap.mjs';

await main(async () => {
  await ensureInstalled();
  const env = projectEnv({ NODE_ENV: 'development' });
  const commands = [['--watch', '--watch-preserve-output', `${root}/src/server/main.ts`], [`${root}/node_modules/.bin/vite`]];
  const codes = await Promise.all(commands.map((args) => run(node, args, { env })));
  return Math.max(...codes);
});
