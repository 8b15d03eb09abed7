import type pg from 'pg';
import { formatNumber } from '#domain/base/number.ts';
import { appendHead, readHeads } from '#server/audit/heads.ts';
import { sealOf, sealColumns, type SealedRow } from '#server/audit/row.ts';
import type { Services } from '#server/dispatch/services.ts';
import type { FieldCipher } from '#server/security/fieldCipher.ts';

/** The parts that sealing needs. */
export type SealServices = Pick<Services, 'pools' | 'cipher' | 'auditDir'>;

/** The database and the file of heads contradict each other. The message says it in Chinese for the operator. */
export class ChainBroken extends Error {}

/** Rows of one transaction. */
const PORTION = 2000;

/**
 * Seals the new audit rows in the order of their ids; returns their number. One server seals at a time. Then it writes the head into
 * the file and the log, and refreshes the rollups.
 * @throws ChainBroken when the last head is not in the database, or the file of heads is missing. The rows are sealed all the same.
 */
export async function sealAudit(services: SealServices, log: (line: Record<string, unknown>) => void = () => undefined) {
  let total = 0;
  let broken: unknown;
  for (let rows = PORTION; rows === PORTION; total += rows) {
    const sealed = await sealPortion(services);
    rows = sealed.rows;
    broken = await writeHead(services, sealed, log).catch((error: unknown) => error);
  }
  await services.pools.sealer.query('select rollup.refresh_audit()');
  await services.pools.sealer.query('select rollup.refresh_ledger()');
  if (broken) throw broken;
  return total;
}

interface Sealed {
  /** with the key that sealed */
  cipher: FieldCipher;
  rows: number;
  /** the last seal before and after */
  before: number;
  seq: number;
  seal: string;
}

async function sealPortion({ pools, cipher }: SealServices): Promise<Sealed> {
  const client = await pools.sealer.connect();
  try {
    await client.query('begin');
    await client.query("select pg_advisory_xact_lock(hashtext('xinli seal'))");
    const sealing = await withCurrentKey(client, cipher);
    const { rows: last } = await client.query<{ seq: number; hmac: string }>(
      'select seq, hmac from audit.seal order by seq desc limit 1',
    );
    const { rows } = await client.query<SealedRow>(
      `select ${sealColumns}, l.orgpath as sealedpath from audit.unsealed u join audit.log l on l.id = u.id
       where not exists (select from audit.seal s where s.id = u.id) order by u.id limit ${PORTION}`,
    );
    const before = last[0]?.seq ?? 0;
    let seal = last[0]?.hmac ?? '';
    const seals = rows.map((row, index) => (seal = sealOf(sealing, before + index + 1, seal, row)));
    if (rows.length > 0) {
      const ids = rows.map((row) => row.id);
      await client.query(
        `insert into audit.seal (seq, id, orgpath, hmac)
         select $1::bigint + n, id, orgpath, hmac
         from unnest($2::bigint[], $3::text[], $4::text[]) with ordinality as s (id, orgpath, hmac, n)`,
        [before, ids, rows.map((row) => row.sealedpath), seals],
      );
      await client.query('delete from audit.unsealed where id = any ($1::bigint[])', [ids]);
    }
    await client.query('commit');
    return { cipher: sealing, rows: rows.length, before, seq: before + rows.length, seal };
  } catch (error) {
    await client.query('rollback');
    throw error;
  } finally {
    client.release();
  }
}

/**
 * Returns the cipher with the key that the database names, under the lock of sealing. So after the first row of a new key no row gets a
 * seal of the former one, although the servers learn of the new key one after the other.
 */
async function withCurrentKey(client: pg.ClientBase, cipher: FieldCipher): Promise<FieldCipher> {
  const { rows } = await client.query<{ value: string | null }>('select audit.current_key() as value');
  const value = rows[0]?.value ?? cipher.checkValue;
  const key = cipher.ring.keys.find((master) => !master.isRemoved && master.checkValue === value);
  if (!key) throw new Error('this server does not have the current key yet, so another one seals the audit log');
  return cipher.with(key);
}

/** Writes the head of a portion, if the last head of the file is in the database. */
async function writeHead({ pools, auditDir }: SealServices, sealed: Sealed, log: (line: Record<string, unknown>) => void) {
  const { cipher, before, seq, seal } = sealed;
  const { start, heads } = await readHeads(auditDir, cipher);
  const time = new Date().toISOString();
  if (!start) {
    if (before > 0)
      throw new ChainBroken(
        '审计日志的封存头文件 audit/heads.jsonl 缺失，无法判断末尾是否被删。请从备份恢复该文件，或按运维文档确认现状',
      );
    const { rows } = await pools.sealer.query<{ lastid: number; oldhash: string }>(
      'select lastid, oldhash from audit.chainstart',
    );
    const { lastid = 0, oldhash: note = '' } = rows[0] ?? {};
    await appendHead(auditDir, cipher, { kind: 'start', seq: 0, seal: '', time, lastid, note });
  }
  const last = heads.at(-1);
  if (last && last.seq > 0) {
    const { rows } = await pools.sealer.query<{ hmac: string }>('select hmac from audit.seal where seq = $1', [last.seq]);
    if (rows[0]?.hmac !== last.seal)
      throw new ChainBroken(
        `审计日志与封存头不符：封存头记到第 ${formatNumber(last.seq)} 条，数据库中没有这一条或封印不同。请核对审计日志`,
      );
  }
  if (seq === (last?.seq ?? 0)) return;
  await appendHead(auditDir, cipher, { kind: 'head', seq, seal, time });
  log({ audithead: `${seq} ${seal} ${time}` });
}
