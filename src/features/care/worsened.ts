import { shanghaiTime } from '#domain/base/calendar.ts';
import { levelName } from '#domain/warning/levels.ts';
import { transition } from '#domain/warning/warning.ts';
import { isOpen, type WarningFacts, type WarningLevelCode } from '#domain/warning/warningfacts.ts';
import { findCUser } from '#features/cuser/cuser.queries.ts';
import { openCase } from '#features/warning/alerts/openCase.queries.ts';
import { actorId, findActor, type LockedCase, type StaffContext } from '#features/warning/handling/transition.ts';
import { findSector, isMinor } from '#features/warning/warning.queries.ts';

/** The least state in a follow-up outside a case that opens a case: 重点关注. */
const OPEN_LEVEL = 2;

/** The facts after a follow-up that found the person worse than the level of the case: the case is raised, which is news. */
export async function withWorsened(
  ctx: StaffContext,
  { settings }: LockedCase,
  facts: WarningFacts,
  currentlevel: number | undefined,
): Promise<WarningFacts> {
  if (currentlevel === undefined || currentlevel <= facts.level || !isOpen(facts)) return facts;
  const raise = transition(
    facts,
    { kind: 'raise', level: currentlevel as WarningLevelCode, reason: '随访' },
    { now: ctx.now, userid: actorId(ctx.caller), human: await findActor(ctx), ...settings.trigger },
  );
  return raise.ok ? raise.after : facts;
}

/** Opens or joins a case when a follow-up outside an open case finds a state from 重点关注. */
export async function reportWorsened(
  { scope, caller, now }: StaffContext,
  cuserid: string,
  currentlevel: number | undefined,
  content: string,
): Promise<void> {
  if (currentlevel === undefined || currentlevel < OPEN_LEVEL) return;
  const person = await findCUser(scope, cuserid);
  if (!person) return;
  await openCase(scope, {
    cuserid,
    musercode: person.musercode,
    appid: person.appid,
    trigger: {
      source: '03',
      level: currentlevel as WarningLevelCode,
      itemtrigger: false,
      rulecodes: [],
      alerts: [],
      alertmsgs: [`${shanghaiTime(now).slice(0, 16)} 随访，当前状态“${levelName(currentlevel, caller.sector)}”：${content}`],
    },
    time: now,
    isMinor: isMinor(person, now),
    sector: await findSector(scope, person.musercode),
    operator: caller,
  });
}
