import { WITHDRAW_TRY_MINUTES, withoutLastTry } from '#domain/warning/clock/clocks.ts';
import { problems } from '#contract/problem.ts';
import { handle } from '#server/dispatch/handle.ts';
import { withdrawContactTry } from '#features/warning/handling/handling.contract.ts';
import { assertVersion, lockCase, saveTransition } from '#features/warning/handling/transition.ts';
import { findLastHandler } from '#features/warning/warning.queries.ts';

const withdraw = handle(withdrawContactTry, async ({ warningcode, version }, ctx) => {
  const lockedCase = await lockCase(ctx, warningcode);
  await assertVersion(ctx, lockedCase, version);
  const { facts } = lockedCase;
  const last = await findLastHandler(ctx.scope, warningcode);
  if (last?.action !== '联系尝试' || last.operator !== ctx.caller.accountid)
    throw problems.wrongState({ why: '这次联系之后已有新的处理，或记录人不是您，不能撤回' });
  if (ctx.now.getTime() - last.time.getTime() > WITHDRAW_TRY_MINUTES * 60_000)
    throw problems.wrongState({ why: `记录超过 ${WITHDRAW_TRY_MINUTES} 分钟后不能撤回，请补记一条备注说明` });
  // News in between has ended the attempts: nothing is left to take back.
  if (facts.contacttries.at(-1)?.time.getTime() !== last.time.getTime())
    throw problems.wrongState({ why: '记录之后又有新情况，不能撤回，请补记一条备注说明' });
  const { contactduebefore } = last.detail as { contactduebefore?: string | null };
  const before = contactduebefore ? new Date(contactduebefore) : null;
  return saveTransition(ctx, lockedCase, withoutLastTry(facts, before), {
    action: '撤回联系尝试',
    content: `误记：${last.content}`,
  });
});

/** The handler that takes back a failed attempt. */
export const contactTryHandlers = [withdraw];
