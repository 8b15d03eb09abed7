import { addDays, fromShanghai, shanghaiDate } from '../src/domain/base/calendar.ts';
import { cancelConsult } from '../src/features/consult/booking/booking.contract.ts';
import { getConsultPageList } from '../src/features/consult/register/register.contract.ts';
import type { Call } from './session.ts';

const HOUR = 60 * 60_000;

/**
 * Cancels the caller's bookings within an hour of now, also those across midnight. The demonstration has one this afternoon, and tests
 * book the present time.
 */
export async function freeNow(call: Call): Promise<void> {
  const now = new Date();
  const { rows } = await call(getConsultPageList, {
    view: 'open',
    status: '02',
    mine: 1,
    bookedfrom: shanghaiDate(addDays(now, -1)),
    bookedto: shanghaiDate(addDays(now, 1)),
    pageSize: 200,
  });
  for (const { consultid, slotbegin, slotend } of rows) {
    const isNear =
      slotbegin !== null &&
      slotend !== null &&
      fromShanghai(slotbegin).getTime() < now.getTime() + HOUR &&
      fromShanghai(slotend).getTime() > now.getTime() - HOUR;
    if (isNear) await call(cancelConsult, { consultid, reason: `测试占用 ${shanghaiDate(now)}` });
  }
}
