// `npm run bench [name …]`: runs bench/*.bench.ts one after the other; they print what they measured.
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { Refusal, ensureBuilt, ensureInstalled, main, root, runNode } from './bootstrap.mjs';

await main(async () => {
  await ensureInstalled();
  await ensureBuilt();
  const wanted = process.argv.slice(2);
  const folder = join(root, 'bench');
  const files = (existsSync(folder) ? readdirSync(folder) : []).filter((file) => file.endsWith('.bench.ts')).sort();
  const chosen = files.filter((file) => wanted.length === 0 || wanted.some((name) => file.startsWith(name)));
  if (chosen.length === 0) throw new Refusal(`没有匹配的基准测试。/ No such benchmark. ${files.join(' ')}`);
  let code = 0;
  for (const file of chosen) code ||= await runNode(`bench/${file}`);
  return code;
});
