import { fromShanghai } from '#domain/base/calendar.ts';
import * as care from '#features/care/care.contract.ts';
import * as handling from '#features/warning/handling/handling.contract.ts';
import * as warning from '#features/warning/warning.contract.ts';
import type { WarningRow } from '#features/warning/warning.contract.ts';
import type { Calls } from '#seed/demo/calls.ts';
import { minutesLater } from '#seed/demo/content/dates.ts';
import { finishFollowUps, type StaffDesk } from '#seed/demo/events/cases.ts';

/** Steps of one case: more than the daily contacts of half a year. */
const MOST_STEPS = 200;
const EARLY_MINUTES = 120;

const contacts = [
  { kind: '01', content: '面谈约20分钟，了解近一周的睡眠、胃口和学习（工作）情况，目前平稳。' },
  { kind: '05', content: '电话联系本人和家属，近况较上次平稳，约定下次联系的时间。' },
  { kind: '02', content: '咨询一次，一起回顾安全计划，本人知道难受时可以找谁。' },
] as const;

/**
 * Keeps an open case in the contact rhythm until the anchor: a contact before each one is due, the feedback of the hospital and the
 * follow-ups. A case whose next clock asks for another step stays as it is.
 */
export async function keepRhythm(calls: Calls, desk: StaffDesk, row: WarningRow): Promise<void> {
  const { warningcode, cuserid } = row;
  for (let step = 0; step < MOST_STEPS; step += 1) {
    const reader = await calls.as(desk.owner, desk.dates.now);
    const { full } = await reader(warning.getWarningDetail, { warningcode });
    const [clock] = full?.clocks ?? [];
    if (!full || !clock?.isoverdue) return;
    const call = await calls.as(desk.owner, minutesLater(fromShanghai(clock.at), -EARLY_MINUTES));
    if (clock.kind === 'follow' || clock.kind === 'contact') {
      const contact = contacts[step % contacts.length] as (typeof contacts)[number];
      await call(care.insertInterfere, { cuserid, warningcode, ...contact, minutes: 20, effect: 3 });
    } else if (clock.kind === 'visit' && full.referrals[0]) {
      await call(handling.updateReferral, {
        warningcode,
        referralid: full.referrals[0].referralid,
        status: '04',
        visitdate: '',
        feedback: '按约复诊，医院建议继续心理治疗，校（院）内继续支持。',
        fileids: [],
      });
    } else if (clock.kind === 'followup') {
      await finishFollowUps(calls, desk, row, desk.dates.now);
    } else {
      return;
    }
  }
}
