import { fromShanghai, shanghaiTime } from '#domain/base/calendar.ts';
import { problems } from '#contract/problem.ts';
import type { Context } from '#server/dispatch/handle.ts';
import { handle } from '#server/dispatch/handle.ts';
import { findManageableUser } from '#server/dispatch/rights.ts';
import { displayName } from '#server/security/privacy.ts';
import * as contract from '#features/warning/handover/handover.contract.ts';
import { handOverChosen, toOpenCase } from '#features/warning/handover/handOver.ts';
import {
  findAbleStaff,
  findHiddenCases,
  findOpenCases,
  findPersonNames,
  setAbsence,
} from '#features/warning/handover/handover.queries.ts';
import { requireMember } from '#features/warning/handover/member.ts';
import { operatorOf } from '#features/warning/handling/transition.ts';

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
