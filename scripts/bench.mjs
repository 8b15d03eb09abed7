// `npm run bench [name …] [argument …]` runs bench/*.bench.ts one after the other; each prints its measurements.
// An argument that is no name of a benchmark goes to the benchmarks.
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { Refusal, ensureBuilt, ensureInstalled, main, root, runNode } from './bootstrap.mjs';

await main(async () => {
  await ensureInstalled();
  await ensureBuilt();
  const folder = join(root, 'bench');
  const files = (existsSync(folder) ? readdirSync(folder) : []).filter((file) => file.endsWith('.bench.ts')).sort();
  const isName = (argument) => files.some((file) => file.startsWith(argument));
  const names = process.argv.slice(2).filter(isName);
  const benchArguments = process.argv.slice(2).filter((argument) => !isName(argument));
  const chosen = files.filter((file) => names.length === 0 || names.some((name) => file.startsWith(name)));
  if (chosen.length === 0 || (names.length === 0 && benchArguments.length > 0))
    throw new Refusal(`没有匹配的基准测试。/ No such benchmark. ${files.join(' ')}`);
  let code = 0;
  for (const file of chosen) code ||= await runNode(`bench/${file}`, benchArguments);
  return code;
});
