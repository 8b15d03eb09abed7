import { sql } from 'kysely';
import type pg from 'pg';
import type { Action } from '#contract/action.ts';
import { signOrigin } from '#server/audit/origin.ts';
import type { Anyone, Respondent, Staff } from '#server/dispatch/caller.ts';
import type { Scope } from '#server/db/scope.ts';
import type { FieldCipher } from '#server/security/fieldCipher.ts';

/** The facts of an audit row besides the account, the action and the time. Never passwords, never answers. */
export interface AuditFacts {
  cuserids?: readonly string[];
  objectid?: string;
  detail?: Record<string, unknown>;
  minors?: boolean;
}

/** Who made a call, as far as an audit row names them. */
type AuditCaller = Anyone | Respondent | Pick<Staff, 'kind' | 'musercode' | 'accountid' | 'loginasby' | 'loginasname'>;

/** Adds the audit row of a call in its transaction. When the row cannot be written, the call has no effect. */
export async function writeAudit(
  { scope, cipher }: { scope: Scope; cipher: FieldCipher },
  action: Action,
  caller: AuditCaller,
  facts: AuditFacts,
  ip: string,
) {
  const entry = signOrigin(cipher, auditRow(action, caller, facts, ip));
  await sql`select audit.add(${JSON.stringify(entry)}::jsonb)`.execute(scope.db);
}

/** The argument of `audit.add` for a call. */
const auditRow = (action: Action, caller: AuditCaller, facts: AuditFacts, ip: string) => ({
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

/**
 * Lets the transaction numbers of a database go on after those of the cluster that it came from; returns what it added to them. A start
 * calls it before the first write. Without a move it changes nothing.
 */
export async function continueNumbers(sealer: pg.Pool): Promise<number> {
  const { rows } = await sealer.query<{ added: string }>('select audit.continue_numbers()::text as added');
  return Number(rows[0]?.added ?? 0);
}
