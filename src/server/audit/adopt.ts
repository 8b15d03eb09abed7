import { platformCode } from '#domain/tenant/tenantTree.ts';
import { appendHead } from '#server/audit/heads.ts';
import { signOrigin } from '#server/audit/origin.ts';
import type { SealServices } from '#server/audit/seal.ts';
import { verifyAudit, type Verification } from '#server/audit/verify.ts';

/**
 * Accepts the present end of the audit log, after an older backup was restored or the file of heads was lost. The line of the file
 * and an audit row name the operator, the reason and the heads that count no more. Rows that were changed stay faults. Returns the
 * new verification.
 */
export async function adoptAudit(services: SealServices, operator: string, reason: string): Promise<Verification> {
  if (operator.trim() === '' || reason.trim() === '') throw new RangeError('an operator and a reason are needed');
  const { cipher, auditDir, pools } = services;
  const { seq, seal, confirmed } = await verifyAudit(services);
  const { rows } = await pools.sealer.query<{ lastid: number }>('select lastid from audit.chainstart');
  await appendHead(auditDir, cipher, {
    kind: 'adopt',
    seq,
    seal,
    time: new Date().toISOString(),
    lastid: rows[0]?.lastid ?? 0,
    note: `${operator}: ${reason}`,
    from: confirmed,
  });
  const entry = signOrigin(cipher, {
    musercode: platformCode,
    action: 'console.adoptAudit',
    title: '认可审计日志的现状',
    kind: 'write',
    cuserids: [],
    minors: 0,
    detail: { operator, reason, rows: seq },
  });
  await pools.app.query('select audit.add($1::jsonb)', [JSON.stringify(entry)]);
  return verifyAudit(services);
}
