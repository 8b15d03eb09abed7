import { fromShanghai, shanghaiTime } from '#domain/base/calendar.ts';
import { codeOf } from '#contract/menu.ts';
import { problems } from '#contract/problem.ts';
import type { Context, ReadContext } from '#server/dispatch/handle.ts';
import { handle } from '#server/dispatch/handle.ts';
import { assertMayManageRights, findManageableUser } from '#server/dispatch/rights.ts';
import { displayName } from '#server/security/privacy.ts';
import * as contract from '#features/warning/handover/handover.contract.ts';
import { handOverChosen, toOpenCase } from '#features/warning/handover/handOver.ts';
import {
  findAbleStaff,
  findHiddenCases,
  findMember,
  findOpenCases,
  findPersonNames,
  setAbsence,
} from '#features/warning/handover/handover.queries.ts';
import { operatorOf } from '#features/warning/handling/transition.ts';

/**
 * Returns the caller, or a member of staff of the caller's institution for callers with 用户管理. Refuses an institution's own account,
 * which owns no case.
 */
async function requireMember({ scope, caller }: Pick<ReadContext<'staff'>, 'scope' | 'caller'>, userid: string | undefined) {
  const id = userid ?? caller.userid;
  if (id === null) throw problems.notFound({ what: '用户' });
  if (id !== caller.userid) {
    if (!caller.codes.has(codeOf('organization.users'))) throw problems.notAllowed();
    assertMayManageRights(caller);
  }
  const member = await findMember(scope, id);
  if (!member || member.musercode !== caller.musercode) throw problems.notFound({ what: '用户' });
  return member;
}

const getHandover = handle(contract.getHandover, async ({ userid }, ctx) => {
  const { scope, caller, now } = ctx;
  const member = await requireMember(ctx, userid);
  const staff = (await findAbleStaff(scope, member.musercode, now)).filter((item) => item.userid !== member.userid);
  const hidden = await findHiddenCases(scope, { owneruserid: member.userid });
  const cases = (await findOpenCases(scope, { owneruserid: member.userid })).filter((row) => !hidden.has(row.warningcode));
  const names = await findPersonNames(
    scope,
    cases.map((row) => row.cuserid),
  );
  return {
    userid: member.userid,
    realname: member.realname,
    absentuntil: member.absentuntil && member.absentuntil > now ? shanghaiTime(member.absentuntil) : null,
    cases: cases.map((row) => ({
      ...toOpenCase(row, caller.sector),
      username: displayName(caller, names.get(row.cuserid) ?? ''),
    })),
    receivers: staff
      .map(({ userid: id, realname, insname, musercode, onduty, opencases }) => ({
        userid: id,
        realname,
        insname,
        isabove: musercode !== member.musercode,
        onduty,
        opencases,
      }))
      .sort((a, b) => Number(a.isabove) - Number(b.isabove) || Number(b.onduty) - Number(a.onduty) || a.opencases - b.opencases),
  };
});

const updateAbsence = handle(contract.updateAbsence, async ({ userid, absentuntil, handovers }, ctx: Context<'staff'>) => {
  const { scope, caller, now } = ctx;
  const member = await requireMember(ctx, userid);
  if (member.userid !== caller.userid) await findManageableUser(scope, caller, member.userid);
  const until = absentuntil === null ? null : fromShanghai(absentuntil);
  if (until && until <= now) throw problems.invalid({ message: '外出结束时间须晚于现在' }, { field: 'absentuntil' });
  const handedover = until
    ? await handOverChosen(
        scope,
        member,
        handovers,
        { reason: `原责任人${member.realname}外出至 ${shanghaiTime(until).slice(0, 16)}`, ...operatorOf(caller), now },
        caller.sector,
      )
    : 0;
  await setAbsence(scope, member.userid, until);
  ctx.audit({ objectid: member.userid, detail: { realname: member.realname, absentuntil, handedover } });
  return { handedover };
});

export const handoverHandlers = [getHandover, updateAbsence];
