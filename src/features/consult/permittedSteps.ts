import { consultSteps, type ConsultStatusCode, type ConsultStep } from '#domain/consult/consult.ts';
import { problems } from '#contract/problem.ts';
import type { Context } from '#server/dispatch/handle.ts';
import type { ConsultRecord } from '#features/consult/consult.queries.ts';
import { isOwnConsult } from '#features/consult/lockConsult.ts';

type StaffContext = Context<'staff'>;
type ConsultState = Pick<ConsultRecord, 'counsellor' | 'musercode' | 'slotbegin' | 'status'>;

/** Whether the caller heads the institution: its own account, or a member of staff with the role 机构管理员. Never while acting. */
async function isHead({ scope, caller }: StaffContext, musercode: string): Promise<boolean> {
  if (caller.loginasby !== null || caller.musercode !== musercode) return false;
  if (caller.userid === null) return true;
  const role = await scope.db
    .selectFrom('sysuserrole as ur')
    .innerJoin('role as r', 'r.roleid', 'ur.roleid')
    .select('r.roleid')
    .where('ur.userid', '=', caller.userid)
    .where('r.rolekey', 'in', ['insadmin', 'provideradmin'])
    .where('r.enabled', '=', 1)
    .where('r.isdeleted', '=', 0)
    .executeTakeFirst();
  return role !== undefined;
}

/**
 * The steps that this caller can take now. What happens with a booked time belongs to the counsellor or a head of the institution, and
 * addenda to the counsellor (supplement section 5). Other staff book and cancel what waits.
 */
export async function permittedSteps(ctx: StaffContext, consult: ConsultState): Promise<readonly ConsultStep[]> {
  if (ctx.caller.ownTeamsOnly) return [];
  const steps = consultSteps(consult.status as ConsultStatusCode, consult.slotbegin, ctx.now);
  const isOpenToStaff = consult.status === '01' || consult.status === '05';
  if (isOpenToStaff || isOwnConsult(ctx, consult)) return steps;
  return (await isHead(ctx, consult.musercode)) ? steps.filter((step) => step !== 'append') : [];
}

const REFUSALS: Readonly<Record<ConsultStep, string>> = {
  book: '只有待受理或爽约的登记可以预约',
  move: '只有已预约的登记可以改期',
  finish: '只有已预约且已到开始时间的咨询可以完成',
  miss: '预约开始 15 分钟以后才能登记爽约',
  cancel: '这条登记已完成或已取消，不能再取消',
  append: '只有已完成的咨询可以补记',
};

/** Refuses a step that is not possible in this state (140001) or belongs to others (110004). */
export async function assertStep(ctx: StaffContext, consult: ConsultState, step: ConsultStep): Promise<void> {
  if (!consultSteps(consult.status as ConsultStatusCode, consult.slotbegin, ctx.now).includes(step))
    throw problems.wrongState({ why: REFUSALS[step] });
  if (!(await permittedSteps(ctx, consult)).includes(step)) throw problems.notAllowed();
}
