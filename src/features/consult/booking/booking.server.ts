import { ConsultStatus, ConsultType } from '#domain/base/enums.ts';
import { withFailedContact } from '#domain/warning/clock/clocks.ts';
import { handle } from '#server/dispatch/handle.ts';
import { appointConsult } from '#features/consult/booking/appoint.ts';
import * as contract from '#features/consult/booking/booking.contract.ts';
import { formatSlot } from '#features/consult/booking/bookingChecks.ts';
import { cancelConsult } from '#features/consult/booking/cancel.ts';
import { lockOpenCase } from '#features/consult/booking/consultCase.ts';
import { finishConsult } from '#features/consult/booking/finish.ts';
import { updateConsultRow } from '#features/consult/consult.queries.ts';
import { lockConsult, logConsult } from '#features/consult/lockConsult.ts';
import { assertStep } from '#features/consult/permittedSteps.ts';
import { saveTransition } from '#features/warning/handling/transition.ts';

/** The least level of a case in which a missed consultation is a failed contact. */
const FAILED_CONTACT_LEVEL = 3;

/** The way of contact (`contactChannels`) that a kind of consultation tries: in person, by telephone, by video. */
const CHANNELS: Readonly<Record<string, string>> = {
  [ConsultType.visit]: '02',
  [ConsultType.phone]: '01',
  [ConsultType.video]: '03',
  [ConsultType.group]: '02',
};

const missConsult = handle(contract.missConsult, async ({ consultid, content }, ctx) => {
  const { scope, now } = ctx;
  const consult = await lockConsult(ctx, consultid);
  await assertStep(ctx, consult, 'miss');
  await updateConsultRow(scope, consultid, { status: ConsultStatus.missed, operator: ctx.caller.accountid, updatetime: now });
  await logConsult(ctx, consult, '爽约', content);
  const lockedCase = await lockOpenCase(ctx, consult);
  if (!lockedCase) return {};
  const slot = formatSlot({ begin: consult.slotbegin!, end: consult.slotend! });
  const isFailedContact = lockedCase.facts.level >= FAILED_CONTACT_LEVEL;
  const after = isFailedContact
    ? withFailedContact(lockedCase.facts, now, CHANNELS[consult.consulttype] ?? CHANNELS[ConsultType.visit]!)
    : lockedCase.facts;
  await saveTransition(ctx, lockedCase, after, {
    action: '预约未到',
    content: [`${slot} 的咨询预约未到。`, content].join(''),
    detail: { consultid },
  });
  return {};
});

const appendConsult = handle(contract.appendConsult, async ({ consultid, content }, ctx) => {
  const consult = await lockConsult(ctx, consultid);
  await assertStep(ctx, consult, 'append');
  await logConsult(ctx, consult, '补记', content);
  return {};
});

export const bookingHandlers = [appointConsult, missConsult, finishConsult, appendConsult, cancelConsult];
