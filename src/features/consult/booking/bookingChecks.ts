import { addDays, addHours, fromShanghai, shanghaiTime } from '#domain/base/calendar.ts';
import { problems } from '#contract/problem.ts';
import type { Context } from '#server/dispatch/handle.ts';
import * as queries from '#features/consult/booking/booking.queries.ts';
import type { ConsultRecord } from '#features/consult/consult.queries.ts';
import { DEAD } from '#features/warning/handling/transition.ts';

/** What a booking must fulfil before the database decides about overlaps. */

type StaffContext = Context<'staff'>;

/** The longest consultation in hours. */
const LONGEST_HOURS = 4;
/** Days from now in which the first of the bookings begins: a later year is a typing error. */
const LATEST_DAYS = 366;

/** The begin and the end of a booking. */
export interface Slot {
  begin: Date;
  end: Date;
}

/** A time as `MM-DD HH:mm–HH:mm` in China, with the year when `isFull`. */
export const formatSlot = ({ begin, end }: Slot): string =>
  `${shanghaiTime(begin).slice(0, 16)}–${shanghaiTime(end).slice(11, 16)}`;

/**
 * The times of a request. Refuses (120002) an end before the begin, more than four hours, and a time that is over: a conversation that
 * has begun may still be entered.
 */
export function parseSlot({ slotbegin, slotend }: { slotbegin: string; slotend: string }, now: Date): Slot {
  const begin = fromShanghai(slotbegin);
  const end = fromShanghai(slotend);
  if (end <= begin) throw problems.invalid({ message: '结束时间须晚于开始时间' }, { field: 'slotend' });
  if (end > addHours(begin, LONGEST_HOURS))
    throw problems.invalid({ message: `一次咨询最长 ${LONGEST_HOURS} 小时` }, { field: 'slotend' });
  if (end <= now) throw problems.invalid({ message: '这个时间已经过去' }, { field: 'slotbegin' });
  if (begin > addDays(now, LATEST_DAYS)) throw problems.invalid({ message: '只能预约一年以内的时间' }, { field: 'slotbegin' });
  return { begin, end };
}

/** Refuses (140001) to book a person who died or whose record was anonymized. */
export async function assertBookablePerson({ scope }: StaffContext, { cuserid }: Pick<ConsultRecord, 'cuserid'>): Promise<void> {
  const person = await queries.findPersonState(scope, cuserid);
  if (!person) throw problems.notFound({ what: '受测者' });
  if (person.deathtime) throw problems.wrongState({ why: DEAD });
  if (person.anonymizedtime) throw problems.wrongState({ why: '本人资料已匿名化，不能再预约' });
}

/**
 * The counsellor of a booking: somebody of the person's institution with 00016 and 00047, or the caller. Refuses (120002) everybody else,
 * a time before the end of the counsellor's absence, and a counsellor under suspicion in a case of the
 * person. That refusal gives no reason.
 */
export async function findBookableCounsellor(
  { scope, caller }: StaffContext,
  consult: Pick<ConsultRecord, 'cuserid' | 'musercode' | 'warningcode'>,
  userid: string,
  begin: Date,
): Promise<{ userid: string; realname: string }> {
  const counsellor =
    (await queries.findCounsellor(scope, consult.musercode, userid)) ??
    (userid === caller.userid ? await queries.findOwnAccount(scope, userid) : undefined);
  if (!counsellor) throw problems.invalid({ message: '请选择本机构有咨询权限的人员' }, { field: 'counsellor' });
  const { realname, absentuntil } = counsellor;
  if (absentuntil && absentuntil > begin)
    throw problems.invalid(
      { message: `${realname}外出至 ${shanghaiTime(absentuntil).slice(0, 16)}，请另选时间或咨询师` },
      { field: 'counsellor' },
    );
  if (await queries.isSuspected(scope, consult, userid))
    throw problems.invalid({ message: '请为该受测者选择其他咨询师' }, { field: 'counsellor' });
  return counsellor;
}
