// `npm run keys:rotate` changes the master key, also while servers run. With `-- --continue` it goes on after an interruption; with
// `-- --retire` it removes earlier keys that nothing needs any more, with `--force` also needed ones (docs/operations.md, "Keys").
import { parseArgs } from 'node:util';
import pg from 'pg';
import { readConfig } from '#server/config.ts';
import { asOwner } from '#server/db/roles.ts';
import { openBesideServer } from '#server/postgres/runningDatabase.ts';
import { countNeeds, retireKeys } from '#server/rotation/retire.ts';
import { rotateKey, RotationRefused } from '#server/rotation/rotate.ts';

const flag = { type: 'boolean', default: false } as const;
const { values } = parseArgs({ options: { continue: flag, retire: flag, force: flag } });
const config = readConfig();
const database = await openBesideServer(config, (message) => console.log(message));
const owner = new pg.Client(asOwner(database.target));
const tools = { owner, dataDir: config.dataDir, tell: (line: string) => console.log(line) };
try {
  await owner.connect();
  if (values.retire) {
    const count = await retireKeys(tools, { isForced: values.force });
    if (count === 0) console.log('没有可删除的旧密钥');
  } else {
    const { cipher, broken } = await rotateKey(tools, { isContinued: values.continue });
    for (const { place, count } of broken) console.log(`无法用任何密钥打开：${place} ${count} 条`);
    const needs = await countNeeds(owner, cipher);
    for (const { title, count } of needs) console.log(`仍需旧密钥：${title} ${count} 个（使用、更换或到期后不再需要）`);
    console.log('请立即备份 keys/master.key。旧密钥不再需要后，运行 npm run keys:rotate -- --retire 删除');
  }
} catch (error) {
  if (!(error instanceof RotationRefused)) throw error;
  console.log(error.message);
  process.exitCode = 1;
} finally {
  await owner.end();
  await database.stop();
}
