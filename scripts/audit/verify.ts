// `npm run audit:verify` recomputes the seals of the audit log and prints what was changed. With `-- --adopt --operator name --reason text`
// it accepts the present end of the log (docs/operations.md, "Audit chain"). With `-- --receipt file` it also compares the log with a
// receipt of an institution. It works while the server serves; only `--adopt` needs the embedded server to be stopped.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import pg from 'pg';
import { adoptAudit } from '#server/audit/adopt.ts';
import { checkReceipt, readReceipt } from '#server/audit/receipt.ts';
import { verifyAudit } from '#server/audit/verify.ts';
import { readConfig } from '#server/config.ts';
import { Pools } from '#server/db/pools.ts';
import { asOwner } from '#server/db/roles.ts';
import { openDatabase } from '#server/postgres/openDatabase.ts';
import { openBesideServer } from '#server/postgres/runningDatabase.ts';
import { openMasterKey } from '#server/security/masterKey.ts';

const text = { type: 'string', default: '' } as const;
const { values } = parseArgs({
  options: { adopt: { type: 'boolean', default: false }, operator: text, reason: text, receipt: text },
});
const config = readConfig();
// 核对完整性 of the console does the same beside calls. Accepting another end of the log must not meet a server that seals.
const database = await (values.adopt ? openDatabase : openBesideServer)(config, (message) => console.log(message));
const pools = new Pools(database.target, (error) => console.error(error.message));
try {
  const owner = new pg.Client(asOwner(database.target));
  await owner.connect();
  const cipher = await openMasterKey(config.dataDir, owner).finally(() => owner.end());
  const services = { pools, cipher, auditDir: join(config.dataDir, 'audit') };
  const { rows, faults } = values.adopt
    ? await adoptAudit(services, values.operator, values.reason)
    : await verifyAudit(services);
  if (values.receipt !== '') {
    const receipt = readReceipt(cipher, await readFile(values.receipt, 'utf8'));
    faults.push(...(receipt ? await checkReceipt(services, receipt) : ['不是本系统出具的审计凭证，或内容被改动']));
  }
  for (const fault of faults) console.log(`被改动：${fault}`);
  if (faults.length === 0) console.log(`完整：共 ${rows} 条，未发现改动`);
  else process.exitCode = 1;
} finally {
  await pools.end();
  await database.stop();
}
