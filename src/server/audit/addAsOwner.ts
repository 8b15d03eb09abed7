import type pg from 'pg';
import { signOrigin, type AuditEntry } from '#server/audit/origin.ts';
import type { FieldCipher } from '#server/security/fieldCipher.ts';

/** Adds an audit row for a command of the operator, inside the open transaction of the owner with a session of the platform. */
export async function addAsOwner(owner: pg.ClientBase, cipher: FieldCipher, entry: AuditEntry): Promise<void> {
  // Only the server's role writes the audit log.
  await owner.query('grant xinli_app to current_user');
  await owner.query('set local role xinli_app');
  await owner.query('select audit.add($1::jsonb)', [JSON.stringify(signOrigin(cipher, entry))]);
  await owner.query('reset role');
  await owner.query('revoke xinli_app from current_user');
}
