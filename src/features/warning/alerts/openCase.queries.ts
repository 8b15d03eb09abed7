import { sql } from 'kysely';
import type { WorkCalendar } from '#domain/base/calendar.ts';
import { joinSuspects } from '#domain/warning/suspect.ts';
import type { WarningLevelCode, WarningFacts } from '#domain/warning/warningfacts.ts';
import { mergeTrigger, openWarning, triggerLevel } from '#domain/warning/warningtrigger.ts';
import type { WarningTrigger } from '#domain/warning/warningtrigger.ts';
import type { Scope } from '#server/db/scope.ts';
import { chooseOwner, findStaff, findWarningSettings } from '#features/warning/duty/duty.queries.ts';
import { isSameHumanSql } from '#features/warning/humans.queries.ts';
import { notifyOfWarning, type CaseNotification } from '#features/warning/alerts/notify.queries.ts';
import { voidRequests } from '#features/warning/second/voidRequests.ts';
import { replaceSuspectedOwner } from '#features/warning/handover/handOver.ts';
import { saveDuties } from '#features/warning/special/duties.queries.ts';
import { addLog, toColumns, loadFacts, saveFacts, saveRiskFlag } from '#features/warning/warning.queries.ts';

/** A trigger for one person, and the facts that a new case needs. */
export interface CaseRequest {
  cuserid: string;
  musercode: string;
  appid: string;
  examcode?: string | null | undefined;
  trigger: WarningTrigger;
  /** the person gave an alert answer anew after taking it back: news, although the exam raised the same alert before */
  isFresh?: boolean;
  /** when the answer, observation or call for help arrived */
  time: Date;
  /** under 18; `isMinor` of warning.queries.ts says so for a person */
  isMinor: boolean;
  sector: string;
  /** the working days; by default those of the institution's settings */
  calendar?: WorkCalendar;
  /** the person that a report suspects of harm */
  suspect?: { suspectuserids: string[]; suspectname: string };
  /** the staff who report by hand; absent for triggers of answers */
  operator?: { accountid: string; name: string };
  /** the caller opens many cases at once and notifies staff of all of them together */
  isNotifiedTogether?: boolean;
}

/** The case of a trigger, and what the trigger changed. */
export interface OpenCaseResult {
  warningcode: string;
  /** a new case was opened */
  created: boolean;
  /** the level of the open case rose */
  raised: boolean;
  level: WarningLevelCode;
  /** the trigger belongs to a case that already existed */
  joined: boolean;
}

/** A trigger as the log stores it. `findKnownTrigger` compares new triggers with it. */
interface TriggerLogEntry {
  examcode: string | null;
  source: string;
  level: number;
  rules: readonly string[];
  alerts: readonly string[];
}

/**
 * Opens a case for a person or joins the trigger to the open case, and notifies staff, in the caller's transaction. Works in the
 * session of a respondent and of staff. With concurrent triggers the unique index on open warnings lets one open the case; the
 * others wait and join. The same answers of the same exam change nothing a second time, even after the case was closed.
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
  const notify = async (notification: CaseNotification) => {
    if (!request.isNotifiedTogether) await notifyOfWarning(scope, notification);
  };
  const author = { operator: request.operator?.accountid ?? null, operatorname: request.operator?.name ?? '系统' };

  const reported = request.suspect && {
    ...request.suspect,
    suspectuserids: await findAccountsOfHumans(scope, request.suspect.suspectuserids),
  };

  // When the insert meets an open case, the next round joins it. If it was closed meanwhile, that round opens a new case.
  for (let round = 0; round < 3; round += 1) {
    const person = { minor: request.isMinor, sector: request.sector as WarningFacts['sector'], appid: request.appid };
    const open = await lockOpenCase(scope, cuserid);
    const knownCase = request.isFresh ? undefined : await findKnownTrigger(scope, cuserid, logEntry);
    if (knownCase) return { ...knownCase, created: false, raised: false, joined: true };
    if (!open) {
      const { facts, log } = openWarning(trigger, person, time, triggerContext);
      const staff = await findStaff(scope, musercode, settings.roster, time);
      const ownedFacts = { ...facts, owneruserid: chooseOwner(staff, reported?.suspectuserids) };
      const row = await scope.db
        .insertInto('warning')
        .values({
          musercode,
          cuserid,
          appid: request.appid,
          examcode: request.examcode ?? null,
          source: trigger.source,
          initiallevel: facts.initiallevel,
          opensign: [...(trigger.signs ?? [])],
          ...reported,
          stateat: time,
          createtime: time,
          updatetime: time,
          ...toColumns(ownedFacts),
        })
        .onConflict((oc) => oc.doNothing())
        .returningAll()
        .executeTakeFirst();
      if (!row) continue;
      await saveDuties(scope, row, [], facts.duties, time);
      await addLog(scope, row, { ...log, ...author, tostate: '01', detail: { trigger: logEntry } });
      await saveRiskFlag(scope, cuserid, facts.level);
      await notify({
        row,
        staff,
        level: facts.level,
        triggers: log.content,
        due: facts.acceptduetime,
        itemtrigger: facts.selfharm,
        reason: 'opened',
        time,
      });
      return { warningcode: row.warningcode, created: true, raised: false, level: facts.level, joined: false };
    }
    const before = await loadFacts(scope, open, time);
    const locked = { ...before, minor: request.isMinor };
    const { facts: after, raised, news, log } = mergeTrigger(locked, trigger, time, triggerContext);
    const suspect = reported && {
      // A later report never lets an earlier suspected colleague back in.
      suspectuserids: [...new Set([...open.suspectuserids, ...reported.suspectuserids])],
      suspectname: joinSuspects(open.suspectname, reported.suspectname),
    };
    if (suspect) await scope.db.updateTable('warning').set(suspect).where('warningcode', '=', open.warningcode).execute();
    await saveFacts(scope, open.warningcode, before, after, { ...log, ...author, detail: { trigger: logEntry } });
    await voidRequests(scope, open.warningcode, before, after, time);
    const staff = await findStaff(scope, musercode, settings.roster, time);
    await notify({
      row: { ...open, ...suspect, owneruserid: after.owneruserid },
      staff,
      level: after.level,
      triggers: log.content,
      // A trigger without news sets no deadline.
      due: news ? after.acceptduetime : null,
      reason: raised ? 'raised' : news ? 'news' : 'joined',
      time,
      itemtrigger: trigger.itemtrigger,
    });
    if (suspect) await replaceSuspectedOwner(scope, open.warningcode, { ...author, now: time });
    return { warningcode: open.warningcode, created: false, raised, level: after.level, joined: true };
  }
  throw new Error(`the warning of ${cuserid} was opened and closed three times while a trigger waited`);
}

/** These accounts and the other accounts of the same humans, by telephone or certificate. */
async function findAccountsOfHumans(scope: Scope, userids: readonly string[]): Promise<string[]> {
  if (userids.length === 0) return [];
  const { rows } = await sql<{ userid: string }>`
    select other.userid from sysuser s join sysuser other on ${isSameHumanSql('s', 'other')}
    where s.userid = any (${[...userids]}::text[])`.execute(scope.db);
  return [...new Set([...userids, ...rows.map(({ userid }) => userid)])];
}

/** The open case of a person, locked until the transaction ends. */
const lockOpenCase = (scope: Scope, cuserid: string) =>
  scope.db
    .selectFrom('warning')
    .selectAll()
    .where('cuserid', '=', cuserid)
    .where('state', 'not in', ['07', '08'])
    .where('isdeleted', '=', 0)
    .forUpdate()
    .executeTakeFirst();

/** Says whether the log of a person already contains this trigger of this exam. */
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

/** The case whose log already contains this trigger of its exam. undefined when the level, a rule, an alert or the source is new. */
async function findKnownTrigger(scope: Scope, cuserid: string, trigger: TriggerLogEntry) {
  if (!trigger.examcode) return undefined;
  const { rows } = await sql<{ warningcode: string; level: WarningLevelCode; trigger: TriggerLogEntry }>`
    select w.warningcode, w.level, l.detail->'trigger' as trigger
    from warning w
      join warninglog l on l.warningcode = w.warningcode
    where w.cuserid = ${cuserid} and l.detail->'trigger'->>'examcode' = ${trigger.examcode}
    order by l.logid`.execute(scope.db);
  const earlierTriggers = rows.map((row) => row.trigger);
  const last = rows.at(-1);
  const areLogged = (texts: readonly string[], textsOf: (entry: TriggerLogEntry) => readonly string[]) =>
    texts.every((text) => earlierTriggers.some((item) => textsOf(item).includes(text)));
  const isNew =
    !last ||
    Math.max(...earlierTriggers.map((item) => item.level)) < trigger.level ||
    !areLogged(trigger.rules, (entry) => entry.rules) ||
    !areLogged(trigger.alerts, (entry) => entry.alerts) ||
    !earlierTriggers.some((item) => item.source === trigger.source);
  return isNew ? undefined : { warningcode: last.warningcode, level: last.level };
}
