import { levelName } from '#domain/warning/levels.ts';
import type { WarningLevelCode } from '#domain/warning/warningfacts.ts';
import type { Context } from '#server/dispatch/handle.ts';
import * as queries from '#features/consult/booking/booking.queries.ts';
import type { ConsultRecord } from '#features/consult/consult.queries.ts';
import { openCase } from '#features/warning/alerts/openCase.queries.ts';
import { lockCase, type LockedCase } from '#features/warning/handling/transition.ts';
import { findSector, isMinor } from '#features/warning/warning.queries.ts';

/** What a consultation does in the case of its person. */

type StaffContext = Context<'staff'>;

/** The person's open case, locked; undefined without one, and when it suspects the caller. */
export async function lockOpenCase(
  ctx: StaffContext,
  { cuserid }: Pick<ConsultRecord, 'cuserid'>,
): Promise<LockedCase | undefined> {
  const warningcode = await queries.findOpenCase(ctx.scope, cuserid);
  return warningcode === undefined ? undefined : lockCase(ctx, warningcode);
}

/**
 * Opens a case of source 咨询中发现, or joins the open one, and returns its code. undefined when the case suspects the caller: the report
 * joins it, but the caller does not learn of it.
 */
export async function openCaseOf(
  ctx: StaffContext,
  { cuserid, musercode }: Pick<ConsultRecord, 'cuserid' | 'musercode'>,
  { level, summary }: { level: number; summary: string },
): Promise<string | undefined> {
  const { scope, now, caller } = ctx;
  const person = await queries.findPersonState(scope, cuserid);
  if (!person) return undefined;
  const sector = await findSector(scope, musercode);
  await openCase(scope, {
    cuserid,
    musercode,
    appid: person.appid,
    trigger: {
      source: '04',
      level: level as WarningLevelCode,
      itemtrigger: false,
      rulecodes: [],
      alerts: [],
      alertmsgs: [`咨询中发现，当前状态“${levelName(level, sector)}”：${summary}`],
    },
    time: now,
    isMinor: isMinor(person, now),
    sector,
    operator: caller,
  });
  return queries.findOpenCase(scope, cuserid);
}
