import { problems } from '#contract/problem.ts';
import type { Context } from '#server/dispatch/handle.ts';
import {
  addConsultLog,
  findConsultForUpdate,
  type ConsultLogAction,
  type ConsultRecord,
} from '#features/consult/consult.queries.ts';
import { operatorOf } from '#features/warning/handling/transition.ts';

type StaffContext = Context<'staff'>;

/**
 * Locks a registration until the transaction ends, and names the person in the audit row. Throws 130001 for a registration that the
 * caller cannot see, 110004 for staff who see only their own teams.
 */
export async function lockConsult(ctx: StaffContext, consultid: number): Promise<ConsultRecord> {
  if (ctx.caller.ownTeamsOnly) throw problems.notAllowed();
  const row = await findConsultForUpdate(ctx.scope, consultid);
  if (!row) throw problems.notFound({ what: '咨询登记' });
  ctx.audit({ cuserids: [row.cuserid], objectid: String(consultid) });
  return row;
}

/** Adds a line to the log of a registration in the name of the caller. */
export const logConsult = (
  ctx: StaffContext,
  consult: Pick<ConsultRecord, 'consultid' | 'cuserid' | 'musercode'>,
  action: ConsultLogAction,
  content = '',
): Promise<void> => addConsultLog(ctx, consult, { action, content, ...operatorOf(ctx.caller), time: ctx.now });

/** Whether the caller is the counsellor of a registration. While somebody acts in the account (代登录), nobody is. */
export const isOwnConsult = (
  { caller }: Pick<StaffContext, 'caller'>,
  { counsellor }: Pick<ConsultRecord, 'counsellor'>,
): boolean => counsellor !== null && counsellor === caller.userid && caller.loginasby === null;
