import { shanghaiTime } from '#domain/base/calendar.ts';
import { problems } from '#contract/problem.ts';
import { handle } from '#server/dispatch/handle.ts';
import * as contract from '#features/warning/duty/calllist.contract.ts';
import { acknowledgeCalls, findCalls } from '#features/warning/duty/calllist.queries.ts';

const getCallList = handle(contract.getCallList, async (_, { scope, caller }) =>
  (await findCalls(scope, caller)).map(({ createtime, phonenumber, ...call }) => ({
    ...call,
    phonenumber: phonenumber ?? '',
    createtime: shanghaiTime(createtime),
  })),
);

const ackCall = handle(contract.ackCall, async ({ callids }, { scope, caller, now, audit }) => {
  const calls = await acknowledgeCalls(scope, callids, caller, now);
  if (calls.length === 0) throw problems.notFound({ what: '待拨记录' });
  audit({ objectid: calls[0]?.warningcode ?? '', detail: { calls } });
  return {};
});

export const callListHandlers = [getCallList, ackCall];
