import { createHash } from 'node:crypto';
import { sql } from 'kysely';
import type pg from 'pg';
import type { Action } from '#contract/action.ts';
import type { AnyCaller } from '#server/dispatch/caller.ts';
import type { Scope } from '#server/db/scope.ts';

/** The facts of an audit row besides the account, the action and the time. Never passwords, never answers. */
export interface AuditFacts {
  cuserids?: readonly string[];
  objectid?: string;
  detail?: Record<string, unknown>;
  minors?: boolean;
}

/** Adds the audit row of a call in its transaction. When the row cannot be written, the call has no effect. */
export async function writeAudit(scope: Scope, action: Action, caller: AnyCaller, facts: AuditFacts, ip: string) {
  await sql`select audit.add(${JSON.stringify(auditRow(action, caller, facts, ip))}::jsonb)`.execute(scope.db);
}

/** The argument of `audit.add` for a call. */
const auditRow = (action: Action, caller: AnyCaller, facts: AuditFacts, ip: string) => ({
  musercode: caller.kind === 'anyone' ? null : caller.musercode,
  accountid: caller.kind === 'staff' ? caller.accountid : caller.kind === 'respondent' ? caller.cuserid : null,
  loginasby: caller.kind === 'staff' ? caller.loginasby : null,
  loginasname: caller.kind === 'staff' ? caller.loginasname : null,
  action: action.name,
  title: action.title,
  kind: action.kind,
  cuserids: facts.cuserids ?? (caller.kind === 'respondent' ? [caller.cuserid] : []),
  minors: facts.minors ? 1 : 0,
  objectid: facts.objectid ?? null,
  detail: facts.detail ?? {},
  ip,
});

const rowsText = `select id, time, musercode, accountid, loginasby, action, title, kind, cuserids, minors, objectid,
  detail, ip, result, loginasname
  from audit.log where xid >= $1::xid8 and xid < $2::xid8 order by id`;

const hashRows = (prevhash: string, rows: readonly unknown[]) => {
  const hash = createHash('sha256').update(prevhash);
  for (const row of rows) hash.update(JSON.stringify(row)).update('\n');
  return hash.digest('hex');
};

/**
 * Lets the transaction numbers of a database go on after those of the cluster that it came from; returns what it added to them. A start
 * calls it before the first write. Without a move it changes nothing.
 */
export async function continueNumbers(sealer: pg.Pool): Promise<number> {
  const { rows } = await sealer.query<{ added: string }>('select audit.continue_numbers()::text as added');
  return Number(rows[0]?.added ?? 0);
}

/**
 * Chains the rows since the last seal; returns their number. The limit is the oldest running transaction: all rows below it are
 * final. Row ids would be no limit: a row gets its id before its commit, so the seal could miss it.
 */
export async function sealAudit(pool: pg.Pool): Promise<number> {
  const client = await pool.connect();
  try {
    await client.query('begin isolation level repeatable read');
    await client.query("select pg_advisory_xact_lock(hashtext('xinli seal'))");
    const { rows: last } = await client.query<{ seq: number; xidto: string; hash: string }>(
      'select seq, xidto::text, hash from audit.seal order by seq desc limit 1',
    );
    const from = last[0]?.xidto ?? '0';
    const { rows: limit } = await client.query<{ to: string }>('select audit.transaction_limit()::text as to');
    const to = limit[0]?.to ?? from;
    const { rows } = await client.query(rowsText, [from, to]);
    if (rows.length > 0) {
      const prevhash = last[0]?.hash ?? '';
      await client.query(
        'insert into audit.seal (seq, xidfrom, xidto, rows, prevhash, hash) values ($1, $2::xid8, $3::xid8, $4, $5, $6)',
        [(last[0]?.seq ?? 0) + 1, from, to, rows.length, prevhash, hashRows(prevhash, rows)],
      );
    }
    await client.query('commit');
    await client.query('select rollup.refresh_audit()');
    await client.query('select rollup.refresh_ledger()');
    return rows.length;
  } catch (error) {
    await client.query('rollback');
    throw error;
  } finally {
    client.release();
  }
}

/** Recomputes the chain from the rows. `broken` is the number of the first seal that does not match. */
export async function verifyAudit(pool: pg.Pool): Promise<{ seals: number; rows: number; broken: number | null }> {
  const { rows: seals } = await pool.query<{
    seq: number;
    xidfrom: string;
    xidto: string;
    rows: number;
    prevhash: string;
    hash: string;
  }>('select seq, xidfrom::text, xidto::text, rows, prevhash, hash from audit.seal order by seq');
  let prevhash = '';
  let total = 0;
  for (const [index, seal] of seals.entries()) {
    const { rows } = await pool.query(rowsText, [seal.xidfrom, seal.xidto]);
    if (
      seal.seq !== index + 1 ||
      seal.prevhash !== prevhash ||
      rows.length !== seal.rows ||
      hashRows(prevhash, rows) !== seal.hash
    )
      return { seals: seals.length, rows: total, broken: seal.seq };
    prevhash = seal.hash;
    total += rows.length;
  }
  return { seals: seals.length, rows: total, broken: null };
}
