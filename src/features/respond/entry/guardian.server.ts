import { shanghaiTime } from '#domain/base/calendar.ts';
import { problems } from '#contract/problem.ts';
import { handle } from '#server/dispatch/handle.ts';
import { runAsSystem } from '#server/db/systemSession.ts';
import { checkGuardianCode, sendGuardianCode as createCode } from '#features/consent/guardian/guardianCode.ts';
import { settleGuardians } from '#features/consent/guardian/settleGuardians.ts';
import { withdrawConsent as carryOutWithdrawal } from '#features/consent/withdrawal/withdraw.ts';
import * as contract from '#features/respond/respond.contract.ts';

/** The person's calls about the guardian and the withdrawal. They write with the server's session: see 55_consent.sql. */

const sendGuardianCode = handle(contract.sendGuardianCode, (_, { pools, caller, cipher, now }) =>
  runAsSystem(pools, caller.musercode, (scope) => createCode(scope, { ...caller, cipher, now })),
);

const confirmGuardianCode = handle(contract.confirmGuardianCode, async ({ code }, { pools, caller, cipher, now }) => {
  const { cuserid, musercode } = caller;
  // The count of wrong tries must be stored although the call is refused.
  const result = await runAsSystem(pools, musercode, async (scope) => {
    const answer = await checkGuardianCode(scope, { cuserid, code, cipher, now });
    if (answer === 'right') await settleGuardians(scope, [cuserid], { status: 1, method: '01', verifiedby: 'guardian', now });
    return answer;
  });
  if (result === 'wrong') throw problems.invalid({ message: '验证码不对，请和监护人再核对一次' }, { field: 'code' });
  if (result === 'none') throw problems.wrongState({ why: '验证码已失效，请重新发送' });
  return {};
});

const withdrawConsent = handle(contract.withdrawConsent, async (_, { pools, caller, now }) => {
  const { cuserid, musercode } = caller;
  const receipt = await runAsSystem(pools, musercode, (scope) =>
    carryOutWithdrawal(scope, { cuserid, source: '01', reason: '', createby: null, now }),
  );
  return { ...receipt, time: shanghaiTime(receipt.time) };
});

export const guardianHandlers = [sendGuardianCode, confirmGuardianCode, withdrawConsent];
