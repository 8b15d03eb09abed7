import { sql } from 'kysely';
import type { WorkCalendar } from '#domain/base/calendar.ts';
import type { WarningLevelCode, WarningFacts } from '#domain/warning/warningfacts.ts';
import { mergeTrigger, openWarning, triggerLevel } from '#domain/warning/warningtrigger.ts';
import type { WarningTrigger } from '#domain/warning/warningtrigger.ts';
import type { Scope } from '#server/db/scope.ts';
import { chooseOwner, findStaff, warningSettings } from '#features/warning/duty/duty.queries.ts';
import { notifyOfWarning } from '#features/warning/alerts/notify.queries.ts';
import { addLog, columnsOf, factsOf, saveFacts, saveRiskFlag } from '#features/warning/warning.queries.ts';

export interface CaseRequest {
  cuserid: string;
  musercode: string;
  appid: string;
  examcode?: string | null | undefined;
  trigger: WarningTrigger;
  /** when the answer, observation or call for help arrived */
  at: Date;
  /** under 18; `isMinor` of warning.queries.ts says so for a person */
  minor: boolean;
  sector: string;
  /** working days; those of the institution's settings unless given */
  calendar?: WorkCalendar;
  /** who reports it by hand; absent when the product does */
  operator?: { accountid: string; name: string };
}

export interface OpenedCase {
  warningcode: string;
  /** a new case was opened */
  created: boolean;
  /** the level of the open case went up */
  raised: boolean;
  level: WarningLevelCode;
  /** the trigger joined a case that was open before */
  joined: boolean;
}

/** A trigger as the log keeps it, so that the same answers found again are known. */
interface LoggedTrigger {
  examcode: string | null;
  source: string;
  level: number;
  rules: readonly string[];
  alerts: readonly string[];
}

/**
 * Opens a warning for a person or joins the trigger to the open one, in the caller's transaction, and tells who has to know.
 * Runs in a respondent's own session as well as in staff's. Any number of triggers may arrive at once: the unique index on
 * open warnings lets one open the case and the others wait for it and join. The same answers of the same exam change nothing
 * a second time, even after the case was closed.
 */
export async function openCase(scope: Scope, raise: CaseRequest): Promise<OpenedCase> {
  const { cuserid, musercode, trigger, at } = raise;
  const settings = await warningSettings(scope, musercode);
  const context = { ...settings.trigger, ...(raise.calendar && { calendar: raise.calendar }) };
  const logged: LoggedTrigger = {
    examcode: raise.examcode ?? null,
    source: trigger.source,
    level: triggerLevel(trigger),
    rules: trigger.rulecodes,
    alerts: trigger.alerts,
  };
  const by = { operator: raise.operator?.accountid ?? null, operatorname: raise.operator?.name ?? '系统' };

  // The case may be closed between our insert and our look at it; then the next round opens a new one.
  for (let round = 0; round < 3; round += 1) {
    const person = { minor: raise.minor, sector: raise.sector as WarningFacts['sector'], appid: raise.appid };
    const open = await lockOpenCase(scope, cuserid);
    const known = await alreadyKnown(scope, cuserid, logged);
    if (known) return { ...known, created: false, raised: false, joined: true };
    if (!open) {
      const { facts, log } = openWarning(trigger, person, at, context);
      const staff = await findStaff(scope, musercode, settings.roster, at);
      const owned = { ...facts, owneruserid: chooseOwner(staff) };
      const row = await scope.db
        .insertInto('warning')
        .values({
          musercode,
          cuserid,
          appid: raise.appid,
          examcode: raise.examcode ?? null,
          source: trigger.source,
          initiallevel: facts.initiallevel,
          itemtrigger: trigger.itemtrigger ? 1 : 0,
          stateat: at,
          createtime: at,
          updatetime: at,
          ...columnsOf(owned),
        })
        .onConflict((oc) => oc.doNothing())
        .returningAll()
        .executeTakeFirst();
      if (!row) continue;
      await addLog(scope, row, { ...log, ...by, tostate: '01', detail: { trigger: logged } });
      await saveRiskFlag(scope, cuserid, facts.level);
      await notifyOfWarning(scope, {
        row,
        staff,
        level: facts.level,
        triggers: log.content,
        due: facts.acceptduetime,
        reason: 'opened',
        at,
      });
      return { warningcode: row.warningcode, created: true, raised: false, level: facts.level, joined: false };
    }
    const before = await factsOf(scope, open, at);
    const { facts: after, raised, log } = mergeTrigger({ ...before, minor: raise.minor }, trigger, at, context);
    if (trigger.itemtrigger && open.itemtrigger === 0)
      await scope.db.updateTable('warning').set({ itemtrigger: 1 }).where('warningcode', '=', open.warningcode).execute();
    await saveFacts(scope, open.warningcode, before, after, { ...log, ...by, detail: { trigger: logged } });
    const staff = await findStaff(scope, musercode, settings.roster, at);
    await notifyOfWarning(scope, {
      row: { ...open, owneruserid: after.owneruserid },
      staff,
      level: after.level,
      triggers: log.content,
      due: after.acceptduetime,
      reason: raised ? 'raised' : 'joined',
      at,
    });
    return { warningcode: open.warningcode, created: false, raised, level: after.level, joined: true };
  }
  throw new Error(`the warning of ${cuserid} was opened and closed three times while a trigger waited`);
}

/** The person's open warning, held until the transaction ends. */
const lockOpenCase = (scope: Scope, cuserid: string) =>
  scope.db
    .selectFrom('warning')
    .selectAll()
    .where('cuserid', '=', cuserid)
    .where('state', 'not in', ['07', '08'])
    .where('isdeleted', '=', 0)
    .forUpdate()
    .executeTakeFirst();

/** Whether a person's log already holds everything a trigger of an exam says. */
export const isKnown = async (scope: Scope, cuserid: string, examcode: string, trigger: WarningTrigger): Promise<boolean> =>
  (await alreadyKnown(scope, cuserid, {
    examcode,
    source: trigger.source,
    level: triggerLevel(trigger),
    rules: trigger.rulecodes,
    alerts: trigger.alerts,
  })) !== undefined;

/** The warning whose log already holds everything this trigger says about this exam; undefined when it says anything new. */
async function alreadyKnown(scope: Scope, cuserid: string, trigger: LoggedTrigger) {
  if (!trigger.examcode) return undefined;
  const { rows } = await sql<{ warningcode: string; level: WarningLevelCode; trigger: LoggedTrigger }>`
    select w.warningcode, w.level, l.detail->'trigger' as trigger from warning w join warninglog l on l.warningcode = w.warningcode
    where w.cuserid = ${cuserid} and l.detail->'trigger'->>'examcode' = ${trigger.examcode} order by l.logid`.execute(scope.db);
  const before = rows.map((row) => row.trigger);
  const last = rows.at(-1);
  const said = (all: readonly string[], of: (each: LoggedTrigger) => readonly string[]) =>
    all.every((text) => before.some((item) => of(item).includes(text)));
  const new_ =
    !last ||
    Math.max(...before.map((item) => item.level)) < trigger.level ||
    !said(trigger.rules, (each) => each.rules) ||
    !said(trigger.alerts, (each) => each.alerts) ||
    !before.some((item) => item.source === trigger.source);
  return new_ ? undefined : { warningcode: last.warningcode, level: last.level };
}
