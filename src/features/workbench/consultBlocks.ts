import { addDays, fromShanghai, shanghaiDate, shanghaiTime } from '#domain/base/calendar.ts';
import { ConsultSource, ConsultType } from '#domain/base/enums.ts';
import { formatNumber } from '#domain/base/number.ts';
import { levelName } from '#domain/warning/levels.ts';
import { canReadField } from '#contract/fieldAccess.ts';
import { pathOf } from '#contract/menu.ts';
import type { ReadContext } from '#server/dispatch/handle.ts';
import { displayName } from '#server/security/privacy.ts';
import * as queries from '#features/workbench/consult.queries.ts';
import { placeOf } from '#features/workbench/placeOf.ts';
import type { DayBlock } from '#features/workbench/workbench.contract.ts';

const joinParts = (...parts: (string | null)[]) => parts.filter(Boolean).join(' · ');

/** The registrations that wait for a booking, and the bookings of today. Each row opens its registration. */
export async function createConsultBlocks({ scope, caller, now }: ReadContext<'staff'>): Promise<DayBlock[]> {
  const path = pathOf('consult.forms');
  const cases = canReadField(caller, 'cases');
  const waiting = await queries.findWaitingConsults(scope, now, cases);
  const bookings = await queries.findBookings(scope, now, addDays(fromShanghai(shanghaiDate(now)), 1));
  return [
    {
      key: 'consults',
      title: '待受理咨询登记',
      count: waiting.total,
      note: waiting.more ? `其中逾期 ${formatNumber(waiting.more)} 项` : '',
      path: `${path}?status=01`,
      rows: waiting.rows.map((row) => ({
        title: displayName(caller, row.username),
        detail: joinParts(ConsultSource.label(row.source), placeOf(row, now)),
        time: shanghaiTime(row.due),
        late: row.due < now,
        level: cases ? row.level : null,
        levelname: cases && row.level !== null ? levelName(row.level, row.sector) : '',
        path: `${path}?open=${row.consultid}`,
      })),
    },
    {
      key: 'bookings',
      title: '今日预约',
      count: bookings.total,
      note: bookings.more ? `${formatNumber(bookings.more)} 次待登记结果` : '',
      path: `${path}?view=today`,
      rows: bookings.rows.map((row) => ({
        title: displayName(caller, row.username),
        detail: joinParts(row.counsellorname, ConsultType.label(row.consulttype), row.room),
        time: shanghaiTime(row.slotbegin),
        late: row.slotend < now,
        level: null,
        levelname: '',
        path: `${path}?open=${row.consultid}`,
      })),
    },
  ];
}
