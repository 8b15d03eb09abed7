import { join } from 'node:path';
import pg from 'pg';
import { erasuresFileOf, readErasures } from '#server/audit/erasures.ts';
import { verifyAudit } from '#server/audit/verify.ts';
import { migrate } from '#server/db/migrate.ts';
import { Pools } from '#server/db/pools.ts';
import { asOwner } from '#server/db/roles.ts';
import { continueNumbers } from '#server/dispatch/audit.ts';
import { openDatabase } from '#server/postgres/openDatabase.ts';
import { openMasterKey } from '#server/security/masterKey.ts';
import { recordErasures, repeatErasures, type RepeatedErasures } from '#features/anonymize/keepErasures.ts';
import { ledgerTallies } from '#features/assesscount/ledgerTallies.ts';

/** What a restored database has. */
export interface Findings {
  persons: number;
  cases: number;
  auditRows: number;
  /** faults of the audit log; empty when it is whole */
  faults: string[];
  /** institutions whose wallet differs from its ledger */
  unbalanced: string[];
  /** migrations of this version that the backup lacked */
  applied: string[];
  erasures: RepeatedErasures;
}

/**
 * Starts the database of a restored data folder once, without a server: brings it to this version, checks the key, ends all sessions,
 * erases the persons of the list of erasures, and verifies the audit log and the ledger.
 * @throws StartError when the database does not start, or the key does not belong to it
 */
export async function reviveData(dataDir: string, log: (message: string) => void): Promise<Findings> {
  const database = await openDatabase({ dataDir, databaseUrl: null }, log);
  try {
    const { applied } = await migrate(database.target);
    const owner = new pg.Client(asOwner(database.target));
    await owner.connect();
    const cipher = await openMasterKey(dataDir, owner).finally(() => owner.end());
    const pools = new Pools(database.target, (error) => log(error.message), 4, cipher.texts);
    const services = { pools, cipher, auditDir: join(dataDir, 'audit') };
    try {
      await continueNumbers(pools.sealer);
      // A session that somebody ended after the backup must not live again.
      await pools.authn.query('update auth.session set revoked = now() where revoked is null');
      const listed = await readErasures(erasuresFileOf(services.auditDir), cipher);
      const erasures = await repeatErasures(services, listed, new Date());
      await recordErasures(services, new Date(0));
      const { rows: auditRows, faults } = await verifyAudit(services);
      return { ...(await countRows({ ...asOwner(database.target), user: 'postgres' })), auditRows, faults, applied, erasures };
    } finally {
      await pools.end();
    }
  } finally {
    await database.stop();
  }
}

/** Counts as the superuser, because row-level security binds the owner of the tables. */
async function countRows(connection: pg.ClientConfig): Promise<Pick<Findings, 'persons' | 'cases' | 'unbalanced'>> {
  const superuser = new pg.Client(connection);
  await superuser.connect();
  try {
    const { rows } = await superuser.query<{ persons: number; cases: number }>(
      `select (select count(*)::int from cuser where isdeleted = 0) as persons,
         (select count(*)::int from warning where isdeleted = 0) as cases`,
    );
    const unbalanced: string[] = [];
    for (const [, tally] of ledgerTallies)
      unbalanced.push(...(await superuser.query<{ musercode: string }>(tally)).rows.map(({ musercode }) => musercode));
    return { persons: 0, cases: 0, ...rows[0], unbalanced: [...new Set(unbalanced)] };
  } finally {
    await superuser.end();
  }
}
