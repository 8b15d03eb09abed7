import { addDays } from '#domain/base/calendar.ts';
import { DUE_LABELS, type DueKind } from '#domain/warning/clock/clocks.ts';
import ical from 'ical-generator';
import { runAsSystem } from '#server/db/systemSession.ts';
import { hashToken } from '#server/dispatch/caller.ts';
import type { Services } from '#server/dispatch/services.ts';
import { findPlannedThings, readFeed, type PlannedThing } from '#features/planner/planner.queries.ts';

/** How far the calendar reaches, in days. Overdue things of the last days stay visible. */
const PAST_DAYS = 14;
const FUTURE_DAYS = 90;
/** A deadline takes a quarter of an hour in the calendar, so that programs show it. */
const DEADLINE_MS = 15 * 60_000;

/** The words of a thing. A calendar lies open on desks and phones, so they name no person and no level. */
function summaryOf({ kind, step }: PlannedThing): string {
  if (kind === 'followup') return '随访';
  if (kind === 'consult') return '咨询';
  return `时限：${DUE_LABELS[step as DueKind] ?? '下一步'}`;
}
const PATHS = {
  followup: '/registration/followUpManagement?view=today&mine=1',
  consult: '/registration/registrationForm?tab=calendar&mine=1',
  case: '/workbench',
} as const;

/** Returns the calendar (RFC 5545) behind the secret of an address; undefined when the address has ended. */
export async function createCalendarFile(
  { pools, publicUrl }: Pick<Services, 'pools' | 'publicUrl'>,
  secret: string,
  now: Date,
): Promise<string | undefined> {
  const owner = await readFeed(pools.authn, hashToken(secret));
  if (!owner) return undefined;
  const things = await runAsSystem(pools, owner.musercode, (scope) =>
    findPlannedThings(scope, owner.userid, addDays(now, -PAST_DAYS), addDays(now, FUTURE_DAYS)),
  );
  const calendar = ical({ name: '心理工作日程', prodId: { company: 'xinli', product: 'console', language: 'ZH' }, ttl: 3600 });
  for (const thing of things)
    calendar.createEvent({
      // The number is hashed, so that two programs cannot tell from it which case a colleague has.
      id: hashToken(`${secret} ${thing.kind} ${thing.id}`).slice(0, 32),
      start: thing.begin,
      end: thing.end ?? new Date(thing.begin.getTime() + DEADLINE_MS),
      stamp: now,
      summary: summaryOf(thing),
      url: publicUrl + PATHS[thing.kind],
    });
  return calendar.toString();
}
