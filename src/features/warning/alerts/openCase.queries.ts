import { sql } from 'kysely';
import type { WorkCalendar } from '#domain/base/calendar.ts';
import type { WarningLevelCode, WarningFacts } from '#domain/warning/warningfacts.ts';
import { mergeTrigger, openWarning, triggerLevel } from '#domain/warning/warningtrigger.ts';
import type { WarningTrigger } from '#domain/warning/warningtrigger.ts';
import type { Scope } from '#server/db/scope.ts';
import { chooseOwner, findStaff, findWarningSettings } from '#features/warning/duty/duty.queries.ts';
import { notifyOfWarning } from '#features/warning/alerts/notify.queries.ts';
import { addLog, toColumns, loadFacts, saveFacts, saveRiskFlag } from '#features/warning/warning.queries.ts';

export interface CaseRequest {
  cuserid: string;
  musercode: string;
  appid: string;
  examcode?: string | null | undefined;
  trigger: WarningTrigger;
  /** when the answer, observation or call for help arrived */
  time: Date;
  /** under 18; `isMinor` of warning.queries.ts says so for a person */
  isMinor: boolean;
  sector: string;
  /** working days; those of the institution's settings unless given */
  calendar?: WorkCalendar;
  /** who reports it by hand; absent when the product does */
  operator?: { accountid: string; name: string };
}

export interface OpenCaseResult {
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
interface TriggerLogEntry {
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
export async function openCase(scope: Scope, request: CaseRequest): Promise<OpenCaseResult> {
  const { cuserid, musercode, trigger, time } = request;
  const settings = await findWarningSettings(scope, musercode);
  const triggerContext = { ...settings.trigger, ...(request.calendar && { calendar: request.calendar }) };
  const logEntry: TriggerLogEntry = {
    examcode: request.examcode ?? null,
    source: trigger.source,
    level: triggerLevel(trigger),
    rules: trigger.rulecodes,
    alerts: trigger.alerts,
  };
  const author = { operator: request.operator?.accountid ?? null, operatorname: request.operator?.name ?? '系统' };

  // The case may be closed between our insert and our look at it; then the next round opens a new one.
  for (let round = 0; round < 3; round += 1) {
    const person = { minor: request.isMinor, sector: request.sector as WarningFacts['sector'], appid: request.appid };
    const open = await lockOpenCase(scope, cuserid);
    const knownCase = await findKnownTrigger(scope, cuserid, logEntry);
    if (knownCase) return { ...knownCase, created: false, raised: false, joined: true };
    if (!open) {
      const { facts, log } = openWarning(trigger, person, time, triggerContext);
      const staff = await findStaff(scope, musercode, settings.roster, time);
      const ownedFacts = { ...facts, owneruserid: chooseOwner(staff) };
      const row = await scope.db
        .insertInto('warning')
        .values({
          musercode,
          cuserid,
          appid: request.appid,
          examcode: request.examcode ?? null,
          source: trigger.source,
          initiallevel: facts.initiallevel,
          itemtrigger: trigger.itemtrigger ? 1 : 0,
          stateat: time,
          createtime: time,
          updatetime: time,
          ...toColumns(ownedFacts),
        })
        .onConflict((oc) => oc.doNothing())
        .returningAll()
        .executeTakeFirst();
      if (!row) continue;
      await addLog(scope, row, { ...log, ...author, tostate: '01', detail: { trigger: logEntry } });
      await saveRiskFlag(scope, cuserid, facts.level);
      await notifyOfWarning(scope, {
        row,
        staff,
        level: facts.level,
        triggers: log.content,
        due: facts.acceptduetime,
        reason: 'opened',
        time,
      });
      return { warningcode: row.warningcode, created: true, raised: false, level: facts.level, joined: false };
    }
    const before = await loadFacts(scope, open, time);
    const { facts: after, raised, log } = mergeTrigger({ ...before, minor: request.isMinor }, trigger, time, triggerContext);
    if (trigger.itemtrigger && open.itemtrigger === 0)
      await scope.db.updateTable('warning').set({ itemtrigger: 1 }).where('warningcode', '=', open.warningcode).execute();
    await saveFacts(scope, open.warningcode, before, after, { ...log, ...author, detail: { trigger: logEntry } });
    const staff = await findStaff(scope, musercode, settings.roster, time);
    await notifyOfWarning(scope, {
      row: { ...open, owneruserid: after.owneruserid },
      staff,
      level: after.level,
      triggers: log.content,
      due: after.acceptduetime,
      reason: raised ? 'raised' : 'joined',
      time,
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
export const isTriggerKnown = async (
  scope: Scope,
  cuserid: string,
  examcode: string,
  trigger: WarningTrigger,
): Promise<boolean> =>
  (await findKnownTrigger(scope, cuserid, {
    examcode,
    source: trigger.source,
    level: triggerLevel(trigger),
    rules: trigger.rulecodes,
    alerts: trigger.alerts,
  })) !== undefined;

/** The warning whose log already holds everything this trigger says about this exam; undefined when it says anything new. */
async function findKnownTrigger(scope: Scope, cuserid: string, trigger: TriggerLogEntry) {
  if (!trigger.examcode) return undefined;
  const { rows } = await sql<{ warningcode: string; level: WarningLevelCode; trigger: TriggerLogEntry }>`
    select w.warningcode, w.level, l.detail->'trigger' as trigger from warning w join warninglog l on l.warningcode = w.warningcode
    where w.cuserid = ${cuserid} and l.detail->'trigger'->>'examcode' = ${trigger.examcode} order by l.logid`.execute(scope.db);
  const earlierTriggers = rows.map((row) => row.trigger);
  const last = rows.at(-1);
  const areLogged = (texts: readonly string[], textsOf: (each: TriggerLogEntry) => readonly string[]) =>
    texts.every((text) => earlierTriggers.some((item) => textsOf(item).includes(text)));
  const isNew =
    !last ||
    Math.max(...earlierTriggers.map((item) => item.level)) < trigger.level ||
    !areLogged(trigger.rules, (entry) => entry.rules) ||
    !areLogged(trigger.alerts, (entry) => entry.alerts) ||
    !earlierTriggers.some((item) => item.source === trigger.source);
  return isNew ? undefined : { warningcode: last.warningcode, level: last.level };
}
