import { shanghaiTime } from '#domain/base/calendar.ts';
import { problems } from '#contract/problem.ts';
import { handle } from '#server/dispatch/handle.ts';
import * as contract from '#features/warning/duty/calllist.contract.ts';
import { acknowledgeCall, findCalls } from '#features/warning/duty/calllist.queries.ts';

const getCallList = handle(contract.getCallList, async (_, { scope }) =>
  (await findCalls(scope)).map(({ createtime, phonenumber, ...call }) => ({
    ...call,
    phonenumber: phonenumber ?? '',
    createtime: shanghaiTime(createtime),
  })),
);

const ackCall = handle(contract.ackCall, async ({ callid }, { scope, caller, now, audit }) => {
  const call = await acknowledgeCall(scope, callid, caller, now);
  if (!call) throw problems.notFound({ what: '待拨记录' });
  audit({ objectid: call.warningcode, detail: { callid, userid: call.userid } });
  return {};
});

export const callListHandlers = [getCallList, ackCall];
