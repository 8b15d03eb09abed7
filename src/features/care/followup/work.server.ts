import { shanghaiTime } from '#domain/base/calendar.ts';
import { problems } from '#contract/problem.ts';
import { handle } from '#server/dispatch/handle.ts';
import * as contract from '#features/care/followup/work.contract.ts';
import * as queries from '#features/care/followup/work.queries.ts';

/** The numbers of 随访管理, who can be responsible, and the work of each colleague. */

const getFollowUpCount = handle(contract.getFollowUpCount, async ({ mine }, { scope, now, caller }) =>
  queries.countFollowUps(scope, now, mine ? (caller.userid ?? '') : undefined),
);

const getFollowUpStaffList = handle(contract.getFollowUpStaffList, async ({ musercode }, { scope, caller }) =>
  (await queries.findFollowUpStaff(scope, musercode ?? caller.musercode)).map(({ userid, realname, absentuntil }) => ({
    userid,
    realname,
    absentuntil: absentuntil && shanghaiTime(absentuntil),
    isself: userid === caller.userid ? 1 : 0,
  })),
);

const nothing = { cases: [0, 0, 0, 0], today: 0, overdue: 0, waiting: 0, bookings: 0, persons: 0 };

const getWorkload = handle(contract.getWorkload, async (_, { scope, now, caller }) => {
  if (caller.ownTeamsOnly) throw problems.notAllowed();
  const staff = await queries.findFollowUpStaff(scope, caller.musercode);
  const work = await queries.findOpenWork(scope, caller.musercode, now);
  const others = work.flatMap(({ userid }) => (userid !== null && !staff.some((item) => item.userid === userid) ? [userid] : []));
  const names = await queries.findStaffNames(scope, others);
  const unowned = work.find(({ userid }) => userid === null);
  const members = [
    ...staff,
    ...others.map((userid) => ({ userid, realname: names.get(userid) ?? '其他机构人员', absentuntil: null })),
  ];
  return [
    ...(unowned ? [{ ...unowned, realname: '无责任人', absentuntil: null, isself: 0 }] : []),
    ...members.map(({ userid, realname, absentuntil }) => ({
      ...nothing,
      ...work.find((item) => item.userid === userid),
      userid,
      realname,
      absentuntil: absentuntil && shanghaiTime(absentuntil),
      isself: userid === caller.userid ? 1 : 0,
    })),
  ];
});

export const workHandlers = [getFollowUpCount, getFollowUpStaffList, getWorkload];
