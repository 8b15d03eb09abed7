import { ConsultStatus } from '#domain/base/enums.ts';
import { handle, type Context } from '#server/dispatch/handle.ts';
import * as contract from '#features/consult/booking/booking.contract.ts';
import * as queries from '#features/consult/booking/booking.queries.ts';
import { updateConsultRow, type ConsultRecord } from '#features/consult/consult.queries.ts';
import { lockConsult, logConsult } from '#features/consult/lockConsult.ts';
import { tellOtherCounsellors } from '#features/consult/remind/consultNotices.ts';
import { assertStep } from '#features/consult/permittedSteps.ts';

type StaffContext = Context<'staff'>;

/** Cancels locked registrations by staff, each with a line in its log. */
export async function cancelRows(ctx: StaffContext, rows: readonly ConsultRecord[], reason: string): Promise<void> {
  for (const row of rows) {
    await updateConsultRow(ctx.scope, row.consultid, {
      status: ConsultStatus.cancelled,
      cancelby: '02',
      cancelreason: reason,
      operator: ctx.caller.accountid,
      updatetime: ctx.now,
    });
    await logConsult(ctx, row, '取消', reason);
  }
}

export const cancelConsult = handle(contract.cancelConsult, async ({ consultid, reason, series }, ctx) => {
  const consult = await lockConsult(ctx, consultid);
  await assertStep(ctx, consult, 'cancel');
  const rest = series === 1 ? await queries.lockRestOfSeries(ctx.scope, consult) : [];
  for (const row of rest) await assertStep(ctx, row, 'cancel');
  const rows = [consult, ...rest];
  await cancelRows(ctx, rows, reason);
  const counsellors = rows.map((row) => (row.status === ConsultStatus.booked ? row.counsellor : null));
  const title = rows.length > 1 ? `您的 ${rows.length} 次咨询预约由同事取消` : '您的一次咨询预约由同事取消';
  await tellOtherCounsellors(ctx, consult, counsellors, title);
  return { cancelled: 1 + rest.length };
});
